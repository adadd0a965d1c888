// Heads give back what was put into them, plain points and others, whatever lies beside them in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Head, HeadArena } from '../../../engine/store/head-arena.ts';
import { PointColumns, ValueType } from '../../../engine/types.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';

const HEADS = 40;
const STEPS = 3000;

/** A head, and a plain list of what it must hold. */
interface Pair {
  readonly head: Head;
  points: readonly (readonly number[])[];
}

test('heads hold the same as plain lists after random appends and drops', (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const arena = new HeadArena();
  const pairs: Pair[] = Array.from({ length: HEADS }, () => ({
    head: new Head(ValueType.Double, 0, undefined),
    points: [],
  }));
  for (let step = 0; step < STEPS; step++) {
    const pair = random.pick(pairs);
    if (random.chance(0.3)) drop(arena, pair, random.below(pair.points.length + 1));
    else append(arena, pair, random);
    assert.deepEqual(contentOf(arena, pair.head), pair.points);
  }
  for (const pair of pairs) drop(arena, pair, pair.points.length);
  assert.equal(arena.usedBytes, 0);
});

test('points that are not plain take memory of their own, until all heads are empty', () => {
  const arena = new HeadArena();
  const pair = { head: new Head(ValueType.Double, 0, undefined), points: [] };
  arena.append(pair.head, columnsOf([[1, 0, 1.5, 0, 192]]), 0, 1);
  const plainBytes = arena.usedBytes;
  arena.append(pair.head, columnsOf([[2, 7, 2.5, 0, 0]]), 0, 1);
  assert.ok(arena.usedBytes > plainBytes);
  arena.drop(pair.head, 2);
  arena.append(pair.head, columnsOf([[3, 0, 3.5, 0, 192]]), 0, 1);
  assert.equal(arena.usedBytes, plainBytes);
  assert.deepEqual(contentOf(arena, pair.head), [[3, 0, 3.5, 0, 192]]);
});

function append(arena: HeadArena, pair: Pair, random: SeededRandom): void {
  const plain = random.chance(0.8);
  const rows = Array.from({ length: 1 + random.below(50) }, () => [
    random.below(1e9),
    plain ? 0 : random.below(10_000),
    random.unit(),
    plain ? 0 : random.below(2),
    plain ? 192 : random.below(256),
  ]);
  arena.append(pair.head, columnsOf([[0, 9, 9, 1, 9], ...rows]), 1, rows.length);
  pair.points = [...pair.points, ...rows];
}

function drop(arena: HeadArena, pair: Pair, count: number): void {
  if (count === 0) return;
  arena.drop(pair.head, count);
  pair.points = pair.points.slice(count);
}

function columnsOf(rows: readonly (readonly number[])[]): PointColumns {
  const points = new PointColumns(rows.length);
  for (const [i, [ms, ticks, value, isNull, quality]] of rows.entries()) {
    points.timesMs[i] = ms as number;
    points.ticks[i] = ticks as number;
    points.numbers[i] = value as number;
    points.nulls[i] = isNull as number;
    points.qualities[i] = quality as number;
  }
  points.count = rows.length;
  return points;
}

/** Read into columns that are dirty from others. */
function contentOf(arena: HeadArena, head: Head): number[][] {
  const target = new PointColumns(head.count);
  target.ticks.fill(99);
  target.nulls.fill(1);
  target.qualities.fill(99);
  arena.copy(head, 0, head.count, target);
  return Array.from({ length: target.count }, (_, i) => [
    target.timesMs[i] as number,
    target.ticks[i] as number,
    target.numbers[i] as number,
    target.nulls[i] as number,
    target.qualities[i] as number,
  ]);
}
