// Heads return the points that were appended to them, plain and others, whatever is beside them in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlainPoints } from '../../../engine/format/block/plain-block.ts';
import { ByteWriter } from '../../../engine/format/bytes/byte-cursors.ts';
import { RunEncoder } from '../../../engine/format/record/run-encoder.ts';
import { Head } from '../../../engine/head/head.ts';
import { HeadArena } from '../../../engine/head/head-arena.ts';
import { CHUNK_BYTES, FIRST_CHUNK_BYTES } from '../../../engine/head/head-chunks.ts';
import { NOT_PLAIN, PointColumns, ValueType } from '../../../engine/types.ts';
import { makePlain } from '../../support/plain-batches.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';

const HEADS = 40;
const STEPS = 3000;
const RECORDED_RUNS = 200;

/** From a number about zero: decimals of some digits, and steps. */
const PLAIN_VALUES: readonly ((unit: number) => number)[] = [
  (unit) => Math.round(unit * 1e4) / 100 + 0,
  (unit) => Math.round(unit * 1e6) / 1e4 + 0,
  (unit) => Math.round(unit * 2e5) + 0,
  (unit) => (unit > 0 ? 1 : 0),
];

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

test('plain points of two decimals take few bytes', () => {
  const arena = new HeadArena();
  const head = new Head(ValueType.Double, 0, undefined);
  const rows = Array.from({ length: 10_000 }, (_, i) => [i * 1000 + (i % 7), 0, 20 + (i % 50) / 100, 0, 192]);
  for (let at = 0; at < rows.length; at += 10) arena.append(head, columnsOf(rows.slice(at, at + 10)), 0, 10);
  assert.ok(arena.usedBytes < 6 * rows.length, `${arena.usedBytes} bytes`);
  assert.deepEqual(contentOf(arena, head), rows);
});

test('a head of ten points takes half a chunk, and gets whole ones when it grows', () => {
  const arena = new HeadArena();
  const head = new Head(ValueType.Double, 0, undefined);
  const rows = Array.from({ length: 200 }, (_, i) => [i * 60_000 + (i % 7), 0, 20 + (i % 50) / 100, 0, 192]);
  for (const row of rows.slice(0, 10)) arena.append(head, columnsOf([row]), 0, 1);
  assert.equal(arena.usedBytes, FIRST_CHUNK_BYTES);
  for (const row of rows.slice(10)) arena.append(head, columnsOf([row]), 0, 1);
  assert.equal((arena.usedBytes - FIRST_CHUNK_BYTES) % CHUNK_BYTES, 0);
  assert.deepEqual(contentOf(arena, head), rows);
});

test('a plain run is copied from a journal record, split into as many encoded runs as needed', (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const arena = new HeadArena();
  const head = new Head(ValueType.Double, 0, undefined);
  const plain = new PlainPoints(0);
  const rows: number[][] = [];
  let ms = 0;
  for (let n = 0; n < RECORDED_RUNS; n++) {
    const count = 1 + random.below(random.chance(0.2) ? 700 : 70);
    const longestStepMs = random.pick([2, 300, 40_000, 100_000]);
    const valueAt = random.pick(PLAIN_VALUES);
    const run = Array.from({ length: count }, () => {
      ms += 1 + random.below(longestStepMs);
      return [ms, 0, valueAt(random.unit() - 0.5), 0, 192];
    });
    const points = columnsOf([[0, 9, 9, 1, 9], ...run]);
    points.baseMs = ms;
    if (random.chance(0.2)) arena.append(head, points, 1, count);
    else appendRecorded(arena, head, points, rows.length);
    rows.push(...run);
  }
  assert.deepEqual(contentOf(arena, head), rows);
  const dropped = random.below(500);
  arena.drop(head, dropped);
  const from = random.below(100);
  const first = arena.copyPlain(head, from, head.count - from, plain);
  assert.ok(first >= 0);
  const power = 10 ** plain.decimals;
  assert.deepEqual(
    Array.from({ length: plain.count - first }, (_, i) => [
      plain.baseMs + (plain.offsets[first + i] as number),
      (plain.mantissas[first + i] as number) / power,
    ]),
    rows.slice(dropped + from).map(([rowMs, , value]) => [rowMs, value]),
  );
});

test('a run that is not plain is copied from a journal record where it fits a chunk, among runs of all kinds', (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const arena = new HeadArena();
  const head = new Head(ValueType.Double, 0, undefined);
  const rows: number[][] = [];
  let copied = 0;
  let ms = 0;
  for (let n = 0; n < RECORDED_RUNS; n++) {
    const count = 1 + random.below(random.chance(0.2) ? 300 : 20);
    const [hasTicks, hasNulls, hasQualities, isRaw] = [0, 1, 2, 3].map(() => random.chance(0.4));
    const run = Array.from({ length: count }, () => {
      ms += 1 + random.below(60_000);
      const isNull = hasNulls && random.chance(0.5);
      const value = isRaw ? random.unit() : Math.round(random.unit() * 1e4) / 100;
      const ticks = hasTicks ? random.below(10_000) : 0;
      return [ms, ticks, isNull ? 0 : value, isNull ? 1 : 0, hasQualities ? random.below(256) : 192];
    });
    const points = columnsOf([[0, 9, 9, 1, 9], ...run]);
    if (appendGeneralRecorded(arena, head, points, rows.length)) copied++;
    rows.push(...run);
  }
  assert.deepEqual(contentOf(arena, head), rows);
  assert.ok(copied > RECORDED_RUNS / 4 && copied < RECORDED_RUNS, `${copied} of ${RECORDED_RUNS} copied`);
});

