// The made-up requests of the warm-up: what collectors write and people read most, in every form that has a fast path.

import { pack } from 'msgpackr';

export interface WarmRequest {
  readonly method: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** One point of a tag a second, each up to this much late. */
const JITTER_MS = 100;
const STEP_MS = 1000;
/** Points of each tag in the requests of one round: few mostly, as collectors send them. */
const ROUND: readonly (readonly [form: keyof typeof FORMS, count: number])[] = [
  ['tvqs', 10],
  ['tvqs', 1],
  ['columns', 10],
  ['tvqs', 10],
  ['msgpack', 10],
  ['spacedTvqs', 10],
  ['msgpackColumns', 10],
  ['tvqs', 40],
];

/** More tags than there are rows in one array (`engine/tag/tag-rows.ts`). */
const CROWD_TAGS = 700;
/** Points of each of them in the requests: the second is a body that comes in several pieces. */
const CROWD_POINTS = [1, 6];

interface Columns {
  readonly t: readonly number[];
  readonly v: readonly Value[];
  readonly q: number;
}

type Value = number | string | boolean;
/** A value near a measured one of two decimals, which are given as a whole number. */
type ValueOf = (hundredths: number) => Value;

const decimal: ValueOf = (hundredths) => hundredths / 100;
const STATES = ['Running', 'Stopped', 'Starting', 'Manual'];

/** Of one tag after the other: nearly all tags of a plant are measured. */
export const MEASURED: readonly ValueOf[] = [decimal];
/** Those of all kinds together. */
export const MIXED: readonly ValueOf[] = [
  decimal,
  (hundredths) => hundredths / 300,
  (hundredths) => hundredths % 3 === 0,
  (hundredths) => STATES[hundredths % STATES.length] as string,
  (hundredths) => hundredths,
];

const FORMS = {
  tvqs: ['application/json', (tags: Tags) => text(tags, points)],
  spacedTvqs: ['application/json', (tags: Tags) => text(tags, points, 1)],
  columns: ['application/json', (tags: Tags) => text(tags, wholeColumns)],
  msgpack: ['application/msgpack', (tags: Tags) => pack(mapped(tags, points))],
  msgpackColumns: ['application/msgpack', (tags: Tags) => pack(mapped(tags, wholeColumns))],
} as const;

type Tags = readonly (readonly [name: string, columns: Columns])[];

/** Points without end: each tag's go on from where they were. */
export class WarmRequests {
  readonly #names: readonly string[];
  readonly #values: readonly ValueOf[];
  readonly #path: string;
  #nextMs: number;
  #random = 1;

  /** @param startMs time of the first points */
  constructor(dataset: string, names: readonly string[], values: readonly ValueOf[], startMs: number) {
    this.#path = `/api/datasets/${dataset}/data`;
    this.#names = names;
    this.#values = values;
    this.#nextMs = startMs;
  }

  /** Points of very many tags, first ones and next ones: tables grow, and heads of few points go to disk together. */
  *crowd(): Generator<WarmRequest> {
    const names = Array.from({ length: CROWD_TAGS }, (_, i) => `${this.#names[0]}.Part${i}`);
    for (const count of CROWD_POINTS) yield this.#write(names, 'tvqs', count);
  }

  /** The writes of a round, then reads of what is there. */
  *round(): Generator<WarmRequest> {
    const roundMs = this.#nextMs;
    for (const [form, count] of ROUND) yield this.#write(this.#names, form, count);
    const start = new Date(roundMs).toISOString();
    yield this.#read(`tagname=${this.#names[0]}&start=${start}`);
    yield this.#read(this.#names.map((name) => `tagname=${name}`).join('&'));
  }

  #write(names: readonly string[], form: keyof typeof FORMS, count: number): WarmRequest {
    const [type, encode] = FORMS[form];
    const tags = names.map((name, i) => [name, this.#columns(i, count)] as const);
    this.#nextMs += count * STEP_MS;
    return { method: 'POST', path: this.#path, headers: { 'Content-Type': type }, body: encode(tags) };
  }

  #read(query: string): WarmRequest {
    return { method: 'GET', path: `${this.#path}?${query}`, headers: {} };
  }

  /** A slow wave with noise. */
  #columns(tag: number, count: number): Columns {
    const valueAt = this.#values[tag % this.#values.length] as ValueOf;
    const steps = Array.from({ length: count }, (_, i) => this.#nextMs + i * STEP_MS);
    const t = steps.map((ms) => ms + this.#below(JITTER_MS));
    const v = steps.map((ms) => Math.round(5000 + 100 * tag + 500 * Math.sin(ms / 600_000) + this.#noise(tag)));
    return { t, v: v.map(valueAt), q: 192 };
  }

  /**
   * Most often about 20, as measured values scatter, and of every third tag nearly always: blocks of each kind of noise are
   * coded in another way.
   */
  #noise(tag: number): number {
    const even = this.#below(14) + this.#below(14) + this.#below(14);
    return tag % 3 === 0 && even % 8 !== 0 ? 20 : even;
  }

  /** Park and Miller's minimal standard generator (1988). */
  #below(limit: number): number {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    return this.#random % limit;
  }
}

function wholeColumns(columns: Columns): Columns {
  return columns;
}

function points({ t, v, q }: Columns): readonly object[] {
  return t.map((ms, i) => ({ t: new Date(ms).toISOString(), v: v[i], q }));
}

function mapped(tags: Tags, form: (columns: Columns) => unknown): object {
  return Object.fromEntries(tags.map(([name, columns]) => [name, form(columns)]));
}

function text(tags: Tags, form: (columns: Columns) => unknown, spaces = 0): Uint8Array {
  return Buffer.from(JSON.stringify(mapped(tags, form), null, spaces));
}
