// What admission knows of the runs of a request that is in order, besides what the batch says: columns instead of an object
// a run, used again by later requests. Benchmark: bench ingest.

import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { releaseRecord, takeRecord } from '../journal/record-buffers.ts';
import type { Tag } from '../tag/tag.ts';
import type { PointBatch, PointRun } from '../types.ts';
import { AcceptedRun } from './receipts.ts';

const NO_RUNS: readonly PointRun[] = [];
const NO_RECORD = new ByteWriter(0);
const FIRST_RUNS = 16;
/** Columns of so many runs are kept for later requests. */
const KEPT_RUNS = 16_384;
const KEPT = 16;

/** A run whose tag is there. */
export interface FastRun extends PointRun {
  readonly tag: Tag;
}

export class FastRuns {
  /** Those of the batch: one for each entry of the columns, with its tag once all are admitted. */
  runs: readonly PointRun[] = NO_RUNS;
  /** What the journal stores of the request. */
  record: ByteWriter = NO_RECORD;
  /** Points of all runs, and those that the caller left out. */
  pointCount = 0;
  rejectedCount = 0;
  /** Long runs are divided: a tag may have several, one behind the other. */
  isDivided = false;
  /** Some runs are not plain: they have other states than good, or values that are no numbers. */
  hasOthers = false;
  firstOrdinals = new Float64Array(FIRST_RUNS);
  /** Of plain runs: time and value of the tag's newest accepted point before. */
  before = new Float64Array(2 * FIRST_RUNS);
  codings = new Uint8Array(FIRST_RUNS);
  /** Where in the record a run's columns are; the end is 0 when they are not plain. */
  columnsStarts = new Int32Array(FIRST_RUNS);
  columnsEnds = new Int32Array(FIRST_RUNS);

  begin({ points, runs }: PointBatch): void {
    this.runs = runs;
    this.record = takeRecord(points.count);
    this.pointCount = 0;
    this.rejectedCount = 0;
    this.hasOthers = false;
    this.isDivided = false;
    if (runs.length > this.codings.length) this.#reserve(runs.length);
  }

  /** The runs from one index up to another as requests of all kinds have them. */
  accepted(from: number, to: number): AcceptedRun[] {
    return this.runs.slice(from, to).map((run, index) => {
      const i = from + index;
      const one = new AcceptedRun(run, (run as FastRun).tag);
      one.firstOrdinal = this.firstOrdinals[i] as number;
      one.count = run.count;
      one.written = run.count;
      return one;
    });
  }

  get isKept(): boolean {
    return this.codings.length <= KEPT_RUNS;
  }

  /** Lets go of the request. */
  end(): void {
    releaseRecord(this.record);
    this.runs = NO_RUNS;
    this.record = NO_RECORD;
  }

  #reserve(count: number): void {
    const capacity = Math.max(count, 2 * this.codings.length);
    this.firstOrdinals = new Float64Array(capacity);
    this.before = new Float64Array(2 * capacity);
    this.codings = new Uint8Array(capacity);
    this.columnsStarts = new Int32Array(capacity);
    this.columnsEnds = new Int32Array(capacity);
  }
}

const spare: FastRuns[] = [];

/** Columns for the runs of a request, and a record for their points. */
export function takeFastRuns(batch: PointBatch): FastRuns {
  const taken = spare.pop() ?? new FastRuns();
  taken.begin(batch);
  return taken;
}

/** The request is settled. */
export function releaseFastRuns(ordered: FastRuns): void {
  ordered.end();
  if (spare.length < KEPT && ordered.isKept) spare.push(ordered);
}
