// One instance of a sequence being generated: its place in time, what its tags carry, and the generation of a cycle in
// slices, as far as a horizon. Cycles are the unit of everything: state, changed definitions and new tags take effect
// between two of them.

import type { EntryTemplate } from '../config/entries.ts';
import { renderTemplate } from '../config/fields/placeholders.ts';
import type { InstanceDefinition, TagDefinition } from '../config/model.ts';
import { newCarry, type TagCarry } from './carry.ts';
import { type Column, clearColumn, newColumn } from './column.ts';
import { type CurveCursor, fillCurve, startCurve } from './curve.ts';
import { type CyclePlan, planCycle } from './cycle-plan.ts';
import { fillIntegral, type IntegralCursor, settleIntegral, startIntegral } from './integral.ts';
import { drawRange, fitToType } from './numbers.ts';
import { openStream, type RandomStream, type StreamName, streamName } from './seeds.ts';

/** A point in an instance's history from which the rest can be generated. */
export interface InstancePosition {
  /** Number of the next cycle, from 0. */
  readonly cycle: number;
  /** Its start in milliseconds since 1970. */
  readonly startMs: number;
  /** By tag name; tags that have no points yet may be missing. */
  readonly carries: ReadonlyMap<string, Readonly<TagCarry>>;
}

/** Takes the points of a slice. Columns are only lent: they are overwritten after the call. */
export interface PointTaker {
  numbers(tagIndex: number, column: Column): void;
  /** One point whose value is given as JSON. */
  json(tagIndex: number, timeMs: number, json: string): void;
}

/**
 * Why the generation of a cycle pauses: a slice is complete; a slice is so large that others get a turn within it (no
 * other instance may generate then); or nothing is left that lies within the horizon.
 */
export type CyclePause = 'slice' | 'within a slice' | 'horizon';

type Cursor = CurveCursor | IntegralCursor | undefined;

/** The horizon of those that want a cycle whole. */
const NO_HORIZON = (): number => Infinity;

const SLICE_POINTS = 16_384;
/** Instances with very many tags pause within a slice, too. */
const TAGS_PER_PAUSE = 1000;
const LEAST_SLICE_POINTS_PER_TAG = 16;
const MOST_SLICE_POINTS_PER_TAG = 256;

/** Columns are shared by all instances: only one generates at a time. */
const sharedColumns: Column[] = [];

export class InstanceRun {
  readonly definition: InstanceDefinition;
  readonly key: string;
  cycle: number;
  startMs: number;
  /** Time of the next points: the start of the next cycle, or within the running one. */
  dueMs: number;
  readonly #carries: TagCarry[];
  /** What the tags carried into the running cycle, or carry into the next one. */
  readonly #carriesAtStart: TagCarry[];
  readonly #stepsName: StreamName;
  readonly #tagNames: StreamName[];
  readonly #pointsPerTag: number;

