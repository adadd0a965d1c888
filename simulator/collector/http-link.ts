// One keep-alive connection to the server: a request at a time, so that what is sent arrives in order.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export interface HttpTarget {
  readonly baseUrl: URL;
  readonly token: string | undefined;
}

export interface HttpBody {
  readonly bytes: Buffer;
  readonly encoding: 'identity' | 'gzip';
}

const REQUEST_TIMEOUT_MS = 60_000;
/** Node heeds a server's shorter `Keep-Alive: timeout` only where the agent has a time-out of its own. */
const IDLE_TIMEOUT_MS = 90_000;
const GZIP_FROM_BYTES = 1024;
const gzipAsync = promisify(gzip);

/** Compression pays over a network, not over the loopback: there it costs more than it saves. */
export async function packBody(target: HttpTarget, bytes: Buffer): Promise<HttpBody> {
  if (isLoopback(target.baseUrl.hostname) || bytes.length < GZIP_FROM_BYTES) return { bytes, encoding: 'identity' };
  return { bytes: await gzipAsync(bytes, { level: 1 }), encoding: 'gzip' };
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

export class HttpLink {
  readonly #target: HttpTarget;
  readonly #agent: HttpAgent;

  constructor(target: HttpTarget) {
    this.#target = target;
    const options = { keepAlive: true, maxSockets: 1, timeout: IDLE_TIMEOUT_MS };
    this.#agent = target.baseUrl.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** Rejects when no whole answer came. `path` begins with `/api`. */
  async send(method: 'GET' | 'POST', path: string, body?: HttpBody): Promise<HttpAnswer> {
    const first = await this.#sendOnce(method, path, body);
    // The server had closed the idle connection when the request went out: that says nothing about the server.
    const answer = first === 'stale connection' ? await this.#sendOnce(method, path, body) : first;
    if (answer === 'stale connection') throw new Error('the server closes every connection');
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }

  #sendOnce(method: 'GET' | 'POST', path: string, body?: HttpBody): Promise<HttpAnswer | 'stale connection'> {
    const { baseUrl } = this.#target;
    const open = baseUrl.protocol === 'https:' ? httpsRequest : httpRequest;
    const url = new URL(baseUrl.pathname.replace(/\/$/, '') + path, baseUrl);
    return new Promise((resolve, reject) => {
      const request = open(url, { method, agent: this.#agent, headers: this.#headers(body) }, (response) => {
        readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
      });
      request.setTimeout(REQUEST_TIMEOUT_MS, () => request.destroy(new Error('no answer within 60 s')));
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (isStale) resolve('stale connection');
        else reject(error);
      });
      request.end(body?.bytes);
    });
  }

  #headers(body: HttpBody | undefined): Record<string, string | number> {
    const { token } = this.#target;
    return {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.bytes.length }),
      ...(body?.encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    };
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
