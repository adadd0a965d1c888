// Long work of a copy in slices, between which everybody else has a turn.

import { isTurnOver, nextTurn } from '../engine/index.ts';

/** Work of one slice. */
const SLICE_MS = 4;

/** Undefined while there is time left in this turn. */
export function turn(): Promise<void> | undefined {
  return isTurnOver(performance.now(), SLICE_MS) ? nextTurn() : undefined;
}
