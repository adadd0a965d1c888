// Lines for the limits of a tag, with their values, and what lies beyond them shaded.

import { isBeyond, isOuter, LIMIT_SIGNS, type LimitKind, type TagLimit } from '../model/values/limits.ts';
import { yOf } from './geometry.ts';
import type { Surface } from './surface.ts';

const TEXT_PX = 10.5;
const SHADE_ALPHA = 0.07;

/** Limits that were set by hand. */
export function paintLimits(surface: Surface, limits: readonly number[]): void {
  for (const limit of limits) paintLimit(surface, limit, { text: String(limit), colour: surface.colours.bad });
}

/** Limits of the tag itself. */
export function paintTagLimits(surface: Surface, limits: readonly TagLimit[]): void {
  for (const { kind, value } of limits) {
    paintLimit(surface, value, { text: `${LIMIT_SIGNS[kind]} ${value}`, colour: colourOf(surface, kind) });
  }
}

/** Shades from each limit to the one outside of it, or to the edge. */
export function shadeBeyond(surface: Surface, limits: readonly TagLimit[]): void {
  const { context, geometry } = surface;
  const { box, min, max } = geometry;
  const at = (wanted: LimitKind): number | undefined => limits.find(({ kind }) => kind === wanted)?.value;
  const edges: Readonly<Record<LimitKind, number>> = {
    'low-low': min,
    low: at('low-low') ?? min,
    high: at('high-high') ?? max,
    'high-high': max,
  };
  context.save();
  context.globalAlpha = SHADE_ALPHA;
  for (const { kind, value } of limits) {
    const [low, high] = [Math.min(value, edges[kind]), Math.max(value, edges[kind])];
    if (isBeyond(value, { kind, value: edges[kind] }) || high < min || low > max) continue;
    const top = yOf(geometry, Math.min(high, max));
    context.fillStyle = colourOf(surface, kind);
    context.fillRect(box.left, top, box.width, yOf(geometry, Math.max(low, min)) - top);
  }
  context.restore();
}

function colourOf({ colours }: Surface, kind: LimitKind): string {
  return isOuter(kind) ? colours.bad : colours.status[64];
}

function paintLimit(
  { context, geometry, colours }: Surface,
  limit: number,
  { text, colour }: { readonly text: string; readonly colour: string },
): void {
  const { box, scale, min, max } = geometry;
  if (limit < min || limit > max) return;
  const y = yOf(geometry, limit);
  context.save();
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = scale;
  context.setLineDash([6 * scale, 4 * scale]);
  context.font = `${TEXT_PX * scale}px ${colours.font}`;
  context.textAlign = 'right';
  const hasRoomAbove = y - (TEXT_PX + 1) * scale >= box.top;
  context.textBaseline = hasRoomAbove ? 'bottom' : 'top';
  context.beginPath();
  context.moveTo(box.left, y);
  context.lineTo(box.left + box.width, y);
  context.stroke();
  context.fillText(text, box.left + box.width - 4 * scale, hasRoomAbove ? y - scale : y + scale);
  context.restore();
}
