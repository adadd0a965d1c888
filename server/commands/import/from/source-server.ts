// A server that points are taken from: another Varve, or one that speaks the same API without its additions.

import { isDone, readProblem } from '../../../../client/answers.ts';
import { type HttpAnswer, HttpLink, plainBody } from '../../../../client/http-link.ts';
import { sendPatiently } from '../../transfer/patient-request.ts';

/** The server does not give what was asked, or cannot be reached for too long. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
}

/** Fields of a tag, as the API has them. */
export interface SourceTag extends Readonly<Record<string, unknown>> {
  readonly n: string;
}

export interface SourcePoint {
  readonly t: string;
  readonly v: unknown;
  readonly q?: number;
}

interface Page {
  readonly d: readonly SourcePoint[];
  readonly next?: string;
}

/** ISO 8601; both belong to it. */
export interface TimeRange {
  readonly start: string;
  readonly end: string;
}

const PAGE_POINTS = 5000;
const ANSWER_LIMIT_MS = 120_000;

export class ServerDataset {
  readonly #url: URL;
  readonly #path: string;
  readonly #link: HttpLink;
  readonly #stop: AbortSignal;

  constructor(
    at: { readonly url: URL; readonly token: string | undefined; readonly dataset: string },
    stop: AbortSignal,
  ) {
    this.#url = at.url;
    this.#path = `/api/datasets/${encodeURIComponent(at.dataset)}`;
    this.#link = new HttpLink({ baseUrl: at.url, token: at.token }, { connections: 1, limitMs: ANSWER_LIMIT_MS });
    this.#stop = stop;
  }

  close(): void {
    this.#link.close();
  }

  /** Tags of users, sorted by name. */
  async tags(): Promise<readonly SourceTag[]> {
    const { User: tags = [] } = (await this.#ask('GET', '/tags')) as { User?: readonly SourceTag[] };
    return tags;
  }

  async define(tags: readonly SourceTag[]): Promise<void> {
    if (tags.length > 0) await this.#ask('POST', '/tags', tags);
  }

  /** Page by page where the server has pages, else all at once. Values that a double does not hold are texts. */
  async *points(tag: string, { start, end }: TimeRange): AsyncGenerator<readonly SourcePoint[]> {
    for (let after: string | undefined; ; ) {
      const query = { tagname: tag, start, end, limit: String(PAGE_POINTS), exact: 'string', ...(after && { after }) };
      const answer = (await this.#ask('GET', `/data?${new URLSearchParams(query)}`)) as { tl?: readonly Page[] };
      const page = answer.tl?.[0];
      if (page === undefined)
        throw new SourceFault(`${this.#url.origin}: the answer has no points of ${tag}; want {"tl":[{"d":[…]}]}.`);
      yield page.d;
      after = page.next;
      if (after === undefined) return;
    }
  }

  /** Time of the newest point; undefined for a tag without points. */
  async newest(tag: string): Promise<string | undefined> {
    const query = new URLSearchParams({ tagname: tag });
    const { tl } = (await this.#ask('GET', `/data?${query}`)) as { tl?: readonly Page[] };
    return tl?.[0]?.d.at(-1)?.t;
  }

  /** Points of a tag in the range; undefined where the server does not count them. */
  async count(tag: string, { start, end }: TimeRange): Promise<number | undefined> {
    const query = new URLSearchParams({ tagname: tag, start, end });
    const answer = await this.#ask('GET', `/statistics?${query}`, undefined, 'absent').catch((error: unknown) => {
      if (error === ABSENT) return undefined;
      throw error;
    });
    return (answer as { tl?: readonly { points?: number }[] } | undefined)?.tl?.[0]?.points;
  }

  /** What passes by itself is asked again. `absent`: a path that a server may not have rejects with `ABSENT`. */
  async #ask(method: 'GET' | 'POST', path: string, body?: unknown, mode?: 'absent'): Promise<unknown> {
    const answer = await sendPatiently(this.#link, {
      method,
      path: this.#path + path,
      body: body === undefined ? undefined : plainBody(JSON.stringify(body)),
      signal: this.#stop,
    });
    if (typeof answer === 'string') throw new SourceFault(`${this.#url.origin}: ${answer}.`);
    if (isDone(answer.status)) return parsed(answer.text, this.#url);
    if (mode === 'absent' && [404, 405].includes(answer.status)) throw ABSENT;
    throw new SourceFault(`${this.#url.origin}: ${refusalText(answer)}.`);
  }
}

const ABSENT = Symbol('a path that the server does not have');

function refusalText({ status, text }: HttpAnswer): string {
  const { detail = 'without a reason' } = readProblem(text);
  return `refused with ${status}: ${detail.replace(/\.$/, '')}`;
}

function parsed(text: string, url: URL): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SourceFault(
      `${url.origin}: the answer is no JSON (${(error as Error).message}); want the address of a Varve.`,
    );
  }
}
