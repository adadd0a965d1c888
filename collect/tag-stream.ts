// Points of one tag on their way from a connection to the buffer: what is stored already is left out, a hole that nobody can fill
// is marked, and the exception rules choose among the rest. The newest point need not be the last one that came: the clock of a
// source may be set back. Then points are stored late, and a hole lies between two that came behind each other.

import { STATUS } from '../forward/heartbeat.ts';
import { ExceptionFilter, type ExceptionRules } from './exception-filter.ts';
import type { TagTimes } from './newest-times.ts';
import { compareTimes, type Instant, nextInstant, previousInstant, type SourcePoint } from './point.ts';

/** `by history`: from the last point on it was read, and has what came, unless the clock was set back meanwhile. */
export type HoleState = 'open' | 'by history' | 'none';

export class TagStream {
  readonly #filter: ExceptionFilter | undefined;
  /** The newest point that was stored before this connection. */
  readonly #first: Instant | undefined;
  #newest: Instant | undefined;
  #last: Instant | undefined;
  #hole: HoleState;

  /** `times` are those of what is stored. */
  constructor(rules: ExceptionRules | undefined, times: TagTimes | undefined) {
    this.#filter = rules && new ExceptionFilter(rules);
    this.#first = times?.newest;
    this.#newest = times?.newest;
    this.#last = times?.last;
    this.#hole = times === undefined ? 'none' : 'open';
  }

  get filteredCount(): number {
    return this.#filter?.filteredCount ?? 0;
  }

  /** The point that came last. */
  get last(): Instant | undefined {
    return this.#last;
  }

  /** Something is missing behind the last point. */
  openHole(): void {
    if (this.#last !== undefined) this.#hole = 'open';
  }

  /** Nothing is missing behind the last point. */
  fillHole(state: Exclude<HoleState, 'open'>): void {
    this.#hole = state;
  }

  /** A point of a history, or one that is in the order of time; gives what is to be stored now. */
  take(point: SourcePoint): SourcePoint[] {
    const newest = this.#newest;
    const last = this.#last;
    // The value that was the last before the cut is still in force: nothing happened meanwhile. Histories and historians may
    // have cut its time to milliseconds.
    if (last?.timeMs === point.timeMs) this.#hole = 'none';
    if (newest !== undefined && last !== undefined && compareTimes(point, newest) <= 0)
      // What was stored before the clock was set back comes, too: points that come twice are one.
      return compareTimes(last, newest) < 0 && compareTimes(point, last) > 0 ? [point] : [];
    const marks = this.#marksBefore(point);
    this.#newest = point;
    this.#last = point;
    return [...marks, ...(this.#filter === undefined ? [point] : this.#filter.add(point))];
  }

  /** A point of a subscription, when no history is read: one from before the newest tells that the source's clock was set back. */
  takeLive(point: SourcePoint): SourcePoint[] {
    if (this.#newest === undefined || compareTimes(point, this.#newest) > 0) return this.take(point);
    return this.#takeLate(point);
  }

  /** A point before which others are lost. */
  takeAfterHole(point: SourcePoint): SourcePoint[] {
    if (this.#last !== undefined && compareTimes(point, this.#last) !== 0) this.#hole = 'open';
    return this.takeLive(point);
  }

  /** A point of a subscription that came while history was read: it may be there already. */
  takeWaiting(point: SourcePoint): SourcePoint[] {
    const isOfSetBackClock = this.#first !== undefined && compareTimes(point, this.#first) < 0;
    if (isOfSetBackClock) return this.#takeLate(point);
    const points = this.take(point);
    this.#hole = 'none';
    return points;
  }

  flush(): SourcePoint[] {
    return this.#filter?.flush() ?? [];
  }

  /** The exception rules want points in the order of time: late ones pass them by. */
  #takeLate(point: SourcePoint): SourcePoint[] {
    const last = this.#last;
    if (last?.timeMs === point.timeMs) this.#hole = 'none';
    if (last !== undefined && compareTimes(last, point) === 0) return [];
    const marks = this.#marksBefore(point);
    this.#last = point;
    return [...this.flush(), ...marks, point];
  }

  /** Marks of bad quality over what is missing between the last point and this one, which then is missing no more. */
  #marksBefore(point: Instant): SourcePoint[] {
    const hole = this.#hole;
    this.#hole = 'none';
    const newest = this.#newest;
    const last = this.#last;
    if (hole === 'none' || newest === undefined || last === undefined) return [];
    if (compareTimes(point, last) < 0)
      return [...(hole === 'open' ? [markAt(nextInstant(last))] : []), markAt(previousInstant(point))];
    if (hole !== 'open') return [];
    // Before the clock went on behind the newest point, it may have been anywhere between the last one and that.
    const froms = compareTimes(last, newest) < 0 ? [last, newest] : [last];
    return froms
      .map(nextInstant)
      .filter((at) => compareTimes(at, point) < 0)
      .map(markAt);
  }
}

/** A point that says that values are missing from there on. */
export function markAt(at: Instant): SourcePoint {
  return { ...at, json: 'null', number: undefined, quality: STATUS.sourceLost };
}
