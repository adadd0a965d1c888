// The points of one tag as values in force: each is taken when its time has come.

import {
  compareInstants,
  type Instant,
  numberAt,
  type PointChunk,
  payloadOf,
  type ReadOutcome,
  type TagCursor,
  WHOLE_OUTCOME,
} from '../../engine/index.ts';

export class InputValues {
  /** Value of the point in force: NaN when it is null or there is none yet. */
  value = Number.NaN;
  quality = 0;
  /** Whether there has been a point. */
  isKnown = false;
  /** Points taken so far. */
  takenCount = 0;
  readonly #open: () => TagCursor;
  #cursor: TagCursor | undefined;
  #chunk: PointChunk | undefined;
  #at = 0;
  #isOver = false;

  /** @param open called when the first points are wanted; what it gives is closed here */
  constructor(open: () => TagCursor) {
    this.#open = open;
  }

  outcome(): ReadOutcome {
    return this.#cursor?.outcome() ?? WHOLE_OUTCOME;
  }

  /** True when `time` can be asked; else wait for `load`. */
  get isLoaded(): boolean {
    return this.#isOver || this.#chunk !== undefined;
  }

  /** Reads on when the points at hand are used up. */
  load(): Promise<void> | undefined {
    this.#cursor ??= this.#open();
    const next = this.#cursor.next();
    if (next instanceof Promise) return next.then((chunk) => this.#put(chunk));
    this.#put(next);
    return undefined;
  }

  /** Time of the next point; undefined when there is none. */
  get time(): Instant | undefined {
    const chunk = this.#chunk;
    if (chunk === undefined) return undefined;
    const { timesMs, ticks } = chunk.points;
    return { ms: timesMs[this.#at] as number, ticks: ticks[this.#at] as number };
  }

  /** Takes the next point if it is of this time; false when it is of another. */
  takeAt(time: Instant): boolean {
    const chunk = this.#chunk;
    const own = this.time;
    if (chunk === undefined || own === undefined || compareInstants(own, time) !== 0) return false;
    const { points, type } = chunk;
    const at = this.#at++;
    this.isKnown = true;
    this.takenCount++;
    this.quality = points.qualities[at] as number;
    if (points.nulls[at] !== 0) this.value = Number.NaN;
    else this.value = payloadOf(type) === 'number' ? (points.numbers[at] as number) : numberAt(points, at, type);
    if (this.#at === chunk.end) this.#chunk = undefined;
    return true;
  }

  close(): void {
    this.#cursor?.close();
  }

  #put(chunk: PointChunk | undefined): void {
    this.#isOver = chunk === undefined;
    this.#chunk = chunk !== undefined && chunk.start < chunk.end ? chunk : undefined;
    this.#at = chunk?.start ?? 0;
  }
}
