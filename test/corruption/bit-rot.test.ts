import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { type BitRotRun, COUNTS, rot } from './bit-rot.ts';

const RUN: BitRotRun = {
  seed: 1,
  count: 100,
  fewestBytes: 300_000,
  wholeStep: 500,
  reports: 'heeded',
  changes: 'any',
};

test('D14: whatever byte or block of whatever file rots, no wrong value is read, and what is missing is said', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const { trials, failures } = await rot({ ...RUN, seed, count: COUNTS.slice });
  assert.deepEqual(failures, []);
  assert.equal(trials, COUNTS.slice);
});

test('D14, negative control: with the reports of damage ignored the same trials fail', async () => {
  const { failures } = await rot({ ...RUN, reports: 'ignored' });
  assert.match(failures.join(), /pieces are missing, and nothing says so/);
});

test('D14, negative control: bytes changed so that no checksum can tell are found in the file and in the whole', async () => {
  const { failures } = await rot({ ...RUN, changes: 'unseen', wholeStep: 1 });
  assert.match(failures.join('\n'), /^(?!.*the whole).*(never written|wrong point)/m);
  assert.match(failures.join('\n'), /the whole: .*reads a wrong point/);
});

test('D14: the parts of a run are all of its trials, each once', async () => {
  const failing = { ...RUN, count: 5, reports: 'ignored' } as const;
  const whole = await rot(failing);
  const parts = [];
  for (const number of [1, 2]) parts.push(await rot({ ...failing, part: { number, of: 2 } }));
  assert.deepEqual(
    parts.map(({ trials }) => trials),
    [3, 2],
  );
  assert.ok(whole.failures.length > 1);
  assert.deepEqual(parts.flatMap(({ failures }) => failures).sort(), [...whole.failures].sort());
});
