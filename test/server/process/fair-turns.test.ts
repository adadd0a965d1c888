import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairTurns } from '../../../server/process/fair-turns.ts';

test('as many go on at a time as there are turns, and holders take turns', async () => {
  const turns = new FairTurns(2);
  const order: string[] = [];
  const begin = (holder: string): void => {
    const waiting = turns.take(holder);
    if (waiting === undefined) order.push(holder);
    else void waiting.then(() => order.push(holder));
  };
  for (const holder of ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'b']) begin(holder);
  assert.deepEqual(order, ['a', 'a']);
  for (let given = 0; given < 6; given++) {
    turns.give();
    await Promise.resolve();
  }
  assert.deepEqual(order, ['a', 'a', 'a', 'b', 'c', 'a', 'b', 'a']);
  turns.give();
  turns.give();
  assert.equal(turns.take('d'), undefined);
  assert.equal(turns.take('d'), undefined);
  assert.ok(turns.take('d') instanceof Promise);
});
