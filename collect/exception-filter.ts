// Exception rules of one tag: which points are worth storing. A point is held back while the straight line from the last stored
// point to it passes every point held back before within the deadband. The newest point that was held back is stored before one
// that is not: the line between stored points never leaves the deadband, but for points within the shortest time.

import type { SourcePoint } from './point.ts';

export interface ExceptionRules {
  /** In the unit of the tag; 0 keeps only what lies on the line. */
  readonly deadband: number;
  /** Points that follow a stored one sooner are held back, however far they jump. */
  readonly shortestMs: number;
  /** A point that comes so long after the last stored one is stored. */
  readonly longestMs: number;
}

export class ExceptionFilter<P extends SourcePoint = SourcePoint> {
  readonly #rules: ExceptionRules;
  #stored: P | undefined;
  #held: P | undefined;
  /** Slopes, per millisecond, of the lines from the stored point that pass all points held back. */
  #lowest = Number.NEGATIVE_INFINITY;
  #highest = Number.POSITIVE_INFINITY;
  #filteredCount = 0;

  constructor(rules: ExceptionRules) {
    this.#rules = rules;
  }

  /** Points that were given and are not stored, without the one that is held back. */
  get filteredCount(): number {
    return this.#filteredCount;
  }

  /** Takes points in the order of time; gives those to be stored now. */
  add(point: P): P[] {
    const stored = this.#stored;
    const held = this.#held;
    if (stored === undefined) return this.#store([point]);
    if (!isComparable(point, stored)) return this.#store(held === undefined ? [point] : [held, point]);
    const elapsedMs = millisecondsBetween(stored, point);
    if (elapsedMs < this.#rules.shortestMs) return this.#hold(point);
    if (!this.#isOnLine(point, elapsedMs)) return this.#store(held === undefined ? [point] : [held, point]);
    if (elapsedMs < this.#rules.longestMs) return this.#hold(point);
    if (held !== undefined) this.#filteredCount++;
    return this.#store([point]);
  }

  /** Gives the point that is held back: at the end of a run. */
  flush(): P[] {
    return this.#held === undefined ? [] : this.#store([this.#held]);
  }

  /** The deadband around the last stored point, and the line through the points held back. */
  #isOnLine(point: SourcePoint, elapsedMs: number): boolean {
    const rise = (point.number as number) - ((this.#stored as SourcePoint).number as number);
    if (Math.abs(rise) > this.#rules.deadband) return false;
    if (elapsedMs <= 0) return false;
    const slope = rise / elapsedMs;
    return slope >= this.#lowest && slope <= this.#highest;
  }

  #hold(point: P): P[] {
    if (this.#held !== undefined) this.#filteredCount++;
    this.#held = point;
    const stored = this.#stored as SourcePoint;
    const elapsedMs = millisecondsBetween(stored, point);
    if (elapsedMs <= 0 || elapsedMs < this.#rules.shortestMs) return [];
    const rise = (point.number as number) - (stored.number as number);
    this.#lowest = Math.max(this.#lowest, (rise - this.#rules.deadband) / elapsedMs);
    this.#highest = Math.min(this.#highest, (rise + this.#rules.deadband) / elapsedMs);
    return [];
  }

  #store(points: P[]): P[] {
    this.#stored = points.at(-1);
    this.#held = undefined;
    this.#lowest = Number.NEGATIVE_INFINITY;
    this.#highest = Number.POSITIVE_INFINITY;
    return points;
  }
}

/** Good numbers alone can stand for each other. */
function isComparable(a: SourcePoint, b: SourcePoint): boolean {
  return a.number !== undefined && b.number !== undefined && a.quality === b.quality;
}

function millisecondsBetween(from: SourcePoint, to: SourcePoint): number {
  return to.timeMs - from.timeMs + (to.ticks - from.ticks) / 10_000;
}
