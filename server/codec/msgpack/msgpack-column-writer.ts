// Writes points as the columns of msgpack. Numbers go as typed arrays in msgpackr's extension, which other clients can
// read as bytes; what typed arrays cannot hold goes as ordinary ones.

import { integerBounds, type PointChunk, ValueType } from '../../../engine/index.ts';
import { TypedCode } from '../scalars/column.ts';
import type { OutputBytes } from '../write-json/output-bytes.ts';
import type { ValueStyle } from '../write-json/value-style.ts';
import { MsgpackWriter } from './msgpack-writer.ts';

/** What is known of all points of an entry before any is written. */
export interface ColumnPlan {
  readonly pointCount: number;
  /** Some time has a part below the millisecond. */
  readonly hasTicks: boolean;
  readonly hasNulls: boolean;
  /** The quality of all points; undefined when they differ. */
  readonly quality: number | undefined;
  /** The type of all values; undefined when they differ. */
  readonly type: ValueType | undefined;
}

const EXTENSION8 = 0xc7;
const EXTENSION16 = 0xc8;
const EXTENSION32 = 0xc9;
const TYPED_EXTENSION = 0x74;
const HEADER_BYTES = 7;

export class MsgpackColumnWriter {
  readonly #writer = new MsgpackWriter();

  timesHeader(out: OutputBytes, plan: ColumnPlan): void {
    if (plan.hasTicks) this.#writer.arrayHeader(out, plan.pointCount);
    else typedHeader(out, TypedCode.Float64, plan.pointCount * 8);
  }

  times(out: OutputBytes, { points, start, end }: PointChunk, plan: ColumnPlan): void {
    const { timesMs, ticks } = points;
    if (!plan.hasTicks) return writeDoubles(out, timesMs, start, end);
    for (let i = start; i < end; i++) this.#writer.time(out, timesMs[i] as number, ticks[i] as number);
  }

  valuesHeader(out: OutputBytes, plan: ColumnPlan, style: ValueStyle): void {
    const code = typedCodeOf(plan, style);
    if (code === undefined) this.#writer.arrayHeader(out, plan.pointCount);
    else typedHeader(out, code, plan.pointCount * 8);
  }

  values(out: OutputBytes, chunk: PointChunk, plan: ColumnPlan, style: ValueStyle): void {
    const code = typedCodeOf(plan, style);
    if (code === undefined) this.#writer.values(out, chunk, style);
    else if (code === TypedCode.Float64) writeDoubles(out, chunk.points.numbers, chunk.start, chunk.end);
    else writeWide(out, chunk);
  }

  qualitiesHeader(out: OutputBytes, plan: ColumnPlan): void {
    typedHeader(out, TypedCode.Int32, plan.pointCount * 4);
  }

  qualities(out: OutputBytes, { points, start, end }: PointChunk): void {
    const { qualities } = points;
    out.reserve((end - start) * 4);
    for (let i = start; i < end; i++) {
      out.view.setInt32(out.length, qualities[i] as number, true);
      out.length += 4;
    }
  }
}

/** The typed array that holds all values of the entry as they are, when there is one. */
function typedCodeOf({ type, hasNulls }: ColumnPlan, { exact }: ValueStyle): number | undefined {
  if (type === undefined || hasNulls) return undefined;
  const isDouble = type === ValueType.Double || type === ValueType.Single || integerBounds(type) !== undefined;
  if (isDouble) return TypedCode.Float64;
  if (exact === 'string') return undefined;
  if (type === ValueType.Int64) return TypedCode.BigInt64;
  return type === ValueType.UInt64 ? TypedCode.BigUint64 : undefined;
}

function typedHeader(out: OutputBytes, code: number, sizeBytes: number): void {
  out.reserve(HEADER_BYTES);
  const extensionBytes = sizeBytes + 1;
  if (extensionBytes < 256) {
    out.byte(EXTENSION8);
    out.byte(extensionBytes);
  } else if (extensionBytes < 65_536) {
    out.byte(EXTENSION16);
    out.view.setUint16(out.length, extensionBytes);
    out.length += 2;
  } else {
    out.byte(EXTENSION32);
    out.view.setUint32(out.length, extensionBytes);
    out.length += 4;
  }
  out.byte(TYPED_EXTENSION);
  out.byte(code);
}

/** `bench/server/json.ts` */
function writeDoubles(out: OutputBytes, column: Float64Array, start: number, end: number): void {
  out.reserve((end - start) * 8);
  const { view } = out;
  let offset = out.length;
  for (let i = start; i < end; i++) {
    view.setFloat64(offset, column[i] as number, true);
    offset = (offset + 8) | 0;
  }
  out.length = offset;
}

function writeWide(out: OutputBytes, { points, start, end }: PointChunk): void {
  out.reserve((end - start) * 8);
  for (let i = start; i < end; i++) {
    out.view.setBigInt64(out.length, points.bigints[i] as bigint, true);
    out.length += 8;
  }
}
