// Waits that a stop ends early.

import { setTimeout as timeout } from 'node:timers/promises';

/** Resolves after so many ms, or as soon as the signal is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await timeout(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
