// Calls a route of the server on behalf of a tool: the same names, rights, limits and words of errors as over HTTP, with the
// answer kept in memory up to a bound.

import { exactJson } from '../../api/validation/long-number.ts';
import { needOf } from '../../auth/rules/route-rules.ts';
import { toProblem } from '../../engine-status.ts';
import { asBody, NO_BODY } from '../../http/contract/body-bytes.ts';
import type { HttpRequest, HttpResponse, HttpStream } from '../../http/contract/http-server.ts';
import type { Route, RouteContext } from '../../http/routing/router.ts';
import { ProblemError } from '../../problem.ts';

/** Most bytes of one tool's answer: more than a model can take in. */
export const MAX_ANSWER_BYTES = 262_144;

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  prefer: 'return=representation',
};

/** A fault that the caller of a tool can mend, in words. */
export class ToolError extends Error {
  /** The status of HTTP. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

export interface InnerRequest {
  readonly route: string;
  /** Absent: the route itself leaves out what the caller may not see. */
  readonly dataset?: string;
  /** Names and values; lists are given several times. */
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: unknown;
}

/** The routes that tools call, by method and pattern. */
export class InnerRoutes {
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(routes: readonly Route[]) {
    this.#routes = new Map(routes.map((route) => [`${route.method} ${route.pattern}`, route]));
  }

  /** The JSON of the answer. Rejects with a `ToolError`. */
  async call(outer: RouteContext, { route: key, dataset, query = [], body }: InnerRequest): Promise<unknown> {
    const route = this.#routes.get(key);
    if (route === undefined) throw new Error(`BUG: there is no route ${key}`);
    const need = needOf(route.method, route.pattern);
    const { caller } = outer;
    requireWellFormed([dataset ?? '', ...query.map(([, value]) => value)]);
    try {
      const needsRole = need === 'read' || need === 'write' || need === 'admin';
      if (needsRole && dataset !== undefined) caller.require(need, dataset);
      const response = new KeptResponse();
      const request = toRequest(outer.request, route, query, body);
      await route.handle({ request, response, params: new Map([['dataset', dataset ?? '']]), caller });
      return response.json();
    } catch (error) {
      throw asToolError(error);
    }
  }
}

/** A query, which is UTF-8, cannot have half of a surrogate pair. */
function requireWellFormed(texts: readonly string[]): void {
  const broken = texts.find((text) => !text.isWellFormed());
  if (broken === undefined) return;
  throw new ToolError(
    `Got ${JSON.stringify(broken)}, which has half of a surrogate pair; no name and no time has that.`,
  );
}

export function asToolError(error: unknown): unknown {
  const problem = toProblem(error);
  if (!(problem instanceof ProblemError) || problem.status === 500) return error;
  const faults = problem.errors.slice(0, 10).map(({ path, message }) => `${path} ${message}`.trim());
  return new ToolError([problem.message, ...faults].join('\n'), problem.status);
}

function toRequest(
  outer: HttpRequest,
  { method, pattern }: Route,
  query: readonly (readonly [string, string])[],
  body: unknown,
): HttpRequest {
  const bytes = body === undefined ? NO_BODY : asBody(new TextEncoder().encode(exactJson(body)));
  return {
    method,
    path: pattern,
    query: query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&'),
    header: (name) => HEADERS[name],
    remoteAddress: outer.remoteAddress,
    holder: outer.holder,
    chargeTo: () => {},
    get memory() {
      return outer.memory;
    },
    wantsSocket: false,
    get aborted() {
      return outer.aborted;
    },
    onAbort: (callback) => outer.onAbort(callback),
    readBody: () => Promise.resolve(bytes),
    checkAfterBody: () => {},
    reuseBody: () => {},
  };
}

/** Keeps an answer; more than the bound makes the route fail in the middle. */
class KeptResponse implements HttpResponse {
  readonly #chunks: Uint8Array[] = [];
  #sizeBytes = 0;
  #status = 200;

  json(): unknown {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    return text === '' ? { status: this.#status } : JSON.parse(text);
  }

  send(status: number, _headers: unknown, body: Uint8Array | string = ''): void {
    this.#status = status;
    this.#keep(typeof body === 'string' ? new TextEncoder().encode(body) : body.slice());
  }

  lend(status: number, headers: unknown, body: Uint8Array): boolean {
    this.send(status, headers, body);
    return true;
  }

  stream(status: number): HttpStream {
    this.#status = status;
    return {
      write: (chunk) => {
        this.#keep(chunk.slice());
        return undefined;
      },
      end: () => {},
      destroy: () => {},
    };
  }

  openSocket(): never {
    throw new Error('BUG: a tool has no WebSocket');
  }

  #keep(chunk: Uint8Array): void {
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > MAX_ANSWER_BYTES) {
      this.#chunks.length = 0;
      throw new ToolError(
        `The answer is longer than ${MAX_ANSWER_BYTES / 1024} KiB. Ask for fewer tags, a shorter range, a smaller limit or longer intervals.`,
      );
    }
    this.#chunks.push(chunk);
  }
}
