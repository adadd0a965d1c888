// What a link holds: the tags and calculated series of the trend, the window, the layout, what it is compared with, and the columns of the table.

import { isCalculated, isSameTag, type LineRef, tagKey } from '../tags/tag.ts';
import { tidyComparisons } from '../time/comparison.ts';
import { type TimeRange, typedBound } from '../time/time-range.ts';
import type { Bound, TimeFault } from '../time/typed-time.ts';
import { formatAggregate, parseAggregate } from './aggregate-choice.ts';
import { AUTOMATIC, type AxisSettings, formatScale, parseLimits, parseScale } from './axis-settings.ts';
import { calculatedRef } from './calculated.ts';
import { formatPlot, type PlotChoice, parsePlot } from './plot-choice.ts';

export type Layout = 'bands' | 'shared';

/** Which columns the table below the chart has. */
export type TableColumns = 'values' | 'statistics';

export interface ViewState {
  /** The dataset whose tags are listed. */
  readonly dataset: string | undefined;
  readonly tags: readonly LineRef[];
  readonly range: TimeRange;
  readonly layout: Layout;
  /** Periods before the window, as `isCompare` has them. */
  readonly compare: readonly string[];
  /** By `tagKey`; tags without an entry are automatic. */
  readonly axes: ReadonlyMap<string, AxisSettings>;
  readonly table: TableColumns;
  /** Shown in place of the lines: how the values are distributed; undefined: the lines are. */
  readonly plot: PlotChoice | undefined;
}

export const MOST_TAGS = 16;

export const FIRST_VIEW: ViewState = {
  dataset: undefined,
  tags: [],
  range: { from: '-2h', to: 'now' },
  layout: 'bands',
  compare: [],
  axes: new Map(),
  table: 'values',
  plot: undefined,
};

/**
 * The fragment of the address, without `#`. A `d` holds for the tags (`t`) and expressions (`x`) behind it, `name`, `unit` and `format`
 * for the `x` before, `scale`, `limits` and `of` for the `t` or `x` before; the last `d` is the listed dataset.
 */
export function formatView(view: ViewState): string {
  const parts: string[] = [];
  let dataset: string | undefined;
  const add = (key: string, value: string): void => {
    parts.push(`${key}=${encodeURIComponent(value).replace(/%2F/g, '/').replace(/%20/g, '+').replace(/%3A/g, ':')}`);
  };
  for (const tag of view.tags) {
    if (tag.dataset !== dataset) add('d', tag.dataset);
    dataset = tag.dataset;
    if (!isCalculated(tag)) add('t', tag.name);
    else {
      add('x', tag.expression);
      if (tag.name !== tag.expression) add('name', tag.name);
      if (tag.unit !== undefined) add('unit', tag.unit);
      if (tag.format !== undefined) add('format', tag.format);
    }
    const settings = view.axes.get(tagKey(tag)) ?? AUTOMATIC;
    if (formatScale(settings) !== '') add('scale', formatScale(settings));
    if (settings.limits.length > 0) add('limits', settings.limits.join(' '));
    if (settings.aggregate !== undefined) add('of', formatAggregate(settings.aggregate));
  }
  if (view.dataset !== undefined && view.dataset !== dataset) add('d', view.dataset);
  add('from', formatLinkBound(view.range.from));
  add('to', formatLinkBound(view.range.to));
  if (view.layout !== 'bands') add('layout', view.layout);
  for (const compare of view.compare) add('compare', compare);
  if (view.table !== 'values') add('table', view.table);
  const plot = view.plot === undefined ? '' : formatPlot(view.plot, view.tags);
  if (plot !== '') add('plot', plot);
  return parts.join('&');
}

function formatLinkBound(bound: Bound): string {
  return typeof bound === 'string' ? bound : new Date(bound).toISOString();
}

