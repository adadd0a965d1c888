// Series of one tag as plants make them, for the codecs.

import { type PointColumns, ValueType } from '../../engine/index.ts';

export interface Series {
  readonly name: string;
  readonly type: ValueType;
  fill(points: PointColumns, tag: number): void;
}

const START_MS = Date.UTC(2024, 0, 1);

/** A small seeded generator (mulberry32): the same series in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function fillPoints(points: PointColumns, tag: number, valueAt: (i: number, random: () => number) => number): void {
  const random = createRandom(tag + 1);
  points.count = points.capacity;
  for (let i = 0; i < points.count; i++) {
    points.timesMs[i] = START_MS + i * 1000 + Math.floor(random() * 201) - 100;
    points.qualities[i] = 192;
    points.numbers[i] = valueAt(i, random);
  }
}

const STATES = ['Stopped', 'Starting', 'Running', 'Stopping'];

export const SERIES: readonly Series[] = [
  {
    name: 'two decimals, noise on a slow wave (W1-like)',
    type: ValueType.Double,
    fill: (points, tag) =>
      fillPoints(points, tag, (i, random) => {
        const level = 50 + tag + 5 * Math.sin(i / 600);
        return Math.round((level + (random() + random() + random() - 1.5) * 0.18) * 100) / 100;
      }),
  },
  { name: 'constant', type: ValueType.Double, fill: (points, tag) => fillPoints(points, tag, () => 21.5) },
  {
    name: 'stepping integer',
    type: ValueType.Int32,
    fill: (points, tag) => fillPoints(points, tag, (i) => Math.floor(i / 97) % 7),
  },
  {
    name: 'boolean, changing now and then',
    type: ValueType.Boolean,
    fill: (points, tag) => {
      let on = 0;
      fillPoints(points, tag, (_, random) => {
        if (random() < 0.02) on = 1 - on;
        return on;
      });
    },
  },
  {
    name: 'counter',
    type: ValueType.Int32,
    fill: (points, tag) => {
      let total = 0;
      fillPoints(points, tag, (_, random) => {
        total += Math.floor(random() * 20);
        return total;
      });
    },
  },
  {
    name: 'text of four states',
    type: ValueType.String,
    fill: (points, tag) => {
      for (const state of STATES) points.texts.push(state);
      fillPoints(points, tag, (i) => Math.floor(i / 40) % 4);
    },
  },
  {
    name: 'full precision, slow wave',
    type: ValueType.Double,
    fill: (points, tag) => fillPoints(points, tag, (i, random) => 50 + 5 * Math.sin(i / 600) + random() * 0.01),
  },
  {
    name: 'single precision, widened',
    type: ValueType.Double,
    fill: (points, tag) =>
      fillPoints(points, tag, (i, random) => Math.fround(50 + 5 * Math.sin(i / 600) + random() * 0.01)),
  },
];
