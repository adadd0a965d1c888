// Errors as the client gets them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderProblem } from '../../../server/http/render-problem.ts';
import { ProblemError } from '../../../server/problem.ts';

test('a problem has the members of RFC 9457 and those of the reference', () => {
  const error = new ProblemError(404, "Tag 'x' could not be found.", {
    key: 'Error.TagNotFound',
    headers: [['X-A', 'b']],
  });
  const rendered = renderProblem(error, '/api/datasets/p/tags/x');
  assert.equal(rendered.status, 404);
  assert.deepEqual(rendered.headers, [
    ['Content-Type', 'application/problem+json'],
    ['X-A', 'b'],
  ]);
  assert.deepEqual(JSON.parse(rendered.body), {
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: "Tag 'x' could not be found.",
    instance: '/api/datasets/p/tags/x',
    key: 'Error.TagNotFound',
    message: "Tag 'x' could not be found.",
  });
});

test('of many faults the first hundred are told', () => {
  const errors = Array.from({ length: 250 }, (_, index) => ({ path: `/${index}`, message: 'bad' }));
  const body = JSON.parse(renderProblem(new ProblemError(400, 'Bad.', { errors }), '/').body);
  assert.equal(body.errors.length, 100);
  assert.deepEqual(body.errors[99], { path: '/99', message: 'bad' });
});

test('an unknown error tells nothing of itself', () => {
  for (const error of [new Error('password hunter2'), 'hunter2', undefined, null, { message: 'hunter2' }]) {
    const rendered = renderProblem(error, '/');
    assert.equal(rendered.status, 500);
    assert.ok(!rendered.body.includes('hunter2'));
    assert.equal(JSON.parse(rendered.body).title, 'Internal Server Error');
  }
});
