// A pool of the columns that batches are built in: those of short bodies, of which many wait for the disk at a time, and
// those of long ones, of which few do. Allocating them is most of what a short body costs (bench ingest).

import { PointColumns } from '../../../engine/index.ts';

/** About what a short point takes in a body. */
const POINT_BYTES = 40;
/** In points. */
const SHORT_CAPACITY = 64;
const FIRST_LONG_CAPACITY = 1024;
/** Larger ones, at 31 bytes a point, are not kept. */
const LARGEST_CAPACITY = 1_048_576;
const KEPT_SHORT = 256;
const KEPT_LONG = 4;

export class ColumnPool {
  readonly #short: PointColumns[] = [];
  readonly #long: PointColumns[] = [];

  /** Empty columns for a body of so many bytes. */
  take(bodyBytes: number): PointColumns {
    if (bodyBytes <= SHORT_CAPACITY * POINT_BYTES) return this.#short.pop() ?? new PointColumns(SHORT_CAPACITY);
    return this.#long.pop() ?? new PointColumns(FIRST_LONG_CAPACITY);
  }

  /** Reclaims columns that nobody uses any more. */
  release(points: PointColumns): void {
    if (points.capacity === SHORT_CAPACITY) {
      if (this.#short.length < KEPT_SHORT) this.#short.push(points);
    } else if (points.capacity <= LARGEST_CAPACITY && this.#long.length < KEPT_LONG) this.#long.push(points);
  }
}
