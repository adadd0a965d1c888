// Nanoseconds and bytes per point of the block codecs, for series as plants make them.
// Run: node --import tsx bench/engine/codecs.ts [points per block]

import { decodeBlock, decodeBlockHeader, encodeBlock } from '../../engine/format/block.ts';
import { ByteWriter } from '../../engine/format/byte-cursors.ts';
import { PointColumns, ValueType } from '../../engine/types.ts';

interface Series {
  readonly name: string;
  readonly type: ValueType;
  fill(points: PointColumns, tag: number): void;
}

const START_MS = Date.UTC(2024, 0, 1);
const TAG_COUNT = 50;
const ROUNDS = 100;

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

const SERIES: readonly Series[] = [
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
      points.texts = [...STATES];
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

function bestNs(pointCount: number, work: () => void): number {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const from = process.hrtime.bigint();
    work();
    best = Math.min(best, Number(process.hrtime.bigint() - from) / pointCount);
  }
  return best;
}

function measureSeries(series: Series, blockPoints: number): string {
  const tags = Array.from({ length: TAG_COUNT }, (_, tag) => {
    const points = new PointColumns(blockPoints);
    series.fill(points, tag);
    return points;
  });
  const out = new ByteWriter(1 << 20);
  const offsets: number[] = [];
  const encodeAll = () => {
    out.clear();
    offsets.length = 0;
    for (const points of tags) {
      offsets.push(out.length);
      encodeBlock(out, points, 0, blockPoints, {
        tagId: 1,
        type: series.type,
        firstOrdinal: 0,
        statistics: 'when-long',
      });
    }
  };
  const total = TAG_COUNT * blockPoints;
  const encodeNs = bestNs(total, encodeAll);
  const target = new PointColumns(blockPoints);
  const decodeNs = bestNs(total, () => {
    for (const offset of offsets) decodeBlock(out.bytes, offset, decodeBlockHeader(out.bytes, offset), target);
  });
  const columns = [(out.length / total).toFixed(3), encodeNs.toFixed(1), decodeNs.toFixed(1)];
  return series.name.padEnd(46) + columns.map((column) => column.padStart(12)).join('');
}

const blockPoints = Number(process.argv[2] ?? 2048);
console.log(
  `${blockPoints} points a block, ${TAG_COUNT} blocks, best of ${ROUNDS} rounds; headers and statistics included`,
);
console.log('series'.padEnd(46) + ['bytes/pt', 'encode ns', 'decode ns'].map((title) => title.padStart(12)).join(''));
for (const series of SERIES) console.log(measureSeries(series, blockPoints));
