import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTEMPT_INTERVAL_MS, ATTEMPTS_AT_ONCE, AttemptLimit } from '../../../../server/auth/audit/attempt-limit.ts';

function failTimes(limit: AttemptLimit, count: number, nowMs: number): (number | undefined)[] {
  return Array.from({ length: count }, () => limit.fail('10.0.0.7', nowMs));
}

test('ten attempts pass at once, the next must wait for one interval', () => {
  const limit = new AttemptLimit();
  const waits = failTimes(limit, ATTEMPTS_AT_ONCE + 2, 1000);
  assert.deepEqual(waits.slice(0, ATTEMPTS_AT_ONCE), new Array(ATTEMPTS_AT_ONCE).fill(undefined));
  assert.deepEqual(waits.slice(ATTEMPTS_AT_ONCE), [ATTEMPT_INTERVAL_MS, ATTEMPT_INTERVAL_MS]);
});

test('after the wait that was told one more passes, and who keeps trying does not wait longer', () => {
  const limit = new AttemptLimit();
  failTimes(limit, 1000, 0);
  assert.equal(limit.fail('10.0.0.7', ATTEMPT_INTERVAL_MS - 1), 1);
  assert.deepEqual(failTimes(limit, 2, ATTEMPT_INTERVAL_MS), [undefined, ATTEMPT_INTERVAL_MS]);
});

test('attempts are forgotten', () => {
  const limit = new AttemptLimit();
  failTimes(limit, ATTEMPTS_AT_ONCE, 0);
  const waits = failTimes(limit, ATTEMPTS_AT_ONCE, ATTEMPTS_AT_ONCE * ATTEMPT_INTERVAL_MS);
  assert.deepEqual(waits, new Array(ATTEMPTS_AT_ONCE).fill(undefined));
});

test('another address has its own attempts', () => {
  const limit = new AttemptLimit();
  failTimes(limit, ATTEMPTS_AT_ONCE + 1, 0);
  assert.equal(limit.fail('10.0.0.8', 0), undefined);
});

test('a million addresses take no more room than ten thousand', () => {
  const limit = new AttemptLimit();
  for (let i = 0; i < 1_000_000; i++) limit.fail(`10.${i}`, 0);
  assert.equal(limit.addressCount, 10_000);
});
