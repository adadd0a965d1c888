// The whole history in a strip, with a brush for the window: drag it, its edges, or mark a new one.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { px } from '../controls/px.ts';
import { tagKey, tagsOnly } from '../model/tags/tag.ts';
import { formatTime } from '../model/time/axis-labels.ts';
import type { TimeRange, TimeWindow } from '../model/time/time-range.ts';
import { valueKind } from '../model/values/value-kind.ts';
import { type Colours, seriesColour } from '../paint/colours.ts';
import { pan, showRange, zoom } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { StripCanvas } from './strip-canvas.tsx';
import { useHistory } from './whole-history.ts';

const EDGE_PX = 6;
const HOUR_MS = 3_600_000;
const LEAST_BRUSH_PX = 8;

type Grip = 'start' | 'end' | 'body' | 'new';

interface BrushDrag {
  readonly grip: Grip;
  readonly fromMs: number;
  readonly window: TimeWindow;
}

export function ContextStrip({ colours }: { readonly colours: Colours }) {
  const tags = useStore(app, ({ view }) => view.tags);
  const known = useStore(app, (state) => state.series);
  const stored = tagsOnly(tags);
  const numeric = stored.find((ref) => {
    const tag = known.get(tagKey(ref))?.tag;
    return tag !== undefined && valueKind(tag) !== 'text';
  });
  const shown = numeric ?? stored[0];
  const index = shown === undefined ? 0 : tags.indexOf(shown);
  const history = useHistory(shown);
  const window = useStore(app, (state) => state.window);
  const host = useRef<HTMLDivElement>(null);
  const drag = useRef<BrushDrag | undefined>(undefined);
  const widthPx = useWidth(host);
  const spanMs = history.window.endMs - history.window.startMs;
  const timeAt = (event: MouseEvent): number => {
    const { left = 0, width = 1 } = host.current?.getBoundingClientRect() ?? {};
    return history.window.startMs + Math.max(0, Math.min(1, (event.clientX - left) / width)) * spanMs;
  };
  const place = brushPlace(window, history.window, widthPx);
  const onPointerDown = (event: PointerEvent): void => {
    const { left = 0 } = host.current?.getBoundingClientRect() ?? {};
    drag.current = { grip: gripAt(event.clientX - left, place), fromMs: timeAt(event), window };
    host.current?.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const now = drag.current;
    if (now === undefined) return;
    const range = draggedRange(now, timeAt(event));
    if (range !== undefined) showRange(range, 'same');
  };
  const onPointerUp = (event: PointerEvent): void => {
    const done = drag.current;
    drag.current = undefined;
    if (done === undefined) return;
    const timeMs = timeAt(event);
    // A click moves the window there.
    if (done.grip === 'new' && Math.abs(timeMs - done.fromMs) < (spanMs * 3) / Math.max(1, widthPx)) {
      const half = (done.window.endMs - done.window.startMs) / 2;
      showRange({ from: Math.round(timeMs - half), to: Math.round(timeMs + half) });
    }
  };
  return (
    <div class="strip">
      <div
        class="strip-surface"
        ref={host}
        role="slider"
        tabIndex={0}
        aria-label="Window in the whole history"
        aria-valuemin={Math.round(history.window.startMs / 1000)}
        aria-valuemax={Math.round(history.window.endMs / 1000)}
        aria-valuenow={Math.round(window.endMs / 1000)}
        aria-valuetext={`${formatTime(window.startMs, spanMs)} to ${formatTime(window.endMs, spanMs)}`}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onKeyDown={moveByKey}
      >
        <StripCanvas history={history} widthPx={widthPx} colour={seriesColour(colours, index)} colours={colours} />
        <div class="brush" style={{ left: px(place.leftPx), width: px(place.widthPx) }} />
      </div>
      {history.olderMs === undefined ? null : <OlderButton olderMs={history.olderMs} />}
    </div>
  );
}

/** To the points that lie so far before the others that the strip leaves them out. */
function OlderButton({ olderMs }: { readonly olderMs: number }) {
  const time = formatTime(olderMs, HOUR_MS);
  return (
    <button
      type="button"
      class="button older"
      title={`Far before the others there is a point at ${time}`}
      onClick={() => showRange({ from: olderMs - HOUR_MS / 2, to: olderMs + HOUR_MS / 2 })}
    >
      ‹ {time.slice(0, 10)}
    </button>
  );
}

function moveByKey(event: KeyboardEvent): void {
  const actions: Record<string, () => void> = {
    ArrowLeft: () => pan(-0.5),
    ArrowRight: () => pan(0.5),
    ArrowUp: () => zoom(0.5),
    ArrowDown: () => zoom(2),
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

interface BrushPlace {
  readonly leftPx: number;
  readonly widthPx: number;
}

/** Never so narrow that it could not be taken hold of. */
function brushPlace(window: TimeWindow, whole: TimeWindow, stripPx: number): BrushPlace {
  const pxPerMs = stripPx / (whole.endMs - whole.startMs);
  const left = Math.max(0, (window.startMs - whole.startMs) * pxPerMs);
  const right = Math.min(stripPx, (window.endMs - whole.startMs) * pxPerMs);
  const widthPx = Math.max(LEAST_BRUSH_PX, right - left);
  return { leftPx: Math.max(0, Math.min(left, stripPx - widthPx)), widthPx };
}

function gripAt(atPx: number, { leftPx, widthPx }: BrushPlace): Grip {
  const isWide = widthPx > 3 * EDGE_PX;
  if (isWide && Math.abs(atPx - leftPx) <= EDGE_PX) return 'start';
  if (isWide && Math.abs(atPx - leftPx - widthPx) <= EDGE_PX) return 'end';
  return atPx >= leftPx && atPx <= leftPx + widthPx ? 'body' : 'new';
}

function draggedRange({ grip, fromMs, window }: BrushDrag, timeMs: number): TimeRange | undefined {
  const { startMs, endMs } = window;
  const move = timeMs - fromMs;
  const ends: Record<Grip, readonly [number, number]> = {
    body: [startMs + move, endMs + move],
    start: [timeMs, endMs],
    end: [startMs, timeMs],
    new: [Math.min(fromMs, timeMs), Math.max(fromMs, timeMs)],
  };
  const [from, to] = ends[grip];
  return to - from < 1000 ? undefined : { from: Math.round(from), to: Math.round(to) };
}

function useWidth(host: { readonly current: HTMLElement | null }): number {
  const [widthPx, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
  return widthPx;
}
