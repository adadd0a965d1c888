// State of the fast path for the runs of a batch, besides the batch itself: columns instead of an object for each run, reused by
// later requests. Benchmark: bench ingest.

import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { releaseRecord, takeRecord } from '../journal/record-buffers.ts';
import { Pool } from '../points/pool.ts';
import type { Tag } from '../tag/tag.ts';
import type { PointRun } from '../types.ts';
import type { Batch } from './batch.ts';
import { AcceptedRun } from './receipts.ts';

const NO_RUNS: readonly PointRun[] = [];
const NO_RECORD = new ByteWriter(0);
const FIRST_RUNS = 16;
/** Columns of up to this many runs are kept for later requests: short ones for as many requests as may wait for one write. */
const KEPT_RUNS = 16_384;
const SHORT_RUNS = 64;
const KEPT_SHORT = 256;
const KEPT_LONG = 16;

/** A run that has its tag. */
export interface FastRun extends PointRun {
  readonly tag: Tag;
}

export class FastRuns {
  /** The runs of the batch, one for each entry of the columns; each has its tag once all are accepted. */
  runs: readonly PointRun[] = NO_RUNS;
  /** The journal record of the batch. */
  record: ByteWriter = NO_RECORD;
  /** Number of points of all runs, and of those that the caller left out. */
  pointCount = 0;
  rejectedCount = 0;
  /** Runs whose tags the batch creates. */
  readonly created: number[] = [];
  /** Whether some runs are not plain: they have point flags other than good, or values that are not numbers. */
  hasGeneralRuns = false;
  firstOrdinals = new Float64Array(FIRST_RUNS);
  /** Plain runs: time and value of the tag's newest accepted point before the run. */
  before = new Float64Array(2 * FIRST_RUNS);
  /** First byte of a run as a head has it: below PLAIN, and with its point flags, when the run is not plain. */
  codings = new Uint8Array(FIRST_RUNS);
  /** Offsets of a run's columns in the record. */
  columnsStarts = new Int32Array(FIRST_RUNS);
  columnsEnds = new Int32Array(FIRST_RUNS);

  begin(batch: Batch, definitionsBytes: number): void {
    const { runs } = batch;
    this.runs = runs;
    this.record = takeRecord(batch, definitionsBytes);
    this.pointCount = 0;
    this.rejectedCount = 0;
    this.hasGeneralRuns = false;
    if (runs.length > this.capacity) this.#reserve(runs.length);
  }

  /** The runs in the form of the general path. */
  accepted(): AcceptedRun[] {
    return this.runs.map((run, i) => {
      const one = new AcceptedRun(run, (run as FastRun).tag);
      one.firstOrdinal = this.firstOrdinals[i] as number;
      one.count = run.count;
      one.written = run.count;
      return one;
    });
  }

  /** Runs for which there is room. */
  get capacity(): number {
    return this.codings.length;
  }

  /** Drops the references to the batch. */
  end(): void {
    releaseRecord(this.record);
    this.runs = NO_RUNS;
    this.record = NO_RECORD;
    if (this.created.length > 0) this.created.length = 0;
  }

  #reserve(count: number): void {
    const capacity = Math.max(count, 2 * this.capacity);
    this.firstOrdinals = new Float64Array(capacity);
    this.before = new Float64Array(2 * capacity);
    this.codings = new Uint8Array(capacity);
    this.columnsStarts = new Int32Array(capacity);
    this.columnsEnds = new Int32Array(capacity);
  }
}

const short = new Pool(KEPT_SHORT, () => new FastRuns());
const long = new Pool(KEPT_LONG, () => new FastRuns());

/** Takes columns for the runs of a batch, and a record for the definitions of its unknown tags and its points. */
export function takeFastRuns(batch: Batch, definitionsBytes: number): FastRuns {
  const taken = (batch.runs.length <= SHORT_RUNS ? short : long).take();
  taken.begin(batch, definitionsBytes);
  return taken;
}

/** Releases them once the batch is settled. */
export function releaseFastRuns(fastRuns: FastRuns): void {
  fastRuns.end();
  if (fastRuns.capacity <= SHORT_RUNS) short.release(fastRuns);
  else if (fastRuns.capacity <= KEPT_RUNS) long.release(fastRuns);
}
