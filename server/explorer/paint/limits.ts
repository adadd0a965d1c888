// Lines for the limits of a tag, with their values.

import type { Colours } from './colours.ts';
import { type Geometry, yOf } from './geometry.ts';

const TEXT_PX = 10.5;

export function paintLimits(
  context: CanvasRenderingContext2D,
  geometry: Geometry,
  limits: readonly number[],
  colours: Colours,
): void {
  const { box, scale, min, max } = geometry;
  context.save();
  context.strokeStyle = colours.bad;
  context.fillStyle = colours.bad;
  context.lineWidth = scale;
  context.setLineDash([6 * scale, 4 * scale]);
  context.font = `${TEXT_PX * scale}px ${colours.font}`;
  context.textAlign = 'right';
  context.textBaseline = 'bottom';
  for (const limit of limits) {
    if (limit < min || limit > max) continue;
    const y = yOf(geometry, limit);
    context.beginPath();
    context.moveTo(box.left, y);
    context.lineTo(box.left + box.width, y);
    context.stroke();
    context.fillText(String(limit), box.left + box.width - 4 * scale, y - scale);
  }
  context.restore();
}
