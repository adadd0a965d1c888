// The times of what was marked in a plot, shaded in the trend until they are taken away.

import { formatSpan } from '../model/time/duration-text.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { app } from '../state/app-state.ts';
import { createStore, useStore } from '../state/store.ts';
import { lengthOf } from './brush.ts';

interface Highlight {
  readonly spans: readonly TimeWindow[];
  /** What they have in common, such as `Flow 10 m³/h to 20 m³/h`. */
  readonly text: string;
}

const NONE: Highlight = { spans: [], text: '' };

export const highlight = createStore<Highlight>(NONE);

/** Inside of the plot area of the trend. */
export function HighlightSpans() {
  const spans = useStore(highlight, (state) => state.spans);
  const { startMs, endMs } = useStore(app, (state) => state.window);
  const place = (timeMs: number): number =>
    (100 * (Math.max(startMs, Math.min(endMs, timeMs)) - startMs)) / (endMs - startMs);
  return (
    <>
      {spans.map((span) =>
        span.endMs <= startMs || span.startMs >= endMs ? null : (
          <div
            key={span.startMs}
            class="highlight"
            style={{ left: `${place(span.startMs)}%`, width: `${place(span.endMs) - place(span.startMs)}%` }}
          />
        ),
      )}
    </>
  );
}

/** Says what is shaded, and takes it away. */
export function HighlightNote() {
  const { spans, text } = useStore(highlight, (state) => state);
  if (spans.length === 0) return null;
  return (
    <p class="highlight-note" role="status">
      <i class="highlight" /> {text}: {formatSpan(lengthOf(spans))}
      <button type="button" class="button" onClick={() => highlight.set(NONE)}>
        Take the shading away
      </button>
    </p>
  );
}
