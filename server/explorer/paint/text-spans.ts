// Texts as spans of time with their text inside, as far as there is room.

import { type Series, spansOf, type ValueSpan } from '../model/trend/series.ts';
import { formatBare, isGood } from '../model/values/value-text.ts';
import { xOf } from './geometry.ts';
import { hatchBad } from './shades.ts';
import type { Surface } from './surface.ts';

const INSET_PX = 3;
const TEXT_PX = 11;

export function paintTextSpans(surface: Surface, series: Series, colour: string, untilMs: number): void {
  for (const span of spansOf(series, surface.geometry, untilMs)) {
    if (span.value === null) continue;
    paintSpan(surface, span, formatBare(series.tag, span.value), colour);
    if (!isGood(span.quality)) hatchBad(surface, span);
  }
}

function paintSpan({ context, geometry, colours }: Surface, span: ValueSpan, text: string, colour: string): void {
  const { box, scale } = geometry;
  const left = xOf(geometry, span.startMs);
  const width = Math.max(scale, xOf(geometry, span.endMs) - left - scale);
  const top = box.top + INSET_PX * scale;
  const height = box.height - 2 * INSET_PX * scale;
  context.fillStyle = colour;
  context.globalAlpha = 0.2;
  context.fillRect(left, top, width, height);
  context.globalAlpha = 1;
  context.fillRect(left, top, Math.min(2 * scale, width), height);
  context.font = `${TEXT_PX * scale}px ${colours.font}`;
  const room = width - 10 * scale;
  const shown = shorten(context, text, room);
  if (shown === '') return;
  context.fillStyle = colours.text;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillText(shown, left + 6 * scale, top + height / 2 + scale);
}

/** The text, cut to the room with an ellipsis; empty when not even three characters fit. */
export function shorten(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (room <= 0) return '';
  const width = context.measureText(text).width;
  if (width <= room) return text;
  const kept = Math.floor((room / width) * text.length) - 1;
  return kept < 3 ? '' : `${text.slice(0, kept)}…`;
}
