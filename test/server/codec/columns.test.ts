// Columns in place of arrays of points, in JSON and msgpack: the same points, and faults with pointers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { type PointChunk, ValueType } from '../../../engine/index.ts';
import type { ParsedBody } from '../../../server/codec/body/batch-builder.ts';
import type { BodyParser } from '../../../server/codec/body/body-parser.ts';
import { MsgpackParser } from '../../../server/codec/msgpack/msgpack-body.ts';
import { type ParseOptions, TvqParser } from '../../../server/codec/read-json/tvq-parser.ts';
import { ColumnWriter } from '../../../server/codec/write-json/column-writer.ts';
import { OutputBytes } from '../../../server/codec/write-json/output-bytes.ts';
import type { Separator } from '../../../server/codec/write-json/tvq-writer.ts';
import { DEFAULT_STYLE } from '../../../server/codec/write-json/value-style.ts';
import { ProblemError } from '../../../server/problem.ts';
import { ALL_TYPES, chunkOf, lookupOf, runsOf } from './body-support.ts';
import { pointsArbitrary, seed } from './value-arbitraries.ts';

const T_MS = Date.parse('2024-01-01T00:00:00.000Z');
const lookup = lookupOf({
  D: ValueType.Double,
  F: ValueType.Single,
  I: ValueType.Int64,
  U: ValueType.UInt64,
  N: ValueType.Int32,
  B: ValueType.Boolean,
  S: ValueType.String,
  O: ValueType.Open,
});
const json = new TvqParser();
const msgpack = new MsgpackParser();
const packr = new Packr({ useRecords: false, variableMapSize: true, moreTypes: true });
const POINTS = { kind: 'points', tag: 'D' } as const;
/** Text behind a body: near the end of the bytes short cuts are not taken. */
const margin = ' '.repeat(200);

function parseWith(parser: BodyParser, bytes: Uint8Array, options: Partial<ParseOptions> = {}): ParsedBody {
  return parser.parse(bytes, {
    shape: { kind: 'tags' },
    lookup,
    handling: 'lenient',
    arrivalMs: 5,
    maxTextBytes: 100,
    ...options,
  });
}

const parse = (body: string, options?: Partial<ParseOptions>): ParsedBody =>
  parseWith(json, Buffer.from(body), options);
const unpacked = (body: unknown): ParsedBody => parseWith(msgpack, packr.pack(body));
const faultsOf = ({ faults }: ParsedBody): string[] => faults.map(({ path, message }) => `${path}: ${message}`);

/** Time in ms, value and quality of each point. */
function pointsOf({ batch }: ParsedBody, name = 'D'): unknown[] {
  return (runsOf(batch).get(name)?.points ?? []).map(({ ticks, value, quality }) => [
    Number(ticks) / 10_000,
    value,
    quality,
  ]);
}

const EXPECTED = [
  [T_MS, 1.5, 192],
  [T_MS + 1000, null, 192],
  [T_MS + 61_000, -2, 192],
];

test('columns give the points that objects would, with times as text or as ms', () => {
  const texts = '"t":["2024-01-01T00:00:00.000Z","2024-01-01T00:00:01.000Z","2024-01-01T00:01:01.000Z"]';
  const numbers = `"t":[${T_MS},${T_MS + 1000},${T_MS + 61_000}]`;
  const mixed = `"t":["2024-01-01T00:00:00Z",${T_MS + 1000}.0,"2024-01-01T01:01:01+01:00"]`;
  for (const times of [texts, numbers, mixed]) {
    for (const members of [
      [times, '"v":[1.5,null,-2]'],
      ['"v":[1.5,null,-2e0]', '"q":192', times],
    ]) {
      for (const body of [`{"D":{${members.join(',')}}}`, `{"D":{ ${members.join(' , ')} } }`]) {
        assert.deepEqual(pointsOf(parse(body)), EXPECTED, body);
        assert.deepEqual(pointsOf(parse(body + margin)), EXPECTED, body);
      }
    }
  }
});

