// Gives the results of one function as points.

import type { ResultColumn } from '../../aggregates/result-column.ts';
import type { AggregateLabel, PointChunk, ReadOutcome, TagCursor } from '../../reads.ts';
import { type Instant, PointColumns, type TagDefinition, TICKS_PER_MS, ValueType } from '../../types.ts';
import { rulesOf, type TagResults, type TagTask } from './tag-results.ts';

const CHUNK_POINTS = 2048;

export interface CursorParts {
  readonly tag: TagDefinition;
  readonly label: AggregateLabel;
  readonly task: TagTask;
  readonly results: TagResults;
  readonly column: ResultColumn;
}

export class ResultCursor implements TagCursor {
  readonly tag: TagDefinition;
  readonly label: AggregateLabel;
  readonly #parts: CursorParts;
  readonly #type: ValueType;
  readonly #points = new PointColumns(CHUNK_POINTS);
  #isComputed = false;
  #next = 0;

  constructor(parts: CursorParts) {
    this.tag = parts.tag;
    this.label = parts.label;
    this.#parts = parts;
    parts.results.opened();
    this.#type = typeOfResults(parts);
  }

  next(): PointChunk | undefined | Promise<PointChunk | undefined> {
    if (this.#isComputed) return this.#chunk();
    return this.#parts.results.compute().then(() => {
      this.#isComputed = true;
      return this.#chunk();
    });
  }

  outcome(): ReadOutcome {
    const { gaps, summary } = this.#parts.results;
    return { gaps, summary: { kind: 'aggregate', ...summary } };
  }

  close(): void {
    if (this.#next === Number.POSITIVE_INFINITY) return;
    this.#next = Number.POSITIVE_INFINITY;
    this.#parts.results.closed();
  }

  #chunk(): PointChunk | undefined {
    const { task, column } = this.#parts;
    const points = this.#points;
    points.clear();
    const leavesOut = task.request.fill === 'none';
    for (; this.#next < column.values.length && points.count < CHUNK_POINTS; this.#next++) {
      const isNull = !Number.isFinite(column.values[this.#next] as number);
      if (!isNull || !leavesOut) this.#put(points, this.#next, isNull);
    }
    return points.count === 0 ? undefined : { type: this.#type, points, start: 0, end: points.count };
  }

  #put(points: PointColumns, interval: number, isNull: boolean): void {
    const { task, column } = this.#parts;
    const at = points.count++;
    const own = column.times?.[interval] ?? Number.NaN;
    const time = timeAt(task.range.start, Number.isNaN(own) ? (task.request.edges[interval] as number) : own);
    points.timesMs[at] = time.ms;
    points.ticks[at] = time.ticks;
    points.nulls[at] = isNull ? 1 : 0;
    points.qualities[at] = column.qualities[interval] as number;
    this.#putValue(points, at, isNull ? 0 : (column.values[interval] as number), isNull);
  }

  #putValue(points: PointColumns, at: number, value: number, isNull: boolean): void {
    const { texts } = this.#parts.task;
    if (this.#type === ValueType.DateTime) points.bigints[at] = isNull ? 0n : dateTimeTicks(value);
    else if (this.#type === ValueType.String && !isNull && texts)
      points.numbers[at] = points.texts.push(texts.textOf(value));
    else points.numbers[at] = value;
  }
}

/** What is a value of the tag is of its type, where that tells how it is written; a value between two is a number. */
function typeOfResults({ task, column }: CursorParts): ValueType {
  const { type } = task.source.definition;
  if (column.fn.kind === 'number') return ValueType.Double;
  if (type === ValueType.String || type === ValueType.DateTime) return type;
  const isStored = (column.fn.basis === 'raw' || rulesOf(task).isStepped) && task.request.fill !== 'linear';
  const isWrittenSo = type === ValueType.Boolean || type === ValueType.Single;
  return isStored && isWrittenSo ? type : ValueType.Double;
}

export function timeAt(start: Instant, offsetMs: number): Instant {
  const wholeMs = Math.floor(offsetMs);
  const ticks = start.ticks + Math.round((offsetMs - wholeMs) * TICKS_PER_MS);
  const carry = Math.floor(ticks / TICKS_PER_MS);
  return { ms: start.ms + wholeMs + carry, ticks: ticks - carry * TICKS_PER_MS };
}

/** To the millisecond: as a number it has no more digits. */
function dateTimeTicks(ms: number): bigint {
  return BigInt(Math.round(ms)) * BigInt(TICKS_PER_MS);
}
