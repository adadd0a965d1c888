// One client of the soak: two tags whose every point follows from its place, so that all of them can be checked however
// many there are, and nothing of them has to be kept.

import type { HttpClient } from '../support/http-client.ts';

export const START_MS = Date.UTC(2026, 0, 1);
const POINT_INTERVAL_MS = 10;
/** Points of one read. */
const PAGE_POINTS = 20_000;
const TEXTS = ['running', 'Störung', 'stopped', 'idle "B"', ''];

interface Tvq {
  readonly t: string;
  readonly v: number | string | null;
  readonly q: number;
}

interface ReadAnswer {
  readonly tl: readonly { readonly d: readonly Tvq[]; readonly gaps?: unknown }[];
}

export class SoakTags {
  readonly dataset: string;
  readonly names: readonly [string, string];
  /** Points of each tag that the server has for certain. */
  acknowledged = 0;
  requests = 0;
  readonly #number: number;
  /** Points of the request that was sent and not answered. */
  #open = 0;
  #checked = 0;

  constructor(dataset: string, number: number) {
    this.dataset = dataset;
    this.#number = number;
    this.names = [`Soak ${number}.value`, `Soak ${number}.text`];
  }

  /** Writes `count` points of each tag; false when the connection broke. What was cut off is sent again first. */
  async write(client: HttpClient, count: number): Promise<boolean> {
    const { status, text } = await this.tryWrite(client, count);
    if (status !== 0 && status !== 200) throw new Error(`${this.names[0]}: status ${status}: ${text}`);
    return status === 200;
  }

  /** The same, but any status is an answer; 0 when the connection broke. What was refused is sent again first, too. */
  async tryWrite(client: HttpClient, count: number): Promise<{ status: number; text: string }> {
    const length = this.#open === 0 ? count : this.#open;
    this.#open = length;
    const places = Array.from({ length }, (_, i) => this.acknowledged + i);
    const body = Object.fromEntries(this.names.map((name, kind) => [name, places.map((i) => this.#point(kind, i))]));
    const answer = await client.post(`/api/datasets/${this.dataset}/data`, body).catch(() => undefined);
    if (answer?.status === 200) {
      this.acknowledged += length;
      this.#open = 0;
      this.requests++;
    }
    return { status: answer?.status ?? 0, text: answer?.text ?? '' };
  }

  /**
   * After a restart: everything acknowledged is there, and the request that was cut off whole or not at all. Compares what
   * came since the last time.
   */
  async checkNew(client: HttpClient): Promise<void> {
    const counts = await Promise.all(this.names.map((name) => this.#countOf(client, name)));
    const allowed = [this.acknowledged, this.acknowledged + this.#open];
    if (counts[0] !== counts[1] || !allowed.includes(counts[0] as number))
      throw new Error(
        `${this.names[0]} in ${this.dataset}: ${counts.join(' and ')} points; want ${allowed.join(' or ')} of both`,
      );
    await this.compare(client, this.#checked, this.acknowledged);
    this.#checked = this.acknowledged;
  }

  /** Reads the points `[from, to)` of both tags. False when the connection broke. Throws at the first wrong or missing one. */
  async compare(client: HttpClient, from: number, to: number): Promise<boolean> {
    for (let start = from; start < to; start += PAGE_POINTS) {
      for (const kind of this.names.keys()) {
        const status = await this.tryRead(client, kind, start, Math.min(to, start + PAGE_POINTS));
        if (status === 0) return false;
        if (status !== 200) throw new Error(`${this.names[kind]}: a read was answered ${status}`);
      }
    }
    return true;
  }

  /** One read, compared when it is answered with 200; 0 when the connection broke. */
  async tryRead(client: HttpClient, kind: number, from: number, to: number): Promise<number> {
    const name = this.names[kind] as string;
    const query = `tagname=${encodeURIComponent(name)}&start=${timeOf(from)}&end=${timeOf(to - 1)}`;
    const answer = await client.get(`/api/datasets/${this.dataset}/data?${query}`).catch(() => undefined);
    if (answer?.status !== 200) return answer?.status ?? 0;
    const [entry] = answer.json<ReadAnswer>().tl;
    if (entry?.gaps !== undefined) throw new Error(`${name} has gaps: ${JSON.stringify(entry.gaps)}`);
    const points = entry?.d ?? [];
    if (points.length !== to - from)
      throw new Error(`${name}: got ${points.length} points from ${from}, want ${to - from}`);
    points.forEach((point, i) => {
      const want = JSON.stringify(this.#point(kind, from + i));
      if (JSON.stringify(point) !== want) throw new Error(`${name}: got ${JSON.stringify(point)}, want ${want}`);
    });
    return 200;
  }

  async #countOf(client: HttpClient, name: string): Promise<number> {
    const path = `/api/datasets/${this.dataset}/data?tagname=${encodeURIComponent(name)}&missing=skip`;
    const answer = await client.get(path);
    if (answer.status === 404) return 0;
    if (answer.status !== 200) throw new Error(`${name}: status ${answer.status}: ${answer.text.slice(0, 200)}`);
    const newest = answer.json<ReadAnswer>().tl[0]?.d[0];
    return newest === undefined ? 0 : (Date.parse(newest.t) - START_MS) / POINT_INTERVAL_MS + 1;
  }

  #point(kind: number, i: number): Tvq {
    const q = i % 17 === 3 ? 64 : 192;
    return { t: timeOf(i), v: kind === 0 ? this.#number + i / 8 : (TEXTS[(i >> 3) % TEXTS.length] as string), q };
  }
}

function timeOf(i: number): string {
  return new Date(START_MS + i * POINT_INTERVAL_MS).toISOString();
}
