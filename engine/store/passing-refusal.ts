// Faults of the disk that pass by themselves, in the words of the engine's contract.

import { EngineError } from '../errors.ts';
import { isDiskFull, isPassing } from '../io/system-errors.ts';

/** The refusal for an error that broke nothing and may be gone the next time; undefined for every other error. */
export function asPassingRefusal(error: unknown): EngineError | undefined {
  if (!isPassing(error)) return undefined;
  const reason = isDiskFull(error) ? 'The disk is full' : 'Too many files are open';
  return new EngineError('DISK_FULL', `${reason}: nothing was changed.`, {}, error);
}
