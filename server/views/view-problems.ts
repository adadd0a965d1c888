// What the faults of the disk are to who saves, opens or deletes a view.

import { isDiskFull } from '../../disk/disk-full.ts';
import { ProblemError } from '../problem.ts';

const RETRY_AFTER_SECONDS = '10';

/** `cause` is the system's error, or `too little is free`; a `ProblemError` stays as it is. */
export function notSaved(cause: unknown): unknown {
  if (cause instanceof ProblemError) return cause;
  if (cause === 'too little is free' || isDiskFull(cause)) return diskFull(cause);
  return failed('The view could not be saved', cause);
}

export function notRemoved(cause: unknown): unknown {
  return failed('The view could not be deleted', cause);
}

export function toReadProblem(cause: unknown): unknown {
  return failed('The view could not be read', cause);
}

export function damagedView(cause: Error): ProblemError {
  const detail = 'The file of this view is damaged: restore it from a backup, or delete the view.';
  return new ProblemError(500, detail, { key: 'Error.Corrupt', cause });
}

function diskFull(cause: unknown): ProblemError {
  const detail = 'The view was not saved: too little is free on the disk of the server.';
  const headers = [['Retry-After', RETRY_AFTER_SECONDS]] as const;
  return new ProblemError(507, detail, { key: 'Error.DiskFull', headers, cause });
}

function failed(what: string, cause: unknown): ProblemError {
  const detail = `${what}: a file in the data folder of the server failed (${codeOf(cause)}). The log has more.`;
  return new ProblemError(500, detail, { key: 'Error.Io', cause });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
}
