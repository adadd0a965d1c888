// HistoryRead of raw values. A page goes on where the last one ended by a continuation point that says so itself: the server
// keeps nothing of a client that does not come again.

import type { DataValue, ReadRawModifiedDetails } from 'node-opcua-client';
import type { Client } from '../../../collect/opcua/library.ts';
import {
  type AggregateRequest,
  compareInstants,
  type Engine,
  FIRST_INSTANT,
  type Instant,
  LAST_INSTANT,
  oneTickAfter,
  oneTickBefore,
  type ReadMarker,
  type ReadRange,
  type TagCursor,
} from '../../../engine/index.ts';
import { emptyValue, instantOf, valuesOf } from './data-values.ts';
import { BadHistory, type HistoryPage, MOST_VALUES, timeOf } from './history-page.ts';

/** What a read backwards looks at first; eight times as much as long as it finds too little. */
const FIRST_WINDOW_MS = 60_000;
const WINDOW_GROWTH = 8;

export interface RawSource {
  readonly engine: Engine;
  readonly client: typeof Client;
  readonly dataset: string;
  readonly tag: string;
}

/** Place where a page goes on: behind a point, or before an instant, of whose points some are given already. */
interface Position {
  readonly after?: ReadMarker;
  readonly until?: Instant & { readonly given: number };
}

export async function readRaw(
  source: RawSource,
  details: ReadRawModifiedDetails,
  continuationPoint: string | undefined,
): Promise<HistoryPage> {
  const { isReadModified, numValuesPerNode, returnBounds } = details;
  if (isReadModified) throw new BadHistory('BadHistoryOperationUnsupported');
  const start = timeOf(details.startTime);
  const end = timeOf(details.endTime);
  const limit = Math.min(numValuesPerNode || MOST_VALUES, MOST_VALUES);
  // At least two of start, end and number are to be given.
  if ((start === undefined || end === undefined) && numValuesPerNode === 0) throw new BadHistory('BadInvalidArgument');
  if (start === undefined && end === undefined) throw new BadHistory('BadInvalidArgument');
  const position = parsePosition(continuationPoint);
  const isBackwards = start === undefined || (end !== undefined && compareInstants(start, end) > 0);
  if (isBackwards) {
    if (returnBounds) throw new BadHistory('BadBoundNotSupported');
    // Without a start the end itself counts.
    const range =
      start === undefined
        ? { from: FIRST_INSTANT, to: end as Instant }
        : { from: oneTickAfter(end as Instant), to: start };
    return readBackwards(source, range, { limit, isBounded: end !== undefined && start !== undefined, position });
  }
  const asked = { start, end, limit, isFirst: continuationPoint === undefined, returnBounds };
  return readForwards(source, asked, position);
}

interface Forwards {
  readonly start: Instant;
  readonly end: Instant | undefined;
  readonly limit: number;
  readonly isFirst: boolean;
  readonly returnBounds: boolean;
}

async function readForwards(source: RawSource, asked: Forwards, position: Position): Promise<HistoryPage> {
  const { start, end, limit, isFirst, returnBounds } = asked;
  const isInstant = end !== undefined && compareInstants(start, end) === 0;
  // The end does not belong to the range, unless it is the start, too.
  const last = isInstant ? end : oneTickBefore(end ?? LAST_INSTANT);
  const after = position.after === undefined ? [] : [position.after];
  const { values, marker } = await collect(source, { kind: 'range', start, end: last }, { limit, after });
  const bound = returnBounds && isFirst ? await startBound(source, start, values[0]) : [];
  const endBounds =
    returnBounds && end !== undefined && marker === undefined ? await endBound(source, end, isInstant) : [];
  const isOpen = end === undefined;
  return {
    values: [...bound, ...values, ...endBounds],
    // A number without an end is all that is asked for.
    continuationPoint:
      marker === undefined || isOpen ? undefined : JSON.stringify({ after: marker } satisfies Position),
  };
}

async function startBound(source: RawSource, start: Instant, first: DataValue | undefined): Promise<DataValue[]> {
  if (first !== undefined && compareInstants(instantOf(first), start) === 0) return [];
  const { values } = await collect(source, { kind: 'at', end: start }, {});
  return values.length > 0 ? values.slice(-1) : [emptyValue(source.client, 'BadBoundNotFound', start)];
}

async function endBound(source: RawSource, end: Instant, isInstant: boolean): Promise<DataValue[]> {
  if (isInstant) return [];
  const { values } = await collect(source, { kind: 'range', start: end, end: LAST_INSTANT }, { limit: 1 });
  return values.length > 0 ? values : [emptyValue(source.client, 'BadBoundNotFound', end)];
}

