// The time axis below the bands, which stays in sight when they scroll; and the grid lines in the bands that belong to it.

import uPlot from 'uplot';
import { timeLabels } from '../model/time/axis-labels.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { currentZone } from '../model/time/time-zone.ts';
import type { Colours } from './colours.ts';
import { LEFT_PX, TIME_AXIS_PX } from './layout.ts';

/** uPlot wants a plot area; nothing is drawn in it. */
const PLOT_PX = 2;
/** Between two labels at least. */
const SPACE_PX = 76;

export interface TimeAxis {
  show(window: TimeWindow): void;
  destroy(): void;
}

export interface TimeAxisShape {
  readonly widthPx: number;
  readonly rightPx: number;
}

export function createTimeAxis(host: HTMLElement, shape: TimeAxisShape, colours: Colours): TimeAxis {
  const axis: uPlot.Axis = {
    ...timeGrid(colours),
    size: TIME_AXIS_PX - PLOT_PX,
    values: (_plot, splits, _axis, _space, step) => timeLabels(splits, step),
  };
  const options: uPlot.Options = {
    width: shape.widthPx,
    height: TIME_AXIS_PX,
    ms: 1,
    tzDate: zoneClock,
    padding: [0, shape.rightPx, 0, LEFT_PX],
    scales: { x: { time: true, auto: false } },
    series: [{}],
    axes: [axis],
    cursor: { show: false },
    legend: { show: false },
  };
  const plot = new uPlot(options, [[0, 1]], host);
  return {
    show: ({ startMs, endMs }) => plot.setScale('x', { min: startMs, max: endMs }),
    destroy: () => plot.destroy(),
  };
}

/** For uPlot, which puts its lines to full hours and days of the clocks of a zone. */
export function zoneClock(timeMs: number): Date {
  const zone = currentZone();
  return zone === 'local' ? new Date(timeMs) : uPlot.tzDate(new Date(timeMs), zone);
}

/** The lines alone. */
export function timeGrid(colours: Colours): uPlot.Axis {
  return {
    stroke: colours.muted,
    font: `11px ${colours.font}`,
    size: 0,
    space: SPACE_PX,
    gap: 4,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
    values: () => [],
  };
}
