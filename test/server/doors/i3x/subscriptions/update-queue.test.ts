// The updates that wait for a subscriber against a plain list, and what happens beyond their bound.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UpdateQueue } from '../../../../../server/doors/i3x/subscriptions/update-queue.ts';

test('what is not acknowledged comes again, in order, under the same numbers', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 2500 }) }),
    fc.record({ kind: fc.constant('share' as const), count: fc.integer({ min: 1, max: 1000 }) }),
    fc.record({ kind: fc.constant('read' as const), acknowledges: fc.integer({ min: 0, max: 3 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const queue = new UpdateQueue({ chars: 0 });
      const numbers = new Map<string, number>();
      let waiting: string[] = [];
      let made = 0;
      for (const one of steps) {
        if (one.kind === 'share') {
          const updates = Array.from({ length: one.count }, () => `u${made++}`);
          const frozen = Object.freeze(updates) as string[];
          queue.addShared({ updates: frozen, chars: updates.reduce((sum, { length }) => sum + length, 0) });
          waiting.push(...updates);
          continue;
        }
        if (one.kind === 'add') {
          for (let i = 0; i < one.count; i++) {
            const update = `u${made++}`;
            queue.add(update);
            waiting.push(update);
          }
          continue;
        }
        const batches = queue.pending();
        assert.deepEqual(
          batches.flatMap(({ updates }) => updates),
          waiting,
        );
        for (const { sequenceNumber, updates } of batches) {
          for (const update of updates) {
            assert.equal(numbers.get(update) ?? sequenceNumber, sequenceNumber);
            numbers.set(update, sequenceNumber);
          }
        }
        const acknowledged = batches.slice(0, one.acknowledges);
        queue.acknowledge(acknowledged.at(-1)?.sequenceNumber ?? 0);
        waiting = waiting.slice(acknowledged.reduce((sum, { updates }) => sum + updates.length, 0));
      }
      assert.equal(queue.hasDropped, false);
    }),
    { numRuns: 60 },
  );
});

test('beyond 50,000 updates the oldest go, and the numbers show it', () => {
  const budget = { chars: 0 };
  const queue = new UpdateQueue(budget);
  for (let i = 0; i < 120_000; i++) queue.add(`u${i}`);
  assert.equal(queue.hasDropped, true);
  const batches = queue.pending();
  const updates = batches.flatMap((batch) => batch.updates);
  assert.ok(updates.length > 49_000 && updates.length <= 50_000, `${updates.length} updates`);
  assert.equal(updates.at(-1), 'u119999');
  assert.equal(updates[0], `u${120_000 - updates.length}`);
  const first = batches[0]?.sequenceNumber as number;
  assert.ok(first > 1);
  assert.deepEqual(
    batches.map(({ sequenceNumber }) => sequenceNumber),
    batches.map((_, i) => first + i),
  );
  assert.equal(
    budget.chars,
    updates.reduce((sum, update) => sum + update.length, 0),
  );
  queue.clear();
  assert.equal(budget.chars, 0);
});

test('a queue that exceeds what all may hold together loses its own, not those of others', () => {
  const budget = { chars: 0 };
  const long = 'x'.repeat(100_000);
  const others = Array.from({ length: 8 }, () => new UpdateQueue(budget));
  for (const queue of others) for (let i = 0; i < 150; i++) queue.add(long);
  const held = others.map((queue) => queue.pending().flatMap(({ updates }) => updates).length);
  const last = new UpdateQueue(budget);
  for (let i = 0; i < 300; i++) last.add(long);
  assert.ok(budget.chars <= 129 * 2 ** 20);
  assert.equal(last.hasDropped, true);
  assert.deepEqual(
    others.map((queue) => queue.pending().flatMap(({ updates }) => updates).length),
    held,
  );
});
