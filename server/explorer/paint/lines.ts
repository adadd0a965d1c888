// Lines and steps of a series. Null is a gap; the value before it holds until then, the last one until now.

import { firstAfter, type Series, toNumber } from '../model/trend/series.ts';
import type { PointValue } from '../model/values/value-text.ts';
import { type Geometry, xOf, yOf } from './geometry.ts';
import type { Surface } from './surface.ts';

export interface LineStyle {
  readonly colour: string;
  readonly shape: 'line' | 'step';
  /** In pixels of CSS. */
  readonly widthPx: number;
  readonly dash: readonly number[];
  /** Opacity of the area below; 0 for none. */
  readonly fillAlpha: number;
  readonly alpha: number;
}

/** Points closer together than this get no dots. */
const DOT_GAP_PX = 14;

export function paintLine(surface: Surface, series: Series, style: LineStyle, untilMs: number): void {
  const { context, geometry } = surface;
  const runs = collectRuns(geometry, series, style.shape, untilMs);
  context.save();
  context.globalAlpha = style.alpha;
  context.strokeStyle = style.colour;
  context.fillStyle = style.colour;
  context.lineWidth = style.widthPx * geometry.scale;
  context.lineJoin = 'round';
  context.setLineDash(style.dash.map((length) => length * geometry.scale));
  for (const run of runs) {
    context.stroke(run.line);
    if (style.fillAlpha > 0) paintArea(surface, run, style);
  }
  context.setLineDash([]);
  if (style.dash.length === 0) paintDots(surface, series, untilMs);
  context.restore();
}

interface Run {
  readonly line: Path2D;
  readonly firstX: number;
  lastX: number;
}

/** A path for each stretch without a gap. */
function collectRuns(geometry: Geometry, series: Series, shape: LineStyle['shape'], untilMs: number): Run[] {
  const { timesMs, values } = series;
  const runs: Run[] = [];
  let run: Run | undefined;
  let lastY = 0;
  const limitX = xOf(geometry, Math.min(untilMs, geometry.endMs + (geometry.endMs - geometry.startMs)));
  for (let index = Math.max(0, firstAfter(timesMs, geometry.startMs) - 1); index < timesMs.length; index++) {
    const timeMs = timesMs[index] as number;
    if (timeMs > untilMs) break;
    const x = xOf(geometry, timeMs);
    const y = yOf(geometry, toNumber(values[index] as PointValue));
    if (run !== undefined && (shape === 'step' || Number.isNaN(y))) run.line.lineTo(x, lastY);
    if (run !== undefined) run.lastX = x;
    if (Number.isNaN(y)) {
      run = undefined;
      continue;
    }
    if (run === undefined) {
      run = { line: new Path2D(), firstX: x, lastX: x };
      run.line.moveTo(x, y);
      runs.push(run);
    } else run.line.lineTo(x, y);
    lastY = y;
    if (timeMs > geometry.endMs) return runs;
  }
  if (run !== undefined && limitX > run.lastX) {
    run.line.lineTo(limitX, lastY);
    run.lastX = limitX;
  }
  return runs;
}

function paintArea({ context, geometry }: Surface, run: Run, style: LineStyle): void {
  const { box, floorY = box.top + box.height } = geometry;
  const area = new Path2D(run.line);
  area.lineTo(run.lastX, floorY);
  area.lineTo(run.firstX, floorY);
  area.closePath();
  context.globalAlpha = style.fillAlpha;
  context.fill(area);
  context.globalAlpha = style.alpha;
}

/** Single points are seen as such where there is room for them. */
function paintDots({ context, geometry }: Surface, series: Series, untilMs: number): void {
  const { timesMs, values } = series;
  const first = firstAfter(timesMs, geometry.startMs - 1);
  const last = Math.min(firstAfter(timesMs, Math.min(geometry.endMs, untilMs)), timesMs.length);
  if ((last - first) * DOT_GAP_PX * geometry.scale > geometry.box.width) return;
  const radius = 2 * geometry.scale;
  for (let index = first; index < last; index++) {
    const y = yOf(geometry, toNumber(values[index] as PointValue));
    if (Number.isNaN(y)) continue;
    context.beginPath();
    context.arc(xOf(geometry, timesMs[index] as number), y, radius, 0, 2 * Math.PI);
    context.fill();
  }
}
