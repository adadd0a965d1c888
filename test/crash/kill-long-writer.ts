// One client of the kill campaign: sends requests of several batches, of one tag, whose points are in no order. What is there
// of one that was not answered are whole batches, from its first point on.

import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_TUNABLES } from '../../engine/limits.ts';
import type { HttpClient } from '../support/http-client.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { DATASET, type KilledClient } from './kill-writer.ts';

const TAG = 'Long';
const STEP_MS = 10;
const BATCHES = 3;
const POINTS = Math.ceil((BATCHES - 0.5) * DEFAULT_TUNABLES.batchPoints);
/** Points are this far apart in the request, in a ring: each has another one before it. */
const STRIDE = 7919;
/** Requests between two kills: every check reads the last ones. */
const MOST_REQUESTS = 3;
const IDLE_MS = 20;

interface Columns {
  readonly t: readonly number[];
  readonly v: readonly number[];
}

interface ReadAnswer {
  readonly d: Columns;
  readonly gaps?: unknown;
}

export class KillLongWriter implements KilledClient {
  acknowledgedCount = 0;
  readonly #random: SeededRandom;
  readonly #startMs: number;
  /** Requests that are there for certain; each has the next `POINTS` points. */
  #storedCount = 0;
  #checkedCount = 0;
  #isOpen = false;

  constructor(random: SeededRandom, startMs: number) {
    this.#random = random;
    this.#startMs = startMs;
  }

  /** Like `KillWriter.run`. */
  async run(client: HttpClient, isOff: () => boolean = () => false): Promise<void> {
    for (let sent = 0; ; sent++) {
      if (sent >= MOST_REQUESTS) {
        await delay(IDLE_MS);
        if (isOff() || (await client.get('/health').catch(() => undefined)) === undefined) return;
        continue;
      }
      await delay(this.#random.below(IDLE_MS));
      this.#isOpen = true;
      const body = { [TAG]: this.#pointsOf(this.#storedCount) };
      const answer = await client.post(`/api/datasets/${DATASET}/data`, body).catch(() => undefined);
      if (answer === undefined || isOff()) return;
      if (answer.status !== 200) throw new Error(`long writer: status ${answer.status}: ${answer.text}`);
      this.#isOpen = false;
      this.#storedCount++;
      this.acknowledgedCount++;
    }
  }

  /** Reads what was sent since the last check, and what was open then. */
  async check(client: HttpClient): Promise<void> {
    const firstSerial = this.#checkedCount * POINTS;
    const start = new Date(this.#timeOf(firstSerial)).toISOString();
    const path = `/api/datasets/${DATASET}/data/${TAG}?start=${start}&end=9999-01-01&format=columns`;
    const answer = await client.get(path);
    if (answer.status === 404 && this.#storedCount === 0) return;
    if (answer.status !== 200) throw new Error(`long writer: status ${answer.status}: ${answer.text}`);
    const { d, gaps } = answer.json<ReadAnswer>();
    if (gaps !== undefined) throw new Error(`long writer: gaps: ${JSON.stringify(gaps)}`);
    for (const [i, timeMs] of d.t.entries()) {
      const serial = firstSerial + i;
      if (timeMs !== this.#timeOf(serial) || d.v[i] !== serial)
        throw new Error(`long writer: got ${timeMs} ${d.v[i]} in place of ${this.#timeOf(serial)} ${serial}`);
    }
    this.#checkCount(firstSerial + d.t.length - this.#storedCount * POINTS);
    this.#checkedCount = this.#storedCount;
  }

  /** What was not answered is there up to the end of a batch, which late points at its beginning do not move. */
  #checkCount(openCount: number): void {
    const isWhole = openCount === POINTS || openCount % DEFAULT_TUNABLES.batchPoints === 0;
    if (openCount === 0 || (this.#isOpen && openCount > 0 && isWhole)) return;
    throw new Error(`long writer: ${openCount} points of a request that was not answered, or lost ones`);
  }

  #timeOf(serial: number): number {
    return this.#startMs + serial * STEP_MS;
  }

  #pointsOf(request: number): Columns {
    const serials = Array.from({ length: POINTS }, (_, i) => request * POINTS + ((i * STRIDE) % POINTS));
    return { t: serials.map((serial) => this.#timeOf(serial)), v: serials };
  }
}
