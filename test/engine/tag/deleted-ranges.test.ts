// Ranges of removed ordinals, beside a set of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DeletedRanges,
  holdsAll,
  isInRanges,
  touchesRanges,
  withRanges,
} from '../../../engine/tag/deleted-ranges.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';

const MOST = 40;

test('ranges that are added in any order cover what each of them covers, in order and without overlap', (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  for (let trial = 0; trial < 300; trial++) {
    let ranges: DeletedRanges = [];
    const removed = new Set<number>();
    for (let i = 0; i < 12; i++) {
      const from = random.below(MOST);
      const to = from + random.between(1, random.pick([2, 6, MOST]));
      const before = ranges;
      const copy = [...before];
      ranges = withRanges(ranges, [{ from, to }]);
      assert.deepEqual(before, copy, 'what others hold does not change');
      for (let ordinal = from; ordinal < to; ordinal++) removed.add(ordinal);
      for (const [at, range] of ranges.entries())
        assert.ok(range.from < range.to && (at === 0 || (ranges[at - 1]?.to ?? 0) <= range.from));
      for (let ordinal = 0; ordinal < 2 * MOST; ordinal++) {
        assert.equal(isInRanges(ranges, ordinal), removed.has(ordinal));
        const end = ordinal + random.between(1, 5);
        const touched = Array.from({ length: end - ordinal }, (_, k) => ordinal + k).some((one) => removed.has(one));
        assert.equal(touchesRanges(ranges, ordinal, end), touched);
        const isWhole = ranges.some((range) => range.from <= ordinal && range.to >= end);
        assert.equal(holdsAll(ranges, ordinal, end), isWhole);
      }
    }
  }
});
