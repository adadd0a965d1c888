// A small pool of columns for cursors: allocating them for each tag of a read would be most of its work.

import { MAX_BLOCK_POINTS } from '../format/bytes/block-limits.ts';
import { PointColumns } from '../types.ts';
import { Pool } from './pool.ts';

/** Most columns kept, at most 0.2 MB each: concurrent reads are rarely more. */
const MAX_SPARE = 8;
const FIRST_POINTS = 2048;

const pool = new Pool(MAX_SPARE, () => new PointColumns(FIRST_POINTS));

/** Takes empty columns; the caller owns them until it releases them. */
export function takeColumns(): PointColumns {
  return pool.take();
}

/** Releases columns: nothing may use them afterwards. */
export function releaseColumns(columns: PointColumns): void {
  if (columns.capacity > 2 * MAX_BLOCK_POINTS) return;
  columns.clear();
  pool.release(columns);
}
