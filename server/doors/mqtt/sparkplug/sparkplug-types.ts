// The data types of Sparkplug B: the type of the tag for each, and their values as JSON of a point.

import { ValueType } from '../../../../engine/index.ts';
import { PayloadFault } from '../mapping/faults.ts';
import { timeText } from '../mapping/payload-time.ts';
import type { WireValue } from './sparkplug-payload.ts';

interface DataType {
  readonly type: ValueType;
  readonly text: (value: WireValue) => string;
}

/** Reads the lowest so many of the wire's 32 bits, with sign. */
function signed(bits: number): DataType['text'] {
  return (value) => String(BigInt.asIntN(bits, wholeOf(value)));
}

function unsigned(bits: number): DataType['text'] {
  return (value) => String(BigInt.asUintN(bits, wholeOf(value)));
}

function wholeOf(value: WireValue): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw new PayloadFault(`got ${typeof value}; want a whole number`);
}

function textOf(value: WireValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  throw new PayloadFault(`got ${typeof value}; want text`);
}

/** What JSON has no number for is null. */
function floatText(value: WireValue): string {
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  throw new PayloadFault(`got ${typeof value}; want a number`);
}

function truthText(value: WireValue): string {
  if (typeof value === 'boolean') return String(value);
  throw new PayloadFault(`got ${typeof value}; want true or false`);
}

const DATA_TYPES: Readonly<Record<number, DataType>> = {
  1: { type: ValueType.SByte, text: signed(8) },
  2: { type: ValueType.Int16, text: signed(16) },
  3: { type: ValueType.Int32, text: signed(32) },
  4: { type: ValueType.Int64, text: signed(64) },
  5: { type: ValueType.Byte, text: unsigned(8) },
  6: { type: ValueType.UInt16, text: unsigned(16) },
  7: { type: ValueType.UInt32, text: unsigned(32) },
  8: { type: ValueType.UInt64, text: unsigned(64) },
  9: { type: ValueType.Single, text: floatText },
  10: { type: ValueType.Double, text: floatText },
  11: { type: ValueType.Boolean, text: truthText },
  12: { type: ValueType.String, text: textOf },
  13: { type: ValueType.DateTime, text: (value) => `"${timeText(Number(wholeOf(value)), 'ms')}"` },
  14: { type: ValueType.String, text: textOf },
  15: { type: ValueType.String, text: textOf },
};

/** Undefined for what is no single value: data sets, templates, bytes, files. */
export function findDataType(code: number): DataType | undefined {
  return DATA_TYPES[code];
}
