// Which points are plain: their runs stand in offsets and mantissas alone, whatever way they were read, and give the same
// doubles, bit for bit, as if they were not.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { type PointBatch, type PointRun, ValueType } from '../../../engine/index.ts';
import type { BodyParser } from '../../../server/codec/body/body-parser.ts';
import { MsgpackParser } from '../../../server/codec/msgpack/msgpack-body.ts';
import { TvqParser } from '../../../server/codec/read-json/tvq-parser.ts';
import { lookupOf, spreadPlain } from './body-support.ts';
import { seed } from './value-arbitraries.ts';

const FIRST_MS = Date.parse('2026-01-01T09:59:00Z');
const lookup = lookupOf({
  D: ValueType.Double,
  O: ValueType.Open,
  I8: ValueType.SByte,
  U8: ValueType.Byte,
  I16: ValueType.Int16,
  U16: ValueType.UInt16,
  I32: ValueType.Int32,
  U32: ValueType.UInt32,
  F: ValueType.Single,
  I64: ValueType.Int64,
  B: ValueType.Boolean,
});

/** A number as it is written, the ms behind `FIRST_MS`, and a quality. */
interface Point {
  readonly v: string;
  readonly ms?: number;
  readonly q?: number;
}

/** Near the end of the bytes the parser takes no short cuts. */
const margin = ' '.repeat(200);
const packr = new Packr({ useRecords: false, variableMapSize: true, moreTypes: true });

const iso = (ms: number): string => new Date(ms).toISOString();
const timeOf = (point: Point, i: number): number => FIRST_MS + (point.ms ?? i * 1000);

function columnsText(points: readonly Point[], time: (ms: number) => string): string {
  const qualities = points.some(({ q }) => q !== undefined) ? `,"q":[${points.map(({ q = 192 }) => q)}]` : '';
  return `{"t":[${points.map((point, i) => time(timeOf(point, i)))}],"v":[${points.map(({ v }) => v)}]${qualities}}`;
}

type Way = readonly [
  title: string,
  make: () => BodyParser,
  body: (tag: string, points: readonly Point[]) => Uint8Array,
];

function jsonWay(title: string, text: (points: readonly Point[]) => string): Way {
  return [title, () => new TvqParser(), (tag, points) => Buffer.from(`{"${tag}":${text(points)}}${margin}`)];
}

function msgpackWay(title: string, value: (points: readonly Point[]) => unknown): Way {
  return [title, () => new MsgpackParser(), (tag, points) => packr.pack({ [tag]: value(points) })];
}

const WAYS: readonly Way[] = [
  jsonWay('the usual shape', (points) => {
    const texts = points.map(
      ({ v, q = 192, ...rest }, i) => `{"t":"${iso(timeOf({ v, ...rest }, i))}","v":${v},"q":${q}}`,
    );
    return `[${texts.join(',')}]`;
  }),
  jsonWay('spaces and another order', (points) => {
    const texts = points.map(
      ({ v, q = 192, ...rest }, i) => `{ "q": ${q}, "v": ${v}, "t": "${iso(timeOf({ v, ...rest }, i))}" }`,
    );
    return `[ ${texts.join(' , ')} ]`;
  }),
  jsonWay('the general way', (points) => {
    const texts = points.map(
      ({ v, q = 192, ...rest }, i) => `{"\\u0074":"${iso(timeOf({ v, ...rest }, i))}","v":${v},"q":${q}}`,
    );
    return `[${texts.join(',')}]`;
  }),
  jsonWay('columns of texts', (points) => columnsText(points, (ms) => `"${iso(ms)}"`)),
  jsonWay('columns of ms', (points) => columnsText(points, String)),
  jsonWay('columns with spaces', (points) => columnsText(points, (ms) => ` ${ms} `)),
  msgpackWay('msgpack maps', (points) =>
    points.map((point, i) => ({ t: timeOf(point, i), v: Number(point.v), q: point.q ?? 192 })),
  ),
  msgpackWay('msgpack arrays', (points) => ({
    t: points.map(timeOf),
    v: points.map(({ v }) => Number(v)),
    q: points.map(({ q = 192 }) => q),
  })),
  msgpackWay('msgpack typed arrays', (points) => ({
    t: Float64Array.from(points, timeOf),
    v: Float64Array.from(points, ({ v }) => Number(v)),
    q: Int32Array.from(points, ({ q = 192 }) => q),
  })),
];

