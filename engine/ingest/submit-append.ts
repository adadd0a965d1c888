// Submits what was accepted to the journal, and tells those who wait when it is applied, or that it could not be stored.

import type { Dataset } from '../dataset/dataset.ts';
import type { WriteReceipt } from '../types.ts';
import type { PendingAppend } from './pending-append.ts';

/** Gives the append back, with its promise. Decisions are rolled back when the journal cannot take the record. */
export function submitAppend(dataset: Dataset, append: PendingAppend, urgency: 'sync' | 'lazy'): PendingAppend {
  append.settled = new Promise<WriteReceipt>((resolve, reject) => {
    const settled = (): void => {
      dataset.writing.pending.delete(append);
      append.release();
      resolve(append.receipt);
    };
    dataset.writing.pending.add(append);
    append.sequence = dataset.writing.journal.submit(
      append.record,
      {
        commit: () => {
          const applying = append.commit();
          return applying ? applying.then(settled) : settled();
        },
        fail: (error) => {
          append.error = error;
          dataset.writing.pending.delete(append);
          append.undo();
          append.release();
          reject(error);
        },
      },
      urgency,
    );
  });
  return append;
}
