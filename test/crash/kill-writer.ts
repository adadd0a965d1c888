// One client of the kill campaign: sends requests one after the other over HTTP and knows what the server must hold.

import { setTimeout as delay } from 'node:timers/promises';
import type { HttpClient } from '../support/http-client.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

export const DATASET = 'kill';

interface Tvq {
  readonly t: string;
  readonly v: number | string | boolean | null;
  readonly q: number;
}

/** Points by tag name. */
type Request = Readonly<Record<string, readonly Tvq[]>>;

interface ReadAnswer {
  readonly tl: readonly { readonly t: { readonly n: string }; readonly d: readonly Tvq[]; readonly gaps?: unknown }[];
}

/** Requests of a tag's points at most. */
const MOST_POINTS = 40;

const MOST_LATE_MS = 600_000;

const LOOK_INTERVAL_MS = 1;
/** In ms, after the load is there: the moment of a kill is anywhere between two answers. */
const LONGEST_MOMENT_MS = 20;

/**
 * Resolves at a moment of the load that chance picks: after `least` to `most` more requests have been answered,
 * however long that takes, and some ms more. Resolves early when `ended` does.
 */
export async function untilLoaded(
  writers: readonly KilledClient[],
  random: SeededRandom,
  { least, most, ended }: { readonly least: number; readonly most: number; readonly ended: Promise<unknown> },
): Promise<void> {
  let isOver = false;
  const end = ended.finally(() => {
    isOver = true;
  });
  end.catch(() => undefined);
  const count = (): number =>
    writers.reduce((sum, { acknowledgedCount, refusedCount = 0 }) => sum + acknowledgedCount + refusedCount, 0);
  const wanted = count() + random.between(least, most);
  while (!isOver && count() < wanted) await delay(LOOK_INTERVAL_MS);
  await delay(random.between(0, LONGEST_MOMENT_MS));
}

/** A client that knows what the server must hold. */
export interface KilledClient {
  /** Requests that were answered. */
  readonly acknowledgedCount: number;
  /** Requests that a full disk refused. */
  readonly refusedCount?: number;
  /** Sends until the connection breaks, or the first answer after `isOff` says so, which promises nothing. */
  run(client: HttpClient, isOff?: () => boolean): Promise<void>;
  /** Throws when the server holds anything else. */
  check(client: HttpClient): Promise<void>;
}

export class KillWriter implements KilledClient {
  readonly tagNames: readonly string[];
  acknowledgedCount = 0;
  readonly #number: number;
  readonly #random: SeededRandom;
  /** Every request that is on the server for certain, in order. */
  readonly #stored: Request[] = [];
  /** Sent, not answered: on the server whole or not at all. */
  #open: Request | undefined;
  readonly #lateShare: number;
  readonly #lateTimesMs = new Set<number>();
  /** Even, and times of late points odd: no two points have the same time. */
  #timeMs: number;
  #serial = 0;

  /** @param lateShare of its points that are sent late, to a dataset that accepts them */
  constructor(number: number, random: SeededRandom, startMs: number, lateShare = 0) {
    this.#number = number;
    this.#random = random;
    this.#timeMs = startMs - (startMs % 2);
    this.#lateShare = lateShare;
    this.tagNames = ['value', 'text', 'state', 'mixed'].map((kind) => `Writer ${number}.${kind}`);
  }

  /**
   * Sends until the connection breaks, or the first answer after `isOff` says that the machine was off by then: such an
   * answer promises nothing. Throws when the server refuses or miscounts.
   */
  async run(client: HttpClient, isOff: () => boolean = () => false): Promise<void> {
    for (;;) {
      // What was cut off is sent again first: it must not be stored twice.
      const request = this.#open ?? this.#draw();
      this.#open = request;
      const answer = await client.post(`/api/datasets/${DATASET}/data`, request).catch(() => undefined);
      if (answer === undefined || isOff()) return;
      if (answer.status !== 200) throw new Error(`writer ${this.#number}: status ${answer.status}: ${answer.text}`);
      this.#stored.push(request);
      this.#open = undefined;
      this.acknowledgedCount++;
    }
  }

