// Another Varve, over its HTTP API.

import { isDone } from '../../../client/answers.ts';
import { type HttpAnswer, HttpLink, plainBody } from '../../../client/http-link.ts';
import type { VarveAddress } from './address.ts';
import { brokenRequest, failureOf } from './faults.ts';

/** Longer than a busy server takes for a body of some MB. */
const REQUEST_LIMIT_MS = 120_000;
/** Tags of one read: an answer of some 100 KB. */
const TAGS_A_READ = 1_000;

export interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** How many points of a write were stored, and how many were not. */
export interface Receipt {
  readonly ignored: number;
  readonly rejected: number;
}

/** The newest points of a tag: times are ms, or texts where one has a part below. */
export interface NewestOfTag {
  readonly name: string;
  readonly times: readonly (number | string)[];
  readonly values: readonly unknown[];
}

interface ReadAnswer {
  readonly tl: readonly {
    readonly t: { readonly n: string };
    readonly d: { readonly t: readonly (number | string)[]; readonly v: readonly unknown[] };
  }[];
}

export class Historian {
  /** Without the token. */
  readonly name: string;
  readonly #link: HttpLink;

  constructor({ url, token, text }: VarveAddress) {
    this.name = text;
    this.#link = new HttpLink(
      { baseUrl: new URL(url), token },
      { limitMs: REQUEST_LIMIT_MS, program: 'Varve replication' },
    );
  }

  /** The body of an answer. Rejects with PassingFailure, or an error that says what is wrong. */
  async ask<T>(asked: Asked): Promise<T> {
    const { text } = await this.#send(asked, {});
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T;
    } catch (cause) {
      throw new Error(`${this.#what(asked)}: the answer is no JSON: is it a Varve?`, { cause });
    }
  }

  /** Stores points: a body of tags with columns. Faulty points refuse all of it. */
  async write(dataset: string, body: string): Promise<Receipt> {
    const path = `${pathOf(dataset)}/data`;
    const { headers } = await this.#send({ method: 'POST', path, body }, { prefer: 'handling=strict' });
    const countOf = (name: string): number => Number(headers[`historian-${name}`] ?? 0);
    return { ignored: countOf('ignored'), rejected: countOf('rejected') };
  }

  /** The newest point of each of the tags that are there. */
  async *newest(dataset: string, names: readonly string[]): AsyncGenerator<NewestOfTag> {
    for (let from = 0; from < names.length; from += TAGS_A_READ) {
      const tagname = names.slice(from, from + TAGS_A_READ);
      const body = JSON.stringify({ tagname, missing: 'skip', format: 'columns' });
      const { tl } = await this.ask<ReadAnswer>({ method: 'POST', path: `${pathOf(dataset)}/read`, body });
      for (const { t, d } of tl) yield { name: t.n, times: d.t, values: d.v };
    }
  }

  async #send({ method, path, body }: Asked, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> {
    const what = this.#what({ method, path });
    const sent = body === undefined ? {} : { body: plainBody(body) };
    const answer = await this.#link.send({ method, path, ...sent, headers }).catch((error: unknown) => {
      throw brokenRequest(what, error);
    });
    if (!isDone(answer.status)) throw failureOf(what, answer.status, answer.text);
    return answer;
  }

  #what({ method, path }: Asked): string {
    return `${this.name}: ${method} ${path.split('?', 1)[0]}`;
  }
}

export function pathOf(dataset: string): string {
  return `/api/datasets/${encodeURIComponent(dataset)}`;
}