/** The ways that can carry the values: msgpackr writes minus zero as 0, but in typed arrays. */
function waysFor(points: readonly Point[]): readonly Way[] {
  const hasMinusZero = points.some(({ v }) => Object.is(Number(v), -0));
  return hasMinusZero ? WAYS.filter(([title]) => title !== 'msgpack maps' && title !== 'msgpack arrays') : WAYS;
}

function parseBatch(parser: BodyParser, bytes: Uint8Array): PointBatch {
  const options = { shape: { kind: 'tags' }, lookup, handling: 'strict', arrivalMs: 0, maxTextBytes: 20 } as const;
  const { batch, faults } = parser.parse(bytes, options);
  assert.deepEqual(faults, []);
  return batch;
}

/** Reads the only run of a body; how many decimals it has, after its points were seen to be those that were sent. */
function decimalsOf([title, make, body]: Way, tag: string, points: readonly Point[]): number {
  const batch = parseBatch(make(), body(tag, points));
  const [run] = batch.runs as [PointRun];
  assert.equal(run.count, points.length, title);
  spreadPlain(batch);
  for (const [i, point] of points.entries()) {
    const at = run.start + i;
    const value = Number(point.v);
    const { timesMs, ticks, nulls, numbers, qualities } = batch.points;
    assert.deepEqual(
      [timesMs[at], ticks[at], nulls[at], qualities[at]],
      [timeOf(point, i), 0, 0, point.q ?? 192],
      title,
    );
    const wanted = run.type === ValueType.Double ? value : value + 0;
    assert.ok(Object.is(numbers[at], wanted), `${title}: got ${numbers[at]}; want ${point.v}`);
  }
  return run.decimals ?? -1;
}

const numbers = (...values: readonly (string | number)[]): Point[] => values.map((v) => ({ v: String(v) }));

const CASES: readonly (readonly [title: string, tag: string, points: readonly Point[], decimals: number])[] = [
  ['whole numbers', 'D', numbers(1, 20, -300, 0), 0],
  ['decimals that grow and shrink', 'D', numbers('12', '12.5', '12.34', '-0.125', '7'), 3],
  ['a mantissa of 32 bits', 'D', numbers('2147483647', '-2147483647'), 0],
  ['counters of ten digits', 'D', numbers(1234567890, 1234567891, 2147483647), 0],
  ['nine decimals', 'D', numbers('0.123456789', '1.5', '2.147483647'), 9],
  ['ten decimals', 'D', numbers('0.1234567891', '1.5'), -1],
  ['a mantissa beyond 32 bits', 'D', numbers('2147483648'), -1],
  ['decimals that make an earlier mantissa too long', 'D', numbers('1', '2147483647', '0.5'), -1],
  ['decimals that make a later mantissa too long', 'D', numbers('0.5', '1', '2147483647'), -1],
  ['minus zero', 'D', numbers('1.5', '-0', '2.5'), -1],
  ['minus zero with a fraction, at first', 'D', numbers('-0.00', '2.5'), -1],
  ['full precision', 'D', numbers('1.5', Math.PI, '2.5'), -1],
  ['a number with an exponent', 'D', numbers('1.5', '12e2', '25e-1'), 1],
  ['another quality', 'D', [{ v: '1.5' }, { v: '2.5', q: 0 }, { v: '3.5' }], -1],
  ['a tag without a type', 'O', numbers('1.5', '2.25'), 2],
  [
    'times before the first',
    'D',
    [
      { v: '1', ms: 60_000 },
      { v: '2', ms: -86_400_000 },
    ],
    0,
  ],
  ['times far apart', 'D', [{ v: '1' }, { v: '2', ms: 2 ** 31 + 200_000 }, { v: '3' }], -1],
  ['times far before', 'D', [{ v: '1' }, { v: '2', ms: -(2 ** 31) - 200_000 }, { v: '3' }], -1],
  ['SByte', 'I8', numbers(-128, 127), 0],
  ['Byte', 'U8', numbers(0, 255), 0],
  ['Int16', 'I16', numbers(-32_768, 32_767), 0],
  ['UInt16', 'U16', numbers(0, 65_535), 0],
  ['Int32', 'I32', numbers(-2_147_483_647, 2_147_483_647), 0],
  ['UInt32 within 31 bits', 'U32', numbers(0, 2_147_483_647), 0],
  ['UInt32 beyond', 'U32', numbers(0, 4_294_967_295), -1],
  ['Single', 'F', numbers('1.5', '2.5'), -1],
];

