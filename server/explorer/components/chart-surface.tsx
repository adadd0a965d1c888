// What pointers and keys do on the chart: one cursor over all bands, zoom by drag and wheel, pan by Shift or touch.

import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { formatTime } from '../model/axis-labels.ts';
import { pointAt } from '../model/series.ts';
import { tagKey } from '../model/tag.ts';
import { formatValue } from '../model/value-text.ts';
import { showRange, zoom } from '../state/actions.ts';
import { app, cursor } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { px } from './px.ts';

const LEAST_DRAG_PX = 5;
const WHEEL_STEP = 1.25;
const KEY_STEP = 0.01;

interface SurfaceProps {
  readonly leftPx: number;
  readonly rightPx: number;
  readonly widthPx: number;
  readonly children: ComponentChildren;
}

interface Drag {
  readonly kind: 'mark' | 'pan';
  readonly fromPx: number;
  readonly window: { readonly startMs: number; readonly endMs: number };
  isMoved: boolean;
}

export function ChartSurface({ leftPx, rightPx, widthPx, children }: SurfaceProps) {
  const host = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | undefined>(undefined);
  const [mark, setMark] = useState<readonly [number, number] | undefined>();
  const plotPx = Math.max(1, widthPx - leftPx - rightPx);
  const pxOf = (event: MouseEvent): number => {
    const { left = 0 } = host.current?.getBoundingClientRect() ?? {};
    return Math.max(0, Math.min(plotPx, event.clientX - left - leftPx));
  };
  const timeAt = (atPx: number, window = app.get().window): number =>
    window.startMs + (atPx / plotPx) * (window.endMs - window.startMs);

  const onPointerDown = (event: PointerEvent): void => {
    if (event.button > 1) return;
    const kind = event.shiftKey || event.button === 1 || event.pointerType === 'touch' ? 'pan' : 'mark';
    drag.current = { kind, fromPx: pxOf(event), window: app.get().window, isMoved: false };
    host.current?.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const atPx = pxOf(event);
    cursor.set({ timeMs: timeAt(atPx) });
    const now = drag.current;
    if (now === undefined) return;
    if (Math.abs(atPx - now.fromPx) >= LEAST_DRAG_PX && !now.isMoved) now.isMoved = true;
    if (!now.isMoved) return;
    if (now.kind === 'mark') setMark([Math.min(atPx, now.fromPx), Math.max(atPx, now.fromPx)]);
    else showRange(shifted(now.window, timeAt(now.fromPx, now.window) - timeAt(atPx, now.window)), 'same');
  };
  const onPointerUp = (event: PointerEvent): void => {
    const done = drag.current;
    drag.current = undefined;
    setMark(undefined);
    if (done === undefined || !done.isMoved || done.kind === 'pan') return;
    const [from, to] = [timeAt(done.fromPx), timeAt(pxOf(event))].sort((a, b) => a - b) as [number, number];
    showRange({ from: Math.round(from), to: Math.round(to) });
  };
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { window } = app.get();
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isSideways) {
      const byMs = ((event.deltaX || event.deltaY) / plotPx) * (window.endMs - window.startMs);
      showRange(shifted(window, byMs), 'same');
    } else zoom(event.deltaY > 0 ? WHEEL_STEP : 1 / WHEEL_STEP, timeAt(pxOf(event)), 'same');
  };
  return (
    <section
      class="surface"
      ref={host}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cursor
      tabIndex={0}
      aria-label="Chart. Arrow keys move the cursor; its values are announced and stand in the table below."
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onPointerLeave={() => cursor.set({ timeMs: undefined })}
      onWheel={onWheel}
      onKeyDown={moveCursor}
    >
      {children}
      <div class="overlay" aria-hidden="true" style={{ left: px(leftPx), width: px(plotPx) }}>
        <CursorMark />
        {mark === undefined ? null : (
          <div class="mark-area" style={{ left: px(mark[0]), width: px(mark[1] - mark[0]) }} />
        )}
      </div>
      <CursorSpeech />
    </section>
  );
}

function shifted(window: { readonly startMs: number; readonly endMs: number }, byMs: number) {
  return { from: Math.round(window.startMs + byMs), to: Math.round(window.endMs + byMs) };
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
  const { startMs, endMs } = useStore(app, (state) => state.window);
  if (timeMs === undefined || timeMs < startMs || timeMs > endMs) return null;
  const share = (timeMs - startMs) / (endMs - startMs);
  return (
    <div class="cursor" style={{ left: `${share * 100}%` }}>
      <span class={share > 0.85 ? 'flag before' : 'flag'}>{formatTime(timeMs, endMs - startMs)}</span>
    </div>
  );
}

/** The values under the cursor, said when it was moved by keys and rests. */
function CursorSpeech() {
  const timeMs = useStore(cursor, (state) => state.timeMs);
  const isFocused = document.activeElement?.classList.contains('surface') ?? false;
  const { view, series, window } = app.get();
  if (timeMs === undefined || !isFocused) return <p class="hidden" aria-live="polite" />;
  const values = view.tags.flatMap((ref) => {
    const one = series.get(tagKey(ref));
    const point = one === undefined ? undefined : pointAt(one, timeMs);
    return one === undefined || point === undefined ? [] : [`${one.tag.n} ${formatValue(one.tag, point.value)}`];
  });
  return (
    <p class="hidden" aria-live="polite">
      {formatTime(timeMs, window.endMs - window.startMs)}: {values.join(', ')}
    </p>
  );
}