test('q is one quality for all points, or one for each; null and absent are 192', () => {
  const qualities = (q: string): unknown[] =>
    pointsOf(parse(`{"D":{"t":[${T_MS},${T_MS}],"v":[1,2]${q}}}${margin}`)).map((point) => (point as unknown[])[2]);
  assert.deepEqual(qualities(''), [192, 192]);
  assert.deepEqual(qualities(',"q":null'), [192, 192]);
  assert.deepEqual(qualities(',"q":64'), [64, 64]);
  assert.deepEqual(qualities(',"q":-5'), [-5, -5]);
  assert.deepEqual(qualities(',"q":[0,null]'), [0, 192]);
  assert.deepEqual(qualities(',"q":[0,28]'), [0, 28]);
});

test('tags of columns and tags of objects share a body, and one tag may be columns', () => {
  const columns = `{"t":[${T_MS}],"v":[1]}`;
  const { batch } = parse(`{"N":[{"v":1}],"D":${columns},"S":[{"v":"a"}],"new":{"t":[${T_MS}],"v":["x"]}}`);
  assert.deepEqual(
    batch.runs.map(({ name, type, count }) => [name, type, count]),
    [
      ['N', ValueType.Int32, 1],
      ['D', ValueType.Double, 1],
      ['S', ValueType.String, 1],
      ['new', ValueType.String, 1],
    ],
  );
  assert.deepEqual(pointsOf(parse(columns + margin, { shape: POINTS })), [[T_MS, 1, 192]]);
});

test('a time that is null is the time of receipt, a fraction of a ms counts in ticks', () => {
  const { batch } = parse('{"D":{"t":[null,1000.5],"v":[1,2]}}');
  const run = runsOf(batch).get('D');
  assert.equal(run?.stamped, 1);
  assert.deepEqual(
    run?.points.map(({ ticks }) => ticks),
    [50_000n, 10_005_000n],
  );
});

test('empty columns are no points', () => {
  assert.equal(parse('{"D":{"t":[],"v":[]}}').batch.runs.length, 0);
  assert.equal(parse('{"t":[],"v":[],"q":[]}', { shape: POINTS }).batch.runs.length, 0);
});

test('columns that do not fit together are refused whole, with a pointer to the misfit', () => {
  const parsed = parse(
    '{"D":{"t":[1,2],"v":[1,2,3],"q":[192]},"N":{"t":[1],"v":7},"S":{"v":[1]},"O":{"t":[1],"v":[1],"q":"good","x":1}}',
  );
  assert.deepEqual(faultsOf(parsed), [
    '/D/v: got 3 entries; want 2, one for each time',
    '/D/q: got 1 entries; want 2, one for each time',
    '/N/v: got a number; want an array, an entry for each point',
    '/S/t: missing; want an array, an entry for each point',
    '/O/x: unknown key; columns are t, v and q',
    '/O/q: got text; want a whole number of 32 bits, or an array of them',
  ]);
  assert.equal(parsed.rejected, 3 + 1 + 1 + 1);
  assert.equal(parsed.batch.points.count, 0);
});

test('columns without times and values are a fault, and take nothing from the tag before them', () => {
  for (const members of ['"q":192', '"q":[]', '"q":192,"v":[1]', '"t":[]']) {
    for (const end of ['', margin]) {
      const parsed = parse(`{"D":[{"t":${JSON.stringify('2024-01-01T00:00:00.000Z')},"v":1}],"N":{${members}}}${end}`);
      assert.deepEqual(pointsOf(parsed), [[T_MS, 1, 192]], members);
      assert.equal(parsed.batch.points.count, 1, members);
      assert.ok(parsed.faultCount > 0, members);
    }
  }
});

test('a faulty entry is one point, found by its column and place', () => {
  const parsed = parse('{"D":{"t":["x",2,3,4],"v":[1,"a",3,4],"q":[192,192,1.5,192]}}');
  assert.deepEqual(
    parsed.faults.map(({ path }) => path),
    ['/D/t/0', '/D/v/1', '/D/q/2'],
  );
  assert.match(parsed.faults[0]?.message ?? '', /want ms since 1970, or an ISO 8601 time stamp/);
  assert.equal(parsed.rejected, 3);
  assert.deepEqual(pointsOf(parsed), [[4, 4, 192]]);
});

