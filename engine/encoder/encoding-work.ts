// The job of the encoding thread: heads in, blocks out. It loads this module and its imports only.

import { encodeBlock } from '../format/block/block.ts';
import { encodePlainBlock, isPlainType, PlainPoints } from '../format/block/plain-block.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { EncodedRunReader } from '../head/head-runs.ts';
import type { StartWork } from '../io/worker-thread.ts';
import { PointColumns } from '../types.ts';
import { EncodingBatch, type EncodingTask } from './encoding-batch.ts';
import { evenBlockPoints } from './even-blocks.ts';

export interface EncodingShare {
  /** Memory of the batches, by number. */
  readonly memory: readonly SharedArrayBuffer[];
  readonly blockPoints: number;
}

const reader = new EncodedRunReader();
const points = new PointColumns(4096);
const plain = new PlainPoints(4096);
const blocks = new ByteWriter(64 * 1024);

/** A message is the number of a filled batch. */
export const startWork: StartWork<EncodingShare> = ({ memory, blockPoints }) => {
  const batches = memory.map((shared) => new EncodingBatch(shared));
  return (number) => encodeBatch(batches[number] as EncodingBatch, blockPoints);
};

/** Encodes the blocks of all tasks; a task that fails, or whose blocks do not fit, gets none. */
export function encodeBatch(batch: EncodingBatch, blockPoints: number): void {
  batch.beginBlocks();
  for (let index = 0; index < batch.count; index++) {
    blocks.clear();
    try {
      encodeTask(batch, index, blockPoints);
    } catch {
      continue; // The main thread encodes it again, and reports faults there.
    }
    batch.putBlocks(index, blocks);
  }
}

function encodeTask(batch: EncodingBatch, index: number, blockPoints: number): void {
  const task = batch.task(index);
  const first = isPlainType(task.type) ? batch.readPlain(index, reader, plain) : -1;
  if (first >= 0) return encodePlain(task, first, blockPoints);
  batch.readPoints(index, reader, points);
  const { tagId, type, firstOrdinal } = task;
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

function encodePlain({ tagId, type, firstOrdinal }: EncodingTask, first: number, blockPoints: number): void {
  const size = evenBlockPoints(plain.count - first, blockPoints);
  for (let start = first; start < plain.count; start += size) {
    const options = { tagId, type, firstOrdinal: firstOrdinal + start - first, statistics: 'when-long' } as const;
    encodePlainBlock(blocks, plain, start, Math.min(plain.count, start + size), options);
  }
}
