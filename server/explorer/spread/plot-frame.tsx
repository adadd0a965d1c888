// The frame of a small plot: its axes with a few texts, and room for what is drawn inside.

import type { ComponentChildren } from 'preact';

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
}

export function PlotFrame({ label, xTexts, yTexts, children }: FrameProps) {
  const { width, height } = INNER;
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
    >
      <g transform={`translate(${LEFT} ${TOP})`}>
        <rect class="distribution-ground" x={0} y={0} width={width} height={height} />
        {children(INNER)}
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
