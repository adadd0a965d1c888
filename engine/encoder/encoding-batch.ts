// Memory shared by two threads: heads on their way to the encoding thread, and encoded blocks on their way back. One thread
// owns it at a time, so nothing in it needs to be atomic.

import type { PlainPoints } from '../format/block/plain-block.ts';
import type { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { readChunks, readPlainChunks } from '../head/chunk-copies.ts';
import type { Head } from '../head/head.ts';
import type { HeadArena } from '../head/head-arena.ts';
import { type Slab, slabOver } from '../head/head-chunks.ts';
import type { EncodedRunReader } from '../head/head-runs.ts';
import type { PointColumns, ValueType } from '../types.ts';

/** Fields are doubles: the count of tasks, then those of each task. */
const MAX_TASKS = 128;
const TASK_FIELDS = 8;
const FIELD_COUNT = (1 + MAX_TASKS) * TASK_FIELDS;
const CHUNKS_START = FIELD_COUNT * 8;
const CHUNKS_BYTES = 512 * 1024;
/** Apart from their headers, blocks are smaller than the heads they are made of. */
const BLOCKS_BYTES = 512 * 1024;
const BLOCKS_START = CHUNKS_START + CHUNKS_BYTES;

/** Points of one tag, of one type and with consecutive ordinals, to be encoded as blocks. */
export interface EncodingTask {
  readonly tagId: number;
  readonly type: ValueType;
  readonly firstOrdinal: number;
}

export class EncodingBatch {
  readonly memory: SharedArrayBuffer;
  readonly #slab: Slab;
  readonly #fields: Float64Array;
  #chunksEnd = CHUNKS_START;
  #blocksEnd = BLOCKS_START;

  /** Over the memory of another thread's batch, or new memory. */
  constructor(memory = new SharedArrayBuffer(BLOCKS_START + BLOCKS_BYTES)) {
    this.memory = memory;
    this.#slab = slabOver(memory);
    this.#fields = new Float64Array(memory, 0, FIELD_COUNT);
  }

  get count(): number {
    return this.#fields[0] as number;
  }

  clear(): void {
    this.#fields[0] = 0;
    this.#chunksEnd = CHUNKS_START;
  }

  /**
   * Adds points of a head from `from` on; returns how many. When not all of them fit it adds none, except to an empty batch,
   * which takes those that fit.
   */
  add({ tagId, type, firstOrdinal }: EncodingTask, arena: HeadArena, head: Head, from: number): number {
    const index = this.count;
    if (index === MAX_TASKS) return 0;
    const { skip, count, end } = arena.copyChunks(head, from, this.#slab, this.#chunksEnd, BLOCKS_START);
    if (count === 0 || (count < head.count - from && index > 0)) return 0;
    const at = fieldsIndexOf(index);
    this.#fields.set([tagId, type, firstOrdinal, this.#chunksEnd, skip, count, 0, 0], at);
    this.#fields[0] = index + 1;
    this.#chunksEnd = end;
    return count;
  }

  task(index: number): EncodingTask {
    const at = fieldsIndexOf(index);
    const [tagId, type, firstOrdinal] = this.#fields.subarray(at, at + 3) as unknown as [number, ValueType, number];
    return { tagId, type, firstOrdinal };
  }

  /** Decodes the points of a task into columns, replacing what they hold. Throws CORRUPT. */
  readPoints(index: number, reader: EncodedRunReader, target: PointColumns): void {
    const at = fieldsIndexOf(index);
    const [start, skip, count] = this.#fields.subarray(at + 3, at + 6) as unknown as [number, number, number];
    readChunks(reader, this.#slab, start, skip, count, target);
  }

  /** Reads the points of a task as whole numbers; returns the index of the first of them, or -1 when they are not all plain. */
  readPlain(index: number, reader: EncodedRunReader, target: PlainPoints): number {
    const at = fieldsIndexOf(index);
    const [start, skip, count] = this.#fields.subarray(at + 3, at + 6) as unknown as [number, number, number];
    return readPlainChunks(reader, this.#slab, start, skip, count, target) ? skip : -1;
  }

  /** Starts writing blocks. */
  beginBlocks(): void {
    this.#blocksEnd = BLOCKS_START;
  }

  /** Writes the blocks of a task, or nothing when they do not fit. */
  putBlocks(index: number, blocks: ByteWriter): void {
    const start = this.#blocksEnd;
    const end = start + blocks.length;
    if (end > this.memory.byteLength) return;
    this.#slab.bytes.set(blocks.written(), start);
    this.#fields.set([start, end], fieldsIndexOf(index) + 6);
    this.#blocksEnd = end;
  }

  /** The encoded blocks of a task, concatenated: a view. Empty when they could not be made. */
  blocksOf(index: number): Uint8Array {
    const at = fieldsIndexOf(index);
    return this.#slab.bytes.subarray(this.#fields[at + 6], this.#fields[at + 7]);
  }
}

function fieldsIndexOf(index: number): number {
  return (1 + index) * TASK_FIELDS;
}
