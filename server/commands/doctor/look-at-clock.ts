// The doctor's look at the wall clock: purge by age and points without a time of their own go by it.

import { readdirSync, statSync } from 'node:fs';
import { type Finding, ok, warn } from './finding.ts';

const SLACK_MS = 60_000;
const DAY_MS = 86_400_000;
/** A clock further ahead of the newest file than this is worth a look: it may have lost its battery, or be in another year. */
const LONG_DAYS = 3650;
const FIX = 'Set the clock, and run a time service (timedatectl set-ntp true).';

/** Holds the clock against the program's files and the data's, which cannot be of the future. */
export function lookAtClock(nowMs: number, newestMs: number): Finding {
  const now = new Date(nowMs).toISOString();
  if (nowMs < newestMs - SLACK_MS)
    return warn(`the clock says ${now}, but files are from ${new Date(newestMs).toISOString()}`, FIX);
  if (nowMs > newestMs + LONG_DAYS * DAY_MS)
    return warn(`the clock says ${now}; the newest file is more than ${LONG_DAYS / 365} years older`, FIX);
  return ok(`the clock says ${now}`);
}

/** Time of the last change of the newest of these files and folders, and of what lies directly in the folders; ms since 1970. */
export function newestChangeMs(paths: readonly string[]): number {
  const inner = paths.flatMap((path) => namesIn(path).map((name) => `${path}/${name}`));
  return Math.max(0, ...[...paths, ...inner].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

function namesIn(path: string): string[] {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(path) : [];
}
