// The points of W1: a grid of a second with up to 100 ms of jitter either way, values of two decimals that are a slow
// wave with noise (standard deviation 0.09) around each tag's own level. Their entropy is about 1.61 bytes a point, times
// 0.96 and values 0.65; quality is always 192. Equal seeds give equal points.

import { seededRandom } from '../support/seeded-random.ts';

const JITTER_MS = 100;
const WAVE_POINTS = 600;
const WAVE_HEIGHT = 5;
const NOISE = 0.18;
const GOLDEN = 0.618033988749895;

export class W1Data {
  readonly names: readonly string[];
  readonly #startMs: number;
  readonly #stepMs: number;
  readonly #random: () => number;

  constructor(tagCount: number, startMs: number, seed: number, stepMs = 1000) {
    this.names = Array.from({ length: tagCount }, (_, i) => `Area${i % 10}.Unit${((i / 10) % 100) | 0}.Tag${i}`);
    this.#startMs = startMs;
    this.#stepMs = stepMs;
    this.#random = seededRandom(seed);
  }

  /** A number from 0 up to, not including, 1. */
  random(): number {
    return this.#random();
  }

  /** `count` points of a tag from the n-th on: times in ms, values in hundredths. Both arrays are the caller's. */
  fill(tag: number, n: number, count: number, timesMs: Float64Array, hundredths: Float64Array): void {
    const random = this.#random;
    const level = 20 + ((tag * GOLDEN) % 1) * 60;
    for (let i = 0; i < count; i++) {
      timesMs[i] = this.#startMs + (n + i) * this.#stepMs + Math.floor(random() * (2 * JITTER_MS + 1)) - JITTER_MS;
      const wave = WAVE_HEIGHT * Math.sin((n + i) / WAVE_POINTS + tag);
      hundredths[i] = Math.round((level + wave + (random() + random() + random() - 1.5) * NOISE) * 100);
    }
  }
}
