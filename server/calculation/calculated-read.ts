// Reads of expressions: each is computed as it is answered, from reads of its tags.

import {
  type AggregateFunction,
  compareInstants,
  type Engine,
  findAggregate,
  type Instant,
  MIN_TIME_MS,
  nonNumbers,
  type ReadRequest,
  type ReadResult,
  type TagCursor,
  TICKS_PER_MS,
  type ValueType,
} from '../../engine/index.ts';
import { badParameter, quoted } from '../api/validation/bad-parameter.ts';
import { CalculatedCursor, type GivenValues, type Intervals } from './calculated-cursor.ts';
import type { Expression } from './expression.ts';
import type { Lead } from './history-functions.ts';
import { InputValues } from './input-values.ts';

export interface CalculatedRequest {
  readonly engine: Engine;
  readonly dataset: string;
  readonly expressions: readonly Expression[];
  /** Its tags are not looked at. */
  readonly request: ReadRequest;
  /** Beginnings of so many intervals before the start, ms from there, in order; absent where no function is asked for. */
  readonly edgesBefore?: ((count: number) => readonly number[]) | undefined;
}

/** Throws what a read of the tags would throw. */
export function readCalculated(asked: CalculatedRequest): ReadResult {
  return new CalculatedRead(asked);
}

class CalculatedRead implements ReadResult {
  readonly #asked: CalculatedRequest;
  /** Tags of all expressions, each once. */
  readonly #tags: readonly string[];
  readonly #functions: readonly AggregateFunction[];
  /** Newest point of each tag that has any: what comes later is left for the next read, so that reading twice gives the same. */
  readonly #newest = new Map<string, Instant>();
  /** Read that gives the newest points, one of each tag; undefined once they have been looked at. */
  #newestRead: ReadResult | undefined;
  /** Reads of functions: one for each entry. */
  readonly #intervalReads: IntervalRead[] = [];

  constructor(asked: CalculatedRequest) {
    this.#asked = asked;
    this.#tags = [...new Set(asked.expressions.flatMap(({ tags }) => tags))];
    this.#functions = (asked.request.aggregates?.functions ?? []).map(fitFunction);
    if (asked.request.range.kind !== 'range') refuseHistory(asked.expressions);
    this.#newestRead = this.#openNewest();
  }

  get tagCount(): number {
    return this.#asked.expressions.length * Math.max(1, this.#functions.length);
  }

  get bounds(): ReadResult['bounds'] {
    const { range } = this.#asked.request;
    if (range.kind === 'range') return undefined;
    this.#lookAtNewest();
    const times = [...this.#newest.values()].sort(compareInstants);
    const [start, end] = [times[0], times.at(-1)];
    return start && end && { start, end };
  }

  /** Prepares the newest points and the reads of functions. */
  async settle(): Promise<void> {
    await this.#newestRead?.settle?.();
    this.#lookAtNewest();
    const { engine, dataset, expressions, request } = this.#asked;
    const { aggregates } = request;
    if (aggregates === undefined) return;
    // With a value for each interval, so that none is in force in the next one.
    const fill = aggregates.fill === 'none' ? 'null' : aggregates.fill;
    for (const expression of expressions) {
      const { range, intervals } = this.#withLead(expression);
      for (const fn of this.#functions) {
        const own = { ...aggregates, functions: [fn.name], fill, edges: intervals.edges };
        const read = engine.read(dataset, { ...request, ...PLAIN, tags: expression.tags, range, aggregates: own });
        await read.settle?.();
        this.#intervalReads.push({ read, intervals });
      }
    }
  }

  /** The intervals of an expression, with those before the start that it goes back to. */
  #withLead({ text, lead }: Expression): { readonly range: ReadRequest['range']; readonly intervals: Intervals } {
    const { request, edgesBefore = () => [] } = this.#asked;
    const { range, aggregates } = request;
    if (range.kind !== 'range' || aggregates === undefined) throw new Error('BUG: intervals without a range');
    const { edges } = aggregates;
    const count = lead === undefined ? 0 : leadCount(text, lead, edges);
    const before = count === 0 ? [] : edgesBefore(count);
    const firstMs = before[0] ?? 0;
    const start = movedInstant(range.start, firstMs);
    return {
      range: { ...range, start },
      intervals: { start, edges: Float64Array.from([...before, ...edges], (edge) => edge - firstMs) },
    };
  }

