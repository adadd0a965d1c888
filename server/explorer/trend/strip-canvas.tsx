// The picture in the strip: one tag over the whole history, and the days below it.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { px } from '../controls/px.ts';
import { timeLabels } from '../model/time/axis-labels.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { zoneOffsetMs } from '../model/time/time-zone.ts';
import { extentOf } from '../model/trend/series.ts';
import { axisRange, usualExtent } from '../model/trend/value-scale.ts';
import { valueKind } from '../model/values/value-kind.ts';
import type { Colours } from '../paint/colours.ts';
import { paintLine } from '../paint/lines.ts';
import { app } from '../state/app-state.ts';
import type { History } from './whole-history.ts';

interface CanvasProps {
  readonly history: History;
  readonly widthPx: number;
  readonly colour: string;
  readonly colours: Colours;
}

const HEIGHT_PX = 46;
const LABEL_PX = 14;

export function StripCanvas({ history, widthPx, colour, colours }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { startMs, endMs } = history.window;
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || widthPx === 0) return;
    const scale = devicePixelRatio;
    element.width = widthPx * scale;
    element.height = HEIGHT_PX * scale;
    paintLabels(context, { startMs, endMs }, { widthPx, scale }, colours);
    const { series } = history;
    if (series === undefined) return;
    const kind = valueKind(series.tag);
    const isNumber = kind === 'line' || kind === 'step';
    const extent = (isNumber ? usualExtent : extentOf)(series, startMs, endMs);
    const [min, max] = axisRange([extent]);
    const box = { left: 0, top: 2 * scale, width: element.width, height: (HEIGHT_PX - LABEL_PX - 4) * scale };
    const shape = kind === 'line' ? ('line' as const) : ('step' as const);
    const style = { colour, shape, widthPx: 1, dash: [], fillAlpha: 0.1, alpha: 0.75 };
    const surface = { context, geometry: { box, startMs, endMs, min, max, scale }, colours };
    paintLine(surface, series, style, app.get().nowMs);
  }, [history.series, startMs, endMs, widthPx, colour, colours]);
  return <canvas ref={canvas} style={{ height: px(HEIGHT_PX), width: px(widthPx) }} />;
}

const LABEL_STEPS_MS = [5, 15, 60, 180, 720, 1440, 2880, 10_080, 43_200, 129_600, 525_600].map(
  (minutes) => minutes * 60_000,
);

function paintLabels(
  context: CanvasRenderingContext2D,
  { startMs, endMs }: TimeWindow,
  { widthPx, scale }: { readonly widthPx: number; readonly scale: number },
  colours: Colours,
): void {
  const most = Math.max(2, widthPx / 90);
  const stepMs = LABEL_STEPS_MS.find((step) => (endMs - startMs) / step <= most) ?? 10 * 525_600 * 60_000;
  const offsetMs = -zoneOffsetMs(startMs);
  const first = Math.ceil((startMs - offsetMs) / stepMs) * stepMs + offsetMs;
  const times: number[] = [];
  for (let timeMs = first; timeMs < endMs && times.length < 100; timeMs += stepMs) times.push(timeMs);
  context.font = `${10 * scale}px ${colours.font}`;
  context.fillStyle = colours.muted;
  context.textBaseline = 'bottom';
  timeLabels(times, stepMs).forEach((label, index) => {
    const x = (((times[index] as number) - startMs) / (endMs - startMs)) * widthPx * scale;
    context.fillText(label.split('\n').reverse().join(' '), x + 3 * scale, HEIGHT_PX * scale);
    context.fillRect(x, (HEIGHT_PX - LABEL_PX) * scale, scale, LABEL_PX * scale);
  });
}
