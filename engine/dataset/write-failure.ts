// The end of the engine's writing: after a failed write or sync nobody knows what is on disk (D11).

import { EngineError } from '../errors.ts';
import type { Dataset } from './dataset.ts';

/** Poisons the engine because `what` of a dataset failed; returns the error to throw. */
export function poison({ name, context }: Dataset, what: string, cause: unknown): EngineError {
  const error = new EngineError('POISONED', `${what} of dataset '${name}' failed (${String(cause)}).`, {}, cause);
  context.poison(error);
  return error;
}
