// Submits what was accepted to the journal, and tells those who wait when it is applied, or that it could not be stored.

import type { Writing } from '../dataset/writing.ts';
import type { WriteReceipt } from '../types.ts';
import type { PendingAppend } from './pending-append.ts';

/** Gives the append back, with its promise. Decisions are rolled back when the journal cannot take the record. */
export function submitAppend(writing: Writing, append: PendingAppend, urgency: 'sync' | 'lazy'): PendingAppend {
  append.settled = new Promise<WriteReceipt>((resolve, reject) => {
    const settled = (): void => {
      writing.pending.delete(append);
      append.release();
      resolve(append.receipt);
    };
    writing.pending.add(append);
    append.sequence = writing.journal.submit(
      append.record,
      {
        commit: () => {
          const applying = append.commit();
          return applying ? applying.then(settled) : settled();
        },
        fail: (error) => {
          append.error = error;
          writing.pending.delete(append);
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
