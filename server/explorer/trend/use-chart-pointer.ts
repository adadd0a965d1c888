// What pointers do on the chart: the cursor follows, a click marks a time (with Ctrl it puts a cursor that stays), a drag zooms
// or moves the window, the wheel zooms or moves.

import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { showRange, toggleMark, togglePin, zoom } from '../state/actions.ts';
import { app, cursor } from '../state/app-state.ts';

const LEAST_DRAG_PX = 5;
/** A click so near to the mark takes it away. */
const MARK_PX = 6;
const WHEEL_STEP = 1.25;

export interface PlotPlace {
  readonly leftPx: number;
  readonly rightPx: number;
  /** Width of the bands, without their scroll bar. */
  readonly widthPx: number;
}

interface ChartPointer {
  /** What is being marked, in pixels of the plot area. */
  readonly mark: readonly [number, number] | undefined;
  readonly plotPx: number;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onWheel: (event: WheelEvent) => void;
  };
}

interface Drag {
  readonly kind: 'mark' | 'pan';
  readonly fromPx: number;
  readonly window: { readonly startMs: number; readonly endMs: number };
  isMoved: boolean;
}

/** `bands` is the part that scrolls inside of `host`. */
export function useChartPointer(
  host: RefObject<HTMLElement | null>,
  bands: RefObject<HTMLElement | null>,
  { leftPx, rightPx, widthPx }: PlotPlace,
): ChartPointer {
  const drag = useRef<Drag | undefined>(undefined);
  const [mark, setMark] = useState<readonly [number, number] | undefined>();
  const plotPx = Math.max(1, widthPx - leftPx - rightPx);
  const pxOf = (event: MouseEvent): number => {
    const { left = 0 } = host.current?.getBoundingClientRect() ?? {};
    return Math.max(0, Math.min(plotPx, event.clientX - left - leftPx));
  };
  const timeAt = (atPx: number, window = app.get().window): number =>
    window.startMs + (atPx / plotPx) * (window.endMs - window.startMs);

  /** On the scroll bar. */
  const isBeside = (event: MouseEvent): boolean =>
    event.clientX - (host.current?.getBoundingClientRect().left ?? 0) > widthPx;

  const onPointerDown = (event: PointerEvent): void => {
    if (event.button > 1 || isBeside(event)) return;
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
    if (done === undefined || done.kind === 'pan' || event.type !== 'pointerup') return;
    if (!done.isMoved) {
      const { startMs, endMs } = app.get().window;
      const toggle = event.ctrlKey || event.metaKey ? togglePin : toggleMark;
      toggle(timeAt(pxOf(event)), ((endMs - startMs) * MARK_PX) / plotPx);
      return;
    }
    const [from, to] = [timeAt(done.fromPx), timeAt(pxOf(event))].sort((a, b) => a - b) as [number, number];
    showRange({ from: Math.round(from), to: Math.round(to) });
  };
  const onWheel = (event: WheelEvent): void => {
    const { left = 0 } = host.current?.getBoundingClientRect() ?? {};
    // Over the value axes the bands scroll.
    if (event.clientX - left < leftPx && isScrolling(bands.current)) return;
    event.preventDefault();
    const { window } = app.get();
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isSideways) {
      const byMs = ((event.deltaX || event.deltaY) / plotPx) * (window.endMs - window.startMs);
      showRange(shifted(window, byMs), 'same');
    } else zoom(event.deltaY > 0 ? WHEEL_STEP : 1 / WHEEL_STEP, timeAt(pxOf(event)), 'same');
  };
  const onPointerLeave = (): void => cursor.set({ timeMs: undefined });
  const handlers = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onPointerLeave, onWheel };
  return { mark, plotPx, handlers };
}

function isScrolling(element: HTMLElement | null): boolean {
  return element !== null && element.scrollHeight > element.clientHeight;
}

function shifted(window: { readonly startMs: number; readonly endMs: number }, byMs: number) {
  return { from: Math.round(window.startMs + byMs), to: Math.round(window.endMs + byMs) };
}
