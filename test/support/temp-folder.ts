// A folder of its own for a test, removed when the test ends.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of a test's context that is needed here. */
interface Cleanup {
  after(callback: () => void): void;
}

export function makeTempFolder(context: Cleanup): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-test-'));
  // Again where something is written meanwhile: when this throws, what the test ends after it is not ended.
  context.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
