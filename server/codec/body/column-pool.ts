// Columns for the points of bodies, kept for the next ones: many short ones, and a few long ones.

import { PointColumns, Pool } from '../../../engine/index.ts';

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
  readonly #short = new Pool(KEPT_SHORT, () => new PointColumns(SHORT_CAPACITY));
  readonly #long = new Pool(KEPT_LONG, () => new PointColumns(FIRST_LONG_CAPACITY));

  /** Empty columns for a body of so many bytes. */
  take(bodyBytes: number): PointColumns {
    return (bodyBytes <= SHORT_CAPACITY * POINT_BYTES ? this.#short : this.#long).take();
  }

  /** Reclaims columns that nobody uses any more. */
  release(points: PointColumns): void {
    if (points.capacity === SHORT_CAPACITY) this.#short.release(points);
    else if (points.capacity <= LARGEST_CAPACITY) this.#long.release(points);
  }
}
