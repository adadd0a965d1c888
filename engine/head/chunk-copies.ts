// Chunks of a head as they are, one behind the other in memory of their own. Their headers say how long they are and how
// many points they have.

import type { PlainPoints } from '../format/block/plain-block.ts';
import { removePoints } from '../points/point-copies.ts';
import type { PointColumns } from '../types.ts';
import type { Slab } from './head-chunks.ts';
import { beginPlain, type EncodedRunReader } from './head-runs.ts';

export interface ChunkCopies {
  /** Points of the first chunk that were not asked for. */
  readonly skip: number;
  /** Points behind them that were, and are there. */
  readonly count: number;
  /** The byte behind the last chunk. */
  readonly end: number;
}

/** Copies a chunk in whole words; returns the byte behind the copy. `sizeBytes` is a multiple of 8, as are both places. */
export function copyChunk(from: Slab, offset: number, sizeBytes: number, points: number, to: Slab, at: number): number {
  const source = offset >> 2;
  const target = at >> 2;
  for (let i = 0; i < sizeBytes >> 2; i++) to.words[target + i] = from.words[source + i] as number;
  to.words[target] = sizeBytes;
  to.words[target + 1] = points;
  return at + sizeBytes;
}

/**
 * Reads points `[skip, skip + count)` of chunks from `start` on as whole numbers, replacing what `target` holds; the first of
 * them is at `skip`. Says false when they are not all plain.
 */
export function readPlainChunks(
  reader: EncodedRunReader,
  slab: Slab,
  start: number,
  skip: number,
  count: number,
  target: PlainPoints,
): boolean {
  const wanted = skip + count;
  beginPlain(target, wanted);
  for (let at = start; target.count < wanted; at += slab.words[at >> 2] as number) {
    const points = slab.words[(at >> 2) + 1] as number;
    if (!reader.readPlain(slab, at, Math.min(points, wanted - target.count), target)) return false;
  }
  target.count = wanted;
  return true;
}

/** Decodes points `[skip, skip + count)` of chunks from `start` on into columns, replacing what they hold. */
export function readChunks(
  reader: EncodedRunReader,
  slab: Slab,
  start: number,
  skip: number,
  count: number,
  target: PointColumns,
): void {
  const wanted = skip + count;
  target.clear();
  target.reserve(wanted);
  for (let at = start; target.count < wanted; at += slab.words[at >> 2] as number) {
    const points = slab.words[(at >> 2) + 1] as number;
    reader.read(slab, at, Math.min(points, wanted - target.count), target);
  }
  if (skip > 0) removePoints(target, 0, skip);
  target.count = count;
}
