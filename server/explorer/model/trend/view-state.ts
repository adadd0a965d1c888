// What a link holds: the tags of the trend, the window, the layout, what it is compared with, and the columns of the table.

import type { TagRef } from '../tags/tag.ts';
import { isSameTag, tagKey } from '../tags/tag.ts';
import { isRelative } from '../time/relative-time.ts';
import { type Bound, parseBound, type TimeRange } from '../time/time-range.ts';
import { formatAggregate, parseAggregate } from './aggregate-choice.ts';
import { AUTOMATIC, type AxisSettings, formatScale, parseLimits, parseScale } from './axis-settings.ts';

export type Layout = 'bands' | 'shared';

/** Which columns the table below the chart has. */
export type TableColumns = 'values' | 'statistics';

export interface ViewState {
  /** The dataset whose tags are listed. */
  readonly dataset: string | undefined;
  readonly tags: readonly TagRef[];
  readonly range: TimeRange;
  readonly layout: Layout;
  /** `previous`, or a span such as `8h`; undefined for nothing. */
  readonly compare: string | undefined;
  /** By `tagKey`; tags without an entry are automatic. */
  readonly axes: ReadonlyMap<string, AxisSettings>;
  readonly table: TableColumns;
}

export const MOST_TAGS = 16;

export const FIRST_VIEW: ViewState = {
  dataset: undefined,
  tags: [],
  range: { from: '-2h', to: 'now' },
  layout: 'bands',
  compare: undefined,
  axes: new Map(),
  table: 'values',
};

/**
 * The fragment of the address, without `#`. A `d` holds for the `t`s behind it, `scale`, `limits` and `of` for the `t` before;
 * the last `d` is the listed dataset.
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
    add('t', tag.name);
    const settings = view.axes.get(tagKey(tag)) ?? AUTOMATIC;
    if (formatScale(settings) !== '') add('scale', formatScale(settings));
    if (settings.limits.length > 0) add('limits', settings.limits.join(' '));
    if (settings.aggregate !== undefined) add('of', formatAggregate(settings.aggregate));
  }
  if (view.dataset !== undefined && view.dataset !== dataset) add('d', view.dataset);
  add('from', formatLinkBound(view.range.from));
  add('to', formatLinkBound(view.range.to));
  if (view.layout !== 'bands') add('layout', view.layout);
  if (view.compare !== undefined) add('compare', view.compare);
  if (view.table !== 'values') add('table', view.table);
  return parts.join('&');
}

function formatLinkBound(bound: Bound): string {
  return typeof bound === 'string' ? bound : new Date(bound).toISOString();
}

/** Takes what it understands, and the first view for the rest: links come from anywhere. */
export function parseView(fragment: string): ViewState {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  const { dataset, tags, axes } = parseTags(parameters);
  const compare = parameters.get('compare') ?? undefined;
  return {
    dataset,
    tags,
    axes,
    range: parseRange(parameters),
    layout: parameters.get('layout') === 'shared' ? 'shared' : 'bands',
    compare: compare !== undefined && isCompare(compare) ? compare : undefined,
    table: parameters.get('table') === 'statistics' ? 'statistics' : 'values',
  };
}

/** True for what `compare` may hold. */
export function isCompare(text: string): boolean {
  return text === 'previous' || (/^\d/.test(text) && isRelative(text));
}

function parseTags(parameters: URLSearchParams): Pick<ViewState, 'dataset' | 'tags' | 'axes'> {
  const tags: TagRef[] = [];
  const axes = new Map<string, AxisSettings>();
  let last: string | undefined;
  let dataset: string | undefined;
  for (const [key, value] of parameters) {
    if (key === 'd' && value !== '') dataset = value;
    if (last !== undefined && key === 'scale')
      axes.set(last, { ...AUTOMATIC, ...axes.get(last), ...parseScale(value) });
    if (last !== undefined && key === 'limits') {
      axes.set(last, { ...AUTOMATIC, ...axes.get(last), limits: parseLimits(value) });
    }
    if (last !== undefined && key === 'of') {
      axes.set(last, { ...AUTOMATIC, ...axes.get(last), aggregate: parseAggregate(value) });
    }
    if (key !== 't' || value === '' || dataset === undefined) continue;
    const tag = { dataset, name: value };
    last = tagKey(tag);
    if (tags.length < MOST_TAGS && !tags.some((other) => isSameTag(other, tag))) tags.push(tag);
  }
  return { dataset, tags, axes };
}

function parseRange(parameters: URLSearchParams): TimeRange {
  const from = parseBound(parameters.get('from') ?? '');
  const to = parseBound(parameters.get('to') ?? 'now');
  if (from === undefined || to === undefined) return FIRST_VIEW.range;
  if (typeof from === 'number' && typeof to === 'number' && from >= to) return FIRST_VIEW.range;
  return { from, to };
}
