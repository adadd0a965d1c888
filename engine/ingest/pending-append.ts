// Accepted requests on their way to disk: what each changes once it is durable, and how to roll it back.

import type { Dataset } from '../dataset/dataset.ts';
import type { PendingPoints } from '../dataset/pending-points.ts';
import type { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { releaseRecord } from '../journal/record-buffers.ts';
import { spreadRuns } from '../points/spread-runs.ts';
import type { Tag } from '../tag/tag.ts';
import type { PointColumns, WriteReceipt } from '../types.ts';
import { type AcceptedRun, FastReceipt, type Receipt } from './accepted/receipts.ts';
import { type AppliedRequest, commitFastRuns, commitRuns } from './commit-append.ts';
import { type FastRun, type FastRuns, releaseFastRuns } from './fast-runs.ts';
import { removeCreated } from './new-tags.ts';

/** One request that was accepted; either committed or undone, then released. */
export interface PendingAppend extends PendingPoints, AppliedRequest {
  /** Sequence of the journal record; 0 until the record is submitted. */
  sequence: number;
  /** The journal record; undefined when the request adds nothing. */
  readonly record: ByteWriter | undefined;
  readonly receipt: WriteReceipt;
  /** Applies the durable request; a long one over several turns, during which it still counts as pending. */
  commit(): Promise<void> | undefined;
  /** Restores the tags; requests are undone newest first. */
  undo(): void;
  /** Releases the record and the columns; nothing else may be called afterwards. */
  release(): void;
}

/** Another operation in the same record, which is stored with the points or not at all. */
export interface OperationBeside {
  encode(out: ByteWriter): void;
  /** Applies the durable operation, before the points; over several turns where it returns a promise. */
  commit(): Promise<void> | undefined;
  undo(): void;
}

/** What the general path has decided of a request. */
export interface AcceptedRequest {
  readonly points: PointColumns;
  readonly runs: readonly AcceptedRun[];
  /** Undefined when the request adds nothing. */
  readonly record: ByteWriter | undefined;
  /** Counts all of the runs. */
  readonly receipt: Receipt;
  readonly beside?: OperationBeside | undefined;
}

/** A request of the general path. */
export class PendingGeneralAppend implements PendingAppend {
  sequence = 0;
  readonly generalPoints: PointColumns;
  readonly runs: readonly AcceptedRun[];
  readonly record: ByteWriter | undefined;
  readonly receipt: Receipt;
  readonly #dataset: Dataset;
  readonly #beside: OperationBeside | undefined;
  #byTag: Map<Tag | undefined, AcceptedRun[]> | undefined;

  constructor(dataset: Dataset, { points, runs, record, receipt, beside }: AcceptedRequest) {
    this.#beside = beside;
    this.#dataset = dataset;
    this.generalPoints = points;
    this.runs = runs;
    this.record = record;
    this.receipt = receipt;
  }

  get points(): PointColumns {
    return this.generalPoints;
  }

  get runCount(): number {
    return this.runs.length;
  }

  /** Indexed, because a repeated request asks for each of its thousands of tags. */
  runsOf(tag: Tag): readonly AcceptedRun[] {
    this.#byTag ??= byTag(this.runs);
    return this.#byTag.get(tag) ?? [];
  }

  commit(): Promise<void> | undefined {
    const besides = this.#beside?.commit();
    if (besides) return besides.then(() => commitRuns(this.#dataset, this, this.runs));
    return commitRuns(this.#dataset, this, this.runs);
  }

  undo(): void {
    rollbackRuns(this.#dataset, this.runs);
    this.#beside?.undo();
  }

  release(): void {
    if (this.record) releaseRecord(this.record);
  }
}

/** Restores the tags of runs that were accepted, and takes back their definitions. */
export function rollbackRuns(dataset: Dataset, runs: readonly AcceptedRun[]): void {
  for (const { tag, typeChange } of runs) {
    tag?.settle();
    if (tag && typeChange) tag.definition = typeChange.before;
  }
  for (const { tag, createsTag } of runs) if (tag && createsTag) dataset.removeTag(tag);
}

/** A request of the fast path: its runs are in columns, and the points of plain runs in the plain columns only. */
export class PendingFastAppend implements PendingAppend {
  sequence = 0;
  readonly points: PointColumns;
  readonly receipt: FastReceipt;
  readonly #dataset: Dataset;
  readonly #fastRuns: FastRuns;
  #runs: readonly AcceptedRun[] | undefined;
  #byTag: Map<Tag | undefined, AcceptedRun[]> | undefined;
  #isSpread = false;

  constructor(dataset: Dataset, points: PointColumns, fastRuns: FastRuns) {
    this.#dataset = dataset;
    this.points = points;
    this.#fastRuns = fastRuns;
    this.receipt = new FastReceipt(fastRuns);
  }

  get record(): ByteWriter {
    return this.#fastRuns.record;
  }

  get runCount(): number {
    return this.#fastRuns.runs.length;
  }

  /** Created on demand. */
  get runs(): readonly AcceptedRun[] {
    this.#runs ??= this.#fastRuns.accepted(0, this.runCount);
    return this.#runs;
  }

  get generalPoints(): PointColumns {
    if (!this.#isSpread) spreadRuns(this.points, this.#fastRuns.runs, 0, this.runCount);
    this.#isSpread = true;
    return this.points;
  }

  runsOf(tag: Tag): readonly AcceptedRun[] {
    this.#byTag ??= byTag(this.runs);
    return this.#byTag.get(tag) ?? [];
  }

  commit(): Promise<void> | undefined {
    return commitFastRuns(this.#dataset, this, this.#fastRuns);
  }

  undo(): void {
    for (const run of this.#fastRuns.runs) (run as FastRun).tag.settle();
    removeCreated(this.#dataset, this.#fastRuns);
  }

  release(): void {
    releaseFastRuns(this.#fastRuns);
  }
}

function byTag(runs: readonly AcceptedRun[]): Map<Tag | undefined, AcceptedRun[]> {
  const map = new Map<Tag | undefined, AcceptedRun[]>();
  for (const run of runs) {
    const known = map.get(run.tag);
    if (known) known.push(run);
    else map.set(run.tag, [run]);
  }
  return map;
}
