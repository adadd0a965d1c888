// Points as values of OPC UA: types, times to 100 ns, and status codes by the table of all doors.

import type { DataValue, Variant } from 'node-opcua-client';
import { statusNameOfQuality } from '../../../client/foreign-quality.ts';
import type { Client } from '../../../collect/opcua/library.ts';
import { type Instant, MIN_TIME_MS, type PointChunk, TICKS_PER_MS, ValueType, valueAt } from '../../../engine/index.ts';

const PICOSECONDS_PER_TICK = 100_000;

type DataTypeName = keyof typeof Client.DataType;

/** Decimal, which no variant has, is the text of its digits. */
const DATA_TYPES: Readonly<Record<ValueType, DataTypeName>> = {
  [ValueType.Open]: 'Null',
  [ValueType.Boolean]: 'Boolean',
  [ValueType.SByte]: 'SByte',
  [ValueType.Byte]: 'Byte',
  [ValueType.Int16]: 'Int16',
  [ValueType.UInt16]: 'UInt16',
  [ValueType.Int32]: 'Int32',
  [ValueType.UInt32]: 'UInt32',
  [ValueType.Int64]: 'Int64',
  [ValueType.UInt64]: 'UInt64',
  [ValueType.Single]: 'Float',
  [ValueType.Double]: 'Double',
  [ValueType.Decimal]: 'String',
  [ValueType.String]: 'String',
  [ValueType.DateTime]: 'DateTime',
};

/** The type of a tag's variable; one without a value yet may get any. */
export function dataTypeOf(type: ValueType): string {
  return type === ValueType.Open ? 'BaseDataType' : DATA_TYPES[type];
}

export function* valuesOf(client: typeof Client, { type, points, start, end }: PointChunk): Generator<DataValue> {
  for (let i = start; i < end; i++) {
    const at = { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
    yield new client.DataValue({
      value: variantOf(client, type, valueAt(points, i, type)),
      statusCode: client.StatusCodes[statusNameOfQuality(points.qualities[i] as number) as 'Good'],
      ...sourceTimeOf(at),
    });
  }
}

/** A value that is none, such as a bound that is not there. */
export function emptyValue(client: typeof Client, name: 'BadBoundNotFound' | 'BadDataLost', at: Instant): DataValue {
  return new client.DataValue({ statusCode: client.StatusCodes[name], ...sourceTimeOf(at) });
}

export function instantOf({ sourceTimestamp, sourcePicoseconds }: DataValue): Instant {
  return { ms: sourceTimestamp?.getTime() ?? 0, ticks: Math.floor((sourcePicoseconds ?? 0) / PICOSECONDS_PER_TICK) };
}

function sourceTimeOf({ ms, ticks }: Instant): { sourceTimestamp: Date; sourcePicoseconds: number } {
  return { sourceTimestamp: new Date(ms), sourcePicoseconds: ticks * PICOSECONDS_PER_TICK };
}

function variantOf(client: typeof Client, type: ValueType, value: ReturnType<typeof valueAt>): Variant {
  if (value === null) return new client.Variant({ dataType: client.DataType.Null });
  return new client.Variant({ dataType: client.DataType[DATA_TYPES[type]], value: contentOf(type, value) });
}

function contentOf(type: ValueType, value: number | bigint | string): unknown {
  if (type === ValueType.Boolean) return value !== 0;
  if (typeof value !== 'bigint') return value;
  if (type === ValueType.DateTime) return new Date(Number(value / BigInt(TICKS_PER_MS)) + MIN_TIME_MS);
  // Two halves, the upper one first.
  const whole = BigInt.asUintN(64, value);
  return [Number(whole >> 32n), Number(whole & 0xffff_ffffn)];
}
