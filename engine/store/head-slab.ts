// The memory of heads: slabs of small chunks, and the copying of points into and out of them.

import { GOOD_QUALITY, type PointColumns } from '../types.ts';

/** Points in a chunk: what an almost empty head wastes at most. */
export const CHUNK_POINTS = 16;
export const CHUNK_SHIFT = 4;
export const CHUNKS_PER_SLAB = 1024;
export const SLAB_SHIFT = 10;
export const NONE = -1;

/** What plain points (good quality, no ticks, not null) do not need. */
interface SlabStates {
  readonly ticks: Uint16Array;
  readonly nulls: Uint8Array;
  readonly qualities: Int32Array;
}

/**
 * Chunk by chunk the points of many heads. The payloads of a chunk lie right behind its times: heads are scattered all
 * over memory, and waiting for it is most of what appending and copying take.
 */
export interface Slab {
  readonly pairs: Float64Array;
  /** The same memory. */
  readonly bits: BigInt64Array;
  /** Undefined while all its points are plain, as most plants' are. */
  states: SlabStates | undefined;
  /** The chunk behind each chunk. */
  readonly next: Int32Array;
}

export function newSlab(): Slab {
  const pairs = new Float64Array(2 * CHUNKS_PER_SLAB * CHUNK_POINTS);
  return {
    pairs,
    bits: new BigInt64Array(pairs.buffer),
    states: undefined,
    next: new Int32Array(CHUNKS_PER_SLAB).fill(NONE),
  };
}

/** States that say of every point that it is plain. */
export function newStates(): SlabStates {
  const count = CHUNKS_PER_SLAB * CHUNK_POINTS;
  return {
    ticks: new Uint16Array(count),
    nulls: new Uint8Array(count),
    qualities: new Int32Array(count).fill(GOOD_QUALITY),
  };
}

/** Where in a slab's pairs the time of a point is; its payload is a chunk's length behind. */
export function pairsOf(at: number): number {
  return at + (at & -CHUNK_POINTS);
}

// Loops, because stretches are short: a run of a request, or a chunk.

/** Copies times and payloads into a chunk. 64-bit payloads must be copied again by their bits. */
export function copyIn(from: PointColumns, start: number, pairs: Float64Array, at: number, count: number): void {
  const { timesMs, numbers } = from;
  for (let i = 0; i < count; i++) {
    pairs[at + i] = timesMs[start + i] as number;
    pairs[at + CHUNK_POINTS + i] = numbers[start + i] as number;
  }
}

/** The way back. */
export function copyOut(pairs: Float64Array, at: number, to: PointColumns, start: number, count: number): void {
  const { timesMs, numbers } = to;
  for (let i = 0; i < count; i++) {
    timesMs[start + i] = pairs[at + i] as number;
    numbers[start + i] = pairs[at + CHUNK_POINTS + i] as number;
  }
}

export function copyStates(from: SlabStates, start: number, to: SlabStates, at: number, count: number): void {
  for (let i = 0; i < count; i++) {
    to.ticks[at + i] = from.ticks[start + i] as number;
    to.nulls[at + i] = from.nulls[start + i] as number;
    to.qualities[at + i] = from.qualities[start + i] as number;
  }
}

export function fillStates(to: SlabStates, at: number, count: number): void {
  for (let i = at; i < at + count; i++) {
    to.ticks[i] = 0;
    to.nulls[i] = 0;
    to.qualities[i] = GOOD_QUALITY;
  }
}

/** Whether points have good quality, whole milliseconds and values. */
export function arePlain({ ticks, nulls, qualities }: SlabStates, start: number, count: number): boolean {
  let differences = 0;
  for (let i = start; i < start + count; i++)
    differences |= (ticks[i] as number) | (nulls[i] as number) | ((qualities[i] as number) ^ GOOD_QUALITY);
  return differences === 0;
}
