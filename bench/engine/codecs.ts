// Nanoseconds and bytes per point of the block codecs, for series as plants make them.
// Run: node --import tsx bench/engine/codecs.ts [points per block]

import { decodeBlock, decodeBlockHeader, encodeBlock } from '../../engine/format/block/block.ts';
import { encodePlainBlock, PlainPoints } from '../../engine/format/block/plain-block.ts';
import { ByteWriter } from '../../engine/format/bytes/byte-cursors.ts';
import { PointColumns } from '../../engine/types.ts';
import { payloadOf } from '../../engine/value-types.ts';
import { SERIES, type Series } from '../workloads/series.ts';

const TAG_COUNT = 50;
const ROUNDS = 100;

function bestNs(pointCount: number, work: () => void): number {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const from = process.hrtime.bigint();
    work();
    best = Math.min(best, Number(process.hrtime.bigint() - from) / pointCount);
  }
  return best;
}

/** Gives the points as whole numbers; undefined where a value has more than nine decimals or leaves 32 bits. */
function plainOf(points: PointColumns): PlainPoints | undefined {
  const plain = new PlainPoints(points.count);
  plain.count = points.count;
  plain.baseMs = points.timesMs[0] as number;
  for (let i = 0; i < points.count; i++) plain.offsets[i] = (points.timesMs[i] as number) - plain.baseMs;
  for (plain.decimals = 0; plain.decimals <= 9; plain.decimals++) {
    const power = 10 ** plain.decimals;
    for (let i = 0; i < points.count; i++) plain.mantissas[i] = Math.round((points.numbers[i] as number) * power);
    if (plain.mantissas.every((mantissa, i) => mantissa / power === points.numbers[i])) return plain;
  }
  return undefined;
}

/** Bytes and nanoseconds a point of blocks made of plain points, with the memory of each tag. */
function measurePlain(series: Series, tags: readonly PointColumns[], blockPoints: number): string[] {
  const plain = payloadOf(series.type) === 'number' ? tags.map(plainOf) : [];
  if (plain.length === 0 || plain.includes(undefined)) return ['-', '-'];
  const memories = tags.map(() => ({ times: 0, values: 0 }));
  const out = new ByteWriter(1 << 20);
  const total = tags.length * blockPoints;
  const encodeNs = bestNs(total, () => {
    out.clear();
    plain.forEach((points, tag) => {
      const memory = memories[tag] as (typeof memories)[number];
      const options = { tagId: 1, type: series.type, firstOrdinal: 0, statistics: 'when-long', memory } as const;
      encodePlainBlock(out, points as PlainPoints, 0, blockPoints, options);
    });
  });
  return [(out.length / total).toFixed(3), encodeNs.toFixed(1)];
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
  const columns = [
    (out.length / total).toFixed(3),
    encodeNs.toFixed(1),
    decodeNs.toFixed(1),
    ...measurePlain(series, tags, blockPoints),
  ];
  return series.name.padEnd(46) + columns.map((column) => column.padStart(12)).join('');
}

const blockPoints = Number(process.argv[2] ?? 2048);
console.log(
  `${blockPoints} points a block, ${TAG_COUNT} blocks, best of ${ROUNDS} rounds; headers and statistics included`,
);
console.log(
  'series'.padEnd(46) +
    ['bytes/pt', 'encode ns', 'decode ns', 'plain bytes', 'plain ns'].map((title) => title.padStart(12)).join(''),
);
for (const series of SERIES) console.log(measureSeries(series, blockPoints));
