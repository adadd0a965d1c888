// What one point costs in server/codec, in ns: reading bodies of several shapes, and writing answers of several types.
// Run: node --import tsx bench/server/json.ts

import { Packr } from 'msgpackr';
import { type PointChunk, PointColumns, type TagLookup, ValueType } from '../../engine/index.ts';
import { Tag } from '../../engine/tag/tag.ts';
import { TagNames } from '../../engine/tag/tag-names.ts';
import { MsgpackParser } from '../../server/codec/msgpack/msgpack-body.ts';
import { MsgpackColumnWriter } from '../../server/codec/msgpack/msgpack-column-writer.ts';
import { MsgpackWriter } from '../../server/codec/msgpack/msgpack-writer.ts';
import { TvqParser } from '../../server/codec/read-json/tvq-parser.ts';
import { ColumnWriter } from '../../server/codec/write-json/column-writer.ts';
import { OutputBytes } from '../../server/codec/write-json/output-bytes.ts';
import { TvqWriter } from '../../server/codec/write-json/tvq-writer.ts';
import { DEFAULT_STYLE } from '../../server/codec/write-json/value-style.ts';

const ROUNDS = 60;
const ROUND_LIMIT_MS = 8;
const FIRST_MS = Date.parse('2024-01-01T00:00:00Z');

/** A dataset's own lookup. */
function lookupOf(names: readonly string[], type: ValueType): TagLookup {
  const tags = new TagNames();
  for (const [i, name] of names.entries()) tags.add(name, new Tag(i, { name, type }));
  return tags;
}

type PointText = (time: string, value: string) => string;

interface Body {
  readonly bytes: Buffer;
  readonly tagCount: number;
  /** Points of each tag. */
  readonly pointCount: number;
}

/** A body of `tagCount` tags with `pointCount` points each, 1 s apart with some jitter. */
function bodyOf(tagCount: number, pointCount: number, valueAt: (seed: number) => string, text: PointText): Body {
  const tags: string[] = [];
  for (let tag = 0; tag < tagCount; tag++) {
    const points: string[] = [];
    for (let i = 0; i < pointCount; i++) {
      const ms = FIRST_MS + i * 1000 + ((tag * 7919 + i * 104_729) % 200);
      points.push(text(new Date(ms).toISOString(), valueAt(tag * 31 + i * 17)));
    }
    tags.push(`"Plant.Unit.Tag${tag}":[${points.join(',')}]`);
  }
  return { bytes: Buffer.from(`{${tags.join(',')}}`), tagCount, pointCount };
}

/** The fastest of many short rounds, in ns a point: what else the machine does only ever adds. */
function measure(pointCount: number, run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    let runs = 0;
    let elapsedMs = 0;
    do {
      run();
      runs++;
      elapsedMs = performance.now() - start;
    } while (elapsedMs < ROUND_LIMIT_MS);
    best = Math.min(best, (elapsedMs * 1e6) / runs / pointCount);
  }
  return best;
}

function report(title: string, nsPerPoint: number): void {
  console.log(`${title.padEnd(58)} ${nsPerPoint.toFixed(1).padStart(7)} ns/point`);
}

const parser = new TvqParser();

function benchParse(title: string, type: ValueType, { bytes, tagCount, pointCount }: Body): void {
  const lookup = lookupOf(
    Array.from({ length: tagCount }, (_, tag) => `Plant.Unit.Tag${tag}`),
    type,
  );
  const options = { shape: { kind: 'tags' }, lookup, handling: 'strict', arrivalMs: 0, maxTextBytes: 65_536 } as const;
  const nsPerPoint = measure(tagCount * pointCount, () => {
    const parsed = parser.parse(bytes, options);
    if (parsed.batch.points.count !== tagCount * pointCount) throw new Error('points are missing');
    parser.release(parsed.batch);
  });
  report(`${title}, ${(bytes.length / tagCount / pointCount).toFixed(1)} B`, nsPerPoint);
}

const plant = (seed: number): string => String(((seed * 7919) % 10_000) / 100);
const compact: PointText = (t, v) => `{"t":"${t}","v":${v},"q":192}`;
const shuffled: PointText = (t, v) => `{"q":192,"v":${v},"t":"${t}"}`;
const spaced: PointText = (t, v) => `{ "t": "${t}", "v": ${v}, "q": 192 }`;
const noQuality: PointText = (t, v) => `{"t":"${t}","v":${v}}`;
const tickTime: PointText = (t, v) => `{"t":"${t.slice(0, -1)}4567Z","v":${v},"q":192}`;

