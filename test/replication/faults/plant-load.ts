// Everything that changes a dataset, at random, sent to an edge that may be away or refuse it. What came of a request is not
// looked at: both ends are compared afterwards.

import type { SeededRandom } from '../../support/seeded-random.ts';

const FIRST_MS = Date.parse('2026-01-05T00:00:00Z');
const TAGS = 12;
const REQUEST_LIMIT_MS = 20_000;
/** Points of a batch that covers more than a week, and between them. */
const WEEK_POINTS = 1_500;
const WEEK_STEP_MS = 480_000;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export class PlantLoad {
  readonly #random: SeededRandom;
  readonly #edgeUrl: () => string;
  #nowMs = FIRST_MS;
  #requests = 0;

  constructor(random: SeededRandom, edgeUrl: () => string) {
    this.#random = random;
    this.#edgeUrl = edgeUrl;
  }

  get requests(): number {
    return this.#requests;
  }

  async begin(): Promise<void> {
    await this.#send({ method: 'POST', path: '/api/datasets', body: { n: 'Plant', pa: 0, ps: 0, late: 'accept' } });
  }

  /** One request of any kind. */
  async step(): Promise<void> {
    const kind = this.#random.below(20);
    if (kind < 10) return this.#points();
    if (kind < 13) return this.#late();
    if (kind < 16) return this.#correct();
    if (kind < 17) return this.#cut();
    if (kind < 18) return this.#weekLong();
    if (kind < 19) return this.#deleteTag();
    return this.recreate();
  }

  /** A dataset beside the others is deleted, and made again. */
  async recreate(): Promise<void> {
    await this.#send({ method: 'DELETE', path: '/api/datasets/Passing' });
    await this.#send({ method: 'POST', path: '/api/datasets', body: { n: 'Passing', pa: 0, ps: 0 } });
    const points = Array.from({ length: 20 }, (_, i) => ({ t: this.#time(this.#nowMs + i), v: this.#random.below(9) }));
    await this.#send({ method: 'POST', path: '/api/datasets/Passing/data', body: { Only: points } });
  }

  async cut(): Promise<void> {
    await this.#cut();
  }

  async #points(): Promise<void> {
    const count = 1 + this.#random.below(60);
    const body: Record<string, unknown> = {};
    for (let tag = 0; tag < TAGS; tag += 1 + this.#random.below(4)) body[`T${tag}`] = this.#row(count, 1_000);
    body.Text = [{ t: this.#time(this.#nowMs), v: `step ${this.#requests}` }];
    this.#nowMs += count * 1_000;
    await this.#data(body);
  }

  async #weekLong(): Promise<void> {
    const body = { [`T${this.#random.below(TAGS)}`]: this.#row(WEEK_POINTS, WEEK_STEP_MS) };
    this.#nowMs += WEEK_POINTS * WEEK_STEP_MS;
    await this.#data(body);
  }

  #row(count: number, stepMs: number): object[] {
    return Array.from({ length: count }, (_, i) => {
      const v = this.#random.below(10_000) / 100;
      const point = { t: this.#time(this.#nowMs + i * stepMs), v };
      return this.#random.chance(0.02) ? { ...point, q: 0 } : point;
    });
  }

  async #late(): Promise<void> {
    const late = Array.from({ length: 1 + this.#random.below(8) }, () => ({
      t: this.#time(this.#past()),
      v: this.#random.below(100),
    }));
    await this.#data({ [this.#tag()]: late });
  }

  async #correct(): Promise<void> {
    const startMs = this.#past();
    const range = `start=${this.#time(startMs)}&end=${this.#time(startMs + this.#random.below(120_000))}`;
    const path = `/api/datasets/Plant/corrections?tagname=${this.#tag()}`;
    const point = { t: this.#time(startMs), v: this.#random.below(100) };
    const sent: Sent[] = [
      { method: 'POST', path: `${path}&kind=delete&${range}` },
      { method: 'POST', path: `${path}&kind=insert`, body: [point] },
      { method: 'POST', path: `${path}&kind=replace&${range}`, body: [point] },
      { method: 'POST', path: `/api/datasets/Plant/corrections/${1 + this.#random.below(60)}/undo` },
    ];
    await this.#send(this.#random.pick(sent));
  }

  async #cut(): Promise<void> {
    const start = this.#time(this.#nowMs - this.#random.below(90_000));
    await this.#send({ method: 'DELETE', path: `/api/datasets/Plant/data?tagname=${this.#tag()}&start=${start}` });
  }

  async #deleteTag(): Promise<void> {
    await this.#send({ method: 'DELETE', path: `/api/datasets/Plant/tags/${this.#tag()}` });
  }

  #tag(): string {
    return `T${this.#random.below(TAGS)}`;
  }

  /** Mostly a short while ago. */
  #past(): number {
    const back = this.#random.chance(0.8) ? 600_000 : 20 * 86_400_000;
    return Math.max(FIRST_MS, this.#nowMs - this.#random.below(back));
  }

  #time(ms: number): string {
    return new Date(ms).toISOString();
  }

  #data(body: unknown): Promise<void> {
    return this.#send({ method: 'POST', path: '/api/datasets/Plant/data', body });
  }

  async #send({ method, path, body }: Sent): Promise<void> {
    this.#requests++;
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    try {
      const signal = AbortSignal.timeout(REQUEST_LIMIT_MS);
      const answer = await fetch(`${this.#edgeUrl()}${path}`, { method, signal, ...sent });
      await answer.arrayBuffer();
    } catch {
      // The edge is away.
    }
  }
}
