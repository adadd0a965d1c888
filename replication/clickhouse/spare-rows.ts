// Buffers of rows that were inserted, for the next rows: fresh memory has to be mapped and cleared by the system, which costs
// more than writing the rows. Benchmark: npm run bench centre -- --only catch-up.

import { Pool } from '../../engine/index.ts';
import { RowEncoder } from './row-encoder.ts';

/** Rows that a buffer has room for at first. */
const FIRST_ROWS = 1024;
/** Writers of a batch for two shards and two weeks, with the tips. */
const MOST_SPARE = 6;
/** Larger ones, of long texts, are not kept. */
const MOST_BYTES = 8 * 2 ** 20;

export class SpareRows {
  readonly #pool = new Pool(MOST_SPARE, () => new RowEncoder(FIRST_ROWS));

  take(): RowEncoder {
    return this.#pool.take();
  }

  /** Only rows that have been answered: of a request that failed, parts may still be on their way. */
  release(rows: RowEncoder): void {
    if (rows.capacityBytes > MOST_BYTES) return;
    rows.clear();
    this.#pool.release(rows);
  }
}
