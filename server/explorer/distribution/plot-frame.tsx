// The frame of a small plot: its axes with a few texts, and room for what is drawn inside.

import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Brush, rangeBetween } from './brush.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Plane {
  readonly x: Range;
  readonly y: Range;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const INNER: Size = { width: 560, height: 240 };
const [LEFT, TOP, RIGHT, BOTTOM] = [70, 10, 30, 26];

/** Distance of a value from the left; the middle when all are the same. */
export function xIn({ x: { from, to } }: Plane, width: number, value: number): number {
  return to === from ? width / 2 : (width * (value - from)) / (to - from);
}

export function yIn({ y: { from, to } }: Plane, height: number, value: number): number {
  return to === from ? height / 2 : height * (1 - (value - from) / (to - from));
}

interface FrameProps {
  readonly label: string;
  readonly plane: Plane;
  /** Evenly from left to right. */
  readonly xTexts: readonly string[];
  /** Below and above. */
  readonly yTexts: readonly [string, string];
  readonly children: (size: Size) => ComponentChildren;
  readonly brush: Brush | undefined;
  readonly onBrush: (brush: Brush) => void;
  /** Whether only a range across is marked. */
  readonly marksAcrossOnly?: boolean;
}

export function PlotFrame({ label, plane, xTexts, yTexts, children, brush, ...marking }: FrameProps) {
  const { width, height } = INNER;
  const ground = useRef<SVGRectElement>(null);
  const { dragged, handlers } = useBrush(ground, plane, marking);
  const anchorOf = (i: number): 'start' | 'middle' | 'end' => {
    if (i === 0) return 'start';
    return i === xTexts.length - 1 ? 'end' : 'middle';
  };
  return (
    <svg
      class="distribution-plot"
      viewBox={`0 0 ${LEFT + width + RIGHT} ${TOP + height + BOTTOM}`}
      role="img"
      aria-label={label}
      {...handlers}
    >
      <g transform={`translate(${LEFT} ${TOP})`}>
        <rect ref={ground} class="distribution-ground" x={0} y={0} width={width} height={height} />
        {children(INNER)}
        <BrushArea brush={dragged ?? brush} plane={plane} />
        {xTexts.map((text, i) => (
          <text key={i} x={(width * i) / (xTexts.length - 1)} y={height + 18} text-anchor={anchorOf(i)}>
            {text}
          </text>
        ))}
        {yTexts.map((text, i) => (
          <text key={i} x={-6} y={i === 0 ? height : 10} text-anchor="end">
            {text}
          </text>
        ))}
      </g>
    </svg>
  );
}

function BrushArea({ brush, plane }: { readonly brush: Brush | undefined; readonly plane: Plane }) {
  const { width, height } = INNER;
  if (brush === undefined) return null;
  const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));
  const [left, right] = [brush.x.from, brush.x.to].map((value) => within(xIn(plane, width, value), width)) as [
    number,
    number,
  ];
  const { from, to } = brush.y ?? plane.y;
  const [bottom, top] = [from, to].map((value) => within(yIn(plane, height, value), height)) as [number, number];
  return (
    <rect
      class="distribution-brush"
      x={left}
      y={top}
      width={Math.max(0, right - left)}
      height={Math.max(0, bottom - top)}
    />
  );
}

/** A smaller one is a click. */
const LEAST_DRAG_PX = 5;

/** A drag over the plot marks what lies below it. */
function useBrush(
  ground: { readonly current: SVGRectElement | null },
  plane: Plane,
  { onBrush, marksAcrossOnly }: Pick<FrameProps, 'onBrush' | 'marksAcrossOnly'>,
) {
  const from = useRef<{ readonly clientX: number; readonly clientY: number } | undefined>(undefined);
  const [dragged, setDragged] = useState<Brush>();
  const brushTo = ({ clientX, clientY }: PointerEvent): Brush | undefined => {
    const began = from.current;
    const box = ground.current?.getBoundingClientRect();
    if (began === undefined || box === undefined) return undefined;
    if (Math.hypot(clientX - began.clientX, clientY - began.clientY) < LEAST_DRAG_PX) return undefined;
    const xAt = (px: number): number => valueAt(plane.x, (px - box.left) / box.width);
    const yAt = (px: number): number => valueAt(plane.y, 1 - (px - box.top) / box.height);
    const x = rangeBetween(xAt(began.clientX), xAt(clientX));
    return { x, y: marksAcrossOnly ? undefined : rangeBetween(yAt(began.clientY), yAt(clientY)) };
  };
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button === 0) from.current = event;
  };
  const onPointerMove = (event: PointerEvent): void => {
    const brush = brushTo(event);
    if (brush === undefined) return;
    // Only a drag takes the pointer: dots have their clicks.
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    setDragged(brush);
  };
  const onPointerUp = (event: PointerEvent): void => {
    const brush = event.type === 'pointerup' ? brushTo(event) : undefined;
    from.current = undefined;
    setDragged(undefined);
    if (brush !== undefined) onBrush(brush);
  };
  return { dragged, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp } };
}

function valueAt({ from, to }: Range, share: number): number {
  return from + Math.max(0, Math.min(1, share)) * (to - from);
}
