// Times as ClickHouse has them here: 100 ns since 1970 in 64 bits. Put together from halves, because a BigInt for each point
// costs more than everything else that is done to it.

import { type Instant, TICKS_PER_MS } from '../../engine/index.ts';

const HALF = 2 ** 32;
/** Ms are divided here, so that both parts stay exact. */
const MS_SHIFT = 2 ** 20;
const HIGH_SHIFT = 2 ** 12;

/** A week in ticks: what a partition holds. */
export const WEEK_TICKS = 6_048_000_000_000;
const WEEK_MS = WEEK_TICKS / TICKS_PER_MS;

/** Writes a time as an Int64, little endian. */
export function putTicks(out: DataView, offset: number, ms: number, ticks: number): void {
  const high = Math.floor(ms / MS_SHIFT);
  const low = (ms - high * MS_SHIFT) * TICKS_PER_MS + ticks;
  const scaled = high * TICKS_PER_MS;
  const top = Math.floor(scaled / HIGH_SHIFT);
  const lower = (scaled - top * HIGH_SHIFT) * MS_SHIFT + low;
  const carry = Math.floor(lower / HALF);
  out.setUint32(offset, lower - carry * HALF, true);
  out.setInt32(offset + 4, top + carry, true);
}

/** The partition of a time, as `intDiv` finds it: towards zero. */
export function weekOf(ms: number): number {
  return Math.trunc(ms / WEEK_MS);
}

/** A time as text for a query; exact. */
export function ticksText(ms: number, ticks: number): string {
  return String(BigInt(ms) * BigInt(TICKS_PER_MS) + BigInt(ticks));
}

/** The time of a number of ticks; exact. */
export function instantOfTicks(time: bigint): Instant {
  const scale = BigInt(TICKS_PER_MS);
  const ticks = Number(((time % scale) + scale) % scale);
  return { ms: Number((time - BigInt(ticks)) / scale), ticks };
}
