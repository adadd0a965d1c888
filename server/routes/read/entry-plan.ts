// What an answer says of an entry besides its points: its bounds, what follows it, and what is found out about all of its
// points before the first of them is written.

import type { AggregateLabel, Instant, PointChunk, ReadGap, ValueType } from '../../../engine/index.ts';
import type { ColumnPlan } from '../../codec/msgpack/msgpack-column-writer.ts';

export interface Bounds {
  readonly start: Instant;
  readonly end: Instant;
}

/** The members that say which function the points of an entry are results of, in the order of an answer. */
export type LabelMembers = readonly (readonly [key: string, value: boolean | number | string | null])[];

export function labelMembers(label: AggregateLabel | undefined): LabelMembers {
  if (label === undefined) return [];
  const { state, stateName } = label;
  return [
    ['a', label.function],
    ...(state === undefined ? [] : ([['state', state]] as const)),
    ...(stateName === undefined ? [] : ([['stateName', stateName]] as const)),
  ];
}

/** The member `r` of an entry of results: what they are, and what they were made of. */
export type ResultMembers = Readonly<Record<string, number | string>>;

/** What follows the points of an entry. */
export interface EntryEnd {
  readonly gaps: readonly ReadGap[];
  /** The marker as text. */
  readonly next: string | undefined;
  /** Points that the range of a read in intervals held; undefined for other reads. */
  readonly reducedFrom: number | undefined;
  /** Members that a read of functions has. */
  readonly results: ResultMembers | undefined;
}

/** What a format with lengths in front, or with columns, has to know before an entry begins. */
export interface EntryPlan extends EntryEnd, ColumnPlan {}

/** Quality of an entry without points, so that there is something to say. */
const NO_QUALITY = 192;

export class EntrySurvey {
  pointCount = 0;
  /** The time of the first point. */
  first: Instant | undefined;
  #hasTicks = false;
  #hasNulls = false;
  #isOneQuality = true;
  #quality = NO_QUALITY;
  #isOneType = true;
  #type: ValueType | undefined;

  /** Takes a chunk of at least one point into account. */
  add({ type, points, start, end }: PointChunk): void {
    const { ticks, nulls, qualities } = points;
    if (this.first === undefined) {
      this.first = { ms: points.timesMs[start] as number, ticks: ticks[start] as number };
      this.#quality = qualities[start] as number;
      this.#type = type;
    }
    const quality = this.#quality;
    let anyTicks = 0;
    let anyNulls = 0;
    let otherQualities = 0;
    for (let i = start; i < end; i++) {
      anyTicks |= ticks[i] as number;
      anyNulls |= nulls[i] as number;
      otherQualities |= (qualities[i] as number) ^ quality;
    }
    this.pointCount += end - start;
    this.#hasTicks ||= anyTicks !== 0;
    this.#hasNulls ||= anyNulls !== 0;
    this.#isOneQuality &&= otherQualities === 0;
    this.#isOneType &&= type === this.#type;
  }

  plan({ gaps, next, reducedFrom, results }: EntryEnd): EntryPlan {
    const { pointCount } = this;
    const hasTicks = this.#hasTicks;
    const hasNulls = this.#hasNulls;
    const quality = this.#isOneQuality ? this.#quality : undefined;
    const type = this.#isOneType ? this.#type : undefined;
    return { gaps, next, reducedFrom, results, pointCount, hasTicks, hasNulls, quality, type };
  }
}
