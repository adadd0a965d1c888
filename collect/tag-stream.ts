// Points of one tag on their way from a connection to the buffer: what is stored already is left out, a hole that nobody can fill
// is marked, and the exception rules choose among the rest.

import { STATUS } from '../forward/heartbeat.ts';
import { ExceptionFilter, type ExceptionRules } from './exception-filter.ts';
import { compareTimes, type Instant, nextInstant, type SourcePoint } from './point.ts';

export class TagStream {
  readonly #filter: ExceptionFilter | undefined;
  /** The newest point that was stored before this connection. */
  readonly #first: Instant | undefined;
  #newest: Instant | undefined;
  #hasHole: boolean;

  /** `newest` is the time of the newest point that is stored. */
  constructor(rules: ExceptionRules | undefined, newest: Instant | undefined) {
    this.#filter = rules && new ExceptionFilter(rules);
    this.#first = newest;
    this.#newest = newest;
    this.#hasHole = newest !== undefined;
  }

  get filteredCount(): number {
    return this.#filter?.filteredCount ?? 0;
  }

  get newest(): Instant | undefined {
    return this.#newest;
  }

  /** Something is missing behind the newest point. */
  openHole(): void {
    this.#hasHole = this.#newest !== undefined;
  }

  /** Nothing is missing behind the newest point. */
  fillHole(): void {
    this.#hasHole = false;
  }

  /** Gives what is to be stored now. */
  take(point: SourcePoint): SourcePoint[] {
    const newest = this.#newest;
    // The value that was the newest before the cut is still in force: nothing happened meanwhile. Histories and historians may
    // have cut its time to milliseconds.
    if (newest?.timeMs === point.timeMs) this.#hasHole = false;
    if (newest !== undefined && compareTimes(point, newest) <= 0) return [];
    const marks = this.#hasHole && newest !== undefined ? markAfter(newest, point) : [];
    this.#hasHole = false;
    this.#newest = point;
    return [...marks, ...(this.#filter === undefined ? [point] : this.#filter.add(point))];
  }

  /** A point of a subscription, when no history is read: one from before the newest tells that the source's clock was set back. */
  takeLive(point: SourcePoint): SourcePoint[] {
    if (this.#newest === undefined || compareTimes(point, this.#newest) >= 0) return this.take(point);
    return [point];
  }

  /** A point before which others are lost. */
  takeAfterHole(point: SourcePoint): SourcePoint[] {
    if (this.#newest !== undefined && compareTimes(point, this.#newest) > 0) this.#hasHole = true;
    return this.takeLive(point);
  }

  /** A point of a subscription that came while history was read: it may be there already. */
  takeWaiting(point: SourcePoint): SourcePoint[] {
    const isOfSetBackClock = this.#first !== undefined && compareTimes(point, this.#first) < 0;
    return isOfSetBackClock ? [point] : this.take(point);
  }

  flush(): SourcePoint[] {
    return this.#filter?.flush() ?? [];
  }
}

/** A mark of bad quality, directly after the newest point, where there is an instant between. */
function markAfter(newest: Instant, point: SourcePoint): SourcePoint[] {
  const at = nextInstant(newest);
  if (compareTimes(at, point) >= 0) return [];
  return [{ ...at, json: 'null', number: undefined, quality: STATUS.sourceLost }];
}
