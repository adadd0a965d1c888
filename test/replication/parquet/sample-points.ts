// Points of all types for tests: as batches for a sink, and as the rows that must be read from its files.

import { PointColumns, payloadOf, ValueType } from '../../../engine/index.ts';
import type {
  Batch,
  BatchRun,
  CopiedDataset,
  DatasetDocument,
  KeptPoints,
  TagDocument,
} from '../../../replication/sink.ts';
import type { Row } from './read-rows.ts';

export const DATASET: CopiedDataset = { name: 'north.plant 1', identity: '0123456789abcdef0123456789abcdef' };

/** Points kept by an edge that nobody asks. */
export const KEPT: KeptPoints = { timeBefore: () => null, latestLate: async () => undefined };

export type Value = number | bigint | string | null;

export interface SamplePoint {
  readonly tag: number;
  readonly ordinal: number;
  readonly type: ValueType;
  readonly ms: number;
  readonly ticks: number;
  readonly value: Value;
  readonly quality: number;
}

export function tagDocument(id: number, revision = 1): TagDocument {
  return {
    id,
    revision,
    isDeleted: false,
    definition: { name: `Line ${id}.Temperature ü`, type: ValueType.Double, units: new Map([[0, '°C']]) },
    isSystem: false,
    lateOf: undefined,
    deleted: [],
  };
}

export function datasetDocument(revision: number): DatasetDocument {
  const rules = { purgeAgeDays: 30, purgeSizeGb: 0 };
  return {
    revision,
    edge: 'e'.repeat(32),
    edgeAddress: 'here',
    isDeleted: false,
    rules,
    copiedUntilMs: null,
    writtenMs: 5,
  };
}

/** Points in order, cut into runs where tag, type or ordinals do not go on. */
export function batchOf(points: readonly SamplePoint[]): Batch {
  const columns = new PointColumns(points.length);
  const runs: BatchRun[] = [];
  for (const point of points) {
    const i = addPoint(columns, point);
    const last = runs.at(-1);
    const isNext =
      last?.tag.id === point.tag && last.type === point.type && last.firstOrdinal + last.count === point.ordinal;
    if (isNext) runs[runs.length - 1] = { ...last, count: last.count + 1 };
    else {
      const tag = tagDocument(point.tag);
      const { name } = tag.definition;
      runs.push({ tag, name, type: point.type, start: i, count: 1, firstOrdinal: point.ordinal });
    }
  }
  return { points: columns, runs };
}

function addPoint(columns: PointColumns, { ms, ticks, value, quality }: SamplePoint): number {
  const i = columns.count++;
  columns.timesMs[i] = ms;
  columns.ticks[i] = ticks;
  columns.qualities[i] = quality;
  columns.nulls[i] = value === null ? 1 : 0;
  if (typeof value === 'bigint') columns.bigints[i] = value;
  else if (typeof value === 'string') columns.numbers[i] = columns.texts.push(value);
  else columns.numbers[i] = value ?? 0;
  return i;
}

export function rowOf({ tag, ordinal, type, ms, ticks, value, quality }: SamplePoint): Row {
  const payload = payloadOf(type);
  const isDouble = type === ValueType.Double || type === ValueType.Single;
  const isInteger = payload === 'bigint' || (payload === 'number' && !isDouble);
  return {
    tag: BigInt(tag),
    name: tagDocument(tag).definition.name,
    time: BigInt(ms) * 1000n + BigInt(Math.floor(ticks / 10)),
    time_100ns: ticks % 10,
    ordinal: BigInt(ordinal),
    type,
    value_double: isDouble ? (value as number | null) : null,
    value_int64: isInteger && value !== null ? BigInt(value) : null,
    value_text: payload === 'text' ? (value as string | null) : null,
    quality,
  };
}

const LONG = 2n ** 63n;

/** Values of each type, with all that is hard to keep. */
export const VALUES: readonly (readonly [ValueType, readonly Value[]])[] = [
  [ValueType.Open, [null, null]],
  [ValueType.Boolean, [0, 1, null, 1]],
  [ValueType.SByte, [-128, 127, 0, null]],
  [ValueType.Byte, [0, 255]],
  [ValueType.Int16, [-32_768, 32_767]],
  [ValueType.UInt16, [0, 65_535]],
  [ValueType.Int32, [-2_147_483_648, 2_147_483_647, 0]],
  [ValueType.UInt32, [0, 4_294_967_295]],
  [ValueType.Int64, [-LONG, LONG - 1n, 0n, null, -1n]],
  [ValueType.UInt64, [0n, -1n, -LONG, LONG - 1n]],
  [ValueType.Single, [Math.fround(0.1), -0, Number.NaN, Number.NEGATIVE_INFINITY]],
  [ValueType.Double, [0, -0, 0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null, 5e-324]],
  [ValueType.Double, [Number.MAX_VALUE, -Number.MAX_VALUE, 0.1, 1 / 3, 23.45]],
  [ValueType.Decimal, ['79228162514264337593543950335', '-0.0000000000000000000000000001', '1.10', null]],
  [ValueType.String, ['', 'Grüße, 温度 🌡', 'a\u0000b', '', null, 'line\nline', '\ufeffmark', 'x'.repeat(70_000)]],
  [ValueType.DateTime, [0n, 638_000_000_000_000_001n, 3_155_378_975_999_999_999n, null]],
];

const QUALITIES = [192, 0, 64, 216, -1, -2_147_483_648, 2_147_483_647];
const TIMES = [-62_135_596_800_000, -1, 0, 1_764_000_000_123, 1_764_000_000_124, 253_402_300_799_999];
const TICKS = [0, 1, 9, 10, 4_321, 9_999];

/** Points of one tag through all types: every value, with every quality, the earliest and latest times, all kinds of ticks. */
export function pointsOfAllTypes(tag: number, firstOrdinal = 0): SamplePoint[] {
  const values = VALUES.flatMap(([type, ofType]) => ofType.map((value) => ({ type, value })));
  return values.map(({ type, value }, i) => ({
    tag,
    ordinal: firstOrdinal + i,
    type,
    value,
    ms: TIMES[i % TIMES.length] as number,
    ticks: TICKS[Math.floor(i / 2) % TICKS.length] as number,
    quality: QUALITIES[i % QUALITIES.length] as number,
  }));
}

/** Doubles at 1 s. */
export function plainPoints(tag: number, firstOrdinal: number, count: number): SamplePoint[] {
  return Array.from({ length: count }, (_, i) => ({
    tag,
    ordinal: firstOrdinal + i,
    type: ValueType.Double,
    value: ((firstOrdinal + i) * 7 + tag) / 100,
    ms: 1_764_000_000_000 + (firstOrdinal + i) * 1000,
    ticks: 0,
    quality: 192,
  }));
}
