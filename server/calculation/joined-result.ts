// Two reads as one: the entries of the second behind those of the first.

import { compareInstants, type ReadResult, type TagCursor } from '../../engine/index.ts';

export class JoinedResult implements ReadResult {
  readonly #first: ReadResult;
  readonly #second: ReadResult;

  constructor(first: ReadResult, second: ReadResult) {
    this.#first = first;
    this.#second = second;
  }

  async settle(): Promise<void> {
    await this.#first.settle?.();
    await this.#second.settle?.();
  }

  get tagCount(): number {
    return this.#first.tagCount + this.#second.tagCount;
  }

  get bounds(): ReadResult['bounds'] {
    const [a, b] = [this.#first.bounds, this.#second.bounds];
    if (a === undefined || b === undefined) return a ?? b;
    return {
      start: compareInstants(a.start, b.start) < 0 ? a.start : b.start,
      end: compareInstants(a.end, b.end) > 0 ? a.end : b.end,
    };
  }

  get older(): ReadResult['older'] {
    return this.#first.older ?? this.#second.older;
  }

  open(index: number): TagCursor {
    const { tagCount } = this.#first;
    return index < tagCount ? this.#first.open(index) : this.#second.open(index - tagCount);
  }
}
