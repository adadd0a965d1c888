// Series of values and points for the cases, each drawn from a seed of its own.

import { type TagChange, ValueType } from '../../../engine/index.ts';
import type { PlainValue, Point, Run } from '../../model/points.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

/** 2026-01-01 UTC: the points lie in that month. */
export const FIRST_MS = Date.UTC(2026, 0, 1);
export const SECOND_MS = 1000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export interface Spread {
  readonly firstMs?: number;
  readonly stepMs?: number;
  /** By index; 192 when absent. */
  readonly qualityOf?: (i: number) => number;
  readonly ticksOf?: (i: number) => number;
  /** In the place of even steps. */
  readonly timesMs?: readonly number[];
}

/** A run of one tag with these values, a second apart unless said. */
export function run(name: string, type: ValueType, values: readonly PlainValue[], spread: Spread = {}): Run {
  const { firstMs = FIRST_MS, stepMs = SECOND_MS, qualityOf = () => 192, ticksOf = () => 0, timesMs } = spread;
  const points: Point[] = values.map((value, i) => ({
    ms: timesMs?.[i] ?? firstMs + i * stepMs,
    ticks: ticksOf(i),
    type,
    value,
    quality: qualityOf(i),
  }));
  return { name, type, points };
}

/** The tags of runs. Only points of tags that are known are stored as plain ones. */
export function definitionsOf(runs: readonly Run[]): TagChange[] {
  return runs.map(({ name, type }) => ({ name, type }));
}

export function doubles(name: string, values: readonly (number | null)[], spread: Spread = {}): Run {
  return run(name, ValueType.Double, values, spread);
}

/** `count` values from their indexes and a chance that the seed makes. */
export function series<T>(seed: number, count: number, valueAt: (i: number, random: SeededRandom) => T): T[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, (_, i) => valueAt(i, random));
}

/** Sums of small steps. */
export function walk(seed: number, count: number, step: number): number[] {
  let level = 0;
  return series(seed, count, (_, random) => (level += random.between(-step, step)));
}

/** Whole numbers that gather around 0, about `spread` wide. */
export function gathered(random: SeededRandom, spread: number): number {
  const sum = Array.from({ length: 6 }, () => random.unit()).reduce((a, b) => a + b, 0) - 3;
  return Math.round(sum * spread);
}

/** A quality that is not that of plain points, once: such a run is coded the general way. */
export function onceUncertain(i: number): number {
  return i === 7 ? 64 : 192;
}
