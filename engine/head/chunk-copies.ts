// Copies of a head's chunks, concatenated in memory of their own. Their headers hold their length and number of points.

import type { PlainPoints } from '../format/block/plain-block.ts';
import { removePoints } from '../points/point-copies.ts';
import type { PointColumns } from '../types.ts';
import type { Slab } from './head-chunks.ts';
import { beginPlain, type EncodedRunReader } from './head-runs.ts';

export interface ChunkCopies {
  /** Points at the start of the first chunk that were not asked for. */
  readonly skip: number;
  /** Number of requested points that follow. */
  readonly count: number;
  /** The offset after the last chunk. */
  readonly end: number;
}

/** Copies a chunk in whole words; returns the offset after the copy. `sizeBytes` and both offsets are multiples of 8. */
export function copyChunk(from: Slab, offset: number, sizeBytes: number, points: number, to: Slab, at: number): number {
  const source = offset >> 2;
  const target = at >> 2;
  for (let i = 0; i < sizeBytes >> 2; i++) to.words[target + i] = from.words[source + i] as number;
  to.words[target] = sizeBytes;
  to.words[target + 1] = points;
  return at + sizeBytes;
}

/**
 * Reads points `[skip, skip + count)` of chunks from `start` on as whole numbers, replacing the contents of `target`; the
 * first of them is at index `skip`. Returns false when they are not all plain.
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

/** Decodes points `[skip, skip + count)` of chunks from `start` on into columns, replacing their contents. */
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
