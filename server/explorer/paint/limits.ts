// Lines for the limits of a tag, with their values.

import { yOf } from './geometry.ts';
import type { Surface } from './surface.ts';

const TEXT_PX = 10.5;

export function paintLimits({ context, geometry, colours }: Surface, limits: readonly number[]): void {
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