interface Backwards {
  readonly limit: number;
  /** Whether all of the range is asked for, page by page. */
  readonly isBounded: boolean;
  readonly position: Position;
}

async function readBackwards(
  source: RawSource,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  { limit, isBounded, position }: Backwards,
): Promise<HistoryPage> {
  const until = position.until ?? { ...to, given: 0 };
  const wanted = limit + until.given + 1;
  let found: DataValue[] = [];
  for (let windowMs = FIRST_WINDOW_MS; ; windowMs *= WINDOW_GROWTH) {
    const ms = await windowStart(source, until, windowMs);
    const start = ms === undefined || ms <= from.ms ? from : { ms, ticks: 0 };
    found = await collectLast(source, { kind: 'range', start, end: until }, wanted);
    if (found.length >= wanted || start === from) break;
  }
  const newestFirst = found.reverse().slice(until.given);
  const values = newestFirst.slice(0, limit);
  const last = values.at(-1);
  if (!isBounded || newestFirst.length <= limit || last === undefined) return { values, continuationPoint: undefined };
  const at = instantOf(last);
  const isSame = (value: DataValue): boolean => compareInstants(instantOf(value), at) === 0;
  const given = values.filter(isSame).length + (compareInstants(at, until) === 0 ? until.given : 0);
  return { values, continuationPoint: JSON.stringify({ until: { ...at, given } } satisfies Position) };
}

/** Time so long before the newest point of the range: there may be none for years. Undefined where there is no point at all. */
async function windowStart(source: RawSource, until: Instant, windowMs: number): Promise<number | undefined> {
  const { values } = await collect(source, { kind: 'at', end: until }, {});
  const newest = values.at(-1);
  return newest && instantOf(newest).ms - windowMs;
}

/** The last so many values of a range, in order. */
async function collectLast(source: RawSource, range: ReadRange, most: number): Promise<DataValue[]> {
  let values: DataValue[] = [];
  for await (const page of chunksOf(source, range, {})) {
    values.push(...page);
    if (values.length > 2 * most + MOST_VALUES) values = values.slice(-most);
  }
  return values.slice(-most);
}

type ReadOutcome = ReturnType<TagCursor['outcome']>;

interface CollectOptions {
  readonly limit?: number;
  readonly after?: readonly ReadMarker[];
  /** Results of functions in place of points. */
  readonly aggregates?: AggregateRequest;
}

async function collect(
  source: RawSource,
  range: ReadRange,
  options: CollectOptions,
): Promise<{ readonly values: DataValue[]; readonly marker: ReadMarker | undefined }> {
  const values: DataValue[] = [];
  const outcomes: ReadOutcome[] = [];
  for await (const page of chunksOf(source, range, options, outcomes)) values.push(...page);
  const outcome = outcomes[0];
  const lost = (outcome?.gaps ?? []).map(({ start }) => emptyValue(source.client, 'BadDataLost', start));
  const all =
    lost.length === 0 ? values : [...values, ...lost].sort((a, b) => compareInstants(instantOf(a), instantOf(b)));
  return { values: all, marker: outcome?.marker };
}

/** Values chunk by chunk; the outcome of the read is added to `outcomes` at its end. */
export async function* chunksOf(
  { engine, client, dataset, tag }: RawSource,
  range: ReadRange,
  { limit, after = [], aggregates }: CollectOptions,
  outcomes: ReadOutcome[] = [],
): AsyncGenerator<DataValue[]> {
  const read = engine.read(dataset, {
    tags: [tag],
    range,
    carryIn: false,
    skipMissing: false,
    limit,
    after,
    ...(aggregates && { aggregates }),
  });
  await read.settle?.();
  const cursor = read.open(0);
  try {
    for (let chunk = await cursor.next(); chunk !== undefined; chunk = await cursor.next())
      yield [...valuesOf(client, chunk)];
    outcomes.push(cursor.outcome());
  } finally {
    cursor.close();
  }
}

/** Made by this server: one that is not, is none. */
function parsePosition(text: string | undefined): Position {
  if (text === undefined) return {};
  try {
    const { after, until } = JSON.parse(text) as Position;
    const numbers = [after?.tagId, after?.ordinal, until?.ms, until?.ticks, until?.given].filter(
      (each) => each !== undefined,
    );
    if (numbers.every(Number.isSafeInteger) && (numbers.length === 2 || numbers.length === 3))
      return { ...(after && { after }), ...(until && { until }) };
  } catch {
    // Told below.
  }
  throw new BadHistory('BadContinuationPointInvalid');
}
