// A long body over node:http comes in turns, and does not come at all while nobody wants it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BodyTurns } from '../../../server/node/body-turns.ts';

const CHUNK_BYTES = 65_536;

/** A client that always has more: its chunks come in one go for as long as they are taken. */
class EagerSource {
  readonly turns = new BodyTurns(this);
  isFlowing = true;

  pause(): void {
    this.isFlowing = false;
  }

  resume(): void {
    this.isFlowing = true;
  }

  /** The number of chunks. */
  async takeTurn(): Promise<number> {
    let chunks = 0;
    for (; this.isFlowing && chunks < 32; chunks++) this.turns.arrived(CHUNK_BYTES);
    await nextTurn();
    return chunks;
  }
}

test('of one body half a megabyte is taken in a turn, and the rest in the next ones', async () => {
  const source = new EagerSource();
  for (let turn = 0; turn < 4; turn++) assert.equal(await source.takeTurn(), 8);
});

test('a short body never rests', async () => {
  const source = new EagerSource();
  for (let i = 0; i < 7; i++) source.turns.arrived(CHUNK_BYTES);
  assert.ok(source.isFlowing);
  await nextTurn();
  source.turns.arrived(CHUNK_BYTES - 1);
  assert.ok(source.isFlowing);
});

test('a body that nobody wants does not come again with the next turn', async () => {
  const source = new EagerSource();
  assert.equal(await source.takeTurn(), 8);
  for (let i = 0; i < 8; i++) source.turns.arrived(CHUNK_BYTES);
  source.turns.pauseBody();
  await nextTurn();
  assert.equal(await source.takeTurn(), 0);
  source.turns.resumeBody();
  assert.equal(await source.takeTurn(), 8);
});

test('a body that is wanted again within a turn rests until the next one', async () => {
  const source = new EagerSource();
  for (let i = 0; i < 8; i++) source.turns.arrived(CHUNK_BYTES);
  source.turns.pauseBody();
  source.turns.resumeBody();
  assert.ok(!source.isFlowing);
  await nextTurn();
  assert.ok(source.isFlowing);
});
