// The points of a tag as reads see them, from rows: without those that corrections hide, with those that they give, and without
// late points that are equal to another of their time. The rules are those that hold where the points were written.

import {
  type Amendment,
  compareInstants,
  FIRST_AMENDED_ORDINAL,
  FIRST_LATE_ORDINAL,
  type Instant,
  newestFrom,
  type PointColumns,
  pushPoint,
  sameValue,
  type ValueType,
  valueAt,
} from '../../engine/index.ts';
import type { Rows } from './row-reader.ts';

/** A point of some columns. */
export interface RowPoint extends Instant {
  /** Ordinal as in markers: those of late points and of points of corrections are far behind all others. */
  readonly ordinal: number;
  readonly type: ValueType;
  readonly points: PointColumns;
  readonly index: number;
}

/** The ordinal of a row as in markers. */
export function markerOrdinal({ ordinals, tags }: Rows, i: number, lateId: number | undefined): number {
  const ordinal = ordinals[i] as number;
  return tags[i] === lateId ? FIRST_LATE_ORDINAL + ordinal : ordinal;
}

/** Points of one time, which are judged together. */
export class TimeGroup {
  #points: RowPoint[] = [];

  get isEmpty(): boolean {
    return this.#points.length === 0;
  }

  get time(): Instant | undefined {
    return this.#points[0];
  }

  has(time: Instant): boolean {
    const [first] = this.#points;
    return first !== undefined && compareInstants(first, time) === 0;
  }

  add(point: RowPoint): void {
    this.#points.push(point);
  }

  /** Readable points in order; empties the group. */
  take(amendment: Amendment | undefined): RowPoint[] {
    const points = this.#points.sort((a, b) => a.ordinal - b.ordinal);
    this.#points = [];
    const taken: RowPoint[] = [];
    for (const point of points) {
      if (taken.at(-1)?.ordinal === point.ordinal || isHidden(point, amendment)) continue;
      if (point.ordinal >= FIRST_LATE_ORDINAL && taken.some((other) => isSame(other, point))) continue;
      taken.push(point);
    }
    return taken;
  }
}

/** Whether a correction hides the point; none hides those that corrections give, which are in force. */
function isHidden(point: RowPoint, amendment: Amendment | undefined): boolean {
  if (amendment === undefined) return false;
  const isAmended = point.ordinal >= FIRST_AMENDED_ORDINAL && point.ordinal < FIRST_LATE_ORDINAL;
  return !isAmended && amendment.hiddenRangeOf(point, point.ordinal) !== undefined;
}

function isSame(a: RowPoint, b: RowPoint): boolean {
  if (a.points.qualities[a.index] !== b.points.qualities[b.index]) return false;
  return sameValue(valueAt(a.points, a.index, a.type), valueAt(b.points, b.index, b.type));
}

/** Appends a point to columns, with its text. */
export function appendRowPoint(target: PointColumns, { points, index, type }: RowPoint): void {
  pushPoint(target, newestFrom(points, index, type, undefined));
}
