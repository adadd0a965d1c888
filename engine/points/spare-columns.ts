// Columns that cursors take turns with: making some for each tag of a read would be most of its work. Few are kept.

import { MAX_BLOCK_POINTS } from '../format/bytes/block-limits.ts';
import { PointColumns } from '../types.ts';

/** Reads that run side by side rarely are more; 0.2 MB each at most. */
const MAX_SPARE = 8;
const FIRST_POINTS = 2048;

const spare: PointColumns[] = [];

/** Columns without points. They are the caller's until given back. */
export function takeColumns(): PointColumns {
  return spare.pop() ?? new PointColumns(FIRST_POINTS);
}

/** Nothing may look at the columns any more. */
export function giveColumns(columns: PointColumns): void {
  if (spare.length >= MAX_SPARE || columns.capacity > 2 * MAX_BLOCK_POINTS) return;
  columns.clear();
  spare.push(columns);
}
