// Cells of rows, and what filters know of them.

import { compareInstants, type Instant } from '../../../../engine/index.ts';

export type Cell = string | number | boolean | null | Instant;
export type Row = Record<string, Cell>;

/** Kind of a cell; `null` is that of the literal, which goes with every other. */
export type CellKind = 'text' | 'number' | 'boolean' | 'time' | 'null';

/** Both are of one kind. */
export function compareCells(a: NonNullable<Cell>, b: NonNullable<Cell>): number {
  if (typeof a === 'object' && typeof b === 'object') return compareInstants(a, b);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
