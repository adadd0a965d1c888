// The parameters of a read, from a query or from a body, as the engine's request and the form of the answer.
// Query parameters that are not known are ignored: clients and proxies add their own.

import { tagNameFault } from '../../../client/tag-name.ts';
import type { Instant, ReadMarker, ReadRequest } from '../../../engine/index.ts';
import { badParameter, oneOf } from '../../api/validation/bad-parameter.ts';
import type { JsonObject } from '../../api/validation/json-schema.ts';
import { type Expression, parseExpression } from '../../calculation/expression.ts';
import { createPacer } from '../../process/pacer.ts';
import { type AggregateForm, refuseWithoutFunction, toAggregateForm } from './aggregate-parameters.ts';
import { type CsvForm, resolveCsvStyle, toCsvForm } from './csv-parameters.ts';
import type { CsvStyle } from './csv-style.ts';
import { parseMarker } from './read-marker.ts';
import { resolveTimeRange, TIME_PARAMETER_NAMES, type TimeParameters } from './time-range.ts';
import { resolveTimeStyle, type TimeStyle } from './time-style.ts';

export type QueryParameters = ReadonlyMap<string, readonly string[]>;

/** The parameters of a read as texts, wherever they came from. Undefined: not given. */
export interface ReadForm extends TimeParameters {
  readonly tags: readonly string[];
  /** Patterns of names. */
  readonly patterns: readonly string[];
  readonly missing: string | undefined;
  readonly limit: string | undefined;
  readonly after: readonly string[];
  readonly boundary: string | undefined;
  readonly exact: string | undefined;
  readonly format: string | undefined;
  readonly as: string | undefined;
  readonly csv: CsvForm;
  readonly timeFormat: string | undefined;
  readonly points: string | undefined;
  readonly expressions: readonly string[];
  readonly expressionNames: readonly string[];
  readonly aggregates: AggregateForm;
}

export interface ReadParameters {
  readonly request: ReadRequest;
  readonly expressions: readonly Expression[];
  /** Int64, UInt64 and Decimal are answered as text. */
  readonly exactAsText: boolean;
  /** How the points of an entry are answered. */
  readonly form: ReadFormat;
  /** Form of rows; undefined: what the request accepts. */
  readonly as: 'json' | 'csv' | 'jsonl' | undefined;
  /** Form of lines of CSV. */
  readonly csv: CsvStyle;
  /** Form of times in files of rows. */
  readonly times: TimeStyle;
}

/** `csv` and `jsonl` are rows in one word. */
const ASKED_FORMATS = ['points', 'columns', 'rows', 'wide', 'csv', 'jsonl', 'parquet', 'arrow'] as const;
type AskedFormat = (typeof ASKED_FORMATS)[number];
export type ReadFormat = Exclude<AskedFormat, 'csv' | 'jsonl'>;

export interface ReadDefaults {
  readonly boundary: 'inside' | 'carry';
}

/** Most expressions of one read. */
const MAX_EXPRESSIONS = 16;
const MAX_LIMIT = 1_000_000_000;
/** Width of the widest screen. The points of so many intervals (8 each) are held in memory at once. */
const MAX_INTERVALS = 8000;

/** Throws a 400 for a parameter that is given twice where one is meant. */
export function toReadForm(query: QueryParameters): ReadForm {
  const times: Record<string, string | undefined> = {};
  for (const name of TIME_PARAMETER_NAMES) times[name] = single(query, name);
  return {
    ...times,
    tags: query.get('tagname') ?? [],
    patterns: query.get('tags') ?? [],
    missing: single(query, 'missing'),
    limit: single(query, 'limit'),
    after: query.get('after') ?? [],
    boundary: single(query, 'boundary'),
    exact: single(query, 'exact'),
    format: single(query, 'format'),
    as: single(query, 'as'),
    csv: toCsvForm((name) => single(query, name)),
    timeFormat: single(query, 'timeFormat'),
    points: single(query, 'points'),
    expressions: query.get('expr') ?? [],
    expressionNames: query.get('exprName') ?? [],
    aggregates: toAggregateForm((name) => (name === 'aggregate' ? query.get(name) : single(query, name))),
  };
}

/** Form from a body that `readBodySchema` has passed. */
export function toReadFormOfBody(body: JsonObject): ReadForm {
  const times: Record<string, string | undefined> = {};
  for (const name of TIME_PARAMETER_NAMES) times[name] = textOfValue(body[name]);
  return {
    ...times,
    tags: (body.tagname as string[] | undefined) ?? [],
    patterns: (body.tags as string[] | undefined) ?? [],
    missing: textOfValue(body.missing),
    limit: textOfValue(body.limit),
    after: (body.after as string[] | undefined) ?? [],
    boundary: textOfValue(body.boundary),
    exact: textOfValue(body.exact),
    format: textOfValue(body.format),
    as: textOfValue(body.as),
    csv: toCsvForm((name) => textOfValue(body[name])),
    timeFormat: textOfValue(body.timeFormat),
    points: textOfValue(body.points),
    expressions: (body.expr as string[] | undefined) ?? [],
    expressionNames: (body.exprName as string[] | undefined) ?? [],
    aggregates: toAggregateForm((name) => (name === 'aggregate' ? listOf(body[name]) : textOfValue(body[name]))),
  };
}

/** The markers of a form that may have very many; lets others have turns. Throws a 400 for one that is none. */
export async function parseMarkers({ after }: ReadForm): Promise<ReadMarker[]> {
  const markers: ReadMarker[] = [];
  const pacer = createPacer();
  for (const text of after) {
    markers.push(requireMarker(text));
    if (pacer.isDue()) await pacer.yield();
  }
  return markers;
}

