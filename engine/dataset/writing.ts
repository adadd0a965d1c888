// Requests of a dataset on their way to disk: their order, the journal that takes them, and what they will change.

import type { DeletedRange } from '../format/record/journal-record.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';
import type { Tag } from '../tag/tag.ts';
import type { PointColumns, ValueType } from '../types.ts';

export class Writing {
  /** Set once the dataset is open. */
  journal!: JournalWriter;
  /** Serializes changes to tags and appends of clients. */
  readonly lane = new AppendLane(() => this.journal.drain());
  /** Submitted to the journal, not settled; in the order of submitting. */
  readonly pending = new Set<PendingPoints>();
  /** Deletions on their way to disk: later deletions count their points as gone. */
  pendingDeletions: readonly DeletedRange[] = [];
}

/**
 * Serializes changes to the tags of a dataset that take several turns of the event loop: later requests wait behind them, in
 * order of arrival, so that there is one order of appends (D15).
 */
export class AppendLane {
  readonly #drain: () => Promise<void>;
  #last: Promise<void> | undefined;

  /** `drain` resolves once nothing is on its way to disk. */
  constructor(drain: () => Promise<void>) {
    this.#drain = drain;
  }

  /** True while long work is under way or waits: others must not pass it. */
  get isTaken(): boolean {
    return this.#last !== undefined;
  }

  /**
   * Runs work of several turns once everything before it is done, on disk as well: a failure on disk between two turns would
   * roll back state that the work builds on.
   */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    const running = (this.#last ?? Promise.resolve()).then(this.#drain).then(work);
    this.#hold(running);
    return running;
  }

  /** Calls work that appends at once, after everything before it has been appended; later calls need not wait for its disk write. */
  pass<T>(work: () => Promise<T>): Promise<T> {
    // Wrapped in an object: a promise resolved with a promise would wait for that one.
    const begun = (this.#last ?? Promise.resolve()).then(() => ({ done: work() }));
    this.#hold(begun);
    return begun.then(({ done }) => done);
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#last) await this.#last;
  }

  #hold(work: Promise<unknown>): void {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#last = settled;
    void settled.then(() => {
      if (this.#last === settled) this.#last = undefined;
    });
  }
}

/** The points of one tag that a request adds: `count` from `start` on, with consecutive ordinals. */
export interface PendingRun {
  /** Undefined: nothing of the run is accepted. */
  readonly tag: Tag | undefined;
  readonly type: ValueType;
  readonly start: number;
  readonly count: number;
  readonly firstOrdinal: number;
}

/** What one request adds. */
export interface PendingPoints {
  readonly runs: readonly PendingRun[];
  /** The points with all general columns filled in. */
  readonly generalPoints: PointColumns;
  runsOf(tag: Tag): readonly PendingRun[];
}
