// What the tests of bodies share: a lookup over a list of tags, and batches as plain points.

import {
  type PointBatch,
  type PointChunk,
  PointColumns,
  payloadOf,
  SERVER_TIME,
  type TagLookup,
  ValueType,
} from '../../../engine/index.ts';
import { Tag } from '../../../engine/tag/tag.ts';
import { TagNames } from '../../../engine/tag/tag-names.ts';
import type { ReferencePoint } from './tvq-reference.ts';

export const ALL_TYPES: readonly ValueType[] = Object.values(ValueType).filter((type) => type !== ValueType.Open);

/** A lookup over tags by name: a dataset's own. */
export function lookupOf(types: Readonly<Record<string, ValueType>>): TagLookup {
  const names = new TagNames();
  for (const [name, type] of Object.entries(types)) names.add(name, new Tag(names.size, { name, type }));
  return names;
}

/** The points of a stretch of columns, with the times in ticks since 1970; that of arrival where the server gives it. */
export function pointsOf(columns: PointColumns, type: ValueType, start: number, end: number): ReferencePoint[] {
  const points: ReferencePoint[] = [];
  for (let i = start; i < end; i++) {
    const ticks = columns.ticks[i] === SERVER_TIME ? 0 : (columns.ticks[i] as number);
    points.push({
      ticks: BigInt(columns.timesMs[i] as number) * 10_000n + BigInt(ticks),
      value: valueAt(columns, type, i),
      quality: columns.qualities[i] as number,
    });
  }
  return points;
}

function valueAt(columns: PointColumns, type: ValueType, i: number): unknown {
  if (columns.nulls[i] === 1) return null;
  const number = columns.numbers[i] as number;
  if (type === ValueType.Boolean) return number === 1;
  if (type === ValueType.UInt64) return BigInt.asUintN(64, columns.bigints[i] as bigint);
  const payload = payloadOf(type);
  if (payload === 'bigint') return columns.bigints[i];
  return payload === 'text' ? columns.texts.at(number) : number;
}

/** A batch as points by tag, plain ones spread before. */
export function runsOf(
  batch: PointBatch,
): Map<string, { type: ValueType; points: ReferencePoint[]; rejected: number; stamped: number }> {
  spreadPlain(batch);
  return new Map(
    batch.runs.map((run) => [
      run.name,
      {
        type: run.type,
        points: pointsOf(batch.points, run.type, run.start, run.start + run.count),
        rejected: run.rejected,
        stamped: run.stamped,
      },
    ]),
  );
}

/** Fills in the general columns of plain runs. */
export function spreadPlain({ points, runs }: PointBatch): void {
  for (const { start, count, decimals = -1 } of runs) if (decimals >= 0) points.spread(start, start + count, decimals);
}

/** Points as a chunk of columns, for writers. */
export function chunkOf(type: ValueType, points: readonly ReferencePoint[]): PointChunk {
  const columns = new PointColumns(Math.max(1, points.length));
  for (const [i, point] of points.entries()) {
    const ms = point.ticks / 10_000n - (point.ticks % 10_000n < 0n ? 1n : 0n);
    columns.timesMs[i] = Number(ms);
    columns.ticks[i] = Number(point.ticks - ms * 10_000n);
    columns.qualities[i] = point.quality;
    columns.nulls[i] = point.value === null ? 1 : 0;
    setValue(columns, i, point.value);
  }
  columns.count = points.length;
  return { type, points: columns, start: 0, end: points.length };
}

function setValue(columns: PointColumns, i: number, value: unknown): void {
  if (typeof value === 'bigint') columns.bigints[i] = BigInt.asIntN(64, value);
  else if (typeof value === 'string') columns.numbers[i] = columns.texts.push(value);
  else columns.numbers[i] = Number(value ?? 0);
}

export const encoder = new TextEncoder();
