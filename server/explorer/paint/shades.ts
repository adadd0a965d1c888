// What lies behind the lines: conditions of the dataset, points that are not good, and what is ahead of now.

import type { TimeWindow } from '../model/time/time-range.ts';
import { badSpans, type Series, type ValueSpan } from '../model/trend/series.ts';
import type { StatusSpan } from '../model/trend/status-spans.ts';
import { type Geometry, xOf } from './geometry.ts';
import type { Surface } from './surface.ts';

const HATCH_GAP_PX = 7;
const RIBBON_PX = 3;

/** Colours the stretches in which a collector was not well, with a ribbon on top. */
export function paintStatuses(surface: Surface, spans: readonly StatusSpan[]): void {
  const { context, geometry, colours } = surface;
  const { box, scale } = geometry;
  for (const span of spans) {
    const [left, width] = extentOf(geometry, span);
    context.fillStyle = colours.status[span.quality];
    context.globalAlpha = 0.12;
    context.fillRect(left, box.top, width, box.height);
    context.globalAlpha = 0.9;
    context.fillRect(left, box.top, width, RIBBON_PX * scale);
    context.globalAlpha = 1;
    paintStatusText(surface, span, [left, width]);
  }
}

function paintStatusText(
  { context, geometry, colours }: Surface,
  { text }: StatusSpan,
  [left, width]: readonly [number, number],
): void {
  const { box, scale } = geometry;
  context.font = `${10.5 * scale}px ${colours.font}`;
  if (context.measureText(text).width > width - 10 * scale || box.height < 50 * scale) return;
  context.fillStyle = colours.text;
  context.textAlign = 'left';
  context.textBaseline = 'bottom';
  context.fillText(text, left + 5 * scale, box.top + box.height - 4 * scale);
}

/** Hatches the stretches whose points are not good. */
export function paintBad(surface: Surface, series: Series, untilMs: number): void {
  for (const span of badSpans(series, surface.geometry, untilMs)) hatchBad(surface, span);
}

export function hatchBad({ context, geometry, colours }: Surface, span: Pick<ValueSpan, 'startMs' | 'endMs'>): void {
  const { box, scale } = geometry;
  const [left, width] = extentOf(geometry, span);
  context.save();
  context.beginPath();
  context.rect(left, box.top, width, box.height);
  context.clip();
  context.fillStyle = colours.bad;
  context.globalAlpha = 0.08;
  context.fillRect(left, box.top, width, box.height);
  context.globalAlpha = 0.4;
  context.strokeStyle = colours.bad;
  context.lineWidth = scale;
  context.beginPath();
  const gap = HATCH_GAP_PX * scale;
  const first = Math.floor((left - box.height) / gap) * gap;
  for (let x = first; x < left + width; x += gap) {
    context.moveTo(x, box.top + box.height);
    context.lineTo(x + box.height, box.top);
  }
  context.stroke();
  context.restore();
}

/** At least a pixel wide, so that nothing short disappears. */
function extentOf(
  geometry: Geometry,
  { startMs, endMs }: Pick<ValueSpan, 'startMs' | 'endMs'>,
): readonly [number, number] {
  const { box, scale } = geometry;
  const left = Math.max(box.left, xOf(geometry, startMs));
  const right = Math.min(box.left + box.width, xOf(geometry, endMs));
  return [left, Math.max(scale, right - left)];
}

/** Shades what was not read, or not yet: what is known ends there. */
export function paintUnread({ context, geometry, colours }: Surface, read: TimeWindow): void {
  const { box } = geometry;
  const right = box.left + box.width;
  const from = Math.min(right, Math.max(box.left, xOf(geometry, read.startMs)));
  const to = Math.min(right, Math.max(from, xOf(geometry, read.endMs)));
  context.fillStyle = colours.ahead;
  context.fillRect(box.left, box.top, from - box.left, box.height);
  context.fillRect(to, box.top, right - to, box.height);
}

/** Shades what is ahead of now, and marks now. */
export function paintNow({ context, geometry, colours }: Surface, nowMs: number): void {
  const { box, scale } = geometry;
  const x = xOf(geometry, nowMs);
  if (x >= box.left + box.width - 1) return;
  const left = Math.max(box.left, x);
  context.fillStyle = colours.ahead;
  context.fillRect(left, box.top, box.left + box.width - left, box.height);
  if (x < box.left) return;
  context.fillStyle = colours.accent;
  context.fillRect(Math.round(x), box.top, Math.max(1, scale), box.height);
}
