// Limits failed attempts to get in, by remote address: ten at once, then one every six seconds.
//
// A good token always passes, also from an address over the limit: behind a proxy all clients have one address, and a
// stranger could else lock everybody out. Guessing is hopeless all the same (a token has 256 random bits); the limit
// keeps strangers from filling the log, and tells a client with a wrong token to slow down.

import { BoundedMap } from './bounded-map.ts';

export const ATTEMPTS_AT_ONCE = 10;
export const ATTEMPT_INTERVAL_MS = 6000;
/** About 1 MB. Who has more addresses than this is forgotten early, and gains ten attempts by it. */
const ADDRESSES_KEPT = 10_000;

export class AttemptLimit {
  /** The time, by address, when all its attempts will be forgotten. */
  readonly #forgottenMs = new BoundedMap<number>(ADDRESSES_KEPT);

  get addressCount(): number {
    return this.#forgottenMs.size;
  }

  /** Counts a failed attempt. Undefined while the address is within the limit, else the ms until its next attempt. */
  fail(address: string, nowMs: number): number | undefined {
    const startMs = Math.max(this.#forgottenMs.get(address) ?? nowMs, nowMs);
    const endMs = startMs + ATTEMPT_INTERVAL_MS;
    const overMs = endMs - nowMs - ATTEMPTS_AT_ONCE * ATTEMPT_INTERVAL_MS;
    if (overMs > 0) return overMs;
    this.#forgottenMs.set(address, endMs);
    return undefined;
  }
}