  open(index: number): TagCursor {
    this.#lookAtNewest();
    const count = Math.max(1, this.#functions.length);
    const expression = this.#asked.expressions[Math.floor(index / count)] as Expression;
    const fn = this.#functions[index % count];
    return fn === undefined
      ? this.#openPoints(expression)
      : this.#openIntervals(expression, fn, this.#intervalReads[index] as IntervalRead);
  }

  /** Throws when a tag is not there, or has no numbers. */
  #openNewest(): ReadResult {
    const { engine, dataset, request } = this.#asked;
    const result = engine.read(dataset, { ...request, ...PLAIN, tags: this.#tags, range: { kind: 'newest' } });
    for (const [i, name] of this.#tags.entries()) {
      const cursor = result.open(i);
      cursor.close();
      checkType(cursor.tag.type, name);
    }
    return result;
  }

  #lookAtNewest(): void {
    const result = this.#newestRead;
    if (result === undefined) return;
    this.#newestRead = undefined;
    for (const [i, name] of this.#tags.entries()) {
      const cursor = result.open(i);
      const chunk = cursor.next();
      if (chunk instanceof Promise) throw new Error('BUG: a read of expressions was opened before it was settled');
      if (chunk !== undefined) {
        const { timesMs, ticks } = chunk.points;
        this.#newest.set(name, { ms: timesMs[chunk.start] as number, ticks: ticks[chunk.start] as number });
      }
      cursor.close();
    }
  }

  #openPoints(expression: Expression): TagCursor {
    const { request } = this.#asked;
    const { range, carryIn } = request;
    const isRange = range.kind === 'range';
    const given: GivenValues = {
      from: isRange ? range.start : undefined,
      carries: carryIn,
      isLastOnly: !isRange,
      leavesOutNulls: false,
    };
    const { spanMs = 0, intervals = 0 } = expression.lead ?? {};
    // A point at the start is in force there itself; the one before it is in force a tick earlier.
    const leadMs = spanMs + (intervals > 0 ? 1 / TICKS_PER_MS : 0);
    const inputs = expression.tags.map((name) => new InputValues(() => this.#openTag(name, leadMs)));
    return new CalculatedCursor({ expression, label: undefined, inputs, given });
  }

  /** With the point in force so long before the start. */
  #openTag(name: string, leadMs: number): TagCursor {
    const { engine, dataset, request } = this.#asked;
    const asked = { ...request, ...PLAIN, tags: [name] };
    const newest = this.#newest.get(name);
    if (request.range.kind !== 'range' || newest === undefined) return engine.read(dataset, asked).open(0);
    const range = { ...request.range, start: movedInstant(request.range.start, -leadMs) };
    const end = compareInstants(newest, range.end) < 0 ? newest : range.end;
    if (compareInstants(end, range.start) < 0) {
      return engine.read(dataset, { ...asked, range: { kind: 'at', end } }).open(0);
    }
    return engine.read(dataset, { ...asked, carryIn: true, range: { ...range, end } }).open(0);
  }

  #openIntervals(expression: Expression, fn: AggregateFunction, { read, intervals }: IntervalRead): TagCursor {
    const inputs = expression.tags.map((_, i) => new InputValues(() => read.open(i)));
    const { range, aggregates } = this.#asked.request;
    const leavesOutNulls = aggregates?.fill === 'none';
    const from = range.kind === 'range' ? range.start : undefined;
    const given = { from, carries: false, isLastOnly: false, leavesOutNulls };
    return new CalculatedCursor({ expression, label: { function: fn.name }, inputs, given, intervals });
  }
}

interface IntervalRead {
  readonly read: ReadResult;
  readonly intervals: Intervals;
}

/** What is asked of the tags differs in these from what is asked of the expression. */
const PLAIN = {
  aggregates: undefined,
  after: [],
  carryIn: false,
  intervals: undefined,
  limit: undefined,
  skipMissing: false,
} as const;

/** Intervals that are read before the start, at most. */
const MOST_LEAD = 10_000;

/** In intervals as long as the first whole one. */
function leadCount(text: string, { intervals, spanMs }: Lead, edges: Float64Array): number {
  const lengthMs = Math.max((edges[1] as number) - (edges[0] as number), (edges[2] ?? 0) - (edges[1] as number));
  const count = intervals + Math.ceil(spanMs / lengthMs);
  if (count <= MOST_LEAD) return count;
  throw badParameter(
    `'expr' is ${quoted(text)}, which goes back ${count} intervals from the start; want ${MOST_LEAD} at most: a shorter span, or longer intervals.`,
  );
}

/** Without a start nothing was before. */
function refuseHistory(expressions: readonly Expression[]): void {
  const one = expressions.find(({ lead }) => lead !== undefined);
  if (one === undefined) return;
  throw badParameter(
    `'expr' is ${quoted(one.text)}, which goes by what was before; give it a start, such as relativeStart=-1h.`,
  );
}

/** Never before the year 1. */
function movedInstant({ ms, ticks }: Instant, byMs: number): Instant {
  if (byMs === 0) return { ms, ticks };
  const wholeMs = Math.floor(byMs);
  const movedTicks = ticks + Math.round((byMs - wholeMs) * TICKS_PER_MS);
  const movedMs = ms + wholeMs + Math.floor(movedTicks / TICKS_PER_MS);
  return movedMs < MIN_TIME_MS ? { ms: MIN_TIME_MS, ticks: 0 } : { ms: movedMs, ticks: movedTicks % TICKS_PER_MS };
}

/** A function gives each tag one value for each interval, at its start. */
function fitFunction(name: string): AggregateFunction {
  const fn = findAggregate(name);
  if (fn !== undefined && fn.basis !== 'state' && !fn.hasOwnTime) return fn;
  throw badParameter(
    `'aggregate' is ${quoted(name)}, which does not go with 'expr': its results have times or states of their own.`,
  );
}

function checkType(type: ValueType, name: string): void {
  const what = nonNumbers(type);
  if (what !== undefined) throw badParameter(`'expr' needs numbers, and tag '${name}' has ${what}.`);
}
