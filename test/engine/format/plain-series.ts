// Series of plain points for the tests of their blocks: one of each shape that predictors and packers are for.

import { PlainPoints } from '../../../engine/format/block/plain-block.ts';
import { PointColumns } from '../../../engine/types.ts';
import { START_MS } from './sample-points.ts';

type Random = () => number;

/** Whole numbers by index; `state` is kept from one to the next. */
export interface Shape {
  readonly name: string;
  create(random: Random): (i: number) => number;
}

function shape(name: string, create: (random: Random) => (i: number) => number): Shape {
  return { name, create };
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

const INT32_MIN = -(2 ** 31);

export const VALUE_SHAPES: readonly Shape[] = [
  shape('constant', (random) => {
    const value = below(random, 2 ** 32) + INT32_MIN;
    return () => value;
  }),
  shape('a straight line', () => (i) => 1000 - i * 7),
  shape('noise of a few values', (random) => () => below(random, 7) - 3),
  shape('a counter', (random) => {
    let total = 0;
    return () => (total += below(random, 20));
  }),
  shape('a trajectory', (random) => (i) => 3 * i * i + below(random, 3)),
  shape(
    'noise around a wave',
    (random) => (i) => Math.round(5000 + 500 * Math.sin(i / 600) + (random() + random() + random() - 1.5) * 18),
  ),
  shape('peaks', (random) => () => (random() < 0.002 ? below(random, 2 ** 27) : below(random, 50))),
  shape('steps', () => (i) => Math.floor(i / 97) % 7),
  shape('anything of 32 bits', (random) => () => below(random, 2 ** 32) + INT32_MIN),
  shape('the ends of 32 bits', () => (i) => (i % 2 === 0 ? INT32_MIN : -INT32_MIN - 1)),
  shape('round hundreds', (random) => () => below(random, 90) * 100),
  shape('near 2^28', (random) => () => 2 ** 28 - 3 + below(random, 6)),
  shape('wide noise below 2^28', (random) => () => below(random, 2 ** 29 - 1) - 2 ** 28 + 1),
];

/** Offsets, which never fall. */
export const TIME_SHAPES: readonly Shape[] = [
  shape('a second apart', () => (i) => i * 1000),
  shape('about a second apart', (random) => (i) => i * 1000 + below(random, 201)),
  shape('a clock that drifts', (random) => {
    let time = 0;
    return () => (time += 990 + below(random, 30));
  }),
  shape('all at once', () => () => 5),
  shape('bursts', (random) => {
    let time = 0;
    return () => (time += random() < 0.01 ? below(random, 400_000) : below(random, 3));
  }),
  shape('weeks', () => (i) => INT32_MIN + i * 524_000),
];

/** `count` points behind `lead` unused ones. */
export function plainSeries(
  random: Random,
  time: Shape,
  value: Shape,
  lead: number,
  count: number,
  decimals: number,
): PlainPoints {
  const points = new PlainPoints(1);
  points.reserve(lead + count);
  points.count = lead + count;
  points.baseMs = START_MS + below(random, 2 ** 40) - 2 ** 39;
  points.decimals = decimals;
  const [timeAt, valueAt] = [time.create(random), value.create(random)];
  for (let i = 0; i < count; i++) {
    points.offsets[lead + i] = timeAt(i);
    points.mantissas[lead + i] = valueAt(i);
  }
  return points;
}

/** The same points as general columns. */
export function columnsOf(plain: PlainPoints): PointColumns {
  const points = new PointColumns(plain.count);
  points.count = plain.count;
  points.baseMs = plain.baseMs;
  points.offsets.set(plain.offsets.subarray(0, plain.count));
  points.mantissas.set(plain.mantissas.subarray(0, plain.count));
  points.spread(0, plain.count, plain.decimals);
  return points;
}
