// The runs of bodies, kept for the next ones in the arrays that they were in: many short ones, and a few long ones. One by
// one they would be moved twice for each body. Benchmark: bench ingest, 100,000 tags.

import { NOT_PLAIN, type PointRun, Pool, ValueType } from '../../../engine/index.ts';

export type MutableRun = { -readonly [K in keyof PointRun]: PointRun[K] };

const SHORT_RUNS = 64;
/** Arrays of more are not kept. */
const MOST_RUNS = 16_384;
const KEPT_SHORT = 256;
const KEPT_LONG = 4;
/** About what a run with a point takes in a body. */
const RUN_BYTES = 60;

export class RunPool {
  readonly #short = new Pool<MutableRun[]>(KEPT_SHORT, () => []);
  readonly #long = new Pool<MutableRun[]>(KEPT_LONG, () => []);

  /** Runs for a body of so many bytes, to be written over; there may be too few of them, or too many. */
  take(bodyBytes: number): MutableRun[] {
    return (bodyBytes <= SHORT_RUNS * RUN_BYTES ? this.#short : this.#long).take();
  }

  /** Reclaims runs that nobody uses any more. */
  release(runs: MutableRun[]): void {
    if (runs.length > MOST_RUNS) return;
    for (const run of runs) run.tag = undefined;
    if (runs.length <= SHORT_RUNS) this.#short.release(runs);
    else this.#long.release(runs);
  }
}

export function newRun(): MutableRun {
  return {
    name: '',
    tag: undefined,
    type: ValueType.Open,
    start: 0,
    count: 0,
    rejected: 0,
    stamped: 0,
    decimals: NOT_PLAIN,
  };
}
