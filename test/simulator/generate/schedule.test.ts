// The order in which instances have their cycles generated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { InstanceRun } from '../../../simulator/generate/instance-run.ts';
import { Schedule } from '../../../simulator/generate/schedule.ts';

test('the first is always the one that is due first; of equal ones that which stands first in the configuration', () => {
  const starts = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(starts, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), (startsMs, lengths) => {
      const runs = startsMs.map((dueMs, index) => ({ dueMs, index: index }));
      const schedule = new Schedule(runs as unknown as InstanceRun[]);
      for (const length of lengths) {
        const expected = runs.toSorted((a, b) => a.dueMs - b.dueMs || a.index - b.index)[0];
        const first = schedule.first() as unknown as (typeof runs)[number];
        assert.equal(first, expected);
        first.dueMs += length;
        schedule.moveFirst();
      }
      assert.deepEqual(schedule.runs(), runs);
    }),
  );
});
