// The bands under one cursor, with the time axis below them; arrow keys move the cursor.

import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { AnnotationLayer } from '../annotations/annotation-layer.tsx';
import { px } from '../controls/px.ts';
import { PinnedLines } from '../cursors/pinned-lines.tsx';
import { HighlightSpans } from '../distribution/highlight.tsx';
import { tagKey } from '../model/tags/tag.ts';
import { formatTime } from '../model/time/axis-labels.ts';
import { formatDistance } from '../model/time/duration-text.ts';
import { knownPointAt } from '../model/trend/open-interval.ts';
import { formatValue } from '../model/values/value-text.ts';
import { app, cursor } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { type PlotPlace, useChartPointer } from './use-chart-pointer.ts';

const KEY_STEP = 0.01;

interface SurfaceProps extends PlotPlace {
  /** Is given the scrolling part, whose inner size the bands have. */
  readonly bandsHost: RefObject<HTMLDivElement | null>;
  readonly timeAxis: ComponentChildren;
  readonly children: ComponentChildren;
}

export function ChartSurface({ bandsHost, timeAxis, children, ...place }: SurfaceProps) {
  const host = useRef<HTMLDivElement>(null);
  const { mark, plotPx, handlers } = useChartPointer(host, bandsHost, place);
  return (
    <div class="plots" ref={host} {...handlers}>
      <section
        class="surface"
        ref={bandsHost}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cursor
        tabIndex={0}
        aria-label="Chart. Arrow keys move the cursor; its values are announced and stand in the table below."
        onKeyDown={moveCursor}
      >
        {children}
      </section>
      {timeAxis}
      <div class="overlay" aria-hidden="true" style={{ left: px(place.leftPx), width: px(plotPx) }}>
        <HighlightSpans />
        <BeforeLine />
        <MarkedLine />
        <PinnedLines />
        <CursorMark />
        {mark === undefined ? null : (
          <div class="mark-area" style={{ left: px(mark[0]), width: px(mark[1] - mark[0]) }} />
        )}
      </div>
      <AnnotationLayer leftPx={place.leftPx} plotPx={plotPx} />
      <CursorSpeech />
    </div>
  );
}

function moveCursor(event: KeyboardEvent): void {
  const { window } = app.get();
  const spanMs = window.endMs - window.startMs;
  const at = cursor.get().timeMs ?? (window.startMs + window.endMs) / 2;
  const targets: Record<string, number> = {
    ArrowLeft: at - spanMs * KEY_STEP,
    ArrowRight: at + spanMs * KEY_STEP,
    Home: window.startMs,
    End: window.endMs,
  };
  const target = targets[event.key];
  if (target === undefined || event.shiftKey) return;
  event.preventDefault();
  cursor.set({ timeMs: Math.max(window.startMs, Math.min(window.endMs, target)) });
}

function CursorMark() {
  const timeMs = useStore(cursor, (state) => state.timeMs);
  const markedMs = useStore(cursor, (state) => state.markedMs);
  const { startMs, endMs } = useStore(app, (state) => state.window);
  if (timeMs === undefined || timeMs < startMs || timeMs > endMs) return null;
  const share = (timeMs - startMs) / (endMs - startMs);
  const time = formatTime(timeMs, endMs - startMs);
  // The mark's flag has the day.
  const label = markedMs === undefined ? time : `${time.slice(11)} (${formatDistance(timeMs - markedMs)})`;
  return (
    <div class="cursor" style={{ left: `${share * 100}%` }}>
      <span class={share > 0.5 ? 'flag before' : 'flag'}>{label}</span>
    </div>
  );
}

/** The second cursor. */
function MarkedLine() {
  const markedMs = useStore(cursor, (state) => state.markedMs);
  const { startMs, endMs } = useStore(app, (state) => state.window);
  if (markedMs === undefined || markedMs < startMs || markedMs > endMs) return null;
  const share = (markedMs - startMs) / (endMs - startMs);
  return (
    <div class="cursor marked" style={{ left: `${share * 100}%` }}>
      <span class={share > 0.85 ? 'flag before' : 'flag'}>{formatTime(markedMs, endMs - startMs)}</span>
    </div>
  );
}

/** Time at which the second cursor was before: what is between both can be corrected and annotated. */
function BeforeLine() {
  const beforeMs = useStore(cursor, (state) => state.beforeMs);
  const { startMs, endMs } = useStore(app, (state) => state.window);
  if (beforeMs === undefined || beforeMs < startMs || beforeMs > endMs) return null;
  return <div class="cursor marked before" style={{ left: `${((beforeMs - startMs) / (endMs - startMs)) * 100}%` }} />;
}

/** The values under the cursor, said when it was moved by keys and rests. */
function CursorSpeech() {
  const timeMs = useStore(cursor, (state) => state.timeMs);
  const isFocused = document.activeElement?.classList.contains('surface') ?? false;
  const { view, series, window, nowMs } = app.get();
  if (timeMs === undefined || !isFocused) return <p class="hidden" aria-live="polite" />;
  const values = view.tags.flatMap((ref) => {
    const one = series.get(tagKey(ref));
    const point = one === undefined ? undefined : knownPointAt(one, timeMs, nowMs);
    return one === undefined || point === undefined ? [] : [`${one.tag.n} ${formatValue(one.tag, point.value)}`];
  });
  return (
    <p class="hidden" aria-live="polite">
      {formatTime(timeMs, window.endMs - window.startMs)}: {values.join(', ')}
    </p>
  );
}
