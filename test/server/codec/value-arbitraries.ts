// Random values, points and bodies for the property tests of bodies.

import fc from 'fast-check';
import { ValueType } from '../../../engine/index.ts';
import { chooseSeed } from '../../support/seeded-random.ts';
import type { ReferencePoint } from './tvq-reference.ts';

/** The seed of this run, for fast-check: 31 bits. */
export const seed = chooseSeed() & 0x7fffffff;
console.log(`SEED=${seed}`);

const FIRST_TICK = BigInt(Date.parse('0001-01-01T00:00:00Z')) * 10_000n;
const LAST_TICK = BigInt(Date.parse('9999-12-31T23:59:59.999Z')) * 10_000n + 9999n;

const times = fc.oneof(
  fc.bigInt({ min: FIRST_TICK, max: LAST_TICK }),
  fc.integer({ min: 0, max: 2_000_000_000 }).map((ms) => 17_040_672_000_000_000n + BigInt(ms) * 10_000n),
);
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const plant = fc.integer({ min: -10_000_000, max: 10_000_000 }).map((value) => value / 100 + 0);
const wellFormed = fc.string({ unit: 'binary' });

/** System.Decimal texts as they are kept. */
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 28n) + 1n, max: 10n ** 28n - 1n }), fc.integer({ min: 0, max: 28 }))
  .map(([digits, scale]) => {
    const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
    const sign = digits < 0n ? '-' : '';
    return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
  });

const integers = (low: number, high: number): fc.Arbitrary<number> => fc.integer({ min: low, max: high });

const VALUES: Readonly<Record<number, fc.Arbitrary<unknown>>> = {
  [ValueType.Boolean]: fc.boolean(),
  [ValueType.SByte]: integers(-128, 127),
  [ValueType.Byte]: integers(0, 255),
  [ValueType.Int16]: integers(-32_768, 32_767),
  [ValueType.UInt16]: integers(0, 65_535),
  [ValueType.Int32]: integers(-(2 ** 31), 2 ** 31 - 1),
  [ValueType.UInt32]: fc.oneof(integers(0, 2 ** 31 - 1), fc.constant(4_294_967_295)),
  [ValueType.Int64]: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  [ValueType.UInt64]: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  [ValueType.Single]: fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true }), plant.map(Math.fround)),
  [ValueType.Double]: fc.oneof(finite, plant, fc.constant(-0)),
  [ValueType.Decimal]: decimals,
  [ValueType.String]: wellFormed,
  [ValueType.DateTime]: times.map((ticks) => ticks - FIRST_TICK),
};

/** Points whose values are of a type, nulls among them. */
export function pointsArbitrary(type: ValueType): fc.Arbitrary<ReferencePoint[]> {
  const value = fc.option(VALUES[type] as fc.Arbitrary<unknown>, { freq: 8 });
  const quality = fc.oneof(fc.constant(192), fc.integer());
  return fc.array(fc.record({ ticks: times, value, quality }, { noNullPrototype: true }), {
    minLength: 1,
    maxLength: 20,
  });
}

/** In the middle between two singles, and a little to both sides of it, where doubles do not tell them apart. */
const middles = fc
  .tuple(
    fc.integer({ min: 2 ** 23, max: 2 ** 24 - 1 }),
    fc.integer({ min: -30, max: 20 }),
    fc.constantFrom(-1n, 0n, 1n),
  )
  .map(([mantissa, exponent, side]) => {
    // In units of 10^-60, of which a middle is a whole number.
    const unit = 10n ** 60n;
    const doubled = BigInt(2 * mantissa + 1) * unit;
    const value = (exponent < 1 ? doubled / 2n ** BigInt(1 - exponent) : doubled * 2n ** BigInt(exponent - 1)) + side;
    const digits = String(value).padStart(61, '0');
    return `${digits.slice(0, -60)}.${digits.slice(-60)}`;
  });
const numberLiterals = fc.oneof(
  middles,
  finite.map((value) => (Object.is(value, -0) ? '-0' : String(value))),
  plant.map(String),
  fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }).map(String),
  decimals,
  fc
    .tuple(decimals, fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(30))
    .map((parts) => parts.join('')),
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '0.0',
    '1.0',
    '192',
    '192.0',
    '1.92e2',
    '1e400',
    '-1e400',
    '1e-400',
    '0e99999',
    '5e-99999',
    '255',
    '1.50',
  ),
);
const timeTexts = fc.constantFrom(
  '2024-01-01T00:00:00.000Z',
  '2024-01-01T00:00:00.123Z',
  '2024-01-01T00:01:59.999Z',
  '2024-01-01T00:00:00Z',
  '2024-01-01T00:00:00.1234567Z',
  '2024-01-01T00:00:00.123456789Z',
  '2024-01-01T00:00:00.1234567890Z',
  '2024-02-29T23:59:59.9Z',
  '2023-02-29T00:00:00.000Z',
  '2024-01-01T24:00:00.000Z',
  '2024-01-01T00:00:60.000Z',
  '2016-12-31T23:59:60.000Z',
  '2016-12-31T23:59:60.987Z',
  '2017-01-01T05:29:60.5+05:30',
  '2016-12-31T23:59:60+01:00',
  '9999-12-31T23:59:60.000Z',
  '2024-01-01T08:00:00.123+02:00',
  '2024-01-01T08:00:00+0230',
  '2024-01-01T08:00-02',
  '2024-01-01',
  '0001-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-00:01',
  '0000-12-31T23:59:59-23:59',
  '2024-01-01t00:00:00z',
  '2024-01-01 00:00:00Z',
  'now',
  '',
);
const msTimes = fc
  .oneof(
    fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 }),
    fc.integer({ min: -(10 ** 9), max: 10 ** 15 }),
    fc.double({ min: -1e14, max: 1e15, noNaN: true }),
  )
  .map(String);