test('a lone point in place of the points of a tag is refused', () => {
  const lone = '{"t":"2024-01-01T00:00:00.000Z","v":1}';
  assert.throws(() => parse(lone, { shape: POINTS }), /got an object; want an array of points, or columns t and v/);
});

test('typed arrays of msgpack are columns', () => {
  const t = Float64Array.of(T_MS, T_MS + 1000.5);
  assert.deepEqual(pointsOf(unpacked({ D: { t, v: Float64Array.of(1.5, -0), q: 0 } })), [
    [T_MS, 1.5, 0],
    [T_MS + 1000.5, -0, 0],
  ]);
  assert.deepEqual(pointsOf(unpacked({ N: { t, v: Int16Array.of(1, -2), q: Int32Array.of(192, -1) } }), 'N'), [
    [T_MS, 1, 192],
    [T_MS + 1000.5, -2, -1],
  ]);
  const times = BigInt64Array.of(BigInt(T_MS), 0n);
  const wide = {
    I: { t: times, v: BigInt64Array.of(2n ** 62n, -1n) },
    U: { t, v: BigUint64Array.of(2n ** 64n - 1n, 7n) },
  };
  assert.deepEqual(pointsOf(unpacked(wide), 'I'), [
    [T_MS, 2n ** 62n, 192],
    [0, -1n, 192],
  ]);
  assert.deepEqual(pointsOf(unpacked(wide), 'U'), [
    [T_MS, 2n ** 64n - 1n, 192],
    [T_MS + 1000.5, 7n, 192],
  ]);
  assert.deepEqual(pointsOf(unpacked({ U: { t, v: BigInt64Array.of(1n, -1n) } }), 'U'), [[T_MS, 1n, 192]]);
});

test('entries of typed arrays are judged like others', () => {
  const t = Float64Array.of(T_MS, Number.NaN, T_MS);
  const parsed = unpacked({ D: { t, v: Float64Array.of(Number.POSITIVE_INFINITY, 1, 2) } });
  assert.deepEqual(
    parsed.faults.map(({ path }) => path),
    ['/D/v/0', '/D/t/1'],
  );
  assert.deepEqual(pointsOf(parsed), [[T_MS, 2, 192]]);
});

test('bytes whose type is not known are no column', () => {
  const untyped = new Packr({ useRecords: false, variableMapSize: true });
  const body = untyped.pack({ D: { t: Float64Array.of(1), v: Float64Array.of(1) } });
  assert.deepEqual(faultsOf(parseWith(msgpack, body)), [
    '/D/t: got bytes; want an array, an entry for each point',
    '/D/v: got bytes; want an array, an entry for each point',
  ]);
});

test('a cut body of columns is a 400, at every byte', () => {
  const whole = packr.pack({ D: { t: Float64Array.of(1, 2), v: [1, 2.5], q: [192, 0] }, B: { t: [1], v: [true] } });
  for (let length = 0; length < whole.length; length++) {
    assert.throws(() => parseWith(msgpack, whole.subarray(0, length)), ProblemError, `cut at ${length}`);
  }
});

