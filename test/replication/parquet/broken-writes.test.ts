// Copies by chance, with writes that fail before or after they were stored, processes that end anywhere and batches that are
// cut anew: what the sink says that it has must be what its files have, and in the end each point is there once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParquetSink } from '../../../replication/parquet/parquet-sink.ts';
import type { ObjectStore } from '../../../replication/parquet/stores/object-store.ts';
import { PassingFailure } from '../../../replication/sink.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { readPoints } from './read-rows.ts';
import { batchOf, DATASET, plainPoints, rowOf, type SamplePoint } from './sample-points.ts';

const SEEDS = 40;
const STEPS = 30;
const TAGS = [64, 65, 999, 1_000, 2_500];
const MOST_POINTS = 6;

/** In memory; writes fail by chance. */
class ChanceStore implements ObjectStore {
  readonly name = 'chance';
  readonly files = new Map<string, Uint8Array>();
  readonly #random: SeededRandom;
  /** How many of a hundred writes fail. */
  failing = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  async put(path: string, bytes: Uint8Array): Promise<void> {
    const isFailing = this.#random.below(100) < this.failing;
    const isStored = !isFailing || this.#random.below(2) === 0;
    if (isStored) this.files.set(path, Uint8Array.from(bytes));
    if (isFailing) throw new PassingFailure('by chance');
  }

  get(path: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.files.get(path));
  }

  has(path: string): Promise<boolean> {
    return Promise.resolve(this.files.has(path));
  }

  async *names(folder: string): AsyncGenerator<string> {
    const prefix = `${folder}/`;
    const below = [...this.files.keys()].filter((path) => path.startsWith(prefix));
    for (const path of below) if (!path.slice(prefix.length).includes('/')) yield path.slice(prefix.length);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function ordinalsIn(files: ReadonlyMap<string, Uint8Array>): Promise<[number, number][]> {
  const next = new Map<number, number>();
  for (const { tag, ordinal } of await readPoints(files)) next.set(Number(tag), Number(ordinal) + 1);
  return [...next].sort(([a], [b]) => a - b);
}

/** Points of some tags, from where each was acknowledged. */
function nextPoints(random: SeededRandom, acknowledged: ReadonlyMap<number, number>): SamplePoint[] {
  const chosen = TAGS.filter(() => random.below(2) === 0);
  return chosen.flatMap((tag) => plainPoints(tag, acknowledged.get(tag) ?? 0, 1 + random.below(MOST_POINTS)));
}

async function copyByChance(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const store = new ChanceStore(random);
  let sink = new ParquetSink(store);
  const acknowledged = new Map<number, number>();
  for (let step = 0; step < STEPS; step++) {
    if (random.below(5) === 0) sink = new ParquetSink(store);
    store.failing = 30;
    const points = nextPoints(random, acknowledged);
    const isStored = await sink.putPoints(DATASET, batchOf(points)).then(
      () => true,
      () => false,
    );
    if (isStored) for (const { tag, ordinal } of points) acknowledged.set(tag, ordinal + 1);
    const { ordinals } = await new ParquetSink(store).stateOf(DATASET);
    assert.deepEqual(
      [...ordinals].sort(([a], [b]) => a - b),
      await ordinalsIn(store.files),
      `seed ${seed}, step ${step}`,
    );
  }
  const rows = await readPoints(store.files);
  const expected = [...acknowledged].flatMap(([tag, next]) => plainPoints(tag, 0, next));
  for (const point of expected) {
    const row = rows.find(({ tag, ordinal }) => tag === BigInt(point.tag) && ordinal === BigInt(point.ordinal));
    assert.deepEqual(row, rowOf(point), `seed ${seed}`);
  }
}

test('the sink has what its files have, whatever fails, and loses nothing that it acknowledged', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) await copyByChance(seed);
});
