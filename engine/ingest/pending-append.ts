// A request between admission and the disk: what it will change once it is durable, and how to undo what admission did.

import type { EngineError } from '../errors.ts';
import type { RunHead } from '../format/record/run-coding.ts';
import type { JournalEntry } from '../journal/journal-writer.ts';
import { spreadRuns } from '../points/spread-runs.ts';
import type { NewestPoint, Tag } from '../tag/tag.ts';
import type { PointColumns, PointRun, ValueType, WriteCounts, WriteReceipt } from '../types.ts';
import type { OrderedRuns } from './fast-runs.ts';

/** The points of one tag that a request adds: `count` from `start` on, with consecutive ordinals. */
export class AdmittedRun implements WriteCounts, RunHead {
  readonly name: string;
  readonly tag: Tag | undefined;
  readonly tagId: number;
  readonly type: ValueType;
  readonly start: number;
  count = 0;
  firstOrdinal: number;
  stamped = 0;
  /** The tag's newest point after this request. */
  newest: NewestPoint | undefined;
  written = 0;
  ignored = 0;
  repeated = 0;
  rejected: number;
  ahead = 0;
  expired = 0;

  /** Nothing of it is admitted yet; without a tag nothing can be. */
  constructor(run: PointRun, tag: Tag | undefined) {
    this.name = run.name;
    this.tag = tag;
    this.tagId = tag ? tag.id : 0;
    this.type = run.type;
    this.start = run.start;
    this.firstOrdinal = tag ? tag.admittedOrdinal : 0;
    this.newest = tag?.admitted;
    this.rejected = run.rejected;
  }
}

export class PendingWrite implements JournalEntry {
  /** Those of plain runs as whole numbers only. */
  readonly points: PointColumns;
  sequence = 0;
  /** Of a request that is in order: its runs without an object for each. */
  readonly ordered: OrderedRuns | undefined;
  #runs: readonly AdmittedRun[] | undefined;
  #byTag: Map<Tag | undefined, AdmittedRun[]> | undefined;
  #isSpread = false;
  readonly #onCommit: (write: PendingWrite) => Promise<void> | void;
  readonly #onFail: (write: PendingWrite, error: EngineError) => void;

  /** Takes runs, or those of a request that is in order. */
  constructor(
    points: PointColumns,
    runs: readonly AdmittedRun[] | undefined,
    ordered: OrderedRuns | undefined,
    onCommit: (write: PendingWrite) => Promise<void> | void,
    onFail: (write: PendingWrite, error: EngineError) => void,
  ) {
    this.points = points;
    this.#runs = runs;
    this.ordered = ordered;
    this.#onCommit = onCommit;
    this.#onFail = onFail;
  }

  /** What the request adds; of one that is in order they are made for whoever asks, until it is settled. */
  get runs(): readonly AdmittedRun[] {
    this.#runs ??= this.ordered ? this.ordered.admitted(0, this.ordered.runs.length) : [];
    return this.#runs;
  }

  /** The points with all columns filled in, also those of plain runs. */
  get generalPoints(): PointColumns {
    if (this.ordered && !this.#isSpread) spreadRuns(this.points, this.ordered.runs, 0, this.ordered.runs.length);
    this.#isSpread = true;
    return this.points;
  }

  get runCount(): number {
    return this.ordered ? this.ordered.runs.length : this.runs.length;
  }

  /** Some of them, without making the others. */
  runsBetween(from: number, to: number): readonly AdmittedRun[] {
    if (this.#runs) return from === 0 && to === this.#runs.length ? this.#runs : this.#runs.slice(from, to);
    return this.ordered ? this.ordered.admitted(from, to) : [];
  }

  /** What the request adds to a tag. A map, because a request sent again asks for each of its thousands of tags. */
  runsOf(tag: Tag): readonly AdmittedRun[] {
    this.#byTag ??= byTag(this.runs);
    return this.#byTag.get(tag) ?? [];
  }

  commit(): Promise<void> | void {
    return this.#onCommit(this);
  }

  fail(error: EngineError): void {
    this.#onFail(this, error);
  }
}

function byTag(runs: readonly AdmittedRun[]): Map<Tag | undefined, AdmittedRun[]> {
  const map = new Map<Tag | undefined, AdmittedRun[]>();
  for (const run of runs) {
    const known = map.get(run.tag);
    if (known) known.push(run);
    else map.set(run.tag, [run]);
  }
  return map;
}

/** Counts of a request; those by tag are put together only when somebody asks. */
export class Receipt implements WriteReceipt {
  written = 0;
  ignored = 0;
  repeated = 0;
  rejected = 0;
  ahead = 0;
  expired = 0;
  readonly #runs: readonly AdmittedRun[];

  /** None is counted yet. */
  constructor(runs: readonly AdmittedRun[]) {
    this.#runs = runs;
  }

  static of(runs: readonly AdmittedRun[]): Receipt {
    const receipt = new Receipt(runs);
    for (const run of runs) receipt.count(run);
    return receipt;
  }

  /** Counts one of its runs. */
  count(run: AdmittedRun): void {
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

/** A tag has more than one run where a long one was divided, one behind the other. */
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

/** That of a request that was in order: all of its points are written. */
export class OrderedReceipt implements WriteReceipt {
  readonly written: number;
  readonly ignored = 0;
  readonly repeated = 0;
  readonly rejected: number;
  readonly ahead = 0;
  readonly expired = 0;
  readonly #runs: readonly PointRun[];

  constructor({ pointCount, rejectedCount, runs }: OrderedRuns) {
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
