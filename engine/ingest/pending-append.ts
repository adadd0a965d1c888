// A request between admission and the disk: what it will change once it is durable, and how to undo what admission did.

import type { EngineError } from '../errors.ts';
import type { JournalEntry } from '../journal/journal-writer.ts';
import { spreadRuns } from '../points/spread-runs.ts';
import type { Tag } from '../tag/tag.ts';
import type { PointColumns } from '../types.ts';
import type { FastRuns } from './fast-runs.ts';
import type { AcceptedRun } from './receipts.ts';

export class PendingAppend implements JournalEntry {
  /** Those of plain runs as whole numbers only. */
  readonly points: PointColumns;
  sequence = 0;
  /** Of a request that is in order: its runs without an object for each. */
  readonly ordered: FastRuns | undefined;
  #runs: readonly AcceptedRun[] | undefined;
  #byTag: Map<Tag | undefined, AcceptedRun[]> | undefined;
  #isSpread = false;
  readonly #onCommit: (write: PendingAppend) => Promise<void> | void;
  readonly #onFail: (write: PendingAppend, error: EngineError) => void;

  /** Takes runs, or those of a request that is in order. */
  constructor(
    points: PointColumns,
    runs: readonly AcceptedRun[] | undefined,
    ordered: FastRuns | undefined,
    onCommit: (write: PendingAppend) => Promise<void> | void,
    onFail: (write: PendingAppend, error: EngineError) => void,
  ) {
    this.points = points;
    this.#runs = runs;
    this.ordered = ordered;
    this.#onCommit = onCommit;
    this.#onFail = onFail;
  }

  /** What the request adds; of one that is in order they are made for whoever asks, until it is settled. */
  get runs(): readonly AcceptedRun[] {
    this.#runs ??= this.ordered ? this.ordered.accepted(0, this.ordered.runs.length) : [];
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
  runsBetween(from: number, to: number): readonly AcceptedRun[] {
    if (this.#runs) return from === 0 && to === this.#runs.length ? this.#runs : this.#runs.slice(from, to);
    return this.ordered ? this.ordered.accepted(from, to) : [];
  }

  /** What the request adds to a tag. A map, because a request sent again asks for each of its thousands of tags. */
  runsOf(tag: Tag): readonly AcceptedRun[] {
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

function byTag(runs: readonly AcceptedRun[]): Map<Tag | undefined, AcceptedRun[]> {
  const map = new Map<Tag | undefined, AcceptedRun[]>();
  for (const run of runs) {
    const known = map.get(run.tag);
    if (known) known.push(run);
    else map.set(run.tag, [run]);
  }
  return map;
}
