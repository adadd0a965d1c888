import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NewestTimes } from '../../collect/newest-times.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const EARLY = { timeMs: 1000, ticks: 7 };
const NEW = { timeMs: 5000, ticks: 0 };

function named(tag: string, instant: typeof EARLY): Parameters<NewestTimes['advance']>[0][number] {
  return { tag, point: { ...instant, json: '1', number: 1, quality: 192 } };
}

test('the newest time and that of the point that came last are known to the next run', async (context) => {
  const path = join(makeTempFolder(context), 'newest.json');
  const times = await NewestTimes.open(path);
  times.advance([named('A', NEW), named('A', EARLY), named('B', EARLY), named('B', NEW)]);
  await times.save();
  const again = await NewestTimes.open(path);
  assert.deepEqual(again.get('A'), { newest: NEW, last: EARLY });
  assert.deepEqual(again.get('B'), { newest: NEW, last: NEW });
});

test('what the historian has beyond the file is the last, too, and what it has before it says nothing', async (context) => {
  const path = join(makeTempFolder(context), 'newest.json');
  writeFileSync(path, '{"A":[5000,0,1000,7],"B":[1,2,"x"],"C":[3]}');
  const times = await NewestTimes.open(path);
  times.advanceTo('A', { timeMs: 4000, ticks: 0 });
  assert.deepEqual(times.get('A'), { newest: NEW, last: EARLY });
  times.advanceTo('A', { timeMs: 6000, ticks: 0 });
  assert.deepEqual(times.get('A')?.last, { timeMs: 6000, ticks: 0 });
  assert.equal(times.get('B'), undefined);
  assert.equal(times.get('C'), undefined);
});
