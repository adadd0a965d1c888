// A slice of the campaign: `npm run campaign aggregates` has the whole.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COUNTS, tryRandomSeries } from './random-series.ts';

describe('aggregates of random series', () => {
  it('are what a plain reference computes from all points, interval by interval', () => {
    let comparedCount = 0;
    let digestCount = 0;
    for (let seed = 1; seed <= COUNTS.slice; seed++) {
      const verdict = tryRandomSeries(seed);
      comparedCount += verdict.comparedCount;
      digestCount += verdict.digestCount;
      assert.deepEqual(verdict.faults, []);
    }
    assert.ok(comparedCount > 10 * COUNTS.slice, `${comparedCount} compared`);
    assert.ok(digestCount >= 10, `${digestCount} digests of points`);
  });

  it('differ from a reference that goes by other rules', () => {
    const seeds = Array.from({ length: 20 }, (_, i) => i + 1);
    const faults = seeds.flatMap((seed) => tryRandomSeries(seed, { percentGood: 0, percentBad: 1 }).faults);
    assert.ok(faults.length > 0);
  });
});
