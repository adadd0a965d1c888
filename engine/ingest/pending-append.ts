// Accepted batches on their way to disk: what each changes once it is durable, and how to roll it back.

import type { Dataset } from '../dataset/dataset.ts';
import type { PendingPoints } from '../dataset/writing.ts';
import type { EngineError } from '../errors.ts';
import type { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { releaseRecord } from '../journal/record-buffers.ts';
import { spreadRuns } from '../points/spread-runs.ts';
import type { Tag } from '../tag/tag.ts';
import type { PointColumns, WriteReceipt } from '../types.ts';
import { type AppliedBatch, commitFastRuns, commitRuns } from './commit-append.ts';
import { removeCreated } from './fast-append.ts';
import { type FastRun, type FastRuns, releaseFastRuns } from './fast-runs.ts';
import { type AcceptedRun, FastReceipt, Receipt } from './receipts.ts';

/** Promise of a batch that was not submitted yet. */
const UNSETTLED = new Promise<never>(() => undefined);

/** One batch that was accepted; either committed or undone, then released. */
export abstract class PendingAppend implements PendingPoints, AppliedBatch {
  /** Sequence of the journal record; 0 until the record is submitted. */
  sequence = 0;
  /** Resolves when it is applied. */
  settled: Promise<WriteReceipt> = UNSETTLED;
  /** Why it could not be stored; set before `settled` rejects. */
  error: EngineError | undefined = undefined;
  /** The journal record; undefined when the batch adds nothing. */
  abstract readonly record: ByteWriter | undefined;
  abstract readonly receipt: WriteReceipt;
  abstract readonly points: PointColumns;
  abstract readonly generalPoints: PointColumns;
  abstract readonly runs: readonly AcceptedRun[];
  #byTag: Map<Tag | undefined, AcceptedRun[]> | undefined;

  /** Indexed, because a repeated request asks for each of its thousands of tags. */
  runsOf(tag: Tag): readonly AcceptedRun[] {
    this.#byTag ??= byTag(this.runs);
    return this.#byTag.get(tag) ?? [];
  }

  /** Applies the durable batch; what is beside it may take several turns, during which it still counts as pending. */
  abstract commit(): Promise<void> | undefined;
  /** Restores the tags; batches are undone newest first. */
  abstract undo(): void;
  /** Releases the record and the columns; nothing else may be called afterwards. */
  abstract release(): void;
}

/** Another operation in the same record, which is stored with the points or not at all. */
export interface OperationBeside {
  encode(out: ByteWriter): void;
  /** Applies the durable operation, before the points; over several turns where it returns a promise. */
  commit(): Promise<void> | undefined;
  undo(): void;
}

/** What the general path has decided of a batch. */
export interface AcceptedBatch {
  readonly points: PointColumns;
  readonly runs: readonly AcceptedRun[];
  /** Undefined when the batch adds nothing. */
  readonly record: ByteWriter | undefined;
  readonly beside?: OperationBeside | undefined;
}

/** A batch of the general path. */
export class PendingGeneralAppend extends PendingAppend {
  readonly generalPoints: PointColumns;
  readonly runs: readonly AcceptedRun[];
  readonly record: ByteWriter | undefined;
  readonly receipt: Receipt;
  readonly #dataset: Dataset;
  readonly #beside: OperationBeside | undefined;

  constructor(dataset: Dataset, { points, runs, record, beside }: AcceptedBatch) {
    super();
    this.#beside = beside;
    this.#dataset = dataset;
    this.generalPoints = points;
    this.runs = runs;
    this.record = record;
    this.receipt = Receipt.ofRuns(runs);
  }

  get points(): PointColumns {
    return this.generalPoints;
  }

  commit(): Promise<void> | undefined {
    const besides = this.#beside?.commit();
    if (besides) return besides.then(() => commitRuns(this.#dataset, this, this.runs));
    commitRuns(this.#dataset, this, this.runs);
    return undefined;
  }

  undo(): void {
    for (const { tag, typeChange } of this.runs) {
      tag?.settle();
      if (tag && typeChange) tag.definition = typeChange.before;
    }
    for (const { tag, createsTag } of this.runs) if (tag && createsTag) this.#dataset.removeTag(tag);
    this.#beside?.undo();
  }

  release(): void {
    if (this.record) releaseRecord(this.record);
  }
}

/** A batch of the fast path: its runs are in columns, and the points of plain runs in the plain columns only. */
export class PendingFastAppend extends PendingAppend {
  readonly points: PointColumns;
  readonly receipt: FastReceipt;
  readonly #dataset: Dataset;
  readonly #fastRuns: FastRuns;
  #runs: readonly AcceptedRun[] | undefined;
  #isSpread = false;

  constructor(dataset: Dataset, points: PointColumns, fastRuns: FastRuns) {
    super();
    this.#dataset = dataset;
    this.points = points;
    this.#fastRuns = fastRuns;
    this.receipt = new FastReceipt(fastRuns);
  }

  get record(): ByteWriter {
    return this.#fastRuns.record;
  }

  /** Created on demand. */
  get runs(): readonly AcceptedRun[] {
    this.#runs ??= this.#fastRuns.accepted();
    return this.#runs;
  }

  get generalPoints(): PointColumns {
    if (!this.#isSpread) spreadRuns(this.points, this.#fastRuns.runs);
    this.#isSpread = true;
    return this.points;
  }

  commit(): undefined {
    commitFastRuns(this.#dataset, this, this.#fastRuns);
  }

  undo(): void {
    for (const run of this.#fastRuns.runs) (run as FastRun).tag.settle();
    removeCreated(this.#dataset.tags, this.#fastRuns);
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
