// The parameters of aggregates, from texts to what the engine is asked for. docs/aggregates.md explains them.

import {
  AGGREGATE_NAMES,
  type AggregateRequest,
  compareInstants,
  findAggregate,
  type ReadRange,
  TICKS_PER_MS,
} from '../../../engine/index.ts';
import { badParameter, oneOf, quoted } from '../../api/validation/bad-parameter.ts';
import { type EdgeRange, findEdges, findEdgesBefore, parseInterval } from './interval.ts';
import { parseZone } from './time-range.ts';

/** Parameters other than `aggregate` itself have one value. */
export const AGGREGATE_PARAMETER_NAMES = [
  'aggregate',
  'interval',
  'align',
  'interpolation',
  'extrapolation',
  'treatUncertainAsBad',
  'percentGood',
  'percentBad',
  'fill',
] as const;
type ParameterName = (typeof AGGREGATE_PARAMETER_NAMES)[number];

/** The parameters as they were sent; undefined: not given. */
export type AggregateForm = Readonly<Record<Exclude<ParameterName, 'aggregate'>, string | undefined>> & {
  readonly aggregate: readonly string[] | undefined;
};

/** Names of other historians, in lower case, and the function that gives the same. A table in docs/aggregates.md has them all. */
export const AGGREGATE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['interpolated', 'Interpolative'],
  ['simpleaverage', 'Average'],
  ['mean', 'Average'],
  ['timeweightedaverage', 'TimeAverage'],
  ['timeweightedtotal', 'Total'],
  ['min', 'Minimum'],
  ['max', 'Maximum'],
  ['first', 'Start'],
  ['firstvalue', 'Start'],
  ['last', 'End'],
  ['lastvalue', 'End'],
  ['stddev', 'StandardDeviationSample'],
  ['populationstddev', 'StandardDeviationPopulation'],
  ['variance', 'VarianceSample'],
  ['pctgood', 'PercentGood'],
  ['pctbad', 'PercentBad'],
  ['durationon', 'DurationInStateNonZero'],
  ['durationoff', 'DurationInStateZero'],
]);

/** Most names that are looked at: more are a mistake. */
const MOST_FUNCTIONS = 100;

export interface ResolvedAggregates {
  readonly request: AggregateRequest;
  /** How entries tell the interval. */
  readonly interval: Readonly<Record<string, number | string>>;
  /** Beginnings of so many intervals before the start, ms from there, in order. */
  readonly edgesBefore: (count: number) => readonly number[];
}

/** `read` gives the value of a parameter, of `aggregate` its values. */
export function toAggregateForm(read: (name: ParameterName) => string | readonly string[] | undefined): AggregateForm {
  const texts: Record<string, unknown> = {};
  for (const name of AGGREGATE_PARAMETER_NAMES) texts[name] = read(name);
  return texts as unknown as AggregateForm;
}

/** Throws a 400 for parameters that mean nothing without `aggregate`. */
export function refuseWithoutFunction(form: AggregateForm): void {
  const name = AGGREGATE_PARAMETER_NAMES.find((known) => form[known] !== undefined);
  if (name !== undefined) throw badParameter(`'${name}' needs 'aggregate', such as aggregate=TimeAverage.`);
}

/** Undefined when no function is asked for. Lets others have turns. Throws a 400 for every parameter that is not as it should be. */
export async function resolveAggregates(
  form: AggregateForm,
  tz: string | undefined,
  range: ReadRange,
  { now, isAborted, memory }: Pick<AggregateRequest, 'now' | 'isAborted' | 'memory'>,
): Promise<ResolvedAggregates | undefined> {
  if (form.aggregate === undefined) return undefined;
  if (range.kind !== 'range' || compareInstants(range.start, range.end) >= 0) {
    throw badParameter(
      `'aggregate' needs a start before the end, such as relativeStart=-1d; intervals are [start, end).`,
    );
  }
  const functions = parseFunctions(form.aggregate);
  const zone = parseZone(tz);
  const interval = form.interval === undefined ? undefined : parseInterval(form.interval, zone);
  const isAligned = parseBoolean('align', form.align) ?? false;
  if (isAligned && interval === undefined) throw badParameter(`'align' needs 'interval'.`);
  const lengthMs = range.end.ms - range.start.ms + (range.end.ticks - range.start.ticks) / TICKS_PER_MS;
  const edges = interval
    ? await findEdges(interval, { ...range, zone, isAligned, isAborted, memory })
    : Float64Array.of(0, lengthMs);
  const request: AggregateRequest = {
    functions,
    edges,
    interpolation: parseInterpolation(form),
    treatUncertainAsBad: parseTreatUncertainAsBad(form),
    percentGood: parsePercent('percentGood', form.percentGood),
    percentBad: parsePercent('percentBad', form.percentBad),
    extrapolatesSlope: oneOf('extrapolation', form.extrapolation, ['stepped', 'sloped']) === 'sloped',
    fill: oneOf('fill', form.fill, ['none', 'null', 'previous', 'linear']) ?? 'null',
    now,
    isAborted,
    memory,
  };
  const told =
    interval && interval.spanMs === undefined
      ? { interval: interval.text }
      : { intervalMs: interval?.spanMs ?? lengthMs };
  const before: EdgeRange = { ...range, zone, isAligned, isAborted };
  const usual = interval ?? { text: '', spanMs: lengthMs, steps: [] };
  return { request, interval: told, edgesBefore: (count) => findEdgesBefore(usual, before, count) };
}

export function parseInterpolation({ interpolation }: AggregateForm): AggregateRequest['interpolation'] {
  return oneOf('interpolation', interpolation, ['stepped', 'sloped']);
}

export function parseTreatUncertainAsBad({ treatUncertainAsBad }: AggregateForm): boolean {
  return parseBoolean('treatUncertainAsBad', treatUncertainAsBad) ?? true;
}

/** Values may name several, with commas between them. */
function parseFunctions(values: readonly string[]): string[] {
  const names = values.flatMap((value) => value.split(',', MOST_FUNCTIONS + 1)).map((name) => name.trim());
  if (names.length > MOST_FUNCTIONS) throw badParameter(`'aggregate' names more than ${MOST_FUNCTIONS} functions.`);
  if (names.length === 0)
    throw badParameter(`'aggregate' names no function; want one of ${AGGREGATE_NAMES.join(', ')}.`);
  return names.map(parseFunction);
}

function parseFunction(name: string): string {
  const found = findAggregate(AGGREGATE_ALIASES.get(name.toLowerCase()) ?? name);
  if (found !== undefined) return found.name;
  throw badParameter(`'aggregate' is ${quoted(name)}; want one of ${AGGREGATE_NAMES.join(', ')}.`);
}

function parseBoolean(name: string, text: string | undefined): boolean | undefined {
  const found = oneOf(name, text, ['true', 'false']);
  return found === undefined ? undefined : found === 'true';
}

/** 100 when it was not given. */
function parsePercent(name: string, text: string | undefined): number {
  if (text === undefined) return 100;
  const percent = /^\d{1,3}(\.\d{1,10})?$/.test(text) ? Number(text) : Number.NaN;
  if (percent <= 100) return percent;
  throw badParameter(`'${name}' is ${quoted(text)}; want a number from 0 to 100.`);
}
