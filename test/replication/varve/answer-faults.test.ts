// What answers of another Varve mean to a copy: to be tried again, or refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PassingFailure } from '../../../replication/sink.ts';
import { failureOf, Refused } from '../../../replication/varve/http/faults.ts';

test('what a restart or room on the disk ends is tried again; what there is advice for is not', () => {
  for (const status of [408, 425, 429, 500, 502, 503, 504, 507])
    assert.ok(failureOf('it', status, '') instanceof PassingFailure, String(status));
  for (const status of [400, 401, 403, 404, 409, 413, 501, 505])
    assert.ok(failureOf('it', status, '') instanceof Refused, String(status));
  assert.match(failureOf('it', 505, '').message, /^it: 505: .*--http node/);
});

test('the words of the server are shown, no more than 300 characters of them', () => {
  assert.equal(failureOf('it', 400, '{"detail":"No such tag."}').message, 'it: 400: No such tag.');
  assert.equal(
    failureOf('it', 400, JSON.stringify({ detail: 'x'.repeat(999) })).message,
    `it: 400: ${'x'.repeat(300)}`,
  );
  assert.equal(failureOf('it', 400, '<html>').message, 'it: 400: <html>');
});
