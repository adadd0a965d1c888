// What the 64-bit payloads mean: integers, and DateTimes in ticks. One BigInt a point is what these types cost.

import { MIN_TIME_MS, TICKS_PER_MS, ValueType } from '../../../engine/index.ts';

const TWO_TO_32 = 4_294_967_296;

/** An Int64 or UInt64 by its bits. */
export function wideInteger(type: ValueType, bits: bigint): bigint {
  return type === ValueType.UInt64 ? BigInt.asUintN(64, bits) : bits;
}

/** The instant that lies so many ticks of 100 ns after 0001-01-01; written into `target`. */
export function instantFromTicks(ticks: bigint, target: { ms: number; ticks: number }): void {
  const high = Number(ticks >> 32n);
  const low = Number(BigInt.asUintN(32, ticks));
  // 2^32 = 429,496 * 10,000 + 7,296
  const rest = high * (TWO_TO_32 % TICKS_PER_MS) + low;
  const restMs = Math.floor(rest / TICKS_PER_MS);
  target.ms = high * Math.floor(TWO_TO_32 / TICKS_PER_MS) + restMs + MIN_TIME_MS;
  target.ticks = rest - restMs * TICKS_PER_MS;
}