  /** Reads everything back and compares. What was open is then known to be there or not; either is right if whole. */
  async check(client: HttpClient): Promise<void> {
    const query = this.tagNames.map((name) => `tagname=${encodeURIComponent(name)}`).join('&');
    const path = `/api/datasets/${DATASET}/data?${query}&missing=skip&start=2000-01-01&end=9999-01-01`;
    const answer = await client.get(path);
    if (answer.status === 404 && this.#stored.length === 0) return;
    if (answer.status !== 200) throw new Error(`writer ${this.#number}: status ${answer.status}: ${answer.text}`);
    const found = new Map(answer.json<ReadAnswer>().tl.map((entry) => [entry.t.n, entry]));
    const without = this.#firstDifference(found, this.#stored);
    if (without === undefined) return;
    const withOpen = this.#open && this.#firstDifference(found, [...this.#stored, this.#open]);
    if (this.#open === undefined || withOpen !== undefined) {
      throw new Error(
        `writer ${this.#number}: ${without}${withOpen === undefined ? '' : `; with the open request: ${withOpen}`}`,
      );
    }
  }

  #firstDifference(
    found: ReadonlyMap<string, ReadAnswer['tl'][number]>,
    requests: readonly Request[],
  ): string | undefined {
    for (const name of this.tagNames) {
      const want = requests.flatMap((request) => request[name] ?? []).sort(byTime);
      const entry = found.get(name);
      if (entry?.gaps !== undefined) return `${name} has gaps: ${JSON.stringify(entry.gaps)}`;
      const got = entry?.d ?? [];
      const at = want.findIndex((point, i) => JSON.stringify(point) !== JSON.stringify(got[i]));
      if (at === -1 && got.length === want.length) continue;
      const place = at === -1 ? want.length : at;
      return `${name}: got ${got.length} points, want ${want.length}; at ${place} got ${JSON.stringify(got[place])}, want ${JSON.stringify(want[place])}`;
    }
    return undefined;
  }

  #draw(): Request {
    const random = this.#random;
    const names = random.shuffled(this.tagNames).slice(0, random.between(1, this.tagNames.length));
    return Object.fromEntries(names.map((name) => [name, this.#drawPoints(name)]));
  }

  #drawPoints(name: string): Tvq[] {
    const count = this.#random.chance(0.3) ? this.#random.between(1, MOST_POINTS) : this.#random.between(1, 4);
    return Array.from({ length: count }, () => {
      const q = this.#random.chance(0.9) ? 192 : 64;
      return { t: new Date(this.#drawTimeMs()).toISOString(), v: this.#drawValue(name), q };
    });
  }

  #drawTimeMs(): number {
    const lateMs = this.#timeMs + 1 - 2 * this.#random.between(1, MOST_LATE_MS / 2);
    if (this.#random.chance(this.#lateShare) && !this.#lateTimesMs.has(lateMs)) {
      this.#lateTimesMs.add(lateMs);
      return lateMs;
    }
    this.#timeMs += 2 * this.#random.between(1, 750);
    return this.#timeMs;
  }

  /** Every value differs from its neighbours, so that one in the wrong place shows. */
  #drawValue(name: string): Tvq['v'] {
    const serial = ++this.#serial;
    if (name.endsWith('text')) return `Grüße ${this.#number} "${serial}"`;
    if (name.endsWith('state')) return serial % 2 === 0;
    if (name.endsWith('mixed') && this.#random.chance(0.3)) return null;
    return this.#random.chance(0.1) ? serial / 7 : serial + this.#number / 100;
  }
}

function byTime(a: Tvq, b: Tvq): number {
  return Date.parse(a.t) - Date.parse(b.t);
}