/**
 * Throws a 400 `ProblemError` for every parameter that is not as it should be.
 * @param markers of the form, when they were parsed already
 */
export function resolveReadForm(
  form: ReadForm,
  now: Instant,
  defaults: ReadDefaults,
  markers: readonly ReadMarker[] = form.after.map(requireMarker),
): ReadParameters {
  const range = resolveTimeRange(form, now);
  const intervals = parseCount('points', form.points, MAX_INTERVALS);
  if (intervals !== undefined && (form.limit !== undefined || form.after.length > 0)) {
    throw badParameter(`'points' does not go with 'limit' and 'after'.`);
  }
  const { format, as } = resolveFormat(form);
  refuseUnfitRows(form, format);
  if (form.expressions.length > 0) refuseBesideExpression(form);
  if (form.aggregates.aggregate !== undefined) refuseBeside(form);
  else refuseWithoutFunction(form.aggregates);
  const boundary = oneOf('boundary', form.boundary, ['inside', 'carry']) ?? defaults.boundary;
  return {
    expressions: parseExpressions(form),
    request: {
      tags: form.tags,
      range,
      carryIn: boundary === 'carry' && range.kind === 'range',
      skipMissing: oneOf('missing', form.missing, ['fail', 'skip']) === 'skip',
      limit: parseCount('limit', form.limit, MAX_LIMIT),
      after: markers,
      intervals: range.kind === 'range' ? intervals : undefined,
    },
    exactAsText: oneOf('exact', form.exact, ['number', 'string']) === 'string',
    form: format,
    as,
    csv: resolveCsvStyle(form.csv, as === 'csv'),
    times: resolveTimeStyle(form.timeFormat, form.tz, as === 'json' ? undefined : as),
  };
}

function resolveFormat(form: ReadForm): { format: ReadFormat; as: ReadParameters['as'] } {
  const asked = oneOf('format', form.format, ASKED_FORMATS) ?? 'points';
  if (asked !== 'csv' && asked !== 'jsonl')
    return { format: asked, as: oneOf('as', form.as, ['json', 'csv', 'jsonl']) };
  if (form.as !== undefined) throw badParameter(`'as' does not go with 'format=${asked}'.`);
  return { format: 'rows', as: asked };
}

/** Rows have no place for markers, and those of several tags side by side none for parts of tags. */
function refuseUnfitRows(form: ReadForm, format: ReadFormat): void {
  const isOfRows = format === 'rows' || format === 'wide';
  const isTable = isOfRows || format === 'parquet' || format === 'arrow';
  if (!isOfRows && form.as !== undefined) throw badParameter(`'as' needs format=rows or format=wide.`);
  if (isTable && form.after.length > 0) throw badParameter(`'after' does not go with 'format=${format}'.`);
  if (format === 'wide' && form.limit !== undefined) throw badParameter(`'limit' does not go with 'format=wide'.`);
}

/** A read of functions takes nothing that chooses among points. */
function refuseBeside(form: ReadForm): void {
  const given = (['limit', 'points', 'boundary'] as const).find((name) => form[name] !== undefined);
  const name = given ?? (form.after.length > 0 ? 'after' : undefined);
  if (name !== undefined) throw badParameter(`'${name}' does not go with 'aggregate'.`);
}

/** What is computed has no ordinals to go on from. */
function refuseBesideExpression(form: ReadForm): void {
  const given = (['limit', 'points', 'missing'] as const).find((name) => form[name] !== undefined);
  const name = given ?? (form.after.length > 0 ? 'after' : undefined);
  if (name !== undefined) throw badParameter(`'${name}' does not go with 'expr'.`);
}

/** The one value of a parameter. Throws a 400 when there are several. */
export function single(query: QueryParameters, name: string): string | undefined {
  const values = query.get(name) ?? [];
  if (values.length > 1) throw badParameter(`'${name}' was given ${values.length} times; want it once.`);
  return values[0];
}

function parseExpressions({ expressions, expressionNames: names }: ReadForm): Expression[] {
  if (expressions.length > MAX_EXPRESSIONS) throw badParameter(`'expr' was given more than ${MAX_EXPRESSIONS} times.`);
  if (names.length > 0 && names.length !== expressions.length)
    throw badParameter(
      `Got ${names.length} of 'exprName' and ${expressions.length} of 'expr'; want a name for each, or none.`,
    );
  for (const name of names) checkExpressionName(name);
  return expressions.map((text, i) => {
    const expression = parseExpression(text);
    const name = names[i];
    return name === undefined ? expression : { ...expression, name };
  });
}

function checkExpressionName(name: string): void {
  const fault = tagNameFault(name);
  if (fault !== undefined) throw badParameter(`'exprName': ${fault}.`);
}

/** Undefined when it was not given. Throws a 400. */
export function parseCount(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw badParameter(`'${name}' is '${text.slice(0, 100)}'; want a whole number from 1 to ${max}.`);
}

function requireMarker(text: string): ReadMarker {
  const marker = parseMarker(text);
  if (marker !== undefined) return marker;
  throw badParameter(`'after' is '${text.slice(0, 100)}'; want a marker 'next' of an earlier answer.`);
}

function listOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? (value as string[]) : [String(value)];
}

/** A JSON number in digits, without an exponent where times can be. */
function textOfValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = String(value);
  return typeof value === 'number' && text.includes('e') ? value.toFixed(7) : text;
}
