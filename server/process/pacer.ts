// Keeps long work from holding the main thread: work in slices, and let the event loop run in between. All long work of
// the process, that of the engine too, shares one slice in each turn of the loop.

import { isTurnOver, nextTurn } from '../../engine/index.ts';

const SLICE_MS = 4;
/** The clock is asked this often at most: a look at it costs as much as a small entry of an answer. */
const CALLS_A_LOOK = 4;

export interface Pacer {
  /** True when the present slice has lasted long enough. */
  isDue(): boolean;
  /** The same behind a piece of work that is long itself. */
  isDueNow(): boolean;
  /** Lets everything else run, then begins a new slice. */
  yield(): Promise<void>;
}

/** Calls of all pacers together: the work of many takes no longer between two looks than that of one. */
let calls = 0;

const sharedPacer: Pacer = {
  isDue: () => ++calls % CALLS_A_LOOK === 0 && isTurnOver(performance.now(), SLICE_MS),
  isDueNow: () => isTurnOver(performance.now(), SLICE_MS),
  yield: nextTurn,
};

export function createPacer(): Pacer {
  return sharedPacer;
}