/** What a program without this parser would do. */
function benchBaseline(): void {
  const { bytes } = bodyOf(50, 100, plant, compact);
  const columns = new PointColumns(5000);
  const nsPerPoint = measure(5000, () => {
    let count = 0;
    for (const points of Object.values(JSON.parse(bytes.toString()) as Record<string, { t: string; v: number }[]>)) {
      for (const point of points) {
        columns.timesMs[count] = Date.parse(point.t);
        columns.numbers[count++] = point.v;
      }
    }
  });
  report('JSON.parse and Date.parse, 50 tags x 100', nsPerPoint);
}

/** A body of columns: the times as text or as ms. */
function columnsBody(tagCount: number, pointCount: number, timeAt: (ms: number) => string): Body {
  const tags: string[] = [];
  for (let tag = 0; tag < tagCount; tag++) {
    const times: string[] = [];
    const values: string[] = [];
    for (let i = 0; i < pointCount; i++) {
      times.push(timeAt(FIRST_MS + i * 1000 + ((tag * 7919 + i * 104_729) % 200)));
      values.push(plant(tag * 31 + i * 17));
    }
    tags.push(`"Plant.Unit.Tag${tag}":{"t":[${times.join(',')}],"v":[${values.join(',')}],"q":192}`);
  }
  return { bytes: Buffer.from(`{${tags.join(',')}}`), tagCount, pointCount };
}

function benchColumns(): void {
  const { Double } = ValueType;
  const iso = (ms: number): string => `"${new Date(ms).toISOString()}"`;
  benchParse('parse columns, ISO, 500 tags x 10', Double, columnsBody(500, 10, iso));
  benchParse('parse columns, ISO, 50 x 100', Double, columnsBody(50, 100, iso));
  benchParse('parse columns, ms, 500 x 10', Double, columnsBody(500, 10, String));
  benchParse('parse columns, ms, 50 x 100', Double, columnsBody(50, 100, String));
}

function benchParser(): void {
  const { Double } = ValueType;
  benchParse('parse compact, 500 tags x 10', Double, bodyOf(500, 10, plant, compact));
  benchParse('parse compact, 50 tags x 100', Double, bodyOf(50, 100, plant, compact));
  benchParse('parse compact, 10,000 tags x 1', Double, bodyOf(10_000, 1, plant, compact));
  benchParse('parse without q, 50 tags x 100', Double, bodyOf(50, 100, plant, noQuality));
  benchParse('parse 7 fraction digits, 50 x 100', Double, bodyOf(50, 100, plant, tickTime));
  benchParse(
    'parse full-precision doubles, 50 x 100',
    Double,
    bodyOf(50, 100, (s) => String(Math.sqrt(s + 2)), compact),
  );
  benchParse('parse shuffled keys, 50 x 100', Double, bodyOf(50, 100, plant, shuffled));
  benchParse('parse spaced, 50 x 100', Double, bodyOf(50, 100, plant, spaced));
  benchParse(
    'parse Int32, 50 x 100',
    ValueType.Int32,
    bodyOf(50, 100, (s) => String(s % 1000), compact),
  );
  benchParse(
    'parse Int64, 50 x 100',
    ValueType.Int64,
    bodyOf(50, 100, (s) => String(s * 1e6), compact),
  );
  benchParse(
    'parse Decimal, 50 x 100',
    ValueType.Decimal,
    bodyOf(50, 100, (s) => `${s}.50`, compact),
  );
  benchParse(
    'parse Boolean, 50 x 100',
    ValueType.Boolean,
    bodyOf(50, 100, (s) => String(s % 2 === 0), compact),
  );
  benchParse(
    'parse String, 50 x 100',
    ValueType.String,
    bodyOf(50, 100, (s) => `"state ${s % 50}"`, compact),
  );
}

const POINTS = 10_000;

function chunkOf(type: ValueType, fill: (columns: PointColumns, i: number) => void): PointChunk {
  const columns = new PointColumns(POINTS);
  for (let i = 0; i < POINTS; i++) {
    columns.timesMs[i] = FIRST_MS + i * 1000 + ((i * 104_729) % 200);
    columns.qualities[i] = 192;
    fill(columns, i);
  }
  columns.count = POINTS;
  return { type, points: columns, start: 0, end: POINTS };
}

function numbers(type: ValueType, valueAt: (i: number) => number): PointChunk {
  return chunkOf(type, (columns, i) => {
    columns.numbers[i] = valueAt(i);
  });
}

function texts(type: ValueType, valueAt: (i: number) => string): PointChunk {
  return chunkOf(type, (columns, i) => {
    columns.numbers[i] = columns.texts.push(valueAt(i));
  });
}

