import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, type ErrorCode } from '../../engine/index.ts';
import { ENGINE_STATUS, toProblem } from '../../server/engine-status.ts';
import { ProblemError } from '../../server/problem.ts';

function problemOf(code: ErrorCode, details = {}): ProblemError {
  const problem = toProblem(new EngineError(code, 'what happened inside', details));
  assert.ok(problem instanceof ProblemError);
  return problem;
}

test('unknown names are said in the words of the reference product', () => {
  const tag = problemOf('TAG_NOT_FOUND', { name: 'x' });
  assert.deepEqual([tag.status, tag.key, tag.message], [404, 'Error.TagNotFound', "Tag 'x' could not be found."]);
  const dataset = problemOf('DATASET_NOT_FOUND', { name: 'y' });
  assert.deepEqual(
    [dataset.status, dataset.key, dataset.message],
    [404, 'Error.DatasetNotFound', "Dataset 'y' could not be found."],
  );
});

test('several unknown tags are listed', () => {
  const problem = problemOf('TAG_NOT_FOUND', { names: ['a', 'b'] });
  assert.equal(problem.message, "Tag 'a' could not be found.");
  assert.deepEqual(
    problem.errors.map(({ message }) => message),
    ["Tag 'a' could not be found.", "Tag 'b' could not be found."],
  );
});

test('what passes by itself says when to come again', () => {
  assert.deepEqual(problemOf('DISK_FULL').headers, [['Retry-After', '10']]);
  assert.deepEqual(problemOf('BAD_NAME').headers, []);
});

test('a write that was stopped between two batches has the counts of what is stored', () => {
  const stored = { written: 5, ignored: 1, repeated: 2, rejected: 3, ahead: 4, expired: 0 };
  assert.deepEqual(Object.fromEntries(problemOf('DISK_FULL', { stored }).headers), {
    'Retry-After': '10',
    'Historian-Written': '5',
    'Historian-Ignored': '1',
    'Historian-Repeated': '2',
    'Historian-Rejected': '3',
    'Historian-Ahead': '4',
    'Historian-Expired': '0',
  });
});

test('faults of the server keep their reason to themselves, and to the log', () => {
  for (const code of ['IO', 'CORRUPT', 'BUG'] as const) {
    const problem = problemOf(code);
    assert.equal(problem.status, 500);
    assert.doesNotMatch(problem.message, /inside/);
    assert.match(String(problem.cause), /inside/);
  }
});

test('a dataset deleted a short while ago is not found, and the reason is said', () => {
  const problem = problemOf('DATASET_DELETED', { name: 'y' });
  assert.deepEqual([problem.status, problem.key], [404, ENGINE_STATUS.DATASET_NOT_FOUND.key]);
  assert.equal(problem.message, 'what happened inside');
});

test('errors of others pass through', () => {
  const error = new Error('other');
  assert.equal(toProblem(error), error);
});
