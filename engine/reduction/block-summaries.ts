// Cache of block summaries for reduced reads: for a block whose points are all good, numbers of its header; for any other,
// the points that it reduces to; for one that lay in a few intervals, those of each part.

import { EngineError } from '../errors.ts';
import { PerBlockCache } from '../files/per-block-cache.ts';
import type { TagFile } from '../files/tag-file.ts';
import type { BlockHeader } from '../format/block/block-header.ts';
import { hasStatistics } from '../format/block/block-statistics.ts';
import type { PointChunk } from '../reads.ts';
import { type Instant, PointColumns } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import { appendReduced, type HeaderSummary, IntervalReducer } from './interval-reducer.ts';

/** The points that a whole block reduces to. */
export interface ReducedBlock extends PointChunk {
  /** Number of points of the block. */
  readonly pointCount: number;
}

/** The points that a part of a block reduces to. */
export interface ReducedPart extends ReducedBlock {
  /** Times of the part's ends. */
  readonly first: Instant;
  readonly last: Instant;
}

/** All parts of a block, in order: usable for every read none of whose intervals begins within a part. */
export interface SplitBlock {
  readonly parts: readonly ReducedPart[];
}

export type BlockSummary = HeaderSummary | ReducedBlock | SplitBlock;

export class BlockSummaries extends PerBlockCache<BlockSummary> {
  readonly #reducer = new IntervalReducer(neverLoaded);

  keepHeader(file: TagFile, offset: number, summary: HeaderSummary): void {
    this.put(file, offset, summary);
  }

  /** Reduces a whole block, and caches the result; texts are not cached, because their length is not bounded. */
  reduce(file: TagFile, offset: number, chunk: PointChunk): ReducedBlock {
    const reduced = this.#reduce(chunk, chunk.start, chunk.end);
    if (payloadOf(chunk.type) !== 'text') this.put(file, offset, reduced);
    return reduced;
  }

  /** Reduces points `[start, end)` of a block's chunk. */
  reducePart(chunk: PointChunk, start: number, end: number): ReducedPart {
    const { timesMs, ticks } = chunk.points;
    const timeOf = (i: number): Instant => ({ ms: timesMs[i] as number, ticks: ticks[i] as number });
    return { ...this.#reduce(chunk, start, end), first: timeOf(start), last: timeOf(end - 1) };
  }

  /** Caches the reduced parts of a block, unless they are texts. */
  keepParts(file: TagFile, offset: number, parts: readonly ReducedPart[]): void {
    if (parts.every(({ type }) => payloadOf(type) !== 'text')) this.put(file, offset, { parts });
  }

  #reduce(chunk: PointChunk, start: number, end: number): ReducedBlock {
    const points = new PointColumns(2);
    this.#reducer.clear();
    this.#reducer.addPoints(chunk, start, end, 0);
    this.#reducer.finish((_type, from, index, text) => appendReduced(points, from, index, text));
    return { type: chunk.type, points, start: 0, end: points.count, pointCount: end - start };
  }
}

function neverLoaded(): never {
  throw new EngineError('BUG', 'BUG: a block is reduced by its own points');
}

/** The summary of a block from its header; undefined if not all points are good, or the header has no statistics. */
export function summarize(header: BlockHeader): HeaderSummary | undefined {
  const { type, pointCount, goodCount, nullCount, worstQuality, worstIndex, statistics } = header;
  if (goodCount < pointCount || nullCount > 0) return undefined;
  const known = { type, pointCount, worstQuality, worstIndex };
  if (!hasStatistics(type)) return { ...known, hasNumbers: false, min: 0, minIndex: 0, max: 0, maxIndex: 0 };
  if (statistics === undefined || statistics.goodNumberCount < pointCount) return undefined;
  const { min, minIndex, max, maxIndex } = statistics;
  return { ...known, hasNumbers: true, min, minIndex, max, maxIndex };
}
