// The points of a whole file as text, for tests that say what each row comes to.

import assert from 'node:assert/strict';
import { openFile } from '../../../../server/commands/import/open-file.ts';
import type { ImportWishes } from '../../../../server/commands/import/opened-file.ts';
import { CsvFault } from '../../../../server/commands/import/recognise/csv-records.ts';

/** Points as `tag time value quality`, whole seconds without their zeros; a faulty row as its line and message. */
export function pointsOf(text: string | Uint8Array, wishes: Partial<ImportWishes> = {}): string[] {
  const opened = openFile(Buffer.from(text as string), true, { texts: new Set(), ...wishes });
  const reader = opened.reader({ takesUnsorted: true });
  return opened.records.flatMap((record) => {
    try {
      return reader
        .read(record)
        .map(({ tag, time, value, quality }) => `${tag} ${time.replace(/\.000Z$/, 'Z')} ${value} ${quality ?? '-'}`);
    } catch (fault) {
      assert.ok(fault instanceof CsvFault, String(fault));
      return [`line ${fault.line}: ${fault.message}`];
    }
  });
}