test('64-bit numbers are copied from a journal record, and texts are not', () => {
  const arena = new HeadArena();
  const numbers = new Head(ValueType.Int64, 0, undefined);
  const texts = new Head(ValueType.String, 0, undefined);
  const points = columnsOf(Array.from({ length: 11 }, (_, i) => [i * 1000, 0, 0, 0, 192]));
  for (let i = 0; i < 11; i++) points.bigints[i] = BigInt(i) * 2n ** 54n - 1n;
  assert.ok(appendGeneralRecorded(arena, numbers, points, 0));
  const target = new PointColumns(10);
  arena.copy(numbers, 0, 10, target);
  assert.deepEqual(target.bigints.slice(0, 10), points.bigints.slice(1, 11));
  for (let i = 0; i < 11; i++) points.numbers[i] = points.texts.push(`state ${i}`);
  assert.ok(!appendGeneralRecorded(arena, texts, points, 0));
});

test('points that are not plain, or too far from each other, are not read as whole numbers', () => {
  const arena = new HeadArena();
  const plain = new PlainPoints(0);
  const good = [0, 0, 1.25, 0, 192];
  for (const other of [
    [1000, 0, Math.PI, 0, 192],
    [1000, 0, 2 ** 40, 0, 192],
    [1000, 0, 1, 0, 0],
    [1000, 5, 1, 0, 192],
    [2 ** 32, 0, 1, 0, 192],
  ]) {
    const head = new Head(ValueType.Double, 0, undefined);
    arena.append(head, columnsOf([good]), 0, 1);
    assert.equal(arena.copyPlain(head, 0, 1, plain), 0);
    arena.append(head, columnsOf([other]), 0, 1);
    assert.equal(arena.copyPlain(head, 0, 2, plain), -1, String(other));
  }
});

/** Puts points from the second on behind a head by way of a record. */
function appendRecorded(arena: HeadArena, head: Head, points: PointColumns, firstOrdinal: number): void {
  const count = points.count - 1;
  const firstMs = points.timesMs[1] as number;
  const lastMs = points.timesMs[count] as number;
  const decimals = makePlain(points, 1, points.count);
  assert.notEqual(decimals, NOT_PLAIN);
  const record = new ByteWriter();
  record.u8(count); // a record does not begin with the columns
  const encoder = new RunEncoder(record);
  assert.ok(encoder.plainRun({ tagId: 64, firstOrdinal, count, type: head.type, stamped: 0 }, points, 1, decimals));
  const { coding, columnsStart } = encoder;
  arena.appendRecorded(head, { count, coding, columnsStart, columnsEnd: record.length, firstMs, lastMs }, record);
}

/** The same for points that are not plain: false where they had to be appended in another way. */
function appendGeneralRecorded(arena: HeadArena, head: Head, points: PointColumns, firstOrdinal: number): boolean {
  const count = points.count - 1;
  const [firstMs, lastMs] = [points.timesMs[1] as number, points.timesMs[count] as number];
  const record = new ByteWriter();
  record.u8(count); // a record does not begin with the columns
  const encoder = new RunEncoder(record);
  encoder.run({ tagId: 64, firstOrdinal, count, type: head.type, stamped: 0 }, points, 1);
  const { columnsStart } = encoder;
  const coding = encoder.coding | encoder.pointFlags;
  const run = { count, coding, columnsStart, columnsEnd: record.length, firstMs, lastMs };
  const isTaken = arena.takesRecorded(head, run);
  if (isTaken) arena.appendRecorded(head, run, record);
  else arena.append(head, points, 1, count);
  return isTaken;
}

test('texts and 64-bit numbers come back', () => {
  const arena = new HeadArena();
  const texts = new Head(ValueType.String, 0, undefined);
  const numbers = new Head(ValueType.Int64, 0, undefined);
  const points = columnsOf(Array.from({ length: 300 }, (_, i) => [i * 1000, 0, 0, 0, 192]));
  const others = columnsOf(Array.from({ length: 300 }, (_, i) => [i * 1000, 0, 0, 0, 192]));
  for (let i = 0; i < 300; i++) {
    points.numbers[i] = points.texts.push(i % 3 === 0 ? 'x'.repeat(i) : 'on');
    others.bigints[i] = BigInt(i) * 2n ** 54n - 1n;
  }
  arena.append(texts, points, 0, 300);
  arena.append(numbers, others, 0, 300);
  const target = new PointColumns(10);
  arena.copy(texts, 100, 200, target);
  for (let i = 0; i < 200; i++) {
    assert.equal(target.texts.at(target.numbers[i] as number), points.texts.at(points.numbers[100 + i] as number));
  }
  target.clear();
  arena.copy(numbers, 100, 200, target);
  assert.deepEqual(target.bigints.slice(0, 200), others.bigints.slice(100, 300));
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
