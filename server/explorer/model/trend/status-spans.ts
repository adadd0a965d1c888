// What the status of a dataset says about a stretch of time.

import type { TimeWindow } from '../time/time-range.ts';
import { type Series, spansOf } from './series.ts';

export interface StatusSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly quality: 64 | 28 | 24;
  readonly text: string;
}

const CONDITIONS = new Map<number, string>([
  [64, 'No heartbeat'],
  [28, 'Collector stopped'],
  [24, 'Source lost'],
]);

/** The stretches of a window in which all is not well, by the points of the system tag `Status`. */
export function statusSpans(status: Series, window: TimeWindow, untilMs: number): StatusSpan[] {
  return spansOf(status, window, untilMs).flatMap(({ startMs, endMs, quality }) => {
    const text = CONDITIONS.get(quality);
    return text === undefined ? [] : [{ startMs, endMs, quality: quality as StatusSpan['quality'], text }];
  });
}
