// Compares answers with the points that were sent: a fast server that answers something else is none.

import { pointsBefore, QUALITY, type W1Points } from './bodies/w1-points.ts';
import type { ReadAnswer, ReadPoint, Tally } from './peer.ts';

/** Sums of doubles depend on the order in which they were added. */
const SUM_TOLERANCE = 1e-9;

export interface AnswerFaults {
  readonly checked: number;
  readonly wrong: number;
  /** What was wrong first. */
  readonly firstFault: string;
}

export class AnswerCheck implements AnswerFaults {
  readonly #points: W1Points;
  checked = 0;
  wrong = 0;
  firstFault = '';

  constructor(points: W1Points) {
    this.#points = points;
  }

  /** Counts and sums of a read of `fromMs <= t < toMs`. */
  range(tags: readonly number[], fromMs: number, toMs: number, got: Tally): void {
    let count = 0;
    let valueSum = 0;
    for (const tag of tags) {
      const first = tag * this.#points.pointsATag;
      const [from, to] = this.#indexes(tag, fromMs, toMs);
      for (let i = from; i < to; i++) valueSum += (this.#points.hundredths[first + i] as number) / 100;
      count += to - from;
    }
    this.#compare(`${tags.length} tags from ${new Date(fromMs).toISOString()}`, { count, valueSum }, got);
  }

  latest(got: Tally): void {
    const { names, pointsATag, hundredths } = this.#points;
    const valueSum = names.reduce((sum, _, tag) => sum + (hundredths[(tag + 1) * pointsATag - 1] as number) / 100, 0);
    this.#compare('latest of all tags', { count: names.length, valueSum }, got);
  }

  /** Every point of a tag's answer: its time, its value, and its quality where there is one. */
  points(tag: number, fromMs: number, toMs: number, answer: ReadAnswer): void {
    const { pointsATag, timesMs, hundredths } = this.#points;
    const [from, to] = this.#indexes(tag, fromMs, toMs);
    const got = answer.list();
    this.checked++;
    if (got.length !== to - from) return this.#fault(`tag ${tag}: got ${got.length} points; want ${to - from}`);
    for (const [i, point] of got.entries()) {
      const at = tag * pointsATag + from + i;
      const want: ReadPoint = [timesMs[at] as number, (hundredths[at] as number) / 100, QUALITY];
      const isSame = point[0] === want[0] && point[1] === want[1] && (point[2] === undefined || point[2] === want[2]);
      if (!isSame) return this.#fault(`tag ${tag}: got point ${JSON.stringify(point)}; want ${JSON.stringify(want)}`);
    }
  }

  #indexes(tag: number, fromMs: number, toMs: number): [from: number, to: number] {
    return [pointsBefore(this.#points, tag, fromMs), pointsBefore(this.#points, tag, toMs)];
  }

  #compare(what: string, want: Tally, got: Tally): void {
    this.checked++;
    const isSame =
      got.count === want.count && Math.abs(got.valueSum - want.valueSum) <= SUM_TOLERANCE * Math.abs(want.valueSum);
    if (isSame) return;
    this.#fault(`${what}: got ${got.count} with a sum of ${got.valueSum}; want ${want.count} and ${want.valueSum}`);
  }

  #fault(text: string): void {
    this.wrong++;
    if (this.firstFault === '') this.firstFault = text;
  }
}