describe('plain runs', () => {
  for (const [title, tag, points, decimals] of CASES) {
    test(`${title}: ${decimals < 0 ? 'not plain' : `plain with ${decimals} decimals`}, by every way through a body`, () => {
      for (const way of waysFor(points)) assert.equal(decimalsOf(way, tag, points), decimals, way[0]);
    });
  }
});

test('an integer beyond its type is refused by every way', () => {
  for (const [title, make, body] of WAYS) {
    const options = { shape: { kind: 'tags' }, lookup, handling: 'lenient', arrivalMs: 0, maxTextBytes: 20 } as const;
    const { rejected, batch } = make().parse(body('U8', numbers(1, 256, 2)), options);
    assert.equal(rejected, 1, title);
    assert.equal(batch.points.count, 2, title);
  }
});

const written = fc
  .tuple(fc.integer({ min: -3_000_000_000, max: 3_000_000_000 }), fc.nat(10), fc.boolean())
  .map(([digits, decimals, isShort]) => {
    const value = isShort ? digits % 100_000 : digits;
    const text = String(Math.abs(value)).padStart(decimals + 1, '0');
    const whole = text.slice(0, text.length - decimals);
    return { v: `${value < 0 ? '-' : ''}${whole}${decimals > 0 ? `.${text.slice(-decimals)}` : ''}` };
  });

test('decimals of all lengths give the same doubles by every way', () => {
  fc.assert(
    fc.property(fc.array(written, { minLength: 1, maxLength: 6 }), (points) => {
      for (const way of waysFor(points)) decimalsOf(way, 'D', points);
    }),
    { seed, numRuns: 500 },
  );
});

test('a long run stays plain, and is general from the first other point on', () => {
  const long = Array.from({ length: 30_000 }, (_, i) => ({ v: i === 20_000 ? '0.125' : String((i % 1000) / 4) }));
  for (const way of WAYS) {
    const [title] = way;
    assert.equal(decimalsOf(way, 'D', long), 3, title);
    assert.equal(decimalsOf(way, 'D', long.with(25_000, { v: '1e300' })), -1, title);
  }
});

test('the runs of a body are plain or not one by one', () => {
  const run = (tag: string, ...values: readonly string[]): string =>
    `"${tag}":[${values.map((v, i) => `{"t":"${iso(FIRST_MS + i)}","v":${v},"q":192}`).join(',')}]`;
  const body = `{${run('D', '1.5')},${run('B', 'true')},${run('I32', '7', '8')},${run('I64', '9')},${run('O', 'null', '1')}}`;
  for (const text of [body + margin, body]) {
    const batch = parseBatch(new TvqParser(), Buffer.from(text));
    assert.deepEqual(
      batch.runs.map(({ name, decimals }) => [name, decimals]),
      [
        ['D', 1],
        ['B', -1],
        ['I32', 0],
        ['I64', -1],
        ['O', -1],
      ],
    );
  }
});
