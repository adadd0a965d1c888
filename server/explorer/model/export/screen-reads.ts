// What is on the screen as reads of the API: one for each dataset and each way in which lines are made. Pure.

import { isCalculated, type LineRef, tagKey } from '../tags/tag.ts';
import { intervalForServer } from '../time/interval-grid.ts';
import { isRelative, needsZone, relativeForServer } from '../time/relative-time.ts';
import { resolveBound, resolveRange, type TimeRange } from '../time/time-range.ts';
import { zoneForServer } from '../time/time-zone.ts';
import { type AggregateChoice, intervalOf } from '../trend/aggregate-choice.ts';

type Parameter = readonly [name: string, value: string];

export interface ScreenRead {
  readonly dataset: string;
  readonly parameters: readonly Parameter[];
}

/** Undefined: every point. */
export type ChoiceOf = (ref: LineRef) => AggregateChoice | undefined;

export function screenReads(refs: readonly LineRef[], range: TimeRange, choiceOf: ChoiceOf): ScreenRead[] {
  const nowMs = Date.now();
  const groups = new Map<string, { dataset: string; aggregate: readonly Parameter[]; lines: Parameter[] }>();
  for (const ref of refs) {
    const aggregate = aggregateParameters(choiceOf(ref), range, nowMs);
    const key = JSON.stringify([ref.dataset, aggregate]);
    const group = groups.get(key) ?? { dataset: ref.dataset, aggregate, lines: [] };
    group.lines.push(isCalculated(ref) ? ['expr', ref.expression] : ['tagname', ref.name]);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ dataset, aggregate, lines }) => {
    const tags = [...lines.filter(([name]) => name === 'tagname'), ...lines.filter(([name]) => name === 'expr')];
    return { dataset, parameters: [...tags, ...aggregate, ...timesOf(range, nowMs, aggregate.length > 0)] };
  });
}

/** What lines are made of in a view. */
export function choicesOf(axes: ReadonlyMap<string, { readonly aggregate: AggregateChoice | undefined }>): ChoiceOf {
  return (ref) => axes.get(tagKey(ref))?.aggregate;
}

export function urlOf(origin: string, { dataset, parameters }: ScreenRead, more: readonly Parameter[] = []): string {
  const query = [...parameters, ...more].map(([name, value]) => `${name}=${encodeValue(value)}`);
  return `${origin}/api/datasets/${encodeURIComponent(dataset)}/data?${query.join('&')}`;
}

/** A colon is allowed in a query, and times are read more easily with it. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':');
}

/** The intervals of the chart: as long as there, and beginning at the same times. */
function aggregateParameters(choice: AggregateChoice | undefined, range: TimeRange, nowMs: number): Parameter[] {
  if (choice === undefined) return [];
  const { startMs, endMs } = resolveRange(range, nowMs);
  const interval = intervalForServer(intervalOf(choice, endMs - startMs));
  return [
    ['aggregate', choice.fn],
    ['interval', interval],
    ['align', 'true'],
  ];
}

/** Relative times stay it where the server has the form; what it does not know is the time that it means now. */
function timesOf(range: TimeRange, nowMs: number, isAggregated: boolean): Parameter[] {
  const bounds = [
    ['from', 'start', 'relativeStart'],
    ['to', 'end', 'relativeEnd'],
  ] as const;
  const zoned = [range.from, range.to].some((bound) => typeof bound === 'string' && needsZone(bound));
  const times = bounds.flatMap(([side, absolute, relative]): Parameter[] => {
    const bound = range[side];
    const form = typeof bound === 'string' && isRelative(bound) ? relativeForServer(bound) : undefined;
    if (side === 'to' && form === 'now') return [];
    if (form !== undefined) return [[relative, form]];
    return [[absolute, new Date(resolveBound(bound, side, nowMs)).toISOString()]];
  });
  const zone: Parameter[] = zoned || isAggregated ? [['tz', zoneForServer()]] : [];
  // Intervals have the value in force at their beginning by themselves.
  return [...times, ...zone, ...(isAggregated ? [] : ([['boundary', 'carry']] as const))];
}
