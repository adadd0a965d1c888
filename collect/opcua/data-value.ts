// A value of OPC UA as a point: its source time to 100 ns, its value as JSON, its status code as a quality.

import type { DataValue } from 'node-opcua-client';
import { BAD_QUALITY, qualityOfStatusCode, UNCERTAIN_QUALITY } from '../../client/foreign-quality.ts';
import type { SourcePoint } from '../point.ts';
import type { ValuePart } from '../value-part.ts';
import { type Picked, pick } from './picked-value.ts';

const PICOSECONDS_PER_TICK = 100_000;
/** Longer texts are cut by no one: the point is bad. */
const MOST_TEXT_CHARS = 65_536;
const MOST_TEXT_BYTES = 65_536;
/** A value of a data change, and its overflow (OPC 10000-4, 7.39.1). */
const OVERFLOW_BITS = 0x480;
/** The array type of a single value. */
const SCALAR = 0;
const EARLIEST_MS = Date.UTC(1601, 0, 1);
const LATEST_MS = Date.UTC(9999, 11, 31);

interface Json {
  readonly json: string;
  readonly number: number | undefined;
}

const NO_VALUE: Json = { json: 'null', number: undefined };

/** The queue of the server was too short: values before this one are lost. */
export function isAfterOverflow({ statusCode }: DataValue): boolean {
  return (statusCode.value & OVERFLOW_BITS) === OVERFLOW_BITS;
}

/** Undefined for a value without any time; `typeNames` are those of variants, by their numbers. */
export function toPoint(
  value: DataValue,
  typeNames: Readonly<Record<number, string>>,
  part?: ValuePart,
): SourcePoint | undefined {
  const time = value.sourceTimestamp ?? value.serverTimestamp;
  if (time === null || time === undefined || !isStorable(time.getTime())) return undefined;
  const picoseconds = (value.sourceTimestamp ? value.sourcePicoseconds : value.serverPicoseconds) ?? 0;
  const quality = qualityOfStatusCode(value.statusCode.value);
  const whole = wholeOf(value, typeNames);
  const picked = part === undefined ? whole : pick(whole, part.steps);
  const known = picked.isList ? undefined : toJson(picked.value, picked.typeName);
  const hasValue = known !== undefined && known.json !== 'null';
  return {
    timeMs: time.getTime(),
    ticks: Math.floor(picoseconds / PICOSECONDS_PER_TICK) % 10_000,
    ...(known ?? NO_VALUE),
    // A point that is not bad has a value that can be stored.
    quality: hasValue || quality < UNCERTAIN_QUALITY ? quality : BAD_QUALITY,
  };
}

/** A server may send any time; years before 1 and from 10000 on have no text that a historian reads. */
function isStorable(timeMs: number): boolean {
  return timeMs >= EARLIEST_MS && timeMs <= LATEST_MS;
}

function wholeOf({ value }: DataValue, typeNames: Readonly<Record<number, string>>): Picked {
  const typeName = typeNames[value?.dataType ?? 0] ?? 'Null';
  const isList = (value?.arrayType ?? SCALAR) !== SCALAR;
  return { value: value?.value, typeName, isList, ...(value?.dimensions ? { dimensions: value.dimensions } : {}) };
}

/** Undefined for what is no single value. */
function toJson(value: unknown, typeName: string): Json | undefined {
  if (value === null || value === undefined) return NO_VALUE;
  if (typeof value === 'number') return Number.isFinite(value) ? { json: String(value), number: value } : NO_VALUE;
  if (typeof value === 'boolean') return { json: String(value), number: undefined };
  if (typeof value === 'string') return textOf(value);
  if (value instanceof Date) return textOf(value.toISOString());
  if (value instanceof Uint8Array && (Buffer.isBuffer(value) || typeName === 'ByteString')) return ofBytes(value);
  if (typeName === 'Int64' || typeName === 'UInt64') return ofHalves(value, typeName === 'Int64');
  if (typeName === 'LocalizedText') return textOf(String((value as { text?: unknown }).text ?? ''));
  if (typeName === 'QualifiedName') return textOf(String((value as { name?: unknown }).name ?? ''));
  return typeName === 'NodeId' || typeName === 'StatusCode' ? textOf(String(value)) : undefined;
}

function ofBytes(bytes: Uint8Array): Json | undefined {
  return bytes.length > MOST_TEXT_CHARS / 2 ? undefined : textOf(Buffer.from(bytes).toString('base64'));
}

function textOf(text: string): Json | undefined {
  if (text.length > MOST_TEXT_CHARS || Buffer.byteLength(text) > MOST_TEXT_BYTES) return undefined;
  return { json: JSON.stringify(text), number: undefined };
}

/** Two halves, the upper one first. */
function ofHalves(value: unknown, isSigned: boolean): Json | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [upper, lower] = value as [number, number];
  if (!Number.isInteger(upper) || !Number.isInteger(lower)) return undefined;
  const whole = (BigInt(upper >>> 0) << 32n) | BigInt(lower >>> 0);
  const exact = isSigned ? BigInt.asIntN(64, whole) : whole;
  return { json: exact.toString(), number: undefined };
}
