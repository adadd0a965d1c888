// Batches in which some runs begin with late points, as sources send them that catch up: each such run is divided into one
// of late points and one of new ones, so that the fast path takes both. Benchmark: bench late.

import type { Dataset } from '../../dataset/dataset.ts';
import { firstLeft } from '../../read/amended/readable-points.ts';
import { Tag } from '../../tag/tag.ts';
import { ACCEPTED } from '../../tag/tag-rows.ts';
import { NOT_PLAIN, type PointColumns, type PointRun } from '../../types.ts';
import { earliestMs } from './accept-late.ts';

export class LateRuns {
  readonly #dataset: Dataset;
  readonly #points: PointColumns;
  readonly #expiryMs: number;
  readonly #runs: PointRun[] = [];

  /** @param expiryMs points up to here would be purged at once */
  constructor(dataset: Dataset, points: PointColumns, expiryMs: number) {
    this.#dataset = dataset;
    this.#points = points;
    this.#expiryMs = expiryMs;
  }

  /** Gives the divided runs; undefined when none has late points, or one is such as only the general path can take. */
  divide(given: readonly PointRun[]): readonly PointRun[] | undefined {
    for (const run of given) if (!this.#take(run)) return undefined;
    return this.#runs.length > given.length ? this.#runs : undefined;
  }

  #take(run: PointRun): boolean {
    const { tag, start, count, decimals = NOT_PLAIN } = run;
    if (!(tag instanceof Tag)) return false;
    const newestMs = newestOf(tag);
    const behind = decimals === NOT_PLAIN ? 0 : countBefore(this.#points, start, start + count, newestMs);
    if (behind === 0) {
      this.#runs.push(run);
      return true;
    }
    // A run without newer points may be one that is sent again: then each of its points has to be looked up.
    const late = behind < count ? this.#lateTagOf(tag) : undefined;
    if (
      late === undefined ||
      this.#points.baseMs + (this.#points.offsets[start] as number) < this.#floorMs(tag, newestMs)
    )
      return false;
    const rest = { ...run, start: start + behind, count: count - behind, rejected: 0 };
    this.#runs.push({ ...run, tag: late, count: behind }, rest);
    return true;
  }

  /** From it on all late points are accepted. */
  #floorMs(tag: Tag, newestMs: number): number {
    const leftMs = firstLeft(this.#dataset, tag)?.ms ?? Number.NEGATIVE_INFINITY;
    return Math.max(this.#expiryMs + 1, leftMs + 1, earliestMs(this.#dataset, newestMs));
  }

  /** Undefined before the tag's first late points. */
  #lateTagOf(tag: Tag): Tag | undefined {
    const late = this.#dataset.tags.late.get(tag.id);
    return late?.visible ? late : undefined;
  }
}

function newestOf(tag: Tag): number {
  const newestMs = tag.rows[tag.row + ACCEPTED] as number;
  return Number.isNaN(newestMs) ? (tag.accepted?.ms ?? Number.NEGATIVE_INFINITY) : newestMs;
}

/** How many of the first points of a plain run are before a time. */
function countBefore({ baseMs, offsets }: PointColumns, start: number, end: number, timeMs: number): number {
  let i = start;
  while (i < end && baseMs + (offsets[i] as number) < timeMs) i++;
  return i - start;
}
