// Connections to a Varve server over HTTP, kept open between requests: for all programs of the project that are its clients.

import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface HttpTarget {
  readonly baseUrl: URL;
  readonly token: string | undefined;
}

export interface HttpBody {
  readonly bytes: Buffer;
  readonly encoding: 'identity' | 'gzip';
}

export interface HttpAsked {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Begins with `/api`; the path of the base URL comes before it. */
  readonly path: string;
  /** JSON. */
  readonly body?: HttpBody | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** An answer whose body is read as it comes. */
export interface HttpDownload {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Fails when the answer breaks off. */
  readonly body: IncomingMessage;
}

export interface LinkOptions {
  /** With one connection what is sent arrives in order. No limit where it is absent. */
  readonly connections?: number;
  /** A request in which nothing moves for so long is given up. */
  readonly limitMs?: number;
  /** What the program calls itself (User-Agent), for those who watch the server. */
  readonly program?: string;
}

const LIMIT_MS = 60_000;
/** Node heeds a server's shorter `Keep-Alive: timeout` only where the agent has a time-out of its own. */
const IDLE_TIMEOUT_MS = 90_000;
const GZIP_FROM_BYTES = 1024;
const gzipAsync = promisify(gzip);
/** The connection was closed before the request could be answered. */
const STALE = Symbol('stale connection');

/** Compression pays over a network, not over the loopback: there it costs more than it saves. */
export async function packBody(target: HttpTarget, bytes: Buffer): Promise<HttpBody> {
  if (isLoopback(target.baseUrl.hostname) || bytes.length < GZIP_FROM_BYTES) return { bytes, encoding: 'identity' };
  return { bytes: await gzipAsync(bytes, { level: 1 }), encoding: 'gzip' };
}

export function plainBody(text: string): HttpBody {
  return { bytes: Buffer.from(text), encoding: 'identity' };
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

export class HttpLink {
  readonly #target: HttpTarget;
  readonly #agent: HttpAgent;
  readonly #limitMs: number;
  readonly #program: string;

  constructor(target: HttpTarget, options: LinkOptions = {}) {
    const { connections = Number.POSITIVE_INFINITY, limitMs = LIMIT_MS, program = 'Varve' } = options;
    this.#target = target;
    this.#program = program;
    this.#limitMs = limitMs;
    const agent = { keepAlive: true, maxSockets: connections, timeout: Math.max(IDLE_TIMEOUT_MS, limitMs) };
    this.#agent = target.baseUrl.protocol === 'https:' ? new HttpsAgent(agent) : new HttpAgent(agent);
  }

  /** Rejects when no whole answer came. An answer of any status is one, and redirections are not followed. */
  async send(asked: HttpAsked): Promise<HttpAnswer> {
    return this.#sendTwice(asked, async ({ status, headers, body }) => ({
      status,
      headers,
      text: await readText(body),
    }));
  }

  /** Resolves with the head of the answer. The connection is taken until the body has ended, or was destroyed. */
  async open(asked: HttpAsked): Promise<HttpDownload> {
    return this.#sendTwice(asked, async (download) => download);
  }

  /** Idle connections do not keep the process alive: to be called where they would hold up the server. */
  close(): void {
    this.#agent.destroy();
  }

  async #sendTwice<T>(asked: HttpAsked, take: (download: HttpDownload) => Promise<T>): Promise<T> {
    const first = await this.#sendOnce(asked, take);
    // The server had closed the idle connection when the request went out: that says nothing about the server.
    const answer = first === STALE ? await this.#sendOnce(asked, take) : first;
    if (answer === STALE) throw new Error('the server closes every connection');
    return answer;
  }

  #sendOnce<T>(asked: HttpAsked, take: (download: HttpDownload) => Promise<T>): Promise<T | typeof STALE> {
    const { baseUrl } = this.#target;
    const { method, path, body, signal } = asked;
    const open = baseUrl.protocol === 'https:' ? httpsRequest : httpRequest;
    const url = new URL(baseUrl.pathname.replace(/\/$/, '') + path, baseUrl);
    const options = { method, agent: this.#agent, headers: this.#headers(asked), ...(signal && { signal }) };
    return new Promise((resolve, reject) => {
      const request = open(url, options, (response) => {
        const { statusCode: status = 0, headers } = response;
        take({ status, headers, body: response }).then(resolve, reject);
      });
      const seconds = Math.round(this.#limitMs / 1000);
      request.setTimeout(this.#limitMs, () => request.destroy(new Error(`no answer within ${seconds} s`)));
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (isStale) resolve(STALE);
        else reject(error);
      });
      request.end(body?.bytes);
    });
  }

  #headers({ body, headers }: HttpAsked): Record<string, string | number> {
    const { token } = this.#target;
    return {
      accept: 'application/json',
      'user-agent': this.#program,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.bytes.length }),
      ...(body?.encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
      ...headers,
    };
  }
}

/** The whole body. */
export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
