// Plant-like data for measurements: two decimals, a fixed step with jitter, quality 192; the same for the same seed.

import { seededRandom } from './seeded-random.ts';

export interface PlantShape {
  readonly tagCount: number;
  readonly stepMs: number;
  readonly jitterMs: number;
  readonly startMs: number;
  readonly seed: number;
}

/** A plant whose tags wander around levels of their own, as sensors with two decimals do. */
export class PlantData {
  readonly shape: PlantShape;
  readonly names: string[];
  readonly #levels: Float64Array;
  readonly #values: Float64Array;
  readonly #random: () => number;

  constructor(shape: PlantShape) {
    this.shape = shape;
    this.#random = seededRandom(shape.seed);
    this.names = Array.from({ length: shape.tagCount }, (_, i) => `Area${i % 10}.Unit${((i / 10) % 100) | 0}.Tag${i}`);
    this.#levels = Float64Array.from({ length: shape.tagCount }, () => 20 + 60 * this.#random());
    this.#values = Float64Array.from(this.#levels);
  }

  /** The next value of a tag in hundredths: a pull to its level, and noise. */
  nextHundredths(tag: number): number {
    const level = this.#levels[tag] as number;
    const before = this.#values[tag] as number;
    const value = before + (level - before) * 0.1 + (this.#random() + this.#random() - 1) * 0.04;
    this.#values[tag] = value;
    return Math.round(value * 100);
  }

  /** Time of the n-th point of every tag. */
  timeMs(n: number): number {
    const { startMs, stepMs, jitterMs } = this.shape;
    return startMs + n * stepMs + Math.round((this.#random() * 2 - 1) * jitterMs);
  }

  /** A request body with `count` points of each of `[fromTag, toTag)`, from the n-th on. */
  body(fromTag: number, toTag: number, n: number, count: number): Buffer {
    const parts: string[] = [];
    for (let tag = fromTag; tag < toTag; tag++) {
      const points: string[] = [];
      for (let i = n; i < n + count; i++) {
        const time = new Date(this.timeMs(i)).toISOString();
        points.push(`{"t":"${time}","v":${this.nextHundredths(tag) / 100},"q":192}`);
      }
      parts.push(`"${this.names[tag] as string}":[${points.join(',')}]`);
    }
    return Buffer.from(`{${parts.join(',')}}`);
  }
}
