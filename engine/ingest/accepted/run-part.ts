// A part of a run with more points than a batch takes: the parts of a run follow each other in time order.

import type { Instant, PointRun, TagRef, ValueType } from '../../types.ts';

export class RunPart implements PointRun {
  readonly name: string;
  tag: TagRef | undefined;
  readonly type: ValueType;
  readonly start: number;
  readonly count: number;
  readonly rejected: number;
  readonly stamped: number;
  readonly decimals: number;
  /** Time of the first point of the part behind this one; undefined of the last part. */
  readonly nextTime: Instant | undefined;

  /** Points `[from, to)` of the columns. */
  constructor(run: PointRun & { readonly decimals: number }, from: number, to: number, nextTime: Instant | undefined) {
    this.name = run.name;
    this.tag = run.tag;
    this.type = run.type;
    this.start = from;
    this.count = to - from;
    this.rejected = from === run.start ? run.rejected : 0;
    // It is unknown which points are stamped: no part may count as having none.
    this.stamped = Math.min(this.count, run.stamped);
    this.decimals = run.decimals;
    this.nextTime = nextTime;
  }
}

/** Time of the tag's next point in the request, if another batch has more of them. */
export function nextTimeOf(run: PointRun): Instant | undefined {
  return (run as Partial<RunPart>).nextTime;
}
