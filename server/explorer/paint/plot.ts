// One band of the trend: uPlot keeps its canvas, scales and axes; what it shows is painted here.

import uPlot from 'uplot';
import type { TagDefinition } from '../model/tags/tag.ts';
import type { Axis } from '../model/trend/bands.ts';
import { heldUntil } from '../model/trend/open-interval.ts';
import { type Extent, extentOf, type Series } from '../model/trend/series.ts';
import { splitStates } from '../model/trend/state-split.ts';
import { axisRange, stateRange } from '../model/trend/value-scale.ts';
import { nearLimits, tagLimits } from '../model/values/limits.ts';
import type { BandPicture } from './band-picture.ts';
import { seriesColour } from './colours.ts';
import type { Box } from './geometry.ts';
import { paintLimits, paintTagLimits, shadeBeyond } from './limits.ts';
import { type LineStyle, paintLine } from './lines.ts';
import { paintBad, paintNow, paintStatuses, paintUnread } from './shades.ts';
import { clipped, clippedTo, type Surface } from './surface.ts';
import { paintTextSpans } from './text-spans.ts';
import { timeGrid, zoneClock } from './time-axis.ts';
import { rightAxesPx, statesOf, valueAxis } from './value-axis.ts';

/** Above the lines, for the names. */
const TITLE_PX = 24;
/** Dashes of the periods compared with, the nearest first. */
const DASHES = [
  [4, 3],
  [2, 3],
  [8, 3],
  [8, 3, 2, 3],
] as const;
/** Share of the height of a band of states, for numbers that are none of them. */
const APART_SHARE = 0.3;

export interface PlotShape {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Right of the plot area, the same for all bands: axes and margin. */
  readonly rightPx: number;
}

export interface Plot {
  show(picture: BandPicture): void;
  destroy(): void;
}

export function createPlot(host: HTMLElement, shape: PlotShape, first: BandPicture): Plot {
  let picture = first;
  const plot = new uPlot(
    plotOptions(shape, () => picture),
    [[0, 1], ...picture.band.axes.map(() => [null, null])],
    host,
  );
  const apply = (): void => {
    const { window, band } = picture;
    plot.batch(() => {
      plot.setScale('x', { min: window.startMs, max: window.endMs });
      band.axes.forEach((axis, index) => {
        const [min, max] = rangeOf(axis, picture);
        plot.setScale(`y${index}`, { min, max });
      });
    });
    plot.redraw(false, true);
  };
  apply();
  return {
    show(next) {
      picture = next;
      apply();
    },
    destroy: () => plot.destroy(),
  };
}

function plotOptions(shape: PlotShape, current: () => BandPicture): uPlot.Options {
  const { band } = current();
  const scales: Record<string, uPlot.Scale> = { x: { time: true, auto: false } };
  band.axes.forEach((_, index) => {
    scales[`y${index}`] = { auto: false, range: (_u, min, max) => [min, max] };
  });
  return {
    width: shape.widthPx,
    height: shape.heightPx,
    ms: 1,
    tzDate: zoneClock,
    padding: [band.kind === 'text' ? 4 : TITLE_PX, shape.rightPx - rightAxesPx(band), 4, 0],
    scales,
    series: [{}, ...band.axes.map((_, index) => ({ scale: `y${index}`, show: false }))],
    axes: [timeGrid(current().colours), ...band.axes.map((axis, index) => valueAxis(axis, index, current))],
    cursor: { show: false },
    legend: { show: false },
    hooks: { drawClear: [(plot) => paintBehind(plot, current())], draw: [(plot) => paintFront(plot, current())] },
  };
}

function rangeOf(axis: Axis, picture: BandPicture): readonly [number, number] {
  const { window, series, earlier, band, nowMs } = picture;
  const extents: (Extent | undefined)[] = axis.members.flatMap(({ index }) =>
    [series.get(index), ...(earlier.get(index) ?? [])].map((one) =>
      one === undefined
        ? undefined
        : extentOf(one, window.startMs, Math.min(window.endMs, Math.max(nowMs, window.startMs))),
    ),
  );
  if (band.kind === 'text') return [0, 1];
  if (band.kind !== 'state')
    return setRange(axis, axisRange([...extents, ...limitsOf(axis, picture, extents)]), picture);
  const [low, high] = stateRange(statesOf(axis).keys(), undefined);
  const shown = [...series.values(), ...[...earlier.values()].flat()];
  const isApart = shown.some((one) => one !== undefined && splitStates(one, statesOf(axis)).unknown !== undefined);
  return isApart ? [low - ((high - low) * APART_SHARE) / (1 - APART_SHARE), high] : [low, high];
}

/** Limits that were set by hand are to be seen wherever the points are, those of a tag when its points come near to them. */
function limitsOf({ members }: Axis, { settings }: BandPicture, extents: readonly (Extent | undefined)[]): Extent[] {
  const known = extents.filter((extent) => extent !== undefined);
  const [min, max] = [Math.min(...known.map((one) => one.min)), Math.max(...known.map((one) => one.max))];
  return members.flatMap(({ index, tag }) => {
    const near = nearLimits(tagLimits(tag), min, max).map(({ value }) => value);
    return [...(settings.get(index)?.limits ?? []), ...near].map((at) => ({ min: at, max: at }));
  });
}

