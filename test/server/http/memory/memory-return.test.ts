// Memory that many answers have held is looked for once they are over, and not again and again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBudget } from '../../../../server/http/memory/memory-budget.ts';
import { MemoryReturn } from '../../../../server/http/memory/memory-return.ts';

const MIB = 2 ** 20;

test('memory is looked for when most of what was held is given back, a few times, then not for a minute', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let searches = 0;
  const memory = new MemoryReturn(() => searches++);
  const budget = new MemoryBudget(1024 * MIB, (heldBytes) => memory.note(heldBytes));
  const hold = (mib: number): void => {
    budget.take('somebody', mib * MIB);
    budget.give('somebody', mib * MIB);
  };
  const wait = (seconds: number): void => {
    for (let i = 0; i < seconds; i++) context.mock.timers.tick(1000);
  };
  hold(50);
  wait(20);
  assert.equal(searches, 0, 'too little');
  budget.take('other', 10 * MIB);
  hold(100);
  hold(200);
  wait(20);
  assert.equal(searches, 3);
  hold(200);
  wait(20);
  assert.equal(searches, 3, 'not yet again');
  wait(60);
  assert.equal(searches, 6);
  wait(600);
  assert.equal(searches, 6);
});
