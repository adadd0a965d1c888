// Which annotations are asked for. Pure, but for the query of the request.

import { type Annotation, compareInstants, type Instant } from '../../../engine/index.ts';
import { badParameter, oneOf, quoted } from '../../api/validation/bad-parameter.ts';
import { formatInstant, parseInstant } from '../../codec/scalars/timestamp.ts';
import { parseCount, type QueryParameters, single } from '../request/read-parameters.ts';
import { resolveTimeRange, TIME_PARAMETER_NAMES, type TimeParameters } from '../request/time-range.ts';

const MAX_LIMIT = 1_000_000;
const END_NAMES = ['end', 'unixEnd', 'relativeEnd'] as const;

export interface AnnotationQuery {
  /** Undefined: without an end in that direction. */
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
  /** The empty name stands for the whole dataset; undefined: of everything. */
  readonly tags: ReadonlySet<string> | undefined;
  /** In small letters; undefined: any text. */
  readonly contains: string | undefined;
  /** Only what comes behind. */
  readonly after: AnnotationMarker | undefined;
  readonly limit: number;
  readonly format: 'json' | 'csv';
}

type AnnotationMarker = Pick<Annotation, 'start' | 'id'>;

/** Throws a 400. */
export function toAnnotationQuery(query: QueryParameters, now: Instant): AnnotationQuery {
  const limit = single(query, 'limit');
  const after = single(query, 'after');
  const format = oneOf('format', single(query, 'format'), ['json', 'csv']) ?? 'json';
  if (format === 'csv' && (limit ?? after) !== undefined) {
    throw badParameter("'limit' and 'after' are for JSON; a CSV file has all that is asked for.");
  }
  const tags = query.get('tagname');
  return {
    ...rangeOf(query, now),
    tags: tags && new Set(tags),
    contains: single(query, 'contains')?.toLowerCase(),
    after: after === undefined ? undefined : parseMarker(after),
    limit: parseCount('limit', limit, MAX_LIMIT) ?? Number.POSITIVE_INFINITY,
    format,
  };
}

/** Without an end there is none, other than in reads: an annotation may be about what is planned. */
function rangeOf(query: QueryParameters, now: Instant): Pick<AnnotationQuery, 'from' | 'to'> {
  const times: Partial<Record<keyof TimeParameters, string | undefined>> = {};
  for (const name of TIME_PARAMETER_NAMES) times[name] = single(query, name);
  const range = resolveTimeRange(times, now);
  const hasEnd = END_NAMES.some((name) => times[name] !== undefined);
  return {
    from: range.kind === 'range' ? range.start : undefined,
    to: hasEnd && range.kind !== 'newest' ? range.end : undefined,
  };
}

/** Whether an annotation is asked for. */
export function isAskedFor(annotation: Annotation, { from, to, tags, contains, after }: AnnotationQuery): boolean {
  const { start, end, tag, text } = annotation;
  if (after !== undefined && (compareInstants(start, after.start) || annotation.id - after.id) <= 0) return false;
  if (from !== undefined && compareInstants(end ?? start, from) < 0) return false;
  if (to !== undefined && compareInstants(start, to) > 0) return false;
  if (tags !== undefined && !tags.has(tag ?? '')) return false;
  return contains === undefined || text.toLowerCase().includes(contains);
}

export function formatMarker({ start, id }: AnnotationMarker): string {
  return `${formatInstant(start)}_${id}`;
}

function parseMarker(text: string): AnnotationMarker {
  const [, time = '', id = ''] = /^(.{1,40})_(\d{1,15})$/.exec(text) ?? [];
  const start = parseInstant(time);
  if (start !== undefined) return { start, id: Number(id) };
  throw badParameter(`'after' is ${quoted(text)}; want the 'next' of an earlier answer.`);
}
