// Waiting for a server that still tidies up behind its start or a load.

import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 10_000;
const LOOK_MS = 250;
/** Used between two looks, at most. */
const IDLE_CPU_SECONDS = 0.01;

/** Resolves once next to no processor time is used for a while, or after ten seconds. */
export async function untilIdle(cpuSeconds: () => number, lookMs = LOOK_MS): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  for (let used = -1; cpuSeconds() > used + IDLE_CPU_SECONDS && performance.now() < endMs; ) {
    used = cpuSeconds();
    await delay(lookMs);
  }
}
