// Whatever a benchmark starts or makes is ended and removed, however it ends: also on Ctrl-C.

import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';

const pending = new Set<() => void>();
let isWatching = false;

/** Runs the action when the process ends, unless it was called off before. Returns what calls it off. */
export function atEnd(action: () => void): () => void {
  watch();
  pending.add(action);
  return () => pending.delete(action);
}

/**
 * Runs `work` with a new empty folder. Its files are emptied afterwards, and removed when the process ends: where files
 * were removed a short while ago, ext4 takes several times as long to make others, which the next run would pay for.
 */
export async function withTempFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(`${tmpdir()}/varve-${name}-`);
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return await work(folder);
  } finally {
    emptyFiles(folder);
  }
}

function emptyFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) truncateSync(`${entry.parentPath}/${entry.name}`);
  }
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  process.on('exit', endAll);
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

/** Ends and removes everything now: the process ends, or what began it does not come to an end. */
export function endAll(): void {
  // The newest first: processes end before the folders they write to are removed.
  for (const action of [...pending].reverse()) action();
}
