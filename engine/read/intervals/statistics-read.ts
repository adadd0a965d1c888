// Statistics of tags over one range: functions of a single interval, and what goes over its points beside them. One tag at
// a time.

import { type AggregateFunction, findAggregate } from '../../aggregates/aggregate-functions.ts';
import { offsetMs } from '../../aggregates/input/point-window.ts';
import type { ResultColumn } from '../../aggregates/result-column.ts';
import { percentileOf } from '../../aggregates/statistics/percentile.ts';
import { RangeStatistics } from '../../aggregates/statistics/range-statistics.ts';
import { SlicedSort } from '../../aggregates/statistics/sliced-sort.ts';
import { EngineError } from '../../errors.ts';
import { Slicer } from '../../io/slicer.ts';
import { MAX_PERCENTILE_VALUES } from '../../limits.ts';
import type { AggregateRequest, ReadMemory } from '../../reads.ts';
import type {
  Percentiles,
  StatisticsPoint,
  StatisticsRequest,
  StatisticsResult,
  TagStatistics,
} from '../../statistics.ts';
import { GOOD_QUALITY, type Instant, MIN_TIME_MS, ValueType } from '../../types.ts';
import { nonNumbers } from '../../value-types.ts';
import { timeAt } from './result-cursor.ts';
import { createTask, nowMsOf, rulesOf, TagResults, type TagTask, type WantedResult } from './tag-results.ts';
import type { FindSources, SliceOwner, TaskSource, TaskSources } from './task-source.ts';

const OF_ANY_TYPE = ['Count', 'Start', 'End'].map(wantedOf);
const OF_NUMBERS = [
  ...OF_ANY_TYPE,
  ...['MinimumActualTime', 'MaximumActualTime', 'Average', 'TimeAverage', 'StandardDeviationSample'].map(wantedOf),
];

function wantedOf(name: string): WantedResult {
  return { fn: findAggregate(name) as AggregateFunction, state: 0 };
}

export function readStatistics(find: FindSources, owner: SliceOwner, request: StatisticsRequest): StatisticsResult {
  return new StatisticsRead(find, owner, request);
}

class StatisticsRead implements StatisticsResult {
  readonly #find: FindSources;
  readonly #owner: SliceOwner;
  readonly #range: StatisticsRequest['range'];
  readonly #request: AggregateRequest;
  #found: TaskSources | undefined;

  constructor(find: FindSources, owner: SliceOwner, request: StatisticsRequest) {
    this.#find = find;
    this.#owner = owner;
    this.#range = request.range;
    this.#request = aggregatesOf(request);
  }

  async settle(): Promise<void> {
    this.#found = await this.#find();
  }

  get tagCount(): number {
    return this.#known.sources.length;
  }

  get #known(): TaskSources {
    if (this.#found === undefined) throw new EngineError('BUG', 'BUG: statistics are read before their tags are found');
    return this.#found;
  }

