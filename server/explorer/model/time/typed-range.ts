// What the two fields of the window hold, as a range.

import { formatTime } from './axis-labels.ts';
import { shiftFault } from './shift-moves.ts';
import { readShiftText } from './shift-text.ts';
import { plantShifts } from './shifts.ts';
import { formatBound, resolveBound, type TimeRange, typedBound } from './time-range.ts';
import type { Bound, TimeFault } from './typed-time.ts';

export interface TypedRange {
  readonly from: string;
  readonly to: string;
}

export function formatRange({ from, to }: TimeRange): TypedRange {
  return { from: formatBound(from), to: formatBound(to) };
}

/** A field that was not touched keeps its bound to the millisecond, and with none touched the range is the same one. */
export function readRange(typed: TypedRange, shown: TimeRange, nowMs: number): TimeRange | TimeFault {
  const before = formatRange(shown);
  const isFromKept = typed.from === before.from;
  const isToKept = typed.to === before.to;
  if (isFromKept && isToKept) return shown;
  const from = isFromKept ? shown.from : typedBound(typed.from, nowMs);
  if (typeof from === 'object') return { fault: `From: ${from.fault}` };
  // Whoever types a shift means all of it.
  const isShift = !isFromKept && isToKept && isShiftBound(from);
  const kept = isShift ? from : shown.to;
  const to = isToKept ? kept : typedBound(typed.to, nowMs);
  if (typeof to === 'object') return { fault: `To: ${to.fault}` };
  const fault = shiftFault({ from, to }) ?? orderFault({ from, to }, nowMs);
  return fault === undefined ? { from, to } : { fault };
}

export function isShiftBound(bound: Bound): boolean {
  return typeof bound === 'string' && readShiftText(bound, plantShifts()) !== undefined;
}

/** What is wrong with a range that ends before it begins, or right there. */
function orderFault({ from, to }: TimeRange, nowMs: number): string | undefined {
  const [startMs, endMs] = [resolveBound(from, 'from', nowMs), resolveBound(to, 'to', nowMs)];
  if (startMs < endMs) return undefined;
  const spanMs = endMs === startMs ? 0 : startMs - endMs;
  return `The start must lie before the end: from is ${formatTime(startMs, spanMs)}, to is ${formatTime(endMs, spanMs)}.`;
}
