import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProblemForm } from '../../../server/http/contract/http-server.ts';
import { problemFormOf, renderProblem } from '../../../server/http/render-problem.ts';
import { ProblemError } from '../../../server/problem.ts';

const form: ProblemForm = {
  prefix: '/door/v1',
  render: (problem) => ({ status: problem.status, headers: problem.headers, body: JSON.stringify([problem.message]) }),
};

test('errors below the prefix of a form have that form, and no others', () => {
  const paths = ['/door/v1', '/door/v1/x/y', '/door/v12', '/door', '/'];
  assert.deepEqual(
    paths.map((path) => problemFormOf([form], path) === form),
    [true, true, false, false, false],
  );
});

test('what is no problem is a plain 500 in the form, too', () => {
  assert.equal(renderProblem(new ProblemError(404, 'Gone.'), '/door/v1', form).body, '["Gone."]');
  const { status, body } = renderProblem(new Error('secret'), '/door/v1', form);
  assert.equal(status, 500);
  assert.doesNotMatch(body, /secret/);
});