  constructor(definition: InstanceDefinition, key: string, seed: number, position: InstancePosition) {
    this.definition = definition;
    this.key = key;
    this.cycle = position.cycle;
    this.startMs = position.startMs;
    this.dueMs = position.startMs;
    this.#carries = definition.tags.map((tag) => ({ ...(position.carries.get(tag.object.n) ?? newCarry()) }));
    this.#carriesAtStart = this.#carries.map((carry) => ({ ...carry }));
    this.#stepsName = streamName(seed, key, 'steps');
    this.#tagNames = definition.tags.map((tag) => streamName(seed, key, 'tag', tag.object.n));
    const share = Math.floor(SLICE_POINTS / definition.tags.length);
    this.#pointsPerTag = Math.min(MOST_SLICE_POINTS_PER_TAG, Math.max(LEAST_SLICE_POINTS_PER_TAG, share));
    prepareColumns(definition.tags.length, this.#pointsPerTag);
  }

  /** The start of the running cycle, or of the next one when none is running. */
  position(): InstancePosition {
    const carries = new Map(
      this.definition.tags.map((tag, tagIndex) => [tag.object.n, { ...(this.#carriesAtStart[tagIndex] as TagCarry) }]),
    );
    return { cycle: this.cycle, startMs: this.startMs, carries };
  }

  /**
   * Generates the next cycle; pauses after every slice, so that the caller can write what is there, and gives no point
   * later than the horizon (milliseconds since 1970; asked before every slice).
   */
  *generateCycle(taker: PointTaker, horizonMs: () => number = NO_HORIZON): Generator<CyclePause, void> {
    const { steps } = this.definition.sequence;
    const plan = planCycle(steps, this.#stepsName, this.cycle, this.startMs);
    const streams = this.#tagNames.map((name) => openStream(name, this.cycle));
    for (let step = 0; step < steps.length; step++) yield* this.#generateStep(step, plan, streams, taker, horizonMs);
    this.cycle++;
    this.startMs = plan.startsMs[steps.length] ?? 0;
    this.dueMs = this.startMs;
    for (const [tagIndex, carry] of this.#carries.entries())
      Object.assign(this.#carriesAtStart[tagIndex] as TagCarry, carry);
  }

  *#generateStep(
    step: number,
    plan: CyclePlan,
    streams: readonly RandomStream[],
    taker: PointTaker,
    horizonMs: () => number,
  ): Generator<CyclePause, void> {
    const stepStartMs = plan.startsMs[step] ?? 0;
    const stepEndMs = plan.startsMs[step + 1] ?? 0;
    const { order, tags } = this.definition;
    const cursors = tags.map((tag, tagIndex) => this.#openCursor(tag, tagIndex, step, stepStartMs, stepEndMs));
    const sliceMs = this.#sliceMs(cursors);
    let tagsSincePause = 0;
    for (this.dueMs = stepStartMs; this.dueMs < stepEndMs; this.dueMs = earliestMs(cursors, stepEndMs)) {
      const fromMs = this.dueMs;
      while (fromMs > horizonMs()) yield 'horizon';
      const untilMs = Math.min(fromMs + sliceMs, horizonMs() + 1);
      for (const tagIndex of order) {
        if (++tagsSincePause % TAGS_PER_PAUSE === 0) yield 'within a slice';
        const cursor = cursors[tagIndex];
        if (cursor !== undefined) this.#fillSlice(cursor, tagIndex, step, untilMs, streams, taker);
        else if (fromMs === stepStartMs) this.#givePoint(tagIndex, step, plan, streams, taker);
        else clearColumn(columnAt(tagIndex), 'held', 0);
      }
      yield 'slice';
    }
    for (const [tagIndex, cursor] of cursors.entries()) {
      if (cursor !== undefined && 'heldValue' in cursor) settleIntegral(cursor, stepEndMs, this.#carry(tagIndex));
    }
  }

  /** A cursor for the entries that go on through the step; the others give their one point at its start. */
  #openCursor(tag: TagDefinition, tagIndex: number, step: number, startMs: number, endMs: number): Cursor {
    const entry = entryAt(tag, step);
    const carry = this.#carry(tagIndex);
    if (entry.kind === 'flat' || entry.kind === 'ramp') {
      return startCurve(entry, tag.type, startMs, endMs, carry.lastNumber);
    }
    return entry.kind === 'integrate' ? startIntegral(entry, tag.type, startMs, carry) : undefined;
  }

  /** Length with which the tag with the most points has about its share of a slice; the whole step when it has few. */
  #sliceMs(cursors: readonly Cursor[]): number {
    let leastMs = Infinity;
    for (const cursor of cursors) {
      if (cursor !== undefined && 'from' in cursor) leastMs = Math.min(leastMs, cursor.entry.intervalMs);
    }
    return leastMs * this.#pointsPerTag;
  }

  #fillSlice(
    cursor: CurveCursor | IntegralCursor,
    tagIndex: number,
    step: number,
    untilMs: number,
    streams: readonly RandomStream[],
    taker: PointTaker,
  ): void {
    const column = columnAt(tagIndex);
    const carry = this.#carry(tagIndex);
    const { decimals } = cursor.entry;
    if ('from' in cursor) {
      clearColumn(column, cursor.entry.kind === 'ramp' ? 'ramp' : 'held', decimals);
      fillCurve(cursor, untilMs, column, streams[tagIndex] as RandomStream);
    } else {
      clearColumn(column, 'held', decimals);
      const sourceIndex = this.definition.tags[tagIndex]?.sources[step] ?? -1;
      fillIntegral(cursor, columnAt(sourceIndex), carry, column);
    }
    if (column.count === 0) return;
    const lastValue = column.values[column.count - 1] ?? 0;
    carry.lastTimeMs = column.timesMs[column.count - 1] ?? 0;
    carry.last = lastValue;
    carry.lastNumber = lastValue;
    if ('from' in cursor) carry.total = lastValue;
    this.#giveColumn(tagIndex, column, carry, taker);
  }

  #giveColumn(tagIndex: number, column: Column, carry: TagCarry, taker: PointTaker): void {
    if (this.definition.tags[tagIndex]?.type.kind !== 'boolean') {
      taker.numbers(tagIndex, column);
      return;
    }
    for (let i = 0; i < column.count; i++) {
      const isTrue = Math.round(column.values[i] ?? 0) !== 0;
      column.values[i] = isTrue ? 1 : 0;
      taker.json(tagIndex, column.timesMs[i] ?? 0, isTrue ? 'true' : 'false');
    }
    carry.last = column.values[column.count - 1] === 0 ? 'false' : 'true';
  }

  #givePoint(
    tagIndex: number,
    step: number,
    plan: CyclePlan,
    streams: readonly RandomStream[],
    taker: PointTaker,
  ): void {
    const tag = this.definition.tags[tagIndex] as TagDefinition;
    const carry = this.#carry(tagIndex);
    const timeMs = plan.startsMs[step] ?? 0;
    const value = pointValue(tag, step, plan, streams[tagIndex] as RandomStream, carry);
    const number = typeof value === 'number' ? value : jsonToNumber(value);
    const column = columnAt(tagIndex);
    clearColumn(column, 'held', 0);
    column.count = 1;
    column.timesMs[0] = timeMs;
    column.values[0] = number;
    carry.lastTimeMs = timeMs;
    carry.last = value;
    if (!Number.isNaN(number)) {
      carry.lastNumber = number;
      // `previous` repeats the rounded value; the total behind an integral stays exact.
      if (entryAt(tag, step).kind !== 'previous') carry.total = number;
    }
    taker.json(tagIndex, timeMs, String(value));
  }

  #carry(tagIndex: number): TagCarry {
    return this.#carries[tagIndex] as TagCarry;
  }
}

/** The one value of an entry that gives one point: a number, or JSON. */
function pointValue(
  tag: TagDefinition,
  step: number,
  plan: CyclePlan,
  stream: RandomStream,
  carry: TagCarry,
): string | number {
  const entry = entryAt(tag, step);
  if (entry.kind === 'previous') return carry.last ?? 'null';
  if (entry.kind === 'literal') return entry.json;
  if (entry.kind === 'step') return typedNumber(plan.values[step] ?? 0, tag);
  if (entry.kind === 'random') return typedNumber(drawRange(entry.range, stream), tag);
  if (entry.kind === 'text') return JSON.stringify(renderTemplate(entry.template, tag.fields, plan.startsMs[step]));
  return 'null';
}

/** When the next point of a step is due; its end when there is none. */
function earliestMs(cursors: readonly Cursor[], stepEndMs: number): number {
  let leastMs = stepEndMs;
  for (const cursor of cursors) {
    if (cursor !== undefined && 'from' in cursor) leastMs = Math.min(leastMs, cursor.nextMs);
  }
  return leastMs;
}

function typedNumber(value: number, tag: TagDefinition): string | number {
  if (tag.type.kind === 'text') return JSON.stringify(String(value));
  if (tag.type.kind === 'boolean') return Math.round(value) === 0 ? 'false' : 'true';
  return fitToType(value, tag.type);
}

/** A JSON value as `integrate` reads it: true is 1; NaN for null and text. */
function jsonToNumber(json: string): number {
  if (json === 'true') return 1;
  if (json === 'false') return 0;
  return json === 'null' || json.startsWith('"') ? Number.NaN : Number(json);
}

function entryAt(tag: TagDefinition, step: number): EntryTemplate {
  return tag.entries[step] as EntryTemplate;
}

function columnAt(tagIndex: number): Column {
  return sharedColumns[tagIndex] as Column;
}

/** A slice holds at most one point for each least spacing, which is half the interval, and one more at its edge. */
function prepareColumns(tagCount: number, pointsPerTag: number): void {
  const capacity = 2 * pointsPerTag + 2;
  for (let tagIndex = 0; tagIndex < tagCount; tagIndex++) {
    const column = sharedColumns[tagIndex];
    if (column === undefined || column.timesMs.length < capacity) sharedColumns[tagIndex] = newColumn(capacity);
  }
}
