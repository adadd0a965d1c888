// Nanoseconds and bytes per point of the block codecs, for series as plants make them.
// Run: node --import tsx bench/engine/codecs.ts [points per block]

import { decodeBlock, decodeBlockHeader, encodeBlock } from '../../engine/format/block.ts';
import { ByteWriter } from '../../engine/format/byte-cursors.ts';
import { PointColumns } from '../../engine/types.ts';
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
