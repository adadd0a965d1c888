// Reads of very many tags: looked up in slices or in one go, the answers are the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReadRange, type ReadRequest, type ReadResult, ValueType } from '../../../engine/index.ts';
import { buildBatch } from '../../model/points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DATASET = 'plant';
const TAG_COUNT = 40;
const LIMIT_CPU_US = 5_000_000;
const REQUESTED = 3000;

async function openPlant() {
  const vfs = makeDisk({ random: new SeededRandom(1), nowMs: () => START_MS });
  const engine = await openTestEngine({
    vfs,
    clock: new ManualClock(START_MS + 3_600_000),
    random: new SeededRandom(2),
    tunables: { blockPoints: 16, systemTagIntervalMs: 0, diskReserveBytes: 0, sliceMs: 0 },
    listener: () => {},
  });
  const runs = Array.from({ length: TAG_COUNT }, (_tag, tag) => ({
    name: `T${tag}`,
    type: ValueType.Double,
    points: Array.from({ length: 50 }, (_point, i) => ({
      ms: START_MS + i * 1000 + tag,
      ticks: 0,
      type: ValueType.Double,
      value: i,
      quality: 192,
    })),
  }));
  await engine.append(DATASET, buildBatch(engine, DATASET, runs));
  return engine;
}

function request(range: ReadRange, more: Partial<ReadRequest> = {}): ReadRequest {
  const tags = Array.from({ length: REQUESTED }, (_, i) => `T${i % TAG_COUNT}`);
  return { tags, range, carryIn: false, skipMissing: false, limit: undefined, after: [], ...more };
}

async function valuesOf(result: ReadResult): Promise<number[]> {
  const values: number[] = [];
  for (let i = 0; i < result.tagCount; i++) {
    const cursor = result.open(i);
    for (let chunk = await cursor.next(); chunk !== undefined; chunk = await cursor.next()) {
      for (let at = chunk.start; at < chunk.end; at++) values.push(chunk.points.numbers[at] as number);
    }
    cursor.close();
  }
  return values;
}

test('the points at a time, and the newest, are the same whether they were found in slices or not', async () => {
  const engine = await openPlant();
  for (const range of [{ kind: 'newest' }, { kind: 'at', end: { ms: START_MS + 20_500, ticks: 0 } }] as const) {
    const settled = engine.read(DATASET, request(range));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const settling = settled.settle?.();
    assert.ok(settling instanceof Promise);
    await settling;
    clearInterval(timer);
    assert.ok(turns > 0, 'nothing else ran meanwhile');
    await settled.settle?.();
    const plain = engine.read(DATASET, request(range));
    assert.deepEqual(settled.bounds, plain.bounds);
    const values = await valuesOf(settled);
    assert.deepEqual(values, await valuesOf(plain));
    assert.deepEqual(values, Array(REQUESTED).fill(range.kind === 'newest' ? 49 : 20));
  }
  await engine.close();
});

test('very many markers cost no time in the square, and the first of a tag counts', async () => {
  const engine = await openPlant();
  const range = { kind: 'range', start: { ms: START_MS, ticks: 0 }, end: { ms: START_MS + 99_000, ticks: 0 } } as const;
  const tags = Array.from({ length: TAG_COUNT }, (_, tag) => `T${tag}`);
  const limited = engine.read(DATASET, request(range, { tags, limit: 45 }));
  const cursor = limited.open(TAG_COUNT - 1);
  while ((await cursor.next()) !== undefined);
  const { marker } = cursor.outcome();
  cursor.close();
  assert.ok(marker);
  const after = [marker, ...Array.from({ length: 1_000_000 }, () => ({ ...marker, ordinal: 0 }))];
  const before = process.cpuUsage();
  const values = await valuesOf(engine.read(DATASET, request(range, { after, tags: [`T${TAG_COUNT - 1}`] })));
  assert.deepEqual(values, [45, 46, 47, 48, 49]);
  const unknown = { tagId: 4_000_000, ordinal: 0 };
  const stale = engine.read(DATASET, request(range, { after: [...after, unknown] }));
  await assert.rejects(async () => stale.settle?.(), /marker/);
  assert.throws(() => stale.tagCount, /marker/);
  assert.ok(process.cpuUsage(before).user < LIMIT_CPU_US);
  await engine.close();
});
