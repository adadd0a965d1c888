// Instances ordered by the time of their next points: a binary heap, so that ten thousand instances cost little a cycle.

import type { InstanceRun } from './instance-run.ts';

interface Entry {
  readonly run: InstanceRun;
  /** Place in the configuration; decides between equal starts, so that the order is always the same. */
  readonly index: number;
}

export class Schedule {
  #heap: Entry[] = [];

  constructor(runs: readonly InstanceRun[]) {
    this.rebuild(runs);
  }

  /** Takes these runs, in the order of the configuration, for those that were there. */
  rebuild(runs: readonly InstanceRun[]): void {
    this.#heap = [];
    for (const [index, run] of runs.entries()) {
      this.#heap.push({ run, index: index });
      this.#rise(this.#heap.length - 1);
    }
  }

  /** The instance whose next points come first. */
  first(): InstanceRun | undefined {
    return this.#heap[0]?.run;
  }

  /** Puts the first instance, whose next points are later now, where it belongs. */
  moveFirst(): void {
    this.#sink(0);
  }

  /** Puts another run in the first one's place in the configuration, and where it belongs in the order. */
  replaceFirst(run: InstanceRun): void {
    const first = this.#heap[0];
    if (first === undefined) return;
    this.#heap[0] = { run, index: first.index };
    this.#sink(0);
  }

  /** All runs, in the order of the configuration. */
  runs(): InstanceRun[] {
    return [...this.#heap].sort((a, b) => a.index - b.index).map((entry) => entry.run);
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      let least = at;
      if (left < this.#heap.length && this.#isBefore(left, least)) least = left;
      if (left + 1 < this.#heap.length && this.#isBefore(left + 1, least)) least = left + 1;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const first = this.#heap[a] as Entry;
    const second = this.#heap[b] as Entry;
    if (first.run.dueMs !== second.run.dueMs) return first.run.dueMs < second.run.dueMs;
    return first.index < second.index;
  }

  #swap(a: number, b: number): void {
    const entry = this.#heap[a] as Entry;
    this.#heap[a] = this.#heap[b] as Entry;
    this.#heap[b] = entry;
  }
}
