// Slices of long work: what goes to another thread begins before them, and beside requests they are short.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEndOfTurn, nextTurn, Slicer } from '../../../engine/io/slicer.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const SLICE_MS = 4;
const STEP_MS = 0.5;
/** Most steps of a slice, in case that it never ends. */
const MOST_STEPS = 100;

/** Works in steps until its turn is over; returns how long that was, ms. */
async function workOneTurn(slicer: Slicer, clock: ManualClock): Promise<number> {
  for (let step = 0; step < MOST_STEPS; step++) {
    const pause = slicer.pause();
    if (pause) {
      await pause;
      return step * STEP_MS;
    }
    clock.advance(STEP_MS);
  }
  throw new Error('the slice did not end');
}

test('what is called at the end of a turn is called before long work that waits goes on', async () => {
  const order: string[] = [];
  const work = nextTurn().then(() => order.push('work'));
  atEndOfTurn(() => order.push('first'));
  atEndOfTurn(() => order.push('second'));
  await work;
  assert.deepEqual(order, ['first', 'second', 'work']);
});

test('what is called at the end of a turn is called once, also without long work', async () => {
  let calls = 0;
  await new Promise<void>((resolve) =>
    atEndOfTurn(() => {
      calls++;
      atEndOfTurn(resolve);
    }),
  );
  assert.equal(calls, 1);
});

test('a slice is as long as what else was done since the last one, from a quarter to all of its limit', async () => {
  const clock = new ManualClock(0);
  const slicer = new Slicer({ clock, tunables: { sliceMs: SLICE_MS } });
  clock.advance(1000);
  assert.equal(await workOneTurn(slicer, clock), SLICE_MS);
  assert.equal(await workOneTurn(slicer, clock), SLICE_MS / 4);
  clock.advance(2);
  assert.equal(await workOneTurn(slicer, clock), 2);
  clock.advance(50);
  assert.equal(await workOneTurn(slicer, clock), SLICE_MS);
  assert.equal(await workOneTurn(slicer, clock), SLICE_MS / 4);
});

test('two pieces of long work share the slices', async () => {
  const clock = new ManualClock(0);
  const slicers = [0, 1].map(() => new Slicer({ clock, tunables: { sliceMs: SLICE_MS } }));
  clock.advance(1000);
  const turns: number[] = [];
  const work = async (slicer: Slicer, name: number): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) {
      await workOneTurn(slicer, clock);
      turns.push(name);
    }
  };
  await Promise.all(slicers.map((slicer, i) => work(slicer, i)));
  assert.deepEqual(turns, [0, 1, 0, 1, 0, 1]);
});
