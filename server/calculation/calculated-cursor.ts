// The values of an expression: one at each time at which one of its tags has a point, of what is in force then.

import {
  type AggregateLabel,
  compareInstants,
  type Instant,
  type PointChunk,
  PointColumns,
  type ReadOutcome,
  type TagCursor,
  type TagDefinition,
  TICKS_PER_MS,
  ValueType,
} from '../../engine/index.ts';
import { createPacer } from '../process/pacer.ts';
import { type Expression, firstMoment } from './expression.ts';
import type { Moment } from './history-functions.ts';
import type { InputValues } from './input-values.ts';

const CHUNK_POINTS = 2048;

/** Which of the values are given. */
export interface GivenValues {
  /** Values before it are not, but for the last of them when `carries` says so. */
  readonly from: Instant | undefined;
  readonly carries: boolean;
  /** The last value of all, and no other. */
  readonly isLastOnly: boolean;
  /** Whether values that cannot be computed are left out. */
  readonly leavesOutNulls: boolean;
}

export interface CalculatedParts {
  readonly expression: Expression;
  readonly label: AggregateLabel | undefined;
  /** Values of the tags of the expression, in its order. */
  readonly inputs: readonly InputValues[];
  readonly given: GivenValues;
  /** Tells until when results hold; undefined for points. */
  readonly intervals?: Intervals | undefined;
}

export interface Intervals {
  readonly start: Instant;
  /** Beginnings, and the end of the last: ms from the start. */
  readonly edges: Float64Array;
}

/** One value of the expression. */
interface Held {
  readonly time: Instant;
  readonly value: number;
  readonly quality: number;
}

export class CalculatedCursor implements TagCursor {
  readonly tag: TagDefinition;
  readonly label: AggregateLabel | undefined;
  readonly #parts: CalculatedParts;
  readonly #values: Float64Array;
  readonly #moment: Moment;
  /** Index of the edge at or before the present moment. */
  #edge = 0;
  readonly #points = new PointColumns(CHUNK_POINTS);
  /** A value that is given if no other takes its place. */
  #held: Held | undefined;
  #isOver = false;

  constructor(parts: CalculatedParts) {
    this.#parts = parts;
    const { name, text } = parts.expression;
    this.tag = { name: name ?? text, type: ValueType.Double };
    this.label = parts.label;
    this.#values = new Float64Array(parts.inputs.length);
    const { from } = parts.given;
    this.#moment = firstMoment(parts.expression, from === undefined ? Number.NEGATIVE_INFINITY : msOf(from));
  }

  async next(): Promise<PointChunk | undefined> {
    const points = this.#points;
    const pacer = createPacer();
    points.clear();
    while (!this.#isOver && points.count < CHUNK_POINTS - 1) {
      await this.#load();
      const time = this.#nextTime();
      if (time === undefined) this.#end();
      else {
        await this.#take(time);
        this.#give(time);
        if (pacer.isDue()) await pacer.yield();
      }
    }
    return points.count === 0 ? undefined : { type: ValueType.Double, points, start: 0, end: points.count };
  }

  /** Points of all inputs, and the share of the range in which the worst of them was good. */
  outcome(): ReadOutcome {
    const { inputs } = this.#parts;
    const outcomes = inputs.map((input) => input.outcome());
    const points = inputs.reduce((sum, { takenCount }, i) => sum + (outcomes[i]?.summary?.points ?? takenCount), 0);
    const shares = outcomes.flatMap(({ summary }) => summary?.percentGood ?? []);
    return {
      gaps: outcomes.flatMap(({ gaps }) => gaps),
      summary: { kind: 'calculated', points, ...(shares.length > 0 && { percentGood: Math.min(...shares) }) },
    };
  }

  close(): void {
    this.#isOver = true;
    for (const input of this.#parts.inputs) input.close();
  }

  async #load(): Promise<void> {
    for (const input of this.#parts.inputs) {
      while (!input.isLoaded) {
        const loading = input.load();
        if (loading !== undefined) await loading;
      }
    }
  }

  #nextTime(): Instant | undefined {
    let first: Instant | undefined;
    for (const { time } of this.#parts.inputs) {
      if (time !== undefined && (first === undefined || compareInstants(time, first) < 0)) first = time;
    }
    return first;
  }

  /** All points of this time: of several of a tag the last counts. */
  async #take(time: Instant): Promise<void> {
    for (const input of this.#parts.inputs) while (input.takeAt(time)) if (!input.isLoaded) await this.#load();
  }

  #give(time: Instant): void {
    const { expression, inputs, given } = this.#parts;
    if (!inputs.every(({ isKnown }) => isKnown)) return;
    const moment = this.#moment;
    moment.quality = Number.POSITIVE_INFINITY;
    for (const [i, { value, quality }] of inputs.entries()) {
      this.#values[i] = value;
      moment.qualities[i] = quality;
      moment.quality = Math.min(moment.quality, quality);
    }
    moment.timeMs = msOf(time);
    moment.endMs = this.#endAt(moment.timeMs);
    const value = expression.evaluate(this.#values, moment);
    const held = { time, value, quality: Number.isFinite(value) ? moment.quality : 0 };
    const isBefore = given.from !== undefined && compareInstants(time, given.from) < 0;
    if (given.isLastOnly || isBefore) {
      this.#held = held;
      return;
    }
    const isFrom = given.from !== undefined && compareInstants(time, given.from) === 0;
    if (!isFrom) this.#putHeld();
    this.#held = undefined;
    this.#put(held);
  }

  /** Until when a value of this time holds. */
  #endAt(timeMs: number): number {
    const { intervals } = this.#parts;
    if (intervals === undefined) return timeMs;
    const startMs = msOf(intervals.start);
    const endMs = (): number => startMs + (intervals.edges[this.#edge + 1] as number);
    while (this.#edge < intervals.edges.length - 2 && endMs() <= timeMs) this.#edge++;
    return endMs();
  }

  #end(): void {
    this.#isOver = true;
    this.#putHeld();
  }

  #putHeld(): void {
    const { isLastOnly, carries } = this.#parts.given;
    if (this.#held !== undefined && (isLastOnly || carries)) this.#put(this.#held);
    this.#held = undefined;
  }

  #put({ time, value, quality }: Held): void {
    const isNull = !Number.isFinite(value);
    if (isNull && this.#parts.given.leavesOutNulls) return;
    const points = this.#points;
    const at = points.count++;
    points.timesMs[at] = time.ms;
    points.ticks[at] = time.ticks;
    points.nulls[at] = isNull ? 1 : 0;
    points.qualities[at] = quality;
    points.numbers[at] = isNull ? 0 : value;
  }
}

function msOf({ ms, ticks }: Instant): number {
  return ms + ticks / TICKS_PER_MS;
}
