// Divides the long runs of a request, so that no step of taking them in is long (D17): the points of each are put in
// order over several turns of the event loop, and go on as runs of some thousand points of the same tag.

import type { Dataset } from '../dataset/dataset.ts';
import { Turns } from '../io/turns.ts';
import { orderInTurns } from '../points/long-run-order.ts';
import { NOT_PLAIN, type PointBatch, type PointColumns, type PointRun, type TagRef, type ValueType } from '../types.ts';

const MOST_RUNS_AT_ONCE = 32;
const POINTS_AT_ONCE = 8192;

/** Points between two looks at the clock. */
const SPAN_POINTS = 4096;

/** A part of a run: the parts of one follow each other, in the order of time. */
class RunPart implements PointRun {
  readonly name: string;
  readonly tag: TagRef | undefined;
  readonly type: ValueType;
  readonly start: number;
  readonly count: number;
  readonly rejected: number;
  readonly stamped: number;
  readonly decimals: number;
  /** The next run is of the same tag; its points begin where these end. */
  readonly isContinued: boolean;

  /** The part of a run from point `from` of the columns on, of `mostPoints` but for the last. */
  constructor(run: PointRun, from: number, mostPoints: number, decimals: number) {
    const end = run.start + run.count;
    this.name = run.name;
    this.tag = run.tag;
    this.type = run.type;
    this.start = from;
    this.count = Math.min(mostPoints, end - from);
    this.rejected = from === run.start ? run.rejected : 0;
    // Which points they are is not known: none of the parts may count as having none.
    this.stamped = Math.min(this.count, run.stamped);
    this.decimals = decimals;
    this.isContinued = from + this.count < end;
  }
}

/** A request whose long runs are divided: a tag may have several, one behind the other. */
export class DividedBatch implements PointBatch {
  readonly points: PointColumns;
  readonly runs: readonly PointRun[];

  constructor(points: PointColumns, runs: readonly PointRun[]) {
    this.points = points;
    this.runs = runs;
  }
}

/** The same request without long runs; the points of those are put in the order of time. Rejects as `Turns.each`. */
export async function divideRuns(dataset: Dataset, batch: PointBatch): Promise<PointBatch> {
  const { points, runs } = batch;
  const { runPoints } = dataset.context.tunables;
  if (!runs.some(({ count }) => count > runPoints)) return batch;
  const turns = new Turns(dataset);
  const divided: PointRun[] = [];
  for (const run of runs) {
    if (run.count > runPoints) {
      const decimals = await orderRun(points, run, turns);
      const end = run.start + run.count;
      for (let from = run.start; from < end; from += runPoints)
        divided.push(new RunPart(run, from, runPoints, decimals));
    } else divided.push(run);
  }
  return new DividedBatch(points, divided);
}

/** Puts the points of a run in order; returns its decimals, as a plain run stays one where nothing is to be done. */
async function orderRun(
  points: PointColumns,
  { start, count, decimals = NOT_PLAIN }: PointRun,
  turns: Turns,
): Promise<number> {
  if (decimals !== NOT_PLAIN) {
    if (await isAscending(points.offsets, start, count, turns)) return decimals;
    await turns.steps(count, SPAN_POINTS, (from, to) => points.spread(start + from, start + to, decimals));
  }
  await orderInTurns(points, start, count, turns);
  return NOT_PLAIN;
}

async function isAscending(offsets: Int32Array, start: number, count: number, turns: Turns): Promise<boolean> {
  let does = true;
  // Each stretch with the first point of the next.
  await turns.steps(count - 1, SPAN_POINTS, (from, to) => {
    for (let i = start + from; i < start + to && does; i++) does = (offsets[i] as number) < (offsets[i + 1] as number);
  });
  return does;
}

/** Whether the run behind this one goes on with the points of its tag. */
export function isContinued(run: PointRun | undefined): boolean {
  return (run as RunPart | undefined)?.isContinued === true;
}

/** Where in the columns the tag's points go on, when the run behind this one has more of them. */
export function nextStart(run: PointRun): number | undefined {
  return isContinued(run) ? run.start + run.count : undefined;
}

/** Whether a write is worked on over several turns. */
export function isLongWrite({ context }: Dataset, runCount: number, pointCount: number): boolean {
  const { longRequestTags, longRequestPoints } = context.tunables;
  return runCount > longRequestTags || pointCount > longRequestPoints;
}

/** Runs of a write between two looks at the clock: fewer of longer ones. */
export function runsAtOnce(runCount: number, pointCount: number): number {
  return Math.max(1, Math.min(MOST_RUNS_AT_ONCE, Math.floor((POINTS_AT_ONCE * runCount) / Math.max(1, pointCount))));
}
