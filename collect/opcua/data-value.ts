// A value of OPC UA as a point: its source time to 100 ns, its value as JSON, its status code as a quality.

import type { DataValue } from 'node-opcua-client';
import { BAD_QUALITY, qualityOfStatusCode, UNCERTAIN_QUALITY } from '../../client/foreign-quality.ts';
import type { SourcePoint } from '../point.ts';

const PICOSECONDS_PER_TICK = 100_000;
/** Longer texts are cut by no one: the point is bad. */
const MOST_TEXT_CHARS = 65_536;

interface Json {
  readonly json: string;
  readonly number: number | undefined;
}

const NO_VALUE: Json = { json: 'null', number: undefined };

/** Undefined for a value without any time; `typeNames` are those of variants, by their numbers. */
export function toPoint(value: DataValue, typeNames: Readonly<Record<number, string>>): SourcePoint | undefined {
  const time = value.sourceTimestamp ?? value.serverTimestamp;
  if (time === null || time === undefined || Number.isNaN(time.getTime())) return undefined;
  const picoseconds = (value.sourceTimestamp ? value.sourcePicoseconds : value.serverPicoseconds) ?? 0;
  const quality = qualityOfStatusCode(value.statusCode.value);
  const typeName = typeNames[value.value?.dataType ?? 0] ?? 'Null';
  const told = value.value?.value;
  const known = Array.isArray(told) && !typeName.includes('64') ? undefined : toJson(told, typeName);
  const hasValue = known !== undefined && known.json !== 'null';
  return {
    timeMs: time.getTime(),
    ticks: Math.floor(picoseconds / PICOSECONDS_PER_TICK) % 10_000,
    ...(known ?? NO_VALUE),
    // A point that is not bad has a value that can be stored.
    quality: hasValue || quality < UNCERTAIN_QUALITY ? quality : BAD_QUALITY,
  };
}

/** Undefined for what is no single value. */
function toJson(value: unknown, typeName: string): Json | undefined {
  if (value === null || value === undefined) return NO_VALUE;
  if (typeof value === 'number') return Number.isFinite(value) ? { json: String(value), number: value } : NO_VALUE;
  if (typeof value === 'boolean') return { json: String(value), number: undefined };
  if (typeof value === 'string') return textOf(value);
  if (value instanceof Date) return textOf(value.toISOString());
  if (value instanceof Uint8Array) return ofBytes(value);
  if (typeName === 'Int64' || typeName === 'UInt64') return ofHalves(value, typeName === 'Int64');
  if (typeName === 'LocalizedText') return textOf(String((value as { text?: unknown }).text ?? ''));
  if (typeName === 'QualifiedName') return textOf(String((value as { name?: unknown }).name ?? ''));
  return typeName === 'NodeId' || typeName === 'StatusCode' ? textOf(String(value)) : undefined;
}

function ofBytes(bytes: Uint8Array): Json | undefined {
  return bytes.length > MOST_TEXT_CHARS / 2 ? undefined : textOf(Buffer.from(bytes).toString('base64'));
}

function textOf(text: string): Json | undefined {
  return text.length > MOST_TEXT_CHARS ? undefined : { json: JSON.stringify(text), number: undefined };
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
