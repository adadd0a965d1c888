// An accepted request on its way to disk: what it changes once it is durable, and how to roll it back.

import type { EngineError } from '../errors.ts';
import type { JournalEntry } from '../journal/journal-group.ts';
import { spreadRuns } from '../points/spread-runs.ts';
import type { Tag } from '../tag/tag.ts';
import type { PointColumns } from '../types.ts';
import type { FastRuns } from './fast-runs.ts';
import type { AcceptedRun } from './receipts.ts';

export class PendingAppend implements JournalEntry {
  /** Points of plain runs are in the plain columns only. */
  readonly points: PointColumns;
  sequence = 0;
  /** Set for a request of the fast path: its runs in columns. */
  readonly fastRuns: FastRuns | undefined;
  #runs: readonly AcceptedRun[] | undefined;
  #byTag: Map<Tag | undefined, AcceptedRun[]> | undefined;
  #isSpread = false;
  readonly #onCommit: (write: PendingAppend) => Promise<void> | void;
  readonly #onFail: (write: PendingAppend, error: EngineError) => void;

  /** `runs`: of the general path, or those of the fast path. */
  constructor(
    points: PointColumns,
    runs: readonly AcceptedRun[] | undefined,
    fastRuns: FastRuns | undefined,
    onCommit: (write: PendingAppend) => Promise<void> | void,
    onFail: (write: PendingAppend, error: EngineError) => void,
  ) {
    this.points = points;
    this.#runs = runs;
    this.fastRuns = fastRuns;
    this.#onCommit = onCommit;
    this.#onFail = onFail;
  }

  /** The runs of the request; those of the fast path are created on demand, until the request is settled. */
  get runs(): readonly AcceptedRun[] {
    this.#runs ??= this.fastRuns ? this.fastRuns.accepted(0, this.fastRuns.runs.length) : [];
    return this.#runs;
  }

  /** The points with the general columns filled in for plain runs as well. */
  get generalPoints(): PointColumns {
    if (this.fastRuns && !this.#isSpread) spreadRuns(this.points, this.fastRuns.runs, 0, this.fastRuns.runs.length);
    this.#isSpread = true;
    return this.points;
  }

  get runCount(): number {
    return this.fastRuns ? this.fastRuns.runs.length : this.runs.length;
  }

  /** Runs `[from, to)`, without creating the others. */
  runsBetween(from: number, to: number): readonly AcceptedRun[] {
    if (this.#runs) return from === 0 && to === this.#runs.length ? this.#runs : this.#runs.slice(from, to);
    return this.fastRuns ? this.fastRuns.accepted(from, to) : [];
  }

  /** The runs of one tag. Indexed, because a repeated request asks for each of its thousands of tags. */
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