/** Takes what it understands, and the first view for the rest: links come from anywhere. */
export function parseView(fragment: string): ViewState {
  const parameters = parametersOf(fragment);
  const { dataset, tags, axes } = parseTags(parameters);
  return {
    dataset,
    tags,
    axes,
    range: readRange(parameters).range,
    layout: parameters.get('layout') === 'shared' ? 'shared' : 'bands',
    compare: tidyComparisons(parameters.getAll('compare')),
    table: parameters.get('table') === 'statistics' ? 'statistics' : 'values',
    plot: parsePlot(parameters.get('plot'), tags),
  };
}

interface LinkedLine {
  /** Undefined for what is none: what is said of it is left out as well. */
  readonly ref: LineRef | undefined;
  readonly settings: AxisSettings | undefined;
}

function parseTags(parameters: URLSearchParams): Pick<ViewState, 'dataset' | 'tags' | 'axes'> {
  const lines: LinkedLine[] = [];
  let dataset: string | undefined;
  for (const [key, value] of parameters) {
    if (key === 'd' && value !== '') dataset = value;
    const last = lines.at(-1);
    if (key === 't' || key === 'x') lines.push({ ref: parseRef(dataset, key, value), settings: undefined });
    else if (last !== undefined) lines[lines.length - 1] = withPart(last, key, value);
  }
  const tags: LineRef[] = [];
  const axes = new Map<string, AxisSettings>();
  for (const { ref, settings } of lines) {
    if (ref === undefined || tags.length >= MOST_TAGS || tags.some((other) => isSameTag(other, ref))) continue;
    tags.push(ref);
    if (settings !== undefined) axes.set(tagKey(ref), settings);
  }
  return { dataset, tags, axes };
}

function parseRef(dataset: string | undefined, key: 't' | 'x', value: string): LineRef | undefined {
  if (dataset === undefined || value === '') return undefined;
  return key === 'x' ? calculatedRef(dataset, value) : { dataset, name: value };
}

/** With what a parameter says of the line before it. */
function withPart(line: LinkedLine, key: string, value: string): LinkedLine {
  const { ref, settings } = line;
  if (ref === undefined) return line;
  const withSettings = (patch: Partial<AxisSettings> = {}): LinkedLine => {
    return { ref, settings: { ...AUTOMATIC, ...settings, ...patch } };
  };
  if (key === 'scale') return withSettings(parseScale(value));
  if (key === 'limits') return withSettings({ limits: parseLimits(value) });
  if (!isCalculated(ref)) return key === 'of' ? withSettings({ aggregate: parseAggregate(value) }) : line;
  if (key !== 'name' && key !== 'unit' && key !== 'format') return line;
  const said = { ...ref, [key]: value };
  return { ref: calculatedRef(ref.dataset, ref.expression, said.name, said) ?? ref, settings };
}

/** What is wrong with the times of a fragment, for which `parseView` takes those of the first view; undefined when nothing is. */
export function rangeFault(fragment: string): string | undefined {
  const { fault } = readRange(parametersOf(fragment));
  return fault === undefined ? undefined : `${fault} The last two hours are shown.`;
}

interface LinkedRange {
  readonly range: TimeRange;
  readonly fault?: string;
}

function readRange(parameters: URLSearchParams): LinkedRange {
  const { range } = FIRST_VIEW;
  const from = linkedBound(parameters.get('from') ?? '-2h');
  const to = linkedBound(parameters.get('to') ?? 'now');
  if (typeof from === 'object') return { range, fault: `In the link ${from.fault}` };
  if (typeof to === 'object') return { range, fault: `In the link ${to.fault}` };
  if (parameters.get('from') === null) return { range };
  if (typeof from === 'number' && typeof to === 'number' && from >= to)
    return { range, fault: 'The link ends before it begins.' };
  return { range: { from, to } };
}

/** Whoever writes a link by hand leaves the plus of `d+6h` as it is, which an address has for a space. */
function linkedBound(text: string): Bound | TimeFault {
  const bound = typedBound(text);
  if (typeof bound !== 'object' || !text.includes(' ')) return bound;
  const withPlus = typedBound(text.replaceAll(' ', '+'));
  return typeof withPlus === 'object' ? bound : withPlus;
}

function parametersOf(fragment: string): URLSearchParams {
  return new URLSearchParams(fragment.replace(/^#/, ''));
}
