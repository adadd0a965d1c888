// Short ways to write to and read from an engine in tests.

import {
  type Engine,
  type Instant,
  PointColumns,
  type PointRun,
  type ReadGap,
  type ReadRange,
  ValueType,
  type WriteReceipt,
} from '../../engine/index.ts';
import { asPlain } from './plain-batches.ts';

/** A point with a number; quality 192 unless said. */
export interface NumberPoint {
  readonly ms: number;
  readonly value: number;
  readonly quality?: number;
}

/** Writes points of `System.Double` tags in one request. */
export function writeNumbers(
  engine: Engine,
  dataset: string,
  tags: Readonly<Record<string, readonly NumberPoint[]>>,
  stamped = 0,
): Promise<WriteReceipt> {
  const entries = Object.entries(tags);
  const points = new PointColumns(
    Math.max(
      1,
      entries.reduce((sum, [, own]) => sum + own.length, 0),
    ),
  );
  const runs: PointRun[] = [];
  for (const [name, own] of entries) {
    const tag = engine.lookup(dataset).find(name);
    runs.push({ name, tag, type: ValueType.Double, start: points.count, count: own.length, rejected: 0, stamped });
    for (const { ms, value, quality = 192 } of own) {
      points.timesMs[points.count] = ms;
      points.numbers[points.count] = value;
      points.qualities[points.count] = quality;
      points.count++;
    }
  }
  return engine.append(dataset, asPlain({ points, runs }));
}

export interface ReadBack {
  readonly points: { readonly ms: number; readonly value: number | null; readonly quality: number }[];
  readonly gaps: readonly ReadGap[];
}

export const EVERYTHING: ReadRange = { kind: 'range', start: { ms: -6e13, ticks: 0 }, end: { ms: 2.5e14, ticks: 0 } };
export const NEWEST: ReadRange = { kind: 'newest' };

export function rangeOf(startMs: number, endMs: number): ReadRange {
  return { kind: 'range', start: { ms: startMs, ticks: 0 }, end: { ms: endMs, ticks: 0 } };
}

export function upTo(ms: number): ReadRange {
  const end: Instant = { ms, ticks: 0 };
  return { kind: 'at', end };
}

/** Reads one tag of numbers, or of texts that are numbers. */
export async function readNumbers(
  engine: Engine,
  dataset: string,
  tag: string,
  range: ReadRange = EVERYTHING,
  carryIn = false,
): Promise<ReadBack> {
  const result = engine.read(dataset, { tags: [tag], range, carryIn, skipMissing: false, limit: undefined, after: [] });
  const cursor = result.open(0);
  const points: ReadBack['points'] = [];
  try {
    for (let chunk = await cursor.next(); chunk; chunk = await cursor.next()) {
      for (let i = chunk.start; i < chunk.end; i++) {
        const { timesMs, numbers, nulls, qualities, texts } = chunk.points;
        const number =
          chunk.type === ValueType.String ? Number(texts.at(numbers[i] as number)) : (numbers[i] as number);
        points.push({
          ms: timesMs[i] as number,
          value: nulls[i] ? null : number,
          quality: qualities[i] as number,
        });
      }
    }
    return { points, gaps: cursor.outcome().gaps };
  } finally {
    cursor.close();
  }
}