/** With the ends that were set by hand, of the first tag that has them. */
function setRange(
  { members }: Axis,
  [low, high]: readonly [number, number],
  { settings }: BandPicture,
): [number, number] {
  const set = members.flatMap(({ index }) => settings.get(index) ?? []);
  const min = set.find((one) => one.min !== undefined)?.min ?? low;
  const max = set.find((one) => one.max !== undefined)?.max ?? high;
  return min < max ? [min, max] : [low, high];
}

function surfaceOf(plot: uPlot, scaleName: string, { window, colours }: BandPicture): Surface {
  const { min, max } = plot.scales[scaleName] ?? {};
  const geometry = { box: plot.bbox, ...window, min: min ?? 0, max: max ?? 1, scale: devicePixelRatio };
  return { context: plot.ctx, geometry, colours };
}

function paintBehind(plot: uPlot, picture: BandPicture): void {
  const surface = surfaceOf(plot, 'y0', picture);
  clipped(surface, () => {
    paintStatuses(surface, picture.statuses);
    paintUnread(surface, picture.read);
    paintNow(surface, picture.nowMs);
    if (picture.band.kind === 'text') return;
    const [axis, ...others] = picture.band.axes;
    const [member, ...more] = axis?.members ?? [];
    // Whose limits are passed could not be told in a band of several lines.
    if (member !== undefined && others.length + more.length === 0) shadeBeyond(surface, tagLimits(member.tag));
    clippedTo(surface, picture.read, () => {
      for (const one of picture.series.values()) paintBad(surface, one, heldUntil(one, picture.nowMs));
    });
  });
}

function paintFront(plot: uPlot, picture: BandPicture): void {
  const { band, series, earlier } = picture;
  band.axes.forEach((axis, axisIndex) => {
    const surface = surfaceOf(plot, `y${axisIndex}`, picture);
    clipped(surface, () => {
      for (const { index, tag } of axis.members) {
        paintTagLimits(surface, tagLimits(tag));
        paintLimits(surface, picture.settings.get(index)?.limits ?? []);
      }
    });
    clippedTo(surface, picture.read, () => {
      for (const { index } of axis.members) {
        for (const [place, one] of (earlier.get(index) ?? []).entries())
          paintMember(surface, picture, { index, one, period: place });
        paintMember(surface, picture, { index, one: series.get(index), period: 'present' });
      }
    });
  });
}

interface Painted {
  readonly index: number;
  readonly one: Series | undefined;
  /** A place among the periods compared with. */
  readonly period: 'present' | number;
}

function paintMember(surface: Surface, picture: BandPicture, painted: Painted): void {
  const { geometry } = surface;
  const { index, one, period } = painted;
  const { band, colours, nowMs } = picture;
  if (one === undefined) return;
  const colour = seriesColour(colours, index);
  const untilMs = heldUntil(one, period === 'present' ? nowMs : Number.MAX_SAFE_INTEGER);
  if (band.kind === 'text') {
    const box = laneOf(geometry.box, period, picture.earlier.get(index)?.length ?? 0);
    const lane = { ...surface, geometry: { ...geometry, box } };
    paintTextSpans(lane, one, period === 'present' ? colour : colours.muted, untilMs);
    return;
  }
  if (band.kind === 'state') {
    paintStates(surface, picture, painted, untilMs);
    return;
  }
  paintLine(surface, one, lineStyle(picture, index, colour, period), untilMs);
}

/** The upper half for the present, the lower one shared by the periods compared with. */
function laneOf(box: Box, period: Painted['period'], periods: number): Box {
  if (periods === 0) return box;
  const half = box.height / 2;
  if (period === 'present') return { ...box, height: half };
  return { ...box, top: box.top + half + (period * half) / periods, height: half / periods };
}

/** Numbers that are none of the states lie in a lane of their own below them. */
function paintStates(surface: Surface, picture: BandPicture, { index, one, period }: Painted, untilMs: number): void {
  const { geometry } = surface;
  const { band, colours } = picture;
  const [axis] = band.axes;
  if (one === undefined || axis === undefined) return;
  const { known, unknown } = splitStates(one, statesOf(axis));
  const { box } = geometry;
  const height = box.height * APART_SHARE;
  const floorY = box.top + box.height - height;
  const upper = unknown === undefined ? surface : { ...surface, geometry: { ...geometry, floorY } };
  paintLine(upper, known, lineStyle(picture, index, seriesColour(colours, index), period), untilMs);
  if (unknown === undefined) return;
  const lane = { ...surface, geometry: { ...geometry, box: { ...box, top: floorY, height } } };
  paintTextSpans(lane, unknown, colours.muted, untilMs);
}

function lineStyle({ band }: BandPicture, index: number, colour: string, period: Painted['period']): LineStyle {
  const member = band.axes.flatMap(({ members }) => members).find((one) => one.index === index);
  const isLine = member !== undefined && band.kind === 'line' && isJoined(member.tag);
  const shape = isLine ? 'line' : 'step';
  if (period !== 'present')
    return { colour, shape, widthPx: 1.2, dash: DASHES[period % DASHES.length] ?? [], fillAlpha: 0, alpha: 0.6 };
  return { colour, shape, widthPx: 1.5, dash: [], fillAlpha: band.kind === 'state' ? 0.12 : 0, alpha: 1 };
}

/** Whole numbers are held, also where they share an axis with others; and results of intervals, for their length. */
function isJoined({ t: type, aggregate }: TagDefinition): boolean {
  if (aggregate !== undefined) return false;
  return type === undefined || ['System.Double', 'System.Single', 'System.Decimal'].includes(type);
}
