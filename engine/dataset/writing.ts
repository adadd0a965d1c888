// Requests of a dataset on their way to disk: their order, the journal that takes them, and what they will change.

import type { DeletedRange } from '../format/record/journal-record.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';
import { AppendLane } from './append-lane.ts';
import type { PendingPoints } from './pending-points.ts';

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
