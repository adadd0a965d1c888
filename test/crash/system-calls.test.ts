import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, failSystemCalls, whyNoStrace } from './system-calls.ts';

test('D11: when a sync or write of the server fails it ends with code 74, and nothing acknowledged is lost', {
  skip: whyNoStrace(),
}, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const count = COUNTS.slice;
  assert.deepEqual(await failSystemCalls({ seed, count }), { trials: count, failures: [] });
});

test('D11, negative control: a sync that does nothing and says that it worked ends nothing', {
  skip: whyNoStrace(),
}, async () => {
  const { failures } = await failSystemCalls({ seed: 1, count: 1, injected: 'fdatasync:retval=0', endLimitMs: 5000 });
  assert.match(failures.join(), /the server went on/);
});
