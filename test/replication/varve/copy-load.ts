// Everything that changes a dataset and can be copied to another Varve, at random, sent to an edge that may be away. What came
// of a request is not looked at: both ends are compared afterwards.

import type { SeededRandom } from '../../support/seeded-random.ts';

const FIRST_MS = Date.parse('2026-01-05T00:00:00Z');
const REQUEST_LIMIT_MS = 20_000;
const QUALITIES = [192, 192, 192, 192, 64, 0, 216, -5, 2_147_483_647];

/** A value of each type, at random. */
const VALUES: Readonly<Record<string, (random: SeededRandom) => unknown>> = {
  'System.Boolean': (random) => random.chance(0.5),
  'System.SByte': (random) => random.between(-128, 127),
  'System.Byte': (random) => random.below(256),
  'System.Int16': (random) => random.between(-32_768, 32_767),
  'System.UInt16': (random) => random.below(65_536),
  'System.Int32': (random) => random.uint32() - 2 ** 31,
  'System.UInt32': (random) => random.uint32(),
  'System.Int64': (random) => String(random.pick([-(2n ** 63n), 2n ** 63n - 1n, BigInt(random.uint32()) ** 2n / 4n])),
  'System.UInt64': (random) => String(random.pick([0n, 2n ** 64n - 1n, BigInt(random.uint32()) ** 2n])),
  'System.Single': (random) => random.pick([0.1, -3.5e-30, random.unit() * 1000]),
  'System.Double': (random) => random.pick([0.1, -1e300, 5e-324, random.below(10_000) / 100, random.unit()]),
  'System.Decimal': (random) => random.pick(['1.50', '-0.0001', '7922816251426433759354395033', '100.00']),
  'System.String': (random) => random.pick(['', 'Grüße 🌊', '"\\\n', 'x'.repeat(random.below(300)), '0', '-0']),
  'System.DateTime': (random) =>
    random.pick(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.9999999Z', timeOf(FIRST_MS, random)]),
};
const TYPES = Object.keys(VALUES);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export class CopyLoad {
  readonly #random: SeededRandom;
  readonly #edgeUrl: () => string;
  #nowMs = FIRST_MS;
  requests = 0;
  /** Requests that were accepted. */
  accepted = 0;

  constructor(random: SeededRandom, edgeUrl: () => string) {
    this.#random = random;
    this.#edgeUrl = edgeUrl;
  }

  /** A dataset with tags of all types, and late points where they are wanted. */
  async begin(late: 'accept' | 'ignore'): Promise<void> {
    await this.send({ method: 'POST', path: '/api/datasets', body: { n: 'Plant', pa: 0, ps: 0, late } });
    await this.send({
      method: 'POST',
      path: '/api/datasets/Plant/tags',
      body: TYPES.map((t, i) => ({
        n: tagOf(t),
        t,
        d: `Tag ${i}`,
        f: '0.0',
        u: { 2: 'b', 1: 'a' },
        fl: { b: '1', a: '' },
      })),
    });
  }

  /** One request of any kind. */
  async step(): Promise<void> {
    const kind = this.#random.below(24);
    if (kind < 12) return this.points();
    if (kind < 15) return this.late();
    if (kind < 17) return this.cut();
    if (kind < 18) return this.#deleteTag();
    if (kind < 20) return this.#define();
    if (kind < 22) return this.#changeType();
    if (kind < 23) return this.#again();
    return this.recreate();
  }

  async points(): Promise<void> {
    const body: Record<string, unknown> = {};
    for (const type of TYPES) {
      if (this.#random.chance(0.4)) continue;
      const value = VALUES[type] as (random: SeededRandom) => unknown;
      body[tagOf(type)] = this.#row(1 + this.#random.below(60), value);
    }
    body[`Open ${this.#random.below(3)}`] = [{ t: this.#time(this.#nowMs) }];
    this.#nowMs += 60_000;
    await this.#data(body);
  }

  async late(): Promise<void> {
    const count = 1 + this.#random.below(8);
    const late = Array.from({ length: count }, () => ({ t: this.#time(this.#past()), v: this.#random.below(100) }));
    await this.#data({ [this.#numberTag()]: late });
  }

  async cut(): Promise<void> {
    const tag = this.#random.chance(0.7) ? this.#numberTag() : tagOf(this.#random.pick(TYPES));
    const query = `tagname=${encodeURIComponent(tag)}&start=${this.#time(this.#past())}`;
    await this.send({ method: 'DELETE', path: `/api/datasets/Plant/data?${query}` });
  }

  /** A dataset beside the others is deleted, and made again. */
  async recreate(): Promise<void> {
    await this.send({ method: 'DELETE', path: '/api/datasets/Passing' });
    await this.send({ method: 'POST', path: '/api/datasets', body: { n: 'Passing', pa: 0, ps: 0 } });
    const body = { Only: this.#row(20, (random) => random.below(9)) };
    await this.send({ method: 'POST', path: '/api/datasets/Passing/data', body });
  }

  async send({ method, path, body }: Sent): Promise<void> {
    this.requests++;
    // A tag that was deleted comes back with another type.
    const headers = { 'content-type': 'application/json', prefer: 'handling=lenient' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers };
    try {
      const signal = AbortSignal.timeout(REQUEST_LIMIT_MS);
      const answer = await fetch(`${this.#edgeUrl()}${path}`, { method, signal, ...sent });
      await answer.arrayBuffer();
      if (answer.ok) this.accepted++;
    } catch {
      // The edge is away.
    }
  }

  /** Points in order; some at the time of the one before. */
  #row(count: number, value: (random: SeededRandom) => unknown): object[] {
    let t = this.#time(this.#nowMs);
    return Array.from({ length: count }, (_, i) => {
      if (!this.#random.chance(0.1)) t = this.#time(this.#nowMs + i * 1_000);
      const v = this.#random.chance(0.1) ? null : value(this.#random);
      return { t, v, q: this.#random.pick(QUALITIES) };
    });
  }

  async #define(): Promise<void> {
    const n = tagOf(this.#random.pick(TYPES));
    const d = this.#random.pick(['', 'changed', `at ${this.requests}`]);
    await this.send({ method: 'POST', path: '/api/datasets/Plant/tags', body: [{ n, d, u: {}, fl: { k: d } }] });
  }

  /** Points of one tag with two types. */
  async #changeType(): Promise<void> {
    const t = this.#random.pick(TYPES);
    await this.send({ method: 'POST', path: '/api/datasets/Plant/tags', body: [{ n: 'Changing', t }] });
    await this.#data({ Changing: this.#row(5, VALUES[t] as (random: SeededRandom) => unknown) });
    this.#nowMs += 5_000;
  }

  async #deleteTag(): Promise<void> {
    const tag = this.#random.pick([tagOf(this.#random.pick(TYPES)), 'Changing', 'Open 1']);
    await this.send({ method: 'DELETE', path: `/api/datasets/Plant/tags/${encodeURIComponent(tag)}` });
  }

  /** A tag is deleted and there again at once, with points of other times. */
  async #again(): Promise<void> {
    const tag = this.#numberTag();
    await this.send({ method: 'DELETE', path: `/api/datasets/Plant/tags/${encodeURIComponent(tag)}` });
    const t = tag.replace('T.', 'System.');
    await this.send({ method: 'POST', path: '/api/datasets/Plant/tags', body: [{ n: tag, t }] });
    await this.#data({ [tag]: [{ t: this.#time(this.#past()), v: 1 }] });
  }

  #numberTag(): string {
    return tagOf(this.#random.pick(['System.Double', 'System.Double', 'System.UInt32', 'System.Int64']));
  }

  /** Mostly a short while ago. */
  #past(): number {
    const back = this.#random.chance(0.8) ? 120_000 : 3_600_000;
    return Math.max(FIRST_MS, this.#nowMs - this.#random.below(back));
  }

  #time(ms: number): string {
    return timeOf(ms, this.#random);
  }

  #data(body: unknown): Promise<void> {
    return this.send({ method: 'POST', path: '/api/datasets/Plant/data', body });
  }
}

/** Names that want care in paths and JSON, too. */
function tagOf(type: string): string {
  return type === 'System.String' ? 'Text/"ä" 100%' : type.replace('System.', 'T.');
}

/** With a part below the millisecond now and then. */
function timeOf(ms: number, random: SeededRandom): string {
  const below = random.chance(0.2) ? String(random.below(10_000)).padStart(4, '0') : '';
  return new Date(ms).toISOString().replace('Z', `${below}Z`);
}
