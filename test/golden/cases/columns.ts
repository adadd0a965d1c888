// Cases of what columns are made of: a tag for each predictor, packer, form and type.

import { MIN_TIME_MS, ValueType } from '../../../engine/index.ts';
import type { Run } from '../../model/points.ts';
import { type MadeFolder, Scenario } from '../scenario.ts';
import {
  DAY_MS,
  definitionsOf,
  doubles,
  FIRST_MS,
  gathered,
  onceUncertain,
  run,
  SECOND_MS,
  type Spread,
  series,
  walk,
} from './series.ts';

/** One block of a tag file: as many as entropy packing asks for, and some. */
const COUNT = 300;

async function storeRuns(runs: readonly Run[]): Promise<MadeFolder> {
  const scenario = await Scenario.begin();
  await scenario.create({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
  await scenario.define('d', definitionsOf(runs));
  for (const one of runs) await scenario.write('d', [one]);
  await scenario.forgetJournals();
  return scenario.leave('stopped');
}

/** Doubles whose mantissas suit one predictor or packer each. */
function wholeSeries(count: number): Readonly<Record<string, number[]>> {
  const levels = walk(1, count, 1);
  return {
    Constant: series(1, count, () => 42.5),
    Digits: series(2, count, (_, random) => random.below(10)),
    Walk: walk(3, count, 3).map((value) => value / 10),
    Curve: series(4, count, (i) => (i * i) / 100),
    Line: series(5, count, (i, random) => (i * 1000 + random.below(20)) / 1000),
    Drift: series(6, count, (i, random) => 2000 + (levels[i] as number) * 2 + gathered(random, 20)),
    Narrow: series(7, count, (_, random) => 5000 + gathered(random, 2)),
    Wide: series(8, count, (_, random) => (50_000 + gathered(random, 900)) / 100),
    Frames: series(
      9,
      count,
      (i, random) => Math.floor(i / 128) ** 3 * 100_003 + (i % 128 === 5 ? 9_000_000 : random.below(7)),
    ),
    Runs: series(10, count, (i) => Math.floor(i / 50) * 3.5),
    Limits: series(11, count, (_, random) => random.pick([2_147_483_647, -2_147_483_648, 0])),
  };
}

/** Series that are whole numbers from the parser on, or, with a quality that is not 192, go the general way. */
export function makeNumbers(): Promise<MadeFolder> {
  // Three blocks of each plain series: each block may follow what suited the one before.
  const plain = Object.entries(wholeSeries(3 * COUNT)).map(([name, values]) => doubles(`Plain.${name}`, values));
  const general = Object.entries(wholeSeries(COUNT)).map(([name, values]) =>
    doubles(`General.${name}`, values, { qualityOf: onceUncertain }),
  );
  const nine = doubles(
    'Plain.Decimals9',
    series(12, COUNT, (i) => (i + 1) / 1e9),
  );
  return storeRuns([...plain, nine, ...general]);
}

export function makeDoubles(): Promise<MadeFolder> {
  const { Single } = ValueType;
  const tenths = (i: number): number => (200 + (i % 37)) / 10;
  return storeRuns([
    doubles(
      'Decimals12',
      series(20, COUNT, (_, random) => random.below(1e6) / 1e12),
    ),
    doubles(
      'Digits15',
      series(21, COUNT, (_, random) => random.between(-99_999_999, 99_999_999) * 10_000_019),
    ),
    doubles(
      'Exceptions',
      series(22, COUNT, (i) => (i % 40 === 20 ? i / 3 : tenths(i))),
    ),
    doubles(
      'MinusZero',
      series(23, COUNT, (i) => (i % 50 === 9 ? -0 : tenths(i))),
    ),
    doubles(
      'Narrowed',
      series(24, COUNT, (i) => Math.fround(Math.sqrt(i + 2))),
    ),
    doubles(
      'Roots',
      series(25, COUNT, (i) => Math.sqrt(i + 2)),
    ),
    doubles(
      'Repeats',
      series(26, COUNT, (i) => (Math.floor(i / 3) * 7 + 1) / (1 + Math.floor(i / 3) ** 3)),
    ),
    doubles('Extremes', [5e-324, 1.7976931348623157e308, -1.7976931348623157e308, -0, 0, 0.1, -1e-300, 2 ** 53 + 2]),
    run(
      'SingleDecimals',
      Single,
      series(27, COUNT, (i) => Math.fround(tenths(i))),
    ),
    run(
      'Singles',
      Single,
      series(28, COUNT, (i) => Math.fround(Math.sqrt(i + 2))),
    ),
    run('SingleExtremes', Single, [1.401298464324817e-45, 3.4028234663852886e38, -0, 0]),
  ]);
}

export function makeIntegers(): Promise<MadeFolder> {
  const { SByte, Byte, Int16, UInt16, Int32, UInt32, Int64, UInt64, DateTime } = ValueType;
  const over = (type: ValueType, low: number, high: number, spread?: Spread): Run =>
    run(
      Object.entries(ValueType).find(([, code]) => code === type)?.[0] ?? '',
      type,
      [low, high, ...series(type, 98, (_, random) => random.between(low, high))],
      spread,
    );
  const second = 10_000_000n;
  const base = 639_000_000_000_000_000n;
  return storeRuns([
    over(SByte, -128, 127),
    over(Byte, 0, 255),
    over(Int16, -32_768, 32_767),
    over(UInt16, 0, 65_535),
    over(Int32, -2_147_483_648, 2_147_483_647),
    over(UInt32, 0, 4_294_967_295),
    run(
      'Int64',
      Int64,
      series(30, COUNT, (i) => 2n ** 53n + 1n + BigInt(i * i)),
    ),
    run('Int64.Limits', Int64, [-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n, 2n ** 53n + 1n]),
    run(
      'UInt64',
      UInt64,
      series(31, COUNT, (_, random) => wideBits(random.uint32(), random.uint32())),
    ),
    run(
      'DateTime',
      DateTime,
      series(32, COUNT, (i, random) => base + BigInt(i * 17 + random.below(9))),
    ),
    run(
      'DateTime.Ms',
      DateTime,
      series(33, COUNT, (i) => base + BigInt(i) * 250n * 10_000n),
    ),
    run(
      'DateTime.Seconds',
      DateTime,
      series(34, COUNT, (i) => base + BigInt(i * 3) * second),
    ),
    run('DateTime.Limits', DateTime, [0n, 3_155_378_975_999_999_999n]),
  ]);
}

/** The two's complement of a UInt64. */
function wideBits(high: number, low: number): bigint {
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
}

export function makeTexts(): Promise<MadeFolder> {
  const { String: Text, Decimal } = ValueType;
  const long = 'Dampfkessel \u{1F6B0} '.repeat(100);
  return storeRuns([
    run(
      'Words',
      Text,
      series(40, COUNT, (_, random) => random.pick(['on', 'off', 'Störung', 'wartet'])),
    ),
    run('Kinds', Text, ['', 'a', '"\\\u0000\n', '\u{1F6B0}', long, 'a', '']),
    run(
      'Repeats',
      Text,
      series(41, COUNT, (i) => `Charge ${Math.floor(i / 100)}`),
    ),
    run(
      'Decimals',
      Decimal,
      series(42, COUNT, (i) => `${i - 300}.${String(i % 100).padStart(2, '0')}0`),
    ),
    run('Decimal.Limits', Decimal, [
      '79228162514264337593543950335',
      '-0.0000000000000000000000000001',
      '0.000',
      '1.50',
    ]),
  ]);
}

/** Nulls, qualities, enumerations, and the columns and flags that they bring. */
export async function makeStates(): Promise<MadeFolder> {
  const { Boolean: Flag, Int32, Open, String: Text } = ValueType;
  const scenario = await Scenario.begin();
  await scenario.create({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
  const units = new Map([
    [-1, 'unbekannt'],
    [0, 'aus'],
    [1, 'an'],
  ]);
  const fields = new Map([
    ['plant', 'Nord 1'],
    ['Ä', ''],
  ]);
  await scenario.define('d', [
    { name: 'Enumeration', type: Int32, description: 'Pump\u{1F6B0}', format: '0.0', units, fields },
    { name: 'Unused', description: '', format: '', units: new Map(), fields: new Map() },
  ]);
  const qualities = [192, 0, 24, 28, 64, 193, 255, -1, 2_147_483_647, -2_147_483_648];
  const runs = [
    run(
      'Enumeration',
      Int32,
      series(50, COUNT, (i) => (Math.floor(i / 7) % 3) - 1),
    ),
    run(
      'Booleans',
      Flag,
      series(51, COUNT, (_, random) => random.below(2)),
    ),
    run(
      'Switch',
      Flag,
      series(52, COUNT, (i) => (i < 200 ? 0 : 1)),
    ),
    doubles(
      'Qualities',
      series(53, COUNT, (i) => i / 4),
      { qualityOf: (i) => qualities[i % 10] ?? 0 },
    ),
    doubles(
      'AllUncertain',
      series(54, COUNT, (i) => i % 5),
      { qualityOf: () => 64 },
    ),
    doubles(
      'SomeNulls',
      series(55, COUNT, (i) => (i % 9 === 4 ? null : i / 10)),
    ),
    doubles(
      'NullEnds',
      series(56, COUNT, (i) => (i < 3 || i > COUNT - 4 ? null : 1)),
    ),
    run('TextNulls', Text, ['a', null, 'b', null]),
    run('FirstTextNull', Text, [null, 'a']),
    run(
      'OnlyNulls',
      Open,
      series(57, COUNT, () => null),
    ),
  ];
  for (const one of runs) await scenario.write('d', [one]);
  // The type comes with the first value; what was there before stays open.
  await scenario.write('d', [run('TypedLate', Open, [null, null])]);
  await scenario.write('d', [run('TypedLate', Int32, [7, 8], { firstMs: FIRST_MS + DAY_MS })]);
  await scenario.forgetJournals();
  return scenario.leave('stopped');
}

/** Steps of time, ticks of 100 ns, equal times, the first and the last year. */
export function makeTimes(): Promise<MadeFolder> {
  const ones = series(60, COUNT, (i) => i % 4);
  let at = FIRST_MS;
  const ragged = series(61, COUNT, (_, random) => (at += random.between(1, 90_000)));
  return storeRuns([
    doubles('Jitter', ones, {
      timesMs: series(62, COUNT, (i, random) => FIRST_MS + i * SECOND_MS + random.below(40)),
    }),
    doubles('Ragged', ones, { timesMs: ragged }),
    doubles('Ticks', ones, { stepMs: 1, ticksOf: (i) => (i * 1237) % 10_000 }),
    doubles('EqualTicks', ones, { ticksOf: () => 5000 }),
    doubles('EqualTimes', [1, 2, 3, 4, 5], { stepMs: 0 }),
    doubles('Ages', [1, 2, 3, 4], {
      timesMs: [MIN_TIME_MS, -1, 0, FIRST_MS],
      ticksOf: (i) => (i === 1 ? 9999 : 0),
    }),
    doubles(
      'DaysApart',
      series(63, 40, (i) => i),
      { firstMs: FIRST_MS - 3650 * DAY_MS, stepMs: 30 * DAY_MS },
    ),
  ]);
}
