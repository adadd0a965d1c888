// Points that gather for one batch, bounded in number and size: a batch stays below what proxies take for a body by themselves.

import type { NamedPoint } from './point.ts';

const MOST_POINTS = 10_000;
const MOST_CHARS = 900_000;
/** Time, quality and punctuation of a point. */
const CHARS_BESIDES = 60;

export class GatheredPoints {
  readonly points: NamedPoint[] = [];
  #charCount = 0;
  #isKept = false;
  #waiters: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.points.length === 0;
  }

  get isFull(): boolean {
    return this.points.length >= MOST_POINTS || this.#charCount >= MOST_CHARS;
  }

  add(point: NamedPoint): void {
    this.points.push(point);
    this.#charCount += point.point.json.length + point.tag.length + CHARS_BESIDES;
  }

  /** They are on disk. */
  keep(): void {
    this.#isKept = true;
    for (const waiter of this.#waiters) waiter();
    this.#waiters = [];
  }

  /** Resolves when the points are on disk, with those that gather until then. */
  kept(): Promise<void> {
    return this.#isKept ? Promise.resolve() : new Promise((resolve) => this.#waiters.push(resolve));
  }
}
