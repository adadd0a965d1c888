// What the encoding thread does: heads in, blocks out. It loads this module and what it imports, and nothing else.

import { encodeBlock } from '../format/block.ts';
import { ByteWriter } from '../format/byte-cursors.ts';
import type { StartWork } from '../io/worker-thread.ts';
import { PointColumns } from '../types.ts';
import { EncodingBatch } from './encoding-batch.ts';
import { evenBlockPoints } from './even-blocks.ts';
import { PieceReader } from './head-pieces.ts';

export interface EncodingShare {
  /** Of the batches, by number. */
  readonly memory: readonly SharedArrayBuffer[];
  readonly blockPoints: number;
}

const reader = new PieceReader();
const points = new PointColumns(4096);
const blocks = new ByteWriter(64 * 1024);

/** A message is the number of a batch that is filled. */
export const startWork: StartWork<EncodingShare> = ({ memory, blockPoints }) => {
  const batches = memory.map((shared) => new EncodingBatch(shared));
  return (number) => encodeBatch(batches[number] as EncodingBatch, blockPoints);
};

/** Makes the blocks of all tasks; a task that fails, or whose blocks have no room, is left without any. */
export function encodeBatch(batch: EncodingBatch, blockPoints: number): void {
  batch.beginBlocks();
  for (let index = 0; index < batch.count; index++) {
    blocks.clear();
    try {
      batch.readPoints(index, reader, points);
      encodeTask(batch, index, blockPoints);
    } catch {
      continue; // It is done again where faults are told.
    }
    batch.putBlocks(index, blocks);
  }
}

function encodeTask(batch: EncodingBatch, index: number, blockPoints: number): void {
  const { tagId, type, firstOrdinal } = batch.task(index);
  const size = evenBlockPoints(points.count, blockPoints);
  for (let start = 0; start < points.count; start += size) {
    const end = Math.min(points.count, start + size);
    encodeBlock(blocks, points, start, end, {
      tagId,
      type,
      firstOrdinal: firstOrdinal + start,
      statistics: 'when-long',
    });
  }
}