  async of(index: number): Promise<TagStatistics> {
    const source = this.#known.sources[index] as TaskSource;
    const request = this.#request;
    const task = createTask({ source, owner: this.#owner, request, range: this.#range });
    const memory = new HeldBytes(request.memory);
    const hasNumbers = nonNumbers(source.definition.type) === undefined;
    const walk = new RangeStatistics({
      rules: rulesOf(task),
      spanMs: request.edges[1] as number,
      nowMs: nowMsOf(task),
      sampleLimit: hasNumbers ? MAX_PERCENTILE_VALUES : 0,
      memory,
    });
    const results = new TagResults(task, hasNumbers ? OF_NUMBERS : OF_ANY_TYPE, [], walk);
    await results.compute();
    results.leave();
    // Sorting takes as many bytes again.
    memory.take(walk.sample.values.byteLength);
    const percentiles = await findPercentiles(walk, new Slicer(this.#owner), request.isAborted);
    memory.giveAll();
    return {
      tag: this.#known.definitionOf(index),
      ...membersOf(task, results),
      percentiles,
      longestGap: longestGap(task, walk),
    };
  }
}

/** The request as functions of one interval. */
function aggregatesOf({
  range,
  interpolation,
  treatUncertainAsBad,
  now,
  isAborted,
  memory,
}: StatisticsRequest): AggregateRequest {
  return {
    functions: [],
    edges: Float64Array.of(0, offsetMs(range.start, range.end.ms, range.end.ticks)),
    interpolation,
    treatUncertainAsBad,
    percentGood: 0,
    percentBad: 100,
    extrapolatesSlope: false,
    fill: 'null',
    now,
    isAborted,
    memory,
  };
}

/** What statistics of one tag hold. */
class HeldBytes {
  readonly #memory: ReadMemory | undefined;
  #sizeBytes = 0;

  constructor(memory: ReadMemory | undefined) {
    this.#memory = memory;
  }

  take(sizeBytes: number): void {
    this.#memory?.take(sizeBytes);
    this.#sizeBytes += sizeBytes;
  }

  giveAll(): void {
    this.#memory?.give(this.#sizeBytes);
  }
}

async function findPercentiles(
  { sample }: RangeStatistics,
  slicer: Slicer,
  isAborted: () => boolean,
): Promise<Percentiles | null> {
  if (sample.values.length === 0) return null;
  const sort = new SlicedSort(sample.values);
  while (!sort.step()) {
    const pause = slicer.pause();
    if (pause !== undefined) await pause;
    if (isAborted()) return null;
  }
  const [p5, p50, p95] = [5, 50, 95].map((percent) => percentileOf(sort.values, percent)) as [number, number, number];
  return { p5, p50, p95, isExact: sample.isWhole };
}

function longestGap({ range }: TagTask, { gapStartMs, gapEndMs }: RangeStatistics): TagStatistics['longestGap'] {
  if (gapEndMs <= gapStartMs) return null;
  return { start: timeAt(range.start, gapStartMs), end: timeAt(range.start, gapEndMs) };
}

function membersOf(
  task: TagTask,
  { columns, summary, gaps }: TagResults,
): Omit<TagStatistics, 'tag' | 'percentiles' | 'longestGap'> {
  const column = (name: string): ResultColumn | undefined => columns.find(({ fn }) => fn.name === name);
  const numberOf = (name: string): number | null => {
    const value = column(name)?.values[0] ?? Number.NaN;
    return Number.isFinite(value) ? value : null;
  };
  const pointOf = (name: string): StatisticsPoint | null => toPoint(task, column(name));
  return {
    points: summary.points,
    good: numberOf('Count') ?? 0,
    first: pointOf('Start'),
    last: pointOf('End'),
    min: asGood(pointOf('MinimumActualTime')),
    max: asGood(pointOf('MaximumActualTime')),
    mean: numberOf('Average'),
    timeMean: numberOf('TimeAverage'),
    deviation: numberOf('StandardDeviationSample'),
    percentGood: summary.percentGood,
    gaps,
  };
}

/** The functions of extremes tell of other points, too, in their quality. */
function asGood(point: StatisticsPoint | null): StatisticsPoint | null {
  return point && { ...point, quality: GOOD_QUALITY };
}

/** Null where there is no point; one that is bad has no value. */
function toPoint(task: TagTask, column: ResultColumn | undefined): StatisticsPoint | null {
  const offset = column?.times?.[0] ?? Number.NaN;
  if (column === undefined || Number.isNaN(offset)) return null;
  const value = column.values[0] as number;
  return {
    time: timeAt(task.range.start, offset),
    value: Number.isFinite(value) ? toValue(task, value) : null,
    quality: column.qualities[0] as number,
  };
}

function toValue({ source, texts }: TagTask, value: number): boolean | number | string | Instant {
  if (texts !== undefined) return texts.textOf(value);
  if (source.definition.type === ValueType.Boolean) return value !== 0;
  if (source.definition.type === ValueType.DateTime) return { ms: Math.round(value) + MIN_TIME_MS, ticks: 0 };
  return value;
}
