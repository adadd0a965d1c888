// Places of the corrections in force of a tag in a window, and the one that a point is from. Pure.

import type { TimeWindow } from '../model/time/time-range.ts';
import type { CorrectionAnswer } from './correction.ts';

/** One correction, or several that lie too close to be told apart. */
export interface CorrectionSpan {
  readonly startMs: number;
  readonly endMs: number;
  /** In order of time. */
  readonly members: readonly CorrectionAnswer[];
}

/** Marks closer together than this are one. */
const GAP_PX = 4;

export function isInForce({ kind, undone }: CorrectionAnswer): boolean {
  return undone === null && kind !== 'cut';
}

/** The corrections that touch a window of so many pixels, in order of time. */
export function correctionSpans(
  corrections: readonly CorrectionAnswer[],
  window: TimeWindow,
  plotPx: number,
): CorrectionSpan[] {
  const gapMs = ((window.endMs - window.startMs) / Math.max(1, plotPx)) * GAP_PX;
  const spans: CorrectionSpan[] = [];
  const shown = corrections
    .filter(isInForce)
    .map((one) => ({ startMs: Date.parse(one.start), endMs: Date.parse(one.end), members: [one] }))
    .filter(({ startMs, endMs }) => endMs >= window.startMs && startMs <= window.endMs)
    .sort((a, b) => a.startMs - b.startMs);
  for (const { startMs, endMs, members } of shown) {
    const last = spans.at(-1);
    if (last === undefined || startMs - last.endMs > gapMs) {
      spans.push({ startMs, endMs, members });
      continue;
    }
    const both = [...last.members, ...members];
    spans[spans.length - 1] = { startMs: last.startMs, endMs: Math.max(last.endMs, endMs), members: both };
  }
  return spans;
}

/**
 * The correction that put a point there, or hid what had been there; the newest, which lies over the others. An insertion
 * of several points leaves those between its ends as they were, so only the ends are known to be from it.
 */
export function correctionOf(corrections: readonly CorrectionAnswer[], timeMs: number): CorrectionAnswer | undefined {
  const found = corrections.filter((one) => {
    const [startMs, endMs] = [Date.parse(one.start), Date.parse(one.end)];
    if (!isInForce(one)) return false;
    return one.kind === 'insert' ? timeMs === startMs || timeMs === endMs : timeMs >= startMs && timeMs <= endMs;
  });
  return found.sort((a, b) => b.id - a.id)[0];
}
