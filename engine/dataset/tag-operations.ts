// What the operations on tags share: each is one record of the journal, undone when that fails.

import type { EngineError } from '../errors.ts';
import { Slicer } from '../io/slicer.ts';
import type { JournalRecord } from '../journal/journal-group.ts';
import type { Dataset } from './dataset.ts';

/** Items processed between two looks at the clock. */
const ITEMS_A_LOOK = 64;

export interface TagOperation {
  /** Undefined: nothing to store, but the answer waits for everything accepted before. */
  readonly record: JournalRecord | undefined;
  /** Applies the operation; returns a promise when that takes several turns. */
  readonly commit: () => Promise<void> | void;
  readonly undo: () => void;
}

/** Submits an operation to the journal; resolves once it is applied, rejects once it is rolled back. */
export function submitOperation(dataset: Dataset, operation: TagOperation): Promise<void> {
  return new Promise((resolve, reject) => {
    let sequence = 0;
    const entry = {
      commit: () => {
        const applying = operation.commit();
        const settle = (): void => {
          dataset.progress.advanceApplied(sequence);
          resolve();
        };
        return applying ? applying.then(settle) : settle();
      },
      fail: (error: EngineError) => {
        operation.undo();
        reject(error);
      },
    };
    sequence = dataset.writing.journal.submit(operation.record, entry);
  });
}

/** Whether an operation on `count` tags takes several turns of the event loop, or must wait for one that does. */
export function takesTurns({ context, writing: { lane } }: Dataset, count: number): boolean {
  return count > context.tunables.longRequestTags || lane.isTaken;
}

/** For changes that are durable already and must be applied whatever happens. */
export async function inSlices<T>(dataset: Dataset, items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const slicer = new Slicer(dataset.context);
  let count = 0;
  for (const item of items) {
    work(item);
    const pause = ++count % ITEMS_A_LOOK === 0 ? slicer.pause() : undefined;
    if (pause) await pause;
  }
}
