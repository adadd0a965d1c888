// Divides the long runs of a request, so that no step of appending is long (D17): the points of each are sorted over several
// turns of the event loop, and continue as runs of some thousand points of the same tag.

import type { Dataset } from '../dataset/dataset.ts';
import { Turns } from '../io/turns.ts';
import { orderInTurns } from '../points/long-run-order.ts';
import { endOfTexts } from '../points/text-lengths.ts';
import { NOT_PLAIN, type PointBatch, type PointColumns, type PointRun, type TagRef, type ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';

const MOST_RUNS_AT_ONCE = 32;
const POINTS_AT_ONCE = 8192;
/** Characters of texts that are as much work as a point. */
const CHARS_A_POINT = 32;
/** A part of a long request has at most this share (one in so many) of the characters that make a request long. */
const CHARS_SHARE = 2;

/** Points between two looks at the clock. */
const SPAN_POINTS = 4096;

/** A part of a run; the parts follow each other in time order. */
class RunPart implements PointRun {
  readonly name: string;
  tag: TagRef | undefined;
  readonly type: ValueType;
  readonly start: number;
  readonly count: number;
  readonly rejected: number;
  readonly stamped: number;
  readonly decimals: number;
  /** Whether the next run is of the same tag and continues this one. */
  readonly isContinued: boolean;

  /** The part of a run from index `from` of the columns on, of at most `mostPoints` points. */
  constructor(run: PointRun, from: number, mostPoints: number, decimals: number) {
    const end = run.start + run.count;
    this.name = run.name;
    this.tag = run.tag;
    this.type = run.type;
    this.start = from;
    this.count = Math.min(mostPoints, end - from);
    this.rejected = from === run.start ? run.rejected : 0;
    // It is unknown which points are stamped: no part may count as having none.
    this.stamped = Math.min(this.count, run.stamped);
    this.decimals = decimals;
    this.isContinued = from + this.count < end;
  }
}

/** A request whose long runs are divided: a tag may have several consecutive runs. */
export class DividedBatch implements PointBatch {
  readonly points: PointColumns;
  readonly runs: readonly PointRun[];

  constructor(points: PointColumns, runs: readonly PointRun[]) {
    this.points = points;
    this.runs = runs;
  }
}

/** Gives the request without long runs; their points are sorted by time. Rejects as `Turns.each`. */
export async function divideRuns(dataset: Dataset, batch: PointBatch): Promise<PointBatch> {
  const { points, runs } = batch;
  const { runPoints, longRequestChars } = dataset.context.tunables;
  const isOfTexts = points.texts.chars > longRequestChars;
  const partOf = ({ type, count, start }: PointRun, from: number): number =>
    isOfTexts && payloadOf(type) === 'text'
      ? endOfTexts(points, [from, Math.min(start + count, from + runPoints)], longRequestChars / CHARS_SHARE) - from
      : Math.min(runPoints, start + count - from);
  const isLong = (run: PointRun): boolean => run.count > 0 && partOf(run, run.start) < run.count;
  if (!runs.some(isLong)) return batch;
  const turns = new Turns(dataset);
  const divided: PointRun[] = [];
  for (const run of runs) {
    if (!isLong(run)) {
      divided.push(run);
      continue;
    }
    const decimals = await orderRun(points, run, turns);
    const end = run.start + run.count;
    for (let from = run.start; from < end; ) {
      const part = new RunPart(run, from, partOf(run, from), decimals);
      divided.push(part);
      from += part.count;
    }
  }
  return new DividedBatch(points, divided);
}

/** Sorts the points of a run; returns its decimals: a plain run that is in order stays plain. */
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
  // Each span includes the first point of the next.
  await turns.steps(count - 1, SPAN_POINTS, (from, to) => {
    for (let i = start + from; i < start + to && does; i++) does = (offsets[i] as number) < (offsets[i + 1] as number);
  });
  return does;
}

/** Whether the next run continues this one. */
export function isContinued(run: PointRun | undefined): boolean {
  return (run as RunPart | undefined)?.isContinued === true;
}

/** Index at which the tag's points continue in the columns, if the next run continues this one. */
export function nextStart(run: PointRun): number | undefined {
  return isContinued(run) ? run.start + run.count : undefined;
}

/** Whether a write is processed over several turns. */
export function isLongWrite({ context }: Dataset, runCount: number, { count, texts }: PointColumns): boolean {
  const { longRequestTags, longRequestPoints, longRequestChars } = context.tunables;
  return runCount > longRequestTags || count > longRequestPoints || texts.chars > longRequestChars;
}

/** Runs of a write between two looks at the clock: fewer if they are longer. */
export function runsAtOnce(runCount: number, { count, texts }: PointColumns): number {
  const work = Math.max(1, count + texts.chars / CHARS_A_POINT);
  return Math.max(1, Math.min(MOST_RUNS_AT_ONCE, Math.floor((POINTS_AT_ONCE * runCount) / work)));
}