function wide(type: ValueType, valueAt: (i: number) => bigint): PointChunk {
  return chunkOf(type, (columns, i) => {
    columns.bigints[i] = valueAt(i);
  });
}

const CHUNKS: readonly (readonly [string, PointChunk])[] = [
  ['Double, two decimals', numbers(ValueType.Double, (i) => ((i * 7919) % 10_000) / 100)],
  ['Double, whole', numbers(ValueType.Double, (i) => i % 1000)],
  ['Double, full precision', numbers(ValueType.Double, (i) => Math.sqrt(i + 2))],
  ['Single, two decimals', numbers(ValueType.Single, (i) => Math.fround(((i * 7919) % 10_000) / 100))],
  ['Int32', numbers(ValueType.Int32, (i) => i)],
  ['Boolean', numbers(ValueType.Boolean, (i) => i % 2)],
  ['Int64', wide(ValueType.Int64, (i) => BigInt(i) * 1_000_000n)],
  ['DateTime', wide(ValueType.DateTime, (i) => 638_396_640_000_000_000n + BigInt(i) * 10_000n)],
  ['Decimal', texts(ValueType.Decimal, (i) => `${i}.50`)],
  ['String', texts(ValueType.String, (i) => `state ${i % 50}`)],
];

function benchWriters(): void {
  const out = new OutputBytes(2_000_000);
  const json = new TvqWriter();
  const msgpack = new MsgpackWriter();
  for (const [title, chunk] of CHUNKS) {
    const jsonNs = measure(POINTS, () => {
      out.clear();
      json.writePoints(out, chunk, DEFAULT_STYLE, 'first');
    });
    report(`write JSON ${title}, ${(out.length / POINTS).toFixed(1)} B`, jsonNs);
    const msgpackNs = measure(POINTS, () => {
      out.clear();
      msgpack.points(out, chunk, DEFAULT_STYLE);
    });
    report(`write msgpack ${title}, ${(out.length / POINTS).toFixed(1)} B`, msgpackNs);
  }
}

/** Times and values as columns; qualities that are all the same cost nothing. */
function benchColumnWriters(): void {
  const out = new OutputBytes(2_000_000);
  const json = new ColumnWriter();
  const msgpack = new MsgpackColumnWriter();
  const chunk = numbers(ValueType.Double, (i) => ((i * 7919) % 10_000) / 100);
  const plan = { pointCount: POINTS, hasTicks: false, hasNulls: false, quality: 192, type: ValueType.Double };
  for (const form of ['ms', 'text'] as const) {
    const jsonNs = measure(POINTS, () => {
      out.clear();
      json.writeTimes(out, chunk, form, 'first');
      json.writeValues(out, chunk, DEFAULT_STYLE, 'first');
    });
    report(`write JSON columns, times as ${form}, ${(out.length / POINTS).toFixed(1)} B`, jsonNs);
  }
  const msgpackNs = measure(POINTS, () => {
    out.clear();
    msgpack.times(out, chunk, plan);
    msgpack.values(out, chunk, plan, DEFAULT_STYLE);
  });
  report(`write msgpack columns, ${(out.length / POINTS).toFixed(1)} B`, msgpackNs);
}

/** A body of columns in typed arrays. */
function benchTypedColumns(): void {
  const packr = new Packr({ useRecords: false, variableMapSize: true, moreTypes: true });
  const lookup = lookupOf(
    Array.from({ length: 50 }, (_, tag) => `Plant.Unit.Tag${tag}`),
    ValueType.Double,
  );
  const tags = Array.from({ length: 50 }, (_, tag) => [
    `Plant.Unit.Tag${tag}`,
    {
      t: Float64Array.from({ length: 100 }, (_point, i) => FIRST_MS + i * 1000 + ((tag * 7919 + i * 104_729) % 200)),
      v: Float64Array.from({ length: 100 }, (_point, i) => Number(plant(tag * 31 + i * 17))),
      q: 192,
    },
  ]);
  const body = packr.pack(Object.fromEntries(tags));
  const msgpack = new MsgpackParser();
  const options = { shape: { kind: 'tags' }, lookup, handling: 'strict', arrivalMs: 0, maxTextBytes: 65_536 } as const;
  const nsPerPoint = measure(5000, () => {
    const parsed = msgpack.parse(body, options);
    if (parsed.batch.points.count !== 5000) throw new Error('points are missing');
    msgpack.release(parsed.batch);
  });
  report(`parse msgpack columns, typed, 50 x 100, ${(body.length / 5000).toFixed(1)} B`, nsPerPoint);
}

benchBaseline();
benchParser();
benchColumns();
benchTypedColumns();
benchWriters();
benchColumnWriters();