const entries = fc
  .array(
    fc.record({
      t: fc.oneof(
        fc.integer({ min: T_MS, max: T_MS + 10 ** 6 }),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
      v: fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: -300, max: 300 }) },
        { weight: 2, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
      q: fc.constantFrom(192, 0, -1),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((list) => ({ t: list.map(({ t }) => t), v: list.map(({ v }) => v), q: list.map(({ q }) => q) }));

/** Less than a tick before 1970. */
const JUST_BEFORE_A_MS = { t: [-5.551115123125784e-17], v: [0], q: [192 as const] };

test('msgpack columns, typed or not, are read as the same columns in JSON', () => {
  const tags = fc.constantFrom('D', 'F', 'I', 'U', 'N', 'B', 'S', 'O', 'new');
  const forms = fc.constantFrom('plain', 'typed times', 'typed values');
  fc.assert(
    fc.property(tags, entries, forms, fc.boolean(), (tag, columns, form, sharesQuality) => {
      const q = sharesQuality ? (columns.q[0] as number) : columns.q;
      const text = JSON.stringify({ [tag]: { ...columns, q } }); // writes -0 as 0
      const body = (JSON.parse(text) as Record<string, typeof columns>)[tag] as typeof columns;
      const packed = {
        t: form === 'typed times' ? Float64Array.from(body.t as number[]) : body.t,
        v: form === 'typed values' && !body.v.includes(null) ? Float64Array.from(body.v as number[]) : body.v,
        q: body.q,
      };
      const fromJson = parse(text);
      const fromMsgpack = unpacked({ [tag]: packed });
      assert.deepEqual(runsOf(fromMsgpack.batch), runsOf(fromJson.batch));
      assert.deepEqual(fromMsgpack.faults, fromJson.faults);
      json.release(fromJson.batch);
      msgpack.release(fromMsgpack.batch);
    }),
    { seed, numRuns: 3000, examples: [['D', JUST_BEFORE_A_MS, 'plain', false]] },
  );
});

for (const type of ALL_TYPES) {
  const name = Object.entries(ValueType).find(([, code]) => code === type)?.[0];
  test(`columns of type ${name} are read back as they were written`, () => {
    const out = new OutputBytes(16);
    const writer = new ColumnWriter();
    fc.assert(
      fc.property(pointsArbitrary(type), fc.nat(20), (points, split) => {
        const all = chunkOf(type, points);
        const middle = Math.min(split, points.length);
        const chunks = [
          { ...all, end: middle },
          { ...all, start: middle },
        ].filter(({ start, end }) => start < end);
        const hasTicks = points.some(({ ticks }) => ticks % 10_000n !== 0n);
        out.clear();
        const column = (opening: string, write: (chunk: PointChunk, separator: Separator) => void): void => {
          out.ascii(opening);
          for (const [i, chunk] of chunks.entries()) write(chunk, i === 0 ? 'first' : 'comma');
        };
        column('{"t":[', (chunk, separator) => writer.writeTimes(out, chunk, hasTicks ? 'text' : 'ms', separator));
        column('],"v":[', (chunk, separator) => writer.writeValues(out, chunk, DEFAULT_STYLE, separator));
        column('],"q":[', (chunk, separator) => writer.writeQualities(out, chunk, separator));
        out.ascii(']}');
        const parsed = parseWith(json, Buffer.from(out.written()), {
          shape: { kind: 'points', tag: 'X' },
          lookup: lookupOf({ X: type }),
          maxTextBytes: 65_536,
        });
        assert.deepEqual(parsed.faults, []);
        assert.deepEqual(runsOf(parsed.batch).get('X')?.points, points);
        json.release(parsed.batch);
      }),
      { seed, numRuns: 300 },
    );
  });
}

const LONG_POINTS = 75_000;
/** Times further from the first one than this are not plain. */
const FAR_MS = 2 ** 31;

for (const order of ['tvq', 'vtq', 'qvt']) {
  for (const [what, odd] of [
    ['a far time', { t: (i: number) => (i < 72_000 ? i : FAR_MS + i) }],
    ['a null', { v: (i: number) => (i === 70_000 ? null : (i % 1000) / 10) }],
    [
      'a null and a far time',
      { t: (i: number) => (i < 10 ? i : FAR_MS + i), v: (i: number) => (i > 74_990 ? null : i) },
    ],
    ['a bad quality of all', { q: 0 }],
    ['a bad quality', { q: (i: number) => (i === 72_000 ? 0 : 192) }],
    ['nothing odd', {}],
  ] as const) {
    test(`long columns with ${what} as ${order}`, () => {
      const of = { t: (i: number) => i, v: (i: number) => (i % 1000) / 10, q: 192, ...odd };
      const all = Array.from({ length: LONG_POINTS }, (_, i) => i);
      const columnOf = (key: string): unknown => {
        const make = of[key as keyof typeof of];
        return typeof make === 'number' ? make : all.map((i) => (key === 't' ? T_MS + (make(i) as number) : make(i)));
      };
      const members = [...order].map((key) => `"${key}":${JSON.stringify(columnOf(key))}`);
      const body = Buffer.from(`{"D":{${members.join(',')}}}`);
      const wanted = all.map((i) => [T_MS + of.t(i), of.v(i), typeof of.q === 'number' ? of.q : of.q(i)]);
      assert.deepEqual(pointsOf(parseWith(json, body)), wanted);
    });
  }
}
