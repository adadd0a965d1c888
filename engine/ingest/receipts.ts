// The accepted runs of a request, and the receipt that counts its points.

import type { RunHead } from '../format/record/run-coding.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import type { Tag } from '../tag/tag.ts';
import type { PointRun, TagDefinition, ValueType, WriteCounts, WriteReceipt } from '../types.ts';

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

type NamedCounts = WriteCounts & { readonly name: string };

/** Counts of what was written; counts by tag are computed on demand. */
export class Receipt implements WriteReceipt {
  written = 0;
  ignored = 0;
  repeated = 0;
  rejected = 0;
  ahead = 0;
  expired = 0;
  readonly #named: () => Iterable<NamedCounts>;

  /** `named` gives what `counted` has in sum, by tag. */
  constructor(counted: readonly WriteCounts[], named: () => Iterable<NamedCounts>) {
    this.#named = named;
    for (const counts of counted) addCounts(this, counts);
  }

  /** The receipt of a batch. */
  static ofRuns(runs: readonly AcceptedRun[]): Receipt {
    return new Receipt(runs, () => runs);
  }

  /** The receipt of a request of several batches. */
  static merged(receipts: readonly WriteReceipt[]): Receipt {
    return new Receipt(receipts, () => namedCounts(receipts));
  }

  get tags(): ReadonlyMap<string, WriteCounts> {
    return new Map(this.eachTag());
  }

  eachTag(): Iterable<readonly [name: string, counts: WriteCounts]> {
    return byName(this.#named());
  }
}

function* namedCounts(receipts: readonly WriteReceipt[]): Generator<NamedCounts> {
  for (const receipt of receipts) for (const [name, counts] of receipt.eachTag()) yield { name, ...counts };
}

/** Sums consecutive runs of one tag: late points and new ones, or parts of a long run. */
function* byName(runs: Iterable<NamedCounts>): Generator<[string, WriteCounts]> {
  let last: [string, WriteCounts] | undefined;
  for (const run of runs) {
    const { name, written, ignored, repeated, rejected, ahead, expired } = run;
    if (last !== undefined && last[0] === name) {
      addCounts(last[1], run);
      continue;
    }
    if (last !== undefined) yield last;
    last = [name, { written, ignored, repeated, rejected, ahead, expired }];
  }
  if (last !== undefined) yield last;
}

function addCounts(sum: WriteCounts, added: WriteCounts): void {
  sum.written += added.written;
  sum.ignored += added.ignored;
  sum.repeated += added.repeated;
  sum.rejected += added.rejected;
  sum.ahead += added.ahead;
  sum.expired += added.expired;
}

/** What the receipt needs of a batch of the fast path. */
export interface WrittenRuns {
  readonly runs: readonly PointRun[];
  readonly pointCount: number;
  readonly rejectedCount: number;
}

/** The receipt of a batch of the fast path: all of its points are written. */
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
