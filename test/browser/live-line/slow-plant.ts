// A plant that writes a few tags while a page is looked at, with times of now, straight to the server.

import { post } from '../../support/browser.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';

export const DATASET = 'Plant';
const STATES = ['Off', 'Filling', 'Heating', 'Emptying'];
const HISTORY_MS = 5 * 3_600_000;
/** Digits that no double holds. */
const FIRST_COUNT = 9_007_199_254_740_993n;

export const TAGS = [
  { n: 'Flow', f: '0.00', t: 'System.Double' },
  { n: 'Count', t: 'System.Int64' },
  { n: 'State', u: Object.fromEntries(STATES.map((text, code) => [code, text])), t: 'System.Int32' },
  { n: 'Batch', t: 'System.String' },
  { n: 'Valve', t: 'System.Boolean' },
] as const;
export type TagName = (typeof TAGS)[number]['n'];

/** From one point to the next. */
const EVERY_MS: Readonly<Record<TagName, number>> = {
  Flow: 2000,
  Count: 5000,
  State: 17_000,
  Batch: 47_000,
  Valve: 29_000,
};

interface WrittenPoint {
  readonly t: string;
  readonly v: number | string | boolean | null;
  readonly q?: number;
}

export class SlowPlant {
  readonly #url: string;
  readonly #random: SeededRandom;
  #number = 0;

  constructor(url: string, random: SeededRandom) {
    this.#url = `${url}/api/datasets/${DATASET}`;
    this.#random = random;
  }

  /** The tags, and points of the last hours. */
  async begin(nowMs: number): Promise<void> {
    await post(`${this.#url}/tags`, TAGS);
    await this.write(nowMs - HISTORY_MS, nowMs);
  }

  /** All points from a time on, until before another one. */
  async write(fromMs: number, toMs: number): Promise<void> {
    const body = Object.fromEntries(TAGS.map(({ n }) => [n, this.#points(n, fromMs, toMs)]));
    const filled = Object.fromEntries(Object.entries(body).filter(([, points]) => points.length > 0));
    if (Object.keys(filled).length > 0) await post(`${this.#url}/data`, filled);
  }

  #points(name: TagName, fromMs: number, toMs: number): WrittenPoint[] {
    const points: WrittenPoint[] = [];
    for (let t = Math.ceil(fromMs / EVERY_MS[name]) * EVERY_MS[name]; t < toMs; t += EVERY_MS[name]) {
      const quality = this.#random.chance(0.05) ? { q: 0 } : {};
      points.push({ t: new Date(t).toISOString(), v: this.#value(name), ...quality });
    }
    return points;
  }

  #value(name: TagName): WrittenPoint['v'] {
    this.#number++;
    if (this.#random.chance(0.02)) return null;
    if (name === 'Flow') return this.#random.below(1_000_000) / 100;
    if (name === 'Count') return `${FIRST_COUNT + BigInt(this.#number)}`;
    if (name === 'State') return this.#random.below(STATES.length);
    return name === 'Batch' ? `B-${this.#number}` : this.#random.chance(0.5);
  }
}

/** A value as the page shows it. */
export function shownText(name: TagName, value: WrittenPoint['v']): string {
  if (value === null) return '–';
  if (name === 'Flow') return Number(value).toLocaleString('en-US', { minimumFractionDigits: 2, useGrouping: false });
  if (name === 'State') return STATES[Number(value)] ?? `${value}`;
  if (name === 'Valve') return value === true ? 'True' : 'False';
  return `${value}`;
}
