// The value axes of a band: numbers as the grid lines are, states by their texts.

import type uPlot from 'uplot';
import type { Axis, Band } from '../model/trend/bands.ts';
import { numberLabels } from '../model/values/number-labels.ts';
import { stateTexts } from '../model/values/value-kind.ts';
import type { BandPicture } from './band-picture.ts';
import { type Colours, seriesColour } from './colours.ts';
import { LEFT_PX, RIGHT_AXIS_PX } from './layout.ts';

const STATE_TEXT_LENGTH = 11;

/** What the axes right of the plot area take of the band's width. */
export function rightAxesPx({ axes }: Band): number {
  return (axes.length - 1) * RIGHT_AXIS_PX;
}

export function valueAxis(axis: Axis, index: number, current: () => BandPicture): uPlot.Axis {
  const { colours, band } = current();
  const isLeft = index === 0;
  const common: uPlot.Axis = {
    scale: `y${index}`,
    side: isLeft ? 3 : 1,
    stroke: band.axes.length > 1 ? axisColour(axis, colours) : colours.muted,
    font: `11px ${colours.font}`,
    size: isLeft ? LEFT_PX : RIGHT_AXIS_PX,
    gap: 6,
    space: 20,
    grid: { show: isLeft && band.kind !== 'text', stroke: colours.grid, width: 1 },
    ticks: { show: false },
  };
  if (band.kind === 'text') return { ...common, values: () => [] };
  if (band.kind === 'state') return { ...common, ...stateTicks(axis, current) };
  return { ...common, values: (_plot, splits, _axis, _space, step) => numberLabels(splits, step, formatOf(axis)) };
}

/** The format of the tags of an axis when they have the same. */
function formatOf({ members }: Axis): string | undefined {
  const [first] = members;
  return members.every(({ tag }) => tag.f === first?.tag.f) ? first?.tag.f : undefined;
}

/** An axis of one tag has the colour of its line. */
function axisColour({ members }: Axis, colours: Colours): string {
  const [only] = members;
  return members.length === 1 && only !== undefined ? seriesColour(colours, only.index) : colours.muted;
}

function stateTicks(axis: Axis, current: () => BandPicture): Pick<uPlot.Axis, 'splits' | 'values'> {
  return {
    splits: (plot) => {
      const states = [...statesOf(axis).keys()];
      const room = Math.max(1, Math.floor(plot.bbox.height / (devicePixelRatio * 12)));
      const step = Math.ceil(states.length / room);
      const { min = 0, max = 1 } = plot.scales[axisName(axis, current())] ?? {};
      return states.filter((state, index) => index % step === 0 && state >= (min ?? 0) && state <= (max ?? 1));
    },
    values: (_plot, splits) => {
      const texts = statesOf(axis);
      return splits.map((state) => cut(texts.get(state) ?? String(state)));
    },
  };
}

function axisName(axis: Axis, { band }: BandPicture): string {
  return `y${band.axes.indexOf(axis)}`;
}

function cut(text: string): string {
  return text.length > STATE_TEXT_LENGTH ? `${text.slice(0, STATE_TEXT_LENGTH - 1)}…` : text;
}

export function statesOf({ members }: Axis): ReadonlyMap<number, string> {
  const [member] = members;
  return (member === undefined ? undefined : stateTexts(member.tag)) ?? new Map();
}
