// What is painted on: a canvas, where times and values lie on it, and the colours of the page.

import type { TimeWindow } from '../model/time/time-range.ts';
import type { Colours } from './colours.ts';
import { type Geometry, xOf } from './geometry.ts';

export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly geometry: Geometry;
  readonly colours: Colours;
}

/** Draws inside of the part of the box that is a stretch of time only. */
export function clippedTo(surface: Surface, { startMs, endMs }: TimeWindow, draw: () => void): void {
  const { geometry } = surface;
  const { left, width } = geometry.box;
  const from = Math.max(left, xOf(geometry, startMs));
  const to = Math.min(left + width, xOf(geometry, endMs));
  clipped(
    { ...surface, geometry: { ...geometry, box: { ...geometry.box, left: from, width: Math.max(0, to - from) } } },
    draw,
  );
}

/** Draws inside of the box only. */
export function clipped({ context, geometry }: Surface, draw: () => void): void {
  const { box } = geometry;
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.width, box.height);
  context.clip();
  draw();
  context.restore();
}
