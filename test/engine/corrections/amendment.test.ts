// What corrections come to, kept up with each change, beside what is found for each time by going through all of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Amendment } from '../../../engine/corrections/amendment.ts';
import type { Correction } from '../../../engine/corrections/correction.ts';
import { DatasetCorrections } from '../../../engine/corrections/dataset-corrections.ts';
import type { CorrectionKind } from '../../../engine/corrections.ts';
import { FIRST_LATE_ORDINAL } from '../../../engine/tag/late-tag.ts';
import {
  compareInstants,
  FIRST_INSTANT,
  type Instant,
  LAST_INSTANT,
  PointColumns,
  TICKS_PER_MS,
  ValueType,
} from '../../../engine/types.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';

const TAG_ID = 7;
const TRIALS = 150;
const CHANGES = 40;
const SIGNATURE = { at: { ms: 0, ticks: 0 }, by: '', reason: '' };
/** Times next to each other, at the ends of a ms. */
const TIMES: readonly Instant[] = Array.from({ length: 24 }, (_, i) => {
  return { ms: Math.floor(i / 4), ticks: [0, 1, TICKS_PER_MS - 2, TICKS_PER_MS - 1][i % 4] as number };
});

test('corrections that come, are undone and forgotten come to what the list of them says, for every time', (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  for (let trial = 0; trial < TRIALS; trial++) {
    const random = new SeededRandom((seed + trial) >>> 0);
    const corrections = new DatasetCorrections();
    let endOrdinal = 0;
    for (let i = 0; i < CHANGES; i++) {
      endOrdinal += random.below(2);
      change(corrections, random, endOrdinal);
      // Often nobody reads it between two changes.
      if (random.chance(0.7)) compare(corrections, endOrdinal, `seed ${seed + trial}, change ${i}`);
    }
  }
});

function change(corrections: DatasetCorrections, random: SeededRandom, endOrdinal: number): void {
  const inForce = corrections.ofTag(TAG_ID).filter(({ undone, kind }) => !undone && kind !== 'cut');
  if (inForce.length > 0 && random.chance(0.3)) return corrections.undo(random.pick(inForce).id, SIGNATURE);
  if (random.chance(0.03)) return corrections.forgetBefore(TAG_ID, random.pick(TIMES));
  const kind = random.pick<CorrectionKind>(['delete', 'delete', 'replace', 'insert', 'insert', 'cut']);
  const [start, end] = drawRange(random, kind);
  const points = drawPoints(random, kind, start, end);
  corrections.add({
    id: corrections.takeId(),
    tagId: TAG_ID,
    kind,
    start: kind === 'insert' ? timeOf(points, 0) : start,
    end: kind === 'insert' ? timeOf(points, points.count - 1) : end,
    endOrdinal,
    endLate: FIRST_LATE_ORDINAL + endOrdinal,
    type: ValueType.Double,
    points,
    firstPoint: corrections.takePoints(TAG_ID, points.count),
    made: SIGNATURE,
  });
}

function drawRange(random: SeededRandom, kind: CorrectionKind): [Instant, Instant] {
  const [a, b] = [random.below(TIMES.length), random.below(TIMES.length)].sort((x, y) => x - y) as [number, number];
  const start = random.chance(0.05) ? FIRST_INSTANT : (TIMES[a] as Instant);
  const isOpen = kind === 'cut' || random.chance(0.05);
  return [start, isOpen ? LAST_INSTANT : (TIMES[b] as Instant)];
}

function drawPoints(random: SeededRandom, kind: CorrectionKind, start: Instant, end: Instant): PointColumns {
  const points = new PointColumns(16);
  if (kind === 'delete' || kind === 'cut') return points;
  const inRange = TIMES.filter((time) => compareInstants(time, start) >= 0 && compareInstants(time, end) <= 0);
  const drawn = Array.from({ length: random.between(1, 5) }, () => random.pick(inRange)).sort(compareInstants);
  for (const { ms, ticks } of drawn) {
    points.timesMs[points.count] = ms;
    points.ticks[points.count++] = ticks;
  }
  return points;
}

function compare(corrections: DatasetCorrections, endOrdinal: number, when: string): void {
  const listed = corrections.ofTag(TAG_ID);
  const inForce = listed.filter(({ undone }) => !undone);
  assert.deepEqual(describe(corrections.amendmentOf(TAG_ID), endOrdinal), describeList(inForce, endOrdinal), when);
  const cuts = inForce.filter(({ kind }) => kind === 'cut');
  assert.deepEqual(describe(corrections.cutsOf(TAG_ID), endOrdinal), describeList(cuts, endOrdinal), `cuts, ${when}`);
  assert.deepEqual(
    corrections.all().map(({ id }) => id),
    listed.map(({ id }) => id).reverse(),
  );
  assert.equal(corrections.count, listed.length);
  assert.equal(
    corrections.pointCount,
    listed.reduce((sum, { points }) => sum + points.count, 0),
  );
}

/** For each time the ordinals that are hidden, in time order and late, and the numbers of the points that are there instead. */
type Description = readonly (readonly [hidden: number, hiddenLate: number, given: readonly number[]])[];

function describe(amendment: Amendment | undefined, endOrdinal: number): Description {
  for (const [i, { start, end }] of (amendment?.hidden ?? []).entries()) {
    const before = amendment?.hidden[i - 1];
    assert.ok(compareInstants(start, end) <= 0 && (!before || compareInstants(before.end, start) < 0));
  }
  return TIMES.map((time) => {
    const hiddenOf = (first: number): number =>
      ordinals(endOrdinal).filter((ordinal) => amendment?.hiddenRangeOf(time, first + ordinal) !== undefined).length;
    const given = amendment?.points.slice(amendment.firstNotBefore(time), amendment.firstAfter(time)) ?? [];
    if (given.length > 0) assert.ok(amendment?.touches(time, time));
    return [hiddenOf(0), hiddenOf(FIRST_LATE_ORDINAL), given.map(({ ordinal }) => ordinal % 2 ** 51)];
  });
}

function describeList(inForce: readonly Correction[], endOrdinal: number): Description {
  return TIMES.map((time) => {
    let hidden = 0;
    let given: number[] = [];
    for (const { kind, start, end, points, firstPoint, endOrdinal: below } of inForce) {
      const own = Array.from({ length: points.count }, (_, i) => i)
        .filter((i) => compareInstants(timeOf(points, i), time) === 0)
        .map((i) => firstPoint + i);
      const isCovered = compareInstants(start, time) <= 0 && compareInstants(end, time) >= 0;
      if (kind === 'insert' ? own.length === 0 : !isCovered) continue;
      hidden = Math.max(hidden, below);
      given = own;
    }
    const count = ordinals(endOrdinal).filter((ordinal) => ordinal < hidden).length;
    return [count, count, given];
  });
}

function ordinals(endOrdinal: number): number[] {
  return Array.from({ length: endOrdinal + 2 }, (_, i) => i);
}

function timeOf({ timesMs, ticks }: PointColumns, i: number): Instant {
  return { ms: timesMs[i] as number, ticks: ticks[i] as number };
}
