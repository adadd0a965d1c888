// The results of one tag: computed once for all functions that were asked for, in slices, and held until they are given.

import type { AggregateFunction } from '../../aggregates/aggregate-functions.ts';
import { Calculation } from '../../aggregates/calculation.ts';
import { fillFromPrevious, fillOnLine } from '../../aggregates/fill-gaps.ts';
import type { AggregateRules } from '../../aggregates/input/aggregate-rules.ts';
import { offsetMs, PointWindow } from '../../aggregates/input/point-window.ts';
import type { IntervalWalk } from '../../aggregates/interval-walk.ts';
import { ResultColumn, resultBytes } from '../../aggregates/result-column.ts';
import { EngineError } from '../../errors.ts';
import { Slicer } from '../../io/slicer.ts';
import { MAX_STATES } from '../../limits.ts';
import type { AggregateRequest, AggregateSummary, ReadGap } from '../../reads.ts';
import { type Instant, ValueType } from '../../types.ts';
import { KeptTexts } from './kept-texts.ts';
import type { NeededPoints, SliceOwner, TaskSource } from './task-source.ts';

/** A function, and of functions of states the state that is meant, by its place. */
export interface WantedResult {
  readonly fn: AggregateFunction;
  readonly state: number;
}

/** What is computed of a tag. */
export interface TagTask {
  readonly source: TaskSource;
  readonly owner: SliceOwner;
  readonly request: AggregateRequest;
  readonly range: { readonly start: Instant; readonly end: Instant };
  /** Undefined for tags that hold no texts. */
  readonly texts: KeptTexts | undefined;
}

export function createTask(task: Omit<TagTask, 'texts'>): TagTask {
  const { type, name } = task.source.definition;
  return { ...task, texts: type === ValueType.String ? new KeptTexts(name) : undefined };
}

/** Floating numbers change evenly, everything else in steps. */
export function rulesOf({ request, source }: Pick<TagTask, 'request' | 'source'>): AggregateRules {
  const { type } = source.definition;
  const isFloating = type === ValueType.Double || type === ValueType.Single || type === ValueType.Decimal;
  const isStepped = (request.interpolation ?? (isFloating ? 'sloped' : 'stepped')) === 'stepped';
  const { treatUncertainAsBad, percentGood, percentBad, extrapolatesSlope } = request;
  return {
    isStepped: isStepped || type === ValueType.String,
    treatUncertainAsBad,
    percentGood,
    percentBad,
    extrapolatesSlope,
  };
}

/** The different usable values of the range, in order; of a Boolean always both. Rejects when there are very many. */
export async function findStates(task: TagTask): Promise<number[]> {
  const { source, range, texts } = task;
  if (source.definition.type === ValueType.Boolean) return [0, 1];
  const window = new PointWindow();
  const values = new Set<number>();
  const needs = needsOf(task, { usableBefore: 1, needsUsableBehind: false });
  const spanMs = offsetMs(range.start, range.end.ms, range.end.ticks);
  await source.read(needs, (chunk) => {
    window.fill(chunk, range.start, texts);
    for (let i = 0; i < window.count; i++) {
      if (window.statuses[i] !== 0 && (window.times[i] as number) < spanMs) values.add(window.values[i] as number);
    }
    if (values.size > MAX_STATES) throw tooManyStates(source.definition.name);
    return undefined;
  });
  const states = [...values];
  return texts === undefined ? states.sort((a, b) => a - b) : states;
}

function tooManyStates(name: string): EngineError {
  const message = `Tag '${name}' has more than ${MAX_STATES} different values in the range; functions of states are for tags with few.`;
  return new EngineError('BAD_REQUEST', message, { name });
}

function needsOf(task: TagTask, wanted: Pick<NeededPoints, 'usableBefore' | 'needsUsableBehind'>): NeededPoints {
  const { owner, range, request } = task;
  const slicer = new Slicer(owner);
  return { ...range, rules: rulesOf(task), ...wanted, slicer, isAborted: request.isAborted };
}

/** The present time, ms from the start of the range. */
export function nowMsOf({ request, range }: TagTask): number {
  return offsetMs(range.start, request.now.ms, request.now.ticks);
}

export class TagResults {
  readonly columns: readonly ResultColumn[];
  gaps: readonly ReadGap[] = [];
  summary: AggregateSummary = { points: 0, percentGood: 0 };
  readonly #task: TagTask;
  readonly #sizeBytes: number;
  readonly #calculation: Calculation;
  #computing: Promise<void> | undefined;
  #cursorCount = 0;
  #isLeft = false;

  /** Throws what `request.memory` throws. */
  constructor(task: TagTask, wanted: readonly WantedResult[], states: readonly number[], observer?: IntervalWalk) {
    const { edges } = task.request;
    this.#task = task;
    this.#sizeBytes = wanted.reduce((sum, { fn }) => sum + resultBytes(fn) * (edges.length - 1), 0);
    task.request.memory?.take(this.#sizeBytes);
    this.columns = wanted.map(({ fn, state }) => new ResultColumn(fn, edges.length - 1, state));
    const { columns } = this;
    this.#calculation = new Calculation({
      rules: rulesOf(task),
      edges,
      columns,
      states,
      nowMs: nowMsOf(task),
      observer,
    });
  }

  /** A cursor gives some of them. */
  opened(): void {
    this.#cursorCount++;
  }

  /** It gives no more. */
  closed(): void {
    this.#cursorCount--;
    this.#giveBack();
  }

  /** No further cursor is opened. */
  leave(): void {
    this.#isLeft = true;
    this.#giveBack();
  }

  #giveBack(): void {
    if (this.#isLeft && this.#cursorCount === 0) this.#task.request.memory?.give(this.#sizeBytes);
  }

  /** Resolves when all results are there. */
  compute(): Promise<void> {
    this.#computing ??= this.#compute();
    return this.#computing;
  }

  async #compute(): Promise<void> {
    const task = this.#task;
    const calculation = this.#calculation;
    const needsUsableBehind = this.columns.some(({ fn }) => fn.basis === 'interpolated');
    const needs = needsOf(task, { usableBefore: task.request.extrapolatesSlope ? 2 : 1, needsUsableBehind });
    const inTurns = async (step: () => boolean): Promise<void> => {
      while (!step()) {
        const pause = needs.slicer.pause();
        if (pause !== undefined) await pause;
        // Nobody looks at what there is.
        if (needs.isAborted()) return;
      }
    };
    // Texts are numbers of this calculation only.
    const digested = task.texts === undefined ? calculation : undefined;
    this.gaps = await task.source.read({ ...needs, calculation: digested }, (chunk) => {
      calculation.window.fill(chunk, task.range.start, task.texts);
      calculation.begin();
      return calculation.step() ? undefined : inTurns(() => calculation.step());
    });
    await inTurns(() => calculation.finish());
    this.summary = { points: calculation.pointCount, percentGood: calculation.percentGood };
    for (const column of this.columns) this.#fill(column);
  }

  #fill(column: ResultColumn): void {
    const { request, texts } = this.#task;
    const isNumeric = texts === undefined || column.fn.kind === 'number';
    if (request.fill === 'linear' && isNumeric) fillOnLine(column, request.edges);
    else if (request.fill === 'linear' || request.fill === 'previous') fillFromPrevious(column);
  }
}
