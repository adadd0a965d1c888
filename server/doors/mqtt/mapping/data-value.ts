// Values as OPC UA writes them in JSON: an object with the value, its times and its status.

import { BAD_QUALITY, foreignQuality, qualityOfStatusCode } from '../../../../client/foreign-quality.ts';
import { GOOD_QUALITY } from '../../../../engine/index.ts';
import { hasParts, numberLiteral } from './exact-json.ts';

export interface DataValue {
  /** Undefined where there is none. */
  readonly value: unknown;
  readonly time: unknown;
  /** Undefined where nothing is said: good. */
  readonly status: unknown;
}

const TIMES = ['SourceTimestamp', 'ServerTimestamp'];
const MEMBERS: ReadonlySet<string> = new Set([
  ...['Value', 'UaType', 'Dimensions', 'StatusCode', 'Status', 'SourcePicoseconds', 'ServerPicoseconds'],
  ...TIMES,
]);

/** Undefined for what is none: it has no other members than these, and without a value it has a time. */
export function asDataValue(value: unknown): DataValue | undefined {
  if (!hasParts(value) || Array.isArray(value)) return undefined;
  const keys = Object.keys(value);
  if (!keys.every((key) => MEMBERS.has(key))) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  const time = TIMES.map((name) => members[name]).find((found) => found !== undefined && found !== null);
  if (members.Value === undefined && time === undefined) return undefined;
  return { value: ofVariant(members.Value), time, status: members.StatusCode ?? members.Status };
}

/** A value may be in an object that tells its type. */
function ofVariant(value: unknown): unknown {
  if (!hasParts(value) || Array.isArray(value) || !('Body' in value)) return value;
  return Object.keys(value).every((key) => key === 'Type' || key === 'Body') ? value.Body : value;
}

/** The quality that a status means: a code, of which 0 is good, or an object with code and name, which is empty when it is good. */
export function qualityOfStatus(status: unknown): number {
  if (!hasParts(status)) return ofCode(status);
  if (Array.isArray(status)) return BAD_QUALITY;
  const { Code: code, Symbol: name } = status as { readonly Code?: unknown; readonly Symbol?: unknown };
  const isEmpty = Object.keys(status).length === 0;
  return isEmpty ? GOOD_QUALITY : ofCode(code ?? name);
}

function ofCode(code: unknown): number {
  const literal = numberLiteral(code);
  return literal === undefined ? foreignQuality(code) : qualityOfStatusCode(Number(literal));
}
