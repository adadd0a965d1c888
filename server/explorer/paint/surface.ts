// What is painted on: a canvas, where times and values lie on it, and the colours of the page.

import type { Colours } from './colours.ts';
import type { Geometry } from './geometry.ts';

export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly geometry: Geometry;
  readonly colours: Colours;
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
