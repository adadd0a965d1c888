// The accepted runs of a request, and the receipt that counts its points.

import type { RunHead } from '../../format/record/run-coding.ts';
import type { NewestPoint } from '../../tag/newest-point.ts';
import type { Tag } from '../../tag/tag.ts';
import type { PointRun, TagDefinition, ValueType, WriteCounts, WriteReceipt } from '../../types.ts';

/** A tag gets its type with its first stored values. */
export interface TypeChange {
  readonly before: TagDefinition;
  readonly after: TagDefinition;
}

/** The points of one tag that a request adds: `count` from `start` on, with consecutive ordinals. */
export class AcceptedRun implements WriteCounts, RunHead {
  readonly name: string;
  readonly tag: Tag | undefined;
  readonly tagId: number;
  readonly type: ValueType;
  readonly start: number;
  count = 0;
  firstOrdinal: number;
  stamped = 0;
  /** The run is the first of a tag that the request creates. */
  createsTag = false;
  /** The run sets the type of its tag. */
  typeChange: TypeChange | undefined;
  /** The tag's newest point after this request. */
  newest: NewestPoint | undefined;
  written = 0;
  ignored = 0;
  repeated = 0;
  rejected: number;
  ahead = 0;
  expired = 0;

  /** Nothing of it is accepted yet; without a tag nothing can be. */
  constructor(run: PointRun, tag: Tag | undefined) {
    this.name = run.name;
    this.tag = tag;
    this.tagId = tag ? tag.id : 0;
    this.type = run.type;
    this.start = run.start;
    this.firstOrdinal = tag ? tag.acceptedOrdinal : 0;
    this.newest = tag?.accepted;
    this.rejected = run.rejected;
  }
}

/** Counts of a request; counts by tag are computed on demand. */
export class Receipt implements WriteReceipt {
  written = 0;
  ignored = 0;
  repeated = 0;
  rejected = 0;
  ahead = 0;
  expired = 0;
  readonly #runs: readonly AcceptedRun[];

  /** Starts with nothing counted. */
  constructor(runs: readonly AcceptedRun[]) {
    this.#runs = runs;
  }

  static of(runs: readonly AcceptedRun[]): Receipt {
    const receipt = new Receipt(runs);
    for (const run of runs) receipt.count(run);
    return receipt;
  }

  /** Adds the counts of a run. */
  count(run: AcceptedRun): void {
    this.written += run.written;
    this.ignored += run.ignored;
    this.repeated += run.repeated;
    this.rejected += run.rejected;
    this.ahead += run.ahead;
    this.expired += run.expired;
  }

  get tags(): ReadonlyMap<string, WriteCounts> {
    return new Map(this.eachTag());
  }

  eachTag(): Iterable<readonly [name: string, counts: WriteCounts]> {
    return byName(this.#runs);
  }
}

/** Sums the consecutive runs of a tag whose long run was divided. */
function* byName(runs: Iterable<WriteCounts & { readonly name: string }>): Generator<[string, WriteCounts]> {
  let last: [string, WriteCounts] | undefined;
  for (const { name, written, ignored, repeated, rejected, ahead, expired } of runs) {
    if (last !== undefined && last[0] === name) {
      const sum = last[1];
      sum.written += written;
      sum.ignored += ignored;
      sum.repeated += repeated;
      sum.rejected += rejected;
      sum.ahead += ahead;
      sum.expired += expired;
      continue;
    }
    if (last !== undefined) yield last;
    last = [name, { written, ignored, repeated, rejected, ahead, expired }];
  }
  if (last !== undefined) yield last;
}

/** What the receipt needs of a request of the fast path. */
export interface WrittenRuns {
  readonly runs: readonly PointRun[];
  readonly pointCount: number;
  readonly rejectedCount: number;
}

/** The receipt of a request of the fast path: all of its points are written. */
export class FastReceipt implements WriteReceipt {
  readonly written: number;
  readonly ignored = 0;
  readonly repeated = 0;
  readonly rejected: number;
  readonly ahead = 0;
  readonly expired = 0;
  readonly #runs: readonly PointRun[];

  constructor({ pointCount, rejectedCount, runs }: WrittenRuns) {
    this.written = pointCount;
    this.rejected = rejectedCount;
    this.#runs = runs;
  }

  get tags(): ReadonlyMap<string, WriteCounts> {
    return new Map(this.eachTag());
  }

  eachTag(): Iterable<readonly [name: string, counts: WriteCounts]> {
    return byName(writtenRuns(this.#runs));
  }
}

function* writtenRuns(runs: readonly PointRun[]): Generator<WriteCounts & { readonly name: string }> {
  for (const { name, count, rejected } of runs) {
    yield { name, written: count, ignored: 0, repeated: 0, rejected, ahead: 0, expired: 0 };
  }
}