const spaces = fc.constantFrom('', '', '', '', ' ', '\n', '\t\r ');
const strings = fc
  .oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('abc', '12', '-1.50', '1e3', '5.0', '007', 'true'),
    timeTexts,
  )
  .map((text) => JSON.stringify(text));
const escapedStrings = fc.constantFrom(
  '"\\u0041"',
  '"\\ud83d\\ude00"',
  '"\\ud83d"',
  '"a\\/b\\n"',
  '"2024-01-01T00\\u003a00:00.000Z"',
);
const junk = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '{}', '[]', '[1,{"a":[[],{}]}]', '{"v":{"v":1}}'),
  strings,
  escapedStrings,
  numberLiterals,
);
const weighted = <T>(...choices: [number, fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const memberArbitrary = weighted<string>(
  [
    8,
    fc
      .tuple(
        fc.constantFrom('"t"', '"t"', '"\\u0074"'),
        timeTexts.map((text) => `"${text}"`),
      )
      .map((pair) => pair.join(':')),
  ],
  [8, fc.tuple(fc.constantFrom('"v"', '"v"', '"\\u0076"'), junk).map((pair) => pair.join(':'))],
  [5, numberLiterals.map((literal) => `"q":${literal}`)],
  [
    2,
    fc
      .tuple(fc.constantFrom('"t"', '"v"', '"q"', '"x"', '"__proto__"', '"a/b~"', '""'), spaces, junk)
      .map(([k, s, v]) => `${k}${s}:${s}${v}`),
  ],
);
/** Texts of states, and others at the edges of what the parser has short cuts for. */
const states = weighted<string>(
  [6, fc.constantFrom('"Running"', '"Stopped"', '"gestört"', '""')],
  [2, fc.integer({ min: 17, max: 45 }).map((length) => `"${'a'.repeat(length)}"`)],
  // A tab and an open end, which make the body unreadable, and both as they are escaped.
  [1, fc.constantFrom('"a\tb"', '"a\\"', '"a\\tb"', '"a\\\\"')],
  [1, fc.constantFrom('null', `"${'é'.repeat(16)}"`, `"${'é'.repeat(17)}"`, '"12"')],
  [1, escapedStrings],
);
const stateObject = fc
  .tuple(fc.nat(100_000_000), states, spaces, fc.constantFrom('tvq', 'vtq', 'qvt', 'tv', 'vqt', 'vtv'))
  .map(([ms, v, s, order]) => {
    const values: Record<string, string> = { t: `"${new Date(1_704_067_200_000 + ms).toISOString()}"`, v, q: '192' };
    return `{${s}${[...order].map((key) => `"${key}":${s}${values[key]}`).join(`,${s}`)}${s}}`;
  });
const usualPoint = fc
  .tuple(
    weighted<string>([5, timeTexts.map((text) => `"${text}"`)], [2, msTimes], [1, numberLiterals]),
    weighted<string>([5, plant.map(String)], [3, numberLiterals], [1, junk]),
    fc.constantFrom('192', '192', '0', '64', '-1', '2147483648', '1.5'),
  )
  .map(([t, v, q]) => `{"t":${t},"v":${v},"q":${q}}`);
const cleanPoint = fc
  .tuple(
    fc.nat(100_000_000),
    weighted<string>([6, plant.map(String)], [1, finite.map(String)]),
    fc.constantFrom(',"q":192', ',"q":192', ',"q":0', ''),
  )
  .map(([ms, v, q]) => `{"t":"${new Date(1_704_067_200_000 + ms).toISOString()}","v":${v}${q}}`);
const looseObject = fc
  .tuple(fc.array(memberArbitrary, { maxLength: 5 }), spaces)
  .map(([members, space]) => `{${space}${members.join(`${space},${space}`)}${space}}`);
const point = weighted<string>([4, cleanPoint], [4, usualPoint], [5, looseObject], [2, stateObject], [1, junk]);
const points = weighted<string>(
  [
    12,
    fc
      .tuple(fc.array(point, { maxLength: 6 }), spaces)
      .map(([list, space]) => `[${space}${list.join(`${space},${space}`)}${space}]`),
  ],
  [12, fc.array(cleanPoint, { maxLength: 6 }).map((list) => `[${list.join(',')}]`)],
  [6, fc.array(stateObject, { maxLength: 6 }).map((list) => `[${list.join(',')}]`)],
  [3, point],
  [1, junk],
);

const isoTimes = weighted<string>(
  [4, fc.nat(100_000_000).map((ms) => `"${new Date(1_704_067_200_000 + ms).toISOString()}"`)],
  [1, timeTexts.map((text) => `"${text}"`)],
);
const goodQualities = fc.constantFrom('192', '192', '0', '64', '-1', 'null');
/** An array of so many entries, now and then of one more or with something else among them. */
const columnOf = (entries: fc.Arbitrary<string>, count: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(entries, { minLength: count, maxLength: count }),
      weighted<string[]>([8, fc.constant([])], [1, fc.array(junk, { maxLength: 1 })]),
      weighted<string>([6, fc.constant('')], [1, spaces]),
    )
    .map(([list, extra, space]) => `[${space}${[...list, ...extra].join(`${space},${space}`)}${space}]`);
/** Columns as they should be, and with faults, in several orders. */
const columns = fc.nat(12).chain((count) =>
  fc
    .tuple(
      fc.oneof(columnOf(isoTimes, count), columnOf(msTimes, count), columnOf(fc.oneof(isoTimes, msTimes), count)),
      weighted<string>(
        [4, columnOf(plant.map(String), count)],
        [2, columnOf(fc.oneof(plant.map(String), fc.constant('null')), count)],
        [2, columnOf(weighted<string>([3, plant.map(String)], [2, numberLiterals]), count)],
        [1, columnOf(junk, count)],
      ),
      weighted<string>(
        [3, fc.constant('"q":192')],
        [1, goodQualities.map((q) => `"q":${q}`)],
        [2, columnOf(goodQualities, count).map((q) => `"q":${q}`)],
        [1, junk.map((q) => `"q":${q}`)],
      ),
      fc.constantFrom('tvq', 'tv', 'vqt', 'qvt', 'tvqx', 't', 'tvqv', 'tvt'),
      weighted<string>([5, fc.constant('')], [1, spaces]),
    )
    .map(([t, v, q, order, space]) => {
      const members: Record<string, string> = { t: `"t":${t}`, v: `"v":${v}`, q, x: '"x":1' };
      return `{${space}${[...order].map((key) => members[key]).join(`,${space}`)}${space}}`;
    }),
);
/** Names of tags that a text of JSON holds in another form, or that begin with one another. */
export const AWKWARD_NAMES = ['D":[],"B', 'D\\', 'D"', 'Area.Unit', 'Area.Unit\\', 'Area.Unit.Tag'];
const runs = weighted<string>([3, points], [1, columns]);
const names = weighted<string>(
  [
    10,
    fc.constantFrom(
      ...['B', 'I8', 'U8', 'I16', 'U16', 'I32', 'U32', 'I64', 'U64', 'F', 'D', 'M', 'S', 'T', 'O', 'new', 'ü/~'].map(
        (name) => JSON.stringify(name),
      ),
    ),
  ],
  [
    2,
    fc.constantFrom(
      '"\\u0044"',
      '"__proto__"',
      '"constructor"',
      '"$System.X"',
      '"."',
      '".."',
      '""',
      '"\\u0000"',
      '"\\ud800"',
      '"$"',
      '"\u0085"',
    ),
  ],
  [2, fc.constantFrom(...AWKWARD_NAMES.map((name) => JSON.stringify(name)))],
  [1, fc.constantFrom(`"${'n'.repeat(1024)}"`, `"${'n'.repeat(1025)}"`)],
  [1, strings],
);

/** Bodies of points by tag, mostly JSON and often faulty. */
export const tagsBodies = weighted<string>(
  [
    20,
    fc
      .tuple(fc.array(fc.tuple(names, runs), { maxLength: 5 }), spaces)
      .map(
        ([members, space]) =>
          `${space}{${members.map(([n, p]) => `${n}${space}:${space}${p}`).join(`,${space}`)}}${space}`,
      ),
  ],
  [1, junk],
);
export const pointsBodies = weighted<string>([20, runs], [1, junk]);

/** Breaks a body at a random place: takes bytes away, doubles them, or puts others in. */
export function mutated(bodies: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  const filler = fc.oneof(
    fc.constantFrom(
      ...['"', '\\', ',', ':', '{', '}', '[', ']', '0', '-', '.', 'e', ' ', '\u0000', '"t":', 'null', '1', '9'].map(
        (s) => Buffer.from(s),
      ),
    ),
    fc.uint8Array({ minLength: 1, maxLength: 3 }),
  );
  return fc.tuple(bodies, fc.nat(), fc.nat(3), filler).map(([body, place, removed, added]) => {
    const bytes = Buffer.from(body);
    const at = place % (bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);
  });
}
