// Reads a made-up block again and again in memory, so that the compiler knows the decoding before the first client waits
// for it. No file is touched.

import { decodeBlock, encodeBlock } from '../format/block.ts';
import { decodeBlockHeader } from '../format/block-header.ts';
import { ByteWriter } from '../format/byte-cursors.ts';
import { PointColumns, ValueType } from '../types.ts';

const POINTS = 2048;
const ROUNDS = 20;
const FIRST_MS = 1_700_000_000_000;

/** One step is about a millisecond of work. Gives the decoded points at last. */
export function* warmReads(): Generator<void, PointColumns> {
  const block = new ByteWriter();
  const options = { tagId: 1, type: ValueType.Double, firstOrdinal: 0, statistics: 'always' } as const;
  encodeBlock(block, decimals(), 0, POINTS, options);
  const bytes = block.written();
  const points = new PointColumns(POINTS);
  for (let round = 0; round < ROUNDS; round++) {
    yield;
    decodeBlock(bytes, 0, decodeBlockHeader(bytes, 0), points);
  }
  return points;
}

/** About a second apart, two digits behind the point, around a level that drifts. */
function decimals(): PointColumns {
  const points = new PointColumns(POINTS);
  points.count = POINTS;
  points.qualities.fill(192);
  let level = 5000;
  for (let i = 0; i < POINTS; i++) {
    level += ((i * 7919) % 41) - 20;
    points.timesMs[i] = FIRST_MS + i * 1000 + ((i * 104_729) % 200);
    points.numbers[i] = level / 100;
  }
  return points;
}
