// A small pool of columns for cursors: allocating them for each tag of a read would be most of its work.

import { MAX_BLOCK_POINTS } from '../format/bytes/block-limits.ts';
import { PointColumns } from '../types.ts';

/** Most columns kept, at most 0.2 MB each: concurrent reads are rarely more. */
const MAX_SPARE = 8;
const FIRST_POINTS = 2048;

const spare: PointColumns[] = [];

/** Takes empty columns; the caller owns them until it releases them. */
export function takeColumns(): PointColumns {
  return spare.pop() ?? new PointColumns(FIRST_POINTS);
}

/** Releases columns: nothing may use them afterwards. */
export function releaseColumns(columns: PointColumns): void {
  if (spare.length >= MAX_SPARE || columns.capacity > 2 * MAX_BLOCK_POINTS) return;
  columns.clear();
  spare.push(columns);
}
