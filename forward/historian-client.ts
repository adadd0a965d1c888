// The operations of the HTTP API that a collector needs, and what their answers mean: done, refused for good, or to be
// tried again.

import { isDone, isPassing, readProblem } from '../client/answers.ts';
import { type HttpAnswer, type HttpBody, type HttpLink, plainBody } from '../client/http-link.ts';
import { messageOf, RefusedError } from './errors.ts';

/** The server is away, or cannot take the request now: try again. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

const SHOWN_ERRORS = 20;
const TAGS_PER_REQUEST = 1000;
/** Keeps the head of a GET far below what servers and proxies take. */
const QUERY_CHARACTERS = 3500;

/** A tag's definition as the API takes it. */
export interface TagObject {
  readonly n: string;
  readonly d?: string;
  readonly f?: string;
  readonly u?: Readonly<Record<string, string>>;
  readonly fl?: Readonly<Record<string, string>>;
  readonly t?: string;
}

/** What became of points that a request did not store. */
export interface PostReceipt {
  /** Faulty ones that were left out. */
  readonly rejectedCount: number;
  /** Late ones that the rules of the dataset do not take. */
  readonly ignoredCount: number;
  /** The first fault in words. */
  readonly fault: string | undefined;
}

interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What is asked for: the words with which a refusal is told. */
  readonly what: string;
  readonly body?: HttpBody;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses besides 2xx that are answers, and no refusals. */
  readonly alsoFine?: readonly number[];
}

export class HistorianClient {
  readonly #link: HttpLink;
  readonly #dataset: string;

  constructor(link: HttpLink, dataset: string) {
    this.#link = link;
    this.#dataset = dataset;
  }

  /** Makes the dataset unless it is there, with whatever rules; `rules` are those of a new one. */
  async createDataset(rules: Readonly<Record<string, unknown>> = {}): Promise<'created' | 'existed'> {
    const body = jsonBody({ n: this.#dataset, pa: 0, ps: 0, ...rules });
    const what = 'creating the dataset';
    const answer = await this.#send({ method: 'POST', path: '/api/datasets', what, body, alsoFine: [409] });
    return answer.status === 201 ? 'created' : 'existed';
  }

  async postTags(tags: readonly TagObject[]): Promise<void> {
    for (let from = 0; from < tags.length; from += TAGS_PER_REQUEST) {
      const body = jsonBody(tags.slice(from, from + TAGS_PER_REQUEST));
      await this.#send({ method: 'POST', path: this.#path('tags'), what: 'creating the tags', body });
    }
  }

  /** Time of the newest point of each tag that has one, in milliseconds since 1970, rounded down. */
  async readNewest(names: readonly string[]): Promise<Map<string, number>> {
    const newest = new Map<string, number>();
    for (const query of groupQueries(names)) {
      const path = `${this.#path('data')}?${query}&missing=skip`;
      const answer = await this.#send({ method: 'GET', path, what: 'reading the newest points', alsoFine: [404] });
      if (answer.status === 200) addNewest(newest, answer.text);
    }
    return newest;
  }

  /** `body` is an object of tag names to TVQ arrays. With `lenient` faulty points are left out, and the others stored. */
  async postData(body: HttpBody, handling?: 'lenient'): Promise<PostReceipt> {
    const headers = handling === undefined ? {} : { prefer: `handling=${handling}` };
    const path = this.#path('data');
    return readReceipt(await this.#send({ method: 'POST', path, what: 'a batch of points', body, headers }));
  }

  async postStatus(quality: number, timeMs: number): Promise<void> {
    const body = jsonBody([{ t: new Date(timeMs).toISOString(), v: null, q: quality }]);
    await this.#send({ method: 'POST', path: this.#path('status'), what: 'a dataset status', body });
  }

  #path(part: string): string {
    return `/api/datasets/${encodeURIComponent(this.#dataset)}/${part}`;
  }

  async #send({ method, path, what, body, headers = {}, alsoFine = [] }: ApiRequest): Promise<HttpAnswer> {
    const answer = await this.#link.send({ method, path, body, headers }).catch((error: unknown) => {
      throw new UnavailableError(messageOf(error), { cause: error });
    });
    const { status } = answer;
    if (isDone(status) || alsoFine.includes(status)) return answer;
    if (isPassing(status)) throw new UnavailableError(`the server answered ${status}`);
    throw new RefusedError(status, `the server refused ${what} with ${status}${describeProblem(answer.text)}`);
  }
}

function readReceipt({ headers }: HttpAnswer): PostReceipt {
  const count = (name: string): number => Number(headers[name] ?? 0) || 0;
  const { path = '', message = '' } = parseFault(headers['historian-fault']);
  return {
    rejectedCount: count('historian-rejected'),
    ignoredCount: count('historian-ignored'),
    fault: message === '' ? undefined : `${path}: ${message}`,
  };
}

function parseFault(text: string | string[] | undefined): { readonly path?: string; readonly message?: string } {
  try {
    return JSON.parse(String(text ?? '{}')) as { path?: string; message?: string };
  } catch {
    return {};
  }
}

function jsonBody(value: unknown): HttpBody {
  return plainBody(JSON.stringify(value));
}

/** Query strings that together name all tags. */
function groupQueries(names: readonly string[]): string[] {
  const queries: string[] = [];
  let query = '';
  for (const name of names) {
    const part = `tagname=${encodeURIComponent(name)}`;
    if (query !== '' && query.length + part.length > QUERY_CHARACTERS) {
      queries.push(query);
      query = '';
    }
    query += query === '' ? part : `&${part}`;
  }
  if (query !== '') queries.push(query);
  return queries;
}

interface NewestAnswer {
  readonly tl?: readonly { readonly t?: { readonly n?: string }; readonly d?: readonly { readonly t?: string }[] }[];
}

function addNewest(newest: Map<string, number>, text: string): void {
  const answer = JSON.parse(text) as NewestAnswer;
  for (const entry of answer.tl ?? []) {
    const timeMs = Date.parse(entry.d?.at(-1)?.t ?? '');
    if (entry.t?.n !== undefined && !Number.isNaN(timeMs)) newest.set(entry.t.n, timeMs);
  }
}

/** The server's own words: its detail, and the pointer and message of each fault. */
function describeProblem(text: string): string {
  const { detail, faults } = readProblem(text);
  const lines = faults.slice(0, SHOWN_ERRORS).map(({ path, message }) => `\n  ${path}: ${message}`);
  const more = faults.length > SHOWN_ERRORS ? `\n  and ${faults.length - SHOWN_ERRORS} more` : '';
  return `${detail === undefined ? '' : `: ${detail}`}${lines.join('')}${more}`;
}
