// The clock and the chance that tests turn by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from './manual-clock.ts';
import { SeededRandom } from './seeded-random.ts';

test('timers run in the order they come due, each at its own time, and only once', () => {
  const clock = new ManualClock(1_000);
  const calls: string[] = [];
  const note = (label: string) => () => calls.push(`${label}@${clock.monotonicMs()}/${clock.nowMs()}`);
  clock.after(30, note('c'));
  clock.after(10, note('a'));
  clock.after(10, note('b'));
  const cancel = clock.after(20, note('never'));
  clock.after(10, () => clock.after(5, note('nested')));
  cancel();
  clock.advance(29);
  assert.deepEqual(calls, ['a@10/1010', 'b@10/1010', 'nested@15/1015']);
  assert.equal(clock.nowMs(), 1_029);
  clock.advance(1);
  clock.advance(100);
  assert.deepEqual(calls.slice(3), ['c@30/1030']);
  assert.equal(clock.timerCount, 0);
});

test('a wall clock that is set moves no timer and not the monotonic clock', () => {
  const clock = new ManualClock(0);
  let calls = 0;
  clock.after(10, () => calls++);
  clock.setWall(1e12);
  assert.equal(calls, 0);
  clock.advance(10);
  assert.equal(calls, 1);
  assert.deepEqual([clock.nowMs(), clock.monotonicMs()], [1e12 + 10, 10]);
});

test('the same seed gives the same draws, another seed others', () => {
  const draw = (seed: number): number[] => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 20 }, () => random.uint32());
  };
  assert.deepEqual(draw(7), draw(7));
  assert.notDeepEqual(draw(7), draw(8));
});

test('draws keep their bounds and reach both', () => {
  const random = new SeededRandom(3);
  const seen = new Set<number>();
  for (let i = 0; i < 200; i++) seen.add(random.between(-1, 2));
  assert.deepEqual([...seen].sort(), [-1, 0, 1, 2]);
  assert.deepEqual(random.shuffled([1, 2, 3, 4]).sort(), [1, 2, 3, 4]);
});
