// Maps passing faults of the disk to the engine's error codes.

import { EngineError } from '../errors.ts';
import { isDiskFull, isPassing } from '../io/system-errors.ts';

/** The EngineError for a fault that damaged nothing and may be gone at the next attempt; undefined for every other error. */
export function asPassingRefusal(error: unknown): EngineError | undefined {
  if (!isPassing(error)) return undefined;
  const reason = isDiskFull(error) ? 'The disk is full' : 'Too many files are open';
  return new EngineError('DISK_FULL', `${reason}: nothing was changed.`, {}, error);
}
