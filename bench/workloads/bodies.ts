// Bodies of writes in every format that the API takes, of the same points.

import { gzipSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import { JsonBytes } from './json-points.ts';

export type BodyFormat = 'json' | 'untidy-json' | 'gzip-json' | 'json-columns' | 'msgpack' | 'msgpack-columns';
/** `decimal`: two digits behind the point; `mixed`: none to all of them; `full`: all that a double has; `counter`: whole numbers that grow. */
export type ValueKind = 'decimal' | 'mixed' | 'full' | 'counter' | 'boolean' | 'text';

/** Points of some tags of a request: those of tag i are `[i * count, (i + 1) * count)` of the columns. */
export interface RequestPoints {
  readonly names: readonly string[];
  readonly count: number;
  readonly timesMs: Float64Array;
  /** The kind `decimal` as hundredths; other numbers as they are; what is no number as one to choose by. */
  readonly numbers: Float64Array;
  readonly kind: ValueKind;
}

export interface BodyHeaders {
  readonly contentType: string;
  readonly contentEncoding?: string;
}

const JSON_TYPE = 'application/json';
const MSGPACK_TYPE = 'application/msgpack';

export const BODY_HEADERS: Readonly<Record<BodyFormat, BodyHeaders>> = {
  json: { contentType: JSON_TYPE },
  'untidy-json': { contentType: JSON_TYPE },
  'gzip-json': { contentType: JSON_TYPE, contentEncoding: 'gzip' },
  'json-columns': { contentType: JSON_TYPE },
  msgpack: { contentType: MSGPACK_TYPE },
  'msgpack-columns': { contentType: MSGPACK_TYPE },
};

const STATES = ['Stopped', 'Starting', 'Running', 'Stopping', 'Held', 'Cleaning', 'Fault', 'Maintenance'];
const COMMA = 44;

const out = new JsonBytes();
const plainPackr = new Packr({ useRecords: false, variableMapSize: true });
const typedPackr = new Packr({ useRecords: false, variableMapSize: true, structuredClone: true });

export function encodeBody(format: BodyFormat, points: RequestPoints): Buffer {
  switch (format) {
    case 'json':
      return jsonBody(points);
    case 'untidy-json':
      return untidyBody(points);
    case 'gzip-json':
      return gzipSync(jsonBody(points), { level: 1 });
    case 'json-columns':
      return columnsBody(points);
    case 'msgpack':
      return Buffer.from(plainPackr.pack(msgpackPoints(points)));
    case 'msgpack-columns':
      return Buffer.from(typedPackr.pack(msgpackColumns(points)));
  }
}

function jsonBody(points: RequestPoints): Buffer {
  const { names, count, timesMs } = points;
  out.clear();
  for (let tag = 0, at = 0; tag < names.length; tag++) {
    out.text(`${tag === 0 ? '{' : ','}"${names[tag]}":[`);
    for (let i = 0; i < count; i++, at++) {
      if (i > 0) out.byte(COMMA);
      out.timeKey(timesMs[at] as number);
      writeValue(points, at);
      out.quality();
    }
    out.text(']');
  }
  out.text('}');
  return out.take();
}

function columnsBody(points: RequestPoints): Buffer {
  const { names, count, timesMs } = points;
  out.clear();
  for (let tag = 0; tag < names.length; tag++) {
    const first = tag * count;
    out.text(`${tag === 0 ? '{' : ','}"${names[tag]}":{"t":[`);
    for (let i = 0; i < count; i++) {
      if (i > 0) out.byte(COMMA);
      out.whole(timesMs[first + i] as number);
    }
    out.text('],"v":[');
    for (let i = 0; i < count; i++) {
      if (i > 0) out.byte(COMMA);
      writeValue(points, first + i);
    }
    out.text('],"q":192}');
  }
  out.text('}');
  return out.take();
}

function writeValue(points: RequestPoints, at: number): void {
  if (points.kind === 'decimal') out.hundredths(points.numbers[at] as number);
  else out.text(JSON.stringify(pointValue(points, at)));
}

function pointValue({ kind, numbers }: RequestPoints, at: number): number | boolean | string {
  const number = numbers[at] as number;
  switch (kind) {
    case 'decimal':
      return number / 100;
    case 'mixed':
    case 'full':
    case 'counter':
      return number;
    case 'boolean':
      return number % 2 === 0;
    case 'text':
      return STATES[Math.abs(number) % STATES.length] as string;
  }
}

/** Keys in any order, with and without spaces. */
const UNTIDY: readonly ((t: string, v: string) => string)[] = [
  (t, v) => `{"t":"${t}","v":${v},"q":192}`,
  (t, v) => `{ "v": ${v}, "t": "${t}", "q": 192 }`,
  (t, v) => `{"q":192,"v":${v},"t":"${t}"}`,
  (t, v) => `{"q": 192, "t": "${t}", "v": ${v}}`,
  (t, v) => `{"v":${v},"q":192,"t":"${t}"}`,
  (t, v) => `{ "t" : "${t}" , "v" : ${v} }`,
];

function untidyBody(points: RequestPoints): Buffer {
  const { names, count, timesMs } = points;
  out.clear();
  for (let tag = 0, at = 0; tag < names.length; tag++) {
    out.text(`${tag === 0 ? '{' : ',\n '}"${names[tag]}": [`);
    for (let i = 0; i < count; i++, at++) {
      if (i > 0) out.text(', ');
      const time = new Date(timesMs[at] as number).toISOString();
      const shape = UNTIDY[(tag * 7 + i) % UNTIDY.length] as (typeof UNTIDY)[number];
      out.text(shape(time, JSON.stringify(pointValue(points, at))));
    }
    out.text(']');
  }
  out.text('}');
  return out.take();
}

function msgpackPoints(points: RequestPoints): Record<string, unknown> {
  const { names, count, timesMs } = points;
  const body: Record<string, unknown> = {};
  for (let tag = 0, at = 0; tag < names.length; tag++) {
    const list: unknown[] = [];
    for (let i = 0; i < count; i++, at++) list.push({ t: timesMs[at], v: pointValue(points, at), q: 192 });
    body[names[tag] as string] = list;
  }
  return body;
}

/** Times, and values that are numbers, as typed arrays; others as plain arrays. */
function msgpackColumns(points: RequestPoints): Record<string, unknown> {
  const { names, count, timesMs, kind } = points;
  const body: Record<string, unknown> = {};
  for (let tag = 0; tag < names.length; tag++) {
    const first = tag * count;
    const values = Array.from({ length: count }, (_, i) => pointValue(points, first + i));
    const isNumeric = kind !== 'boolean' && kind !== 'text';
    body[names[tag] as string] = {
      t: timesMs.slice(first, first + count),
      v: isNumeric ? Float64Array.from(values as number[]) : values,
      q: 192,
    };
  }
  return body;
}
