// What is drawn for a dataset of the amended model, by a state of it: runs of points, corrections, removals and rules.

import type { SeededRandom } from '../support/seeded-random.ts';
import type { AmendedReference, ModelCorrection, ModelPoint } from './amended-reference.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const AGES_DAYS = [0, 2, 5, 10, 20];
/** Points of a request, of which long ones fill blocks. */
const FEW_POINTS = 5;
const MANY_POINTS = 80;

export const AMENDED_TAGS = ['A', 'B', 'C'];

/** A point whose value is a number that no other one has. */
export interface DrawnPoint extends ModelPoint {
  readonly value: number;
}

export interface DrawnCorrection extends Omit<ModelCorrection, 'id'> {
  readonly points: readonly DrawnPoint[];
}

export class AmendedDraws {
  readonly #random: SeededRandom;
  readonly #startMs: number;
  /** No two points are of one time. */
  readonly #timesMs = new Set<number>();
  #serial = 0;

  /** @param startMs no point is long before it */
  constructor(random: SeededRandom, startMs: number) {
    this.#random = random;
    this.#startMs = startMs;
  }

  /** Draws no time and no value that the other one has drawn. */
  continue(other: AmendedDraws): void {
    for (const ms of other.#timesMs) this.#timesMs.add(ms);
    this.#serial = other.#serial;
  }

  /** Points in time order. A tag without points has no late ones. */
  run(state: AmendedReference, tag: string, kind: 'new' | 'late', nowMs: number): DrawnPoint[] {
    const random = this.#random;
    const newestMs = state.newestInTimeMs(tag);
    const isNew = kind === 'new' || newestMs === Number.NEGATIVE_INFINITY;
    const stepMs = random.pick([1000, 1000, HOUR_MS, DAY_MS / 4]);
    const fromMs = isNew ? nowMs - random.below(3 * DAY_MS) : newestMs - random.below(random.pick([1, 8, 30]) * DAY_MS);
    return this.#points(random.between(1, random.pick([FEW_POINTS, MANY_POINTS])), fromMs, stepMs);
  }

  correction(state: AmendedReference, tag: string): DrawnCorrection {
    const random = this.#random;
    const { certain } = state.readable(tag);
    const newestMs = Math.max(state.newestInTimeMs(tag), this.#startMs);
    const startMs =
      certain.length > 0 && random.chance(0.8)
        ? random.pick(certain).ms - random.below(2)
        : newestMs - random.below(30 * DAY_MS);
    const kind = random.pick(['delete', 'replace', 'insert', 'insert'] as const);
    const points = kind === 'delete' ? [] : this.#points(random.between(1, 4), startMs, random.pick([1000, DAY_MS]));
    const lastMs = points.at(-1)?.ms ?? startMs;
    if (kind === 'insert') return { kind, startMs: points[0]?.ms ?? startMs, endMs: lastMs, points };
    return { kind, startMs, endMs: lastMs + random.below(DAY_MS), points };
  }

  rules(): AmendedReference['rules'] {
    return { ageDays: this.#random.pick(AGES_DAYS), takesLate: this.#random.chance(0.85) };
  }

  /** From which point on points are removed; undefined where none can be read. */
  removal(state: AmendedReference, tag: string): { readonly ms: number; readonly says: string } | undefined {
    const { certain } = state.readable(tag);
    if (certain.length === 0) return undefined;
    const index = this.#random.chance(0.4) ? 0 : this.#random.below(certain.length);
    return { ms: (certain[index] as ModelPoint).ms, says: `point ${index} of ${certain.length}` };
  }

  #points(count: number, fromMs: number, stepMs: number): DrawnPoint[] {
    let ms = fromMs;
    return Array.from({ length: count }, () => {
      ms += this.#random.below(stepMs);
      while (this.#timesMs.has(ms)) ms++;
      this.#timesMs.add(ms);
      return { ms, value: ++this.#serial };
    });
  }
}
