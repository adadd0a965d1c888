// Texts as spans of time with their text inside, as far as there is room.

import { type Series, type Span, spansOf } from '../model/series.ts';
import { formatBare, isGood } from '../model/value-text.ts';
import type { Colours } from './colours.ts';
import { type Geometry, xOf } from './geometry.ts';
import { hatch } from './shades.ts';

const INSET_PX = 3;
const TEXT_PX = 11;

export function paintTextSpans(
  context: CanvasRenderingContext2D,
  geometry: Geometry,
  series: Series,
  colour: string,
  colours: Colours,
  untilMs: number,
): void {
  for (const span of spansOf(series, geometry, untilMs)) {
    if (span.value === null) continue;
    paintSpan(context, geometry, span, formatBare(series.tag, span.value), colour, colours);
    if (!isGood(span.quality)) hatch(context, geometry, span, colours.bad);
  }
}

function paintSpan(
  context: CanvasRenderingContext2D,
  geometry: Geometry,
  span: Span,
  text: string,
  colour: string,
  colours: Colours,
): void {
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
