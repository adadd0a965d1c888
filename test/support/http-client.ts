// A small HTTP client that sends what it is given: paths, queries and headers as they are, nothing normalised or followed.

import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { pack, unpack } from 'msgpackr';

const ANSWER_LIMIT_MS = 300_000;
/** Not the same as the above: only a request with another limit is rid of the one that a connection had while idle. */
const IDLE_LIMIT_MS = 60_000;
/**
 * A connection that was idle for longer is not used again: a process that was busy meanwhile has not seen yet that the server
 * has closed it.
 */
const REUSE_LIMIT_MS = 1000;
const RAW_LIMIT_MS = 60_000;

export interface SendOptions {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** An answer as it came over the wire. */
export class HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;

  constructor(status: number, headers: IncomingHttpHeaders, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  /** A header that occurs once; undefined when absent. */
  header(name: string): string | undefined {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** The body with its Content-Encoding undone. */
  get unpacked(): Buffer {
    switch (this.header('content-encoding')) {
      case 'gzip':
        return gunzipSync(this.bytes);
      case 'deflate':
        return inflateSync(this.bytes);
      case 'br':
        return brotliDecompressSync(this.bytes);
      default:
        return this.bytes;
    }
  }

  get text(): string {
    return this.unpacked.toString('utf8');
  }

  json<T>(): T {
    try {
      return JSON.parse(this.text) as T;
    } catch (cause) {
      throw new Error(`status ${this.status}, body is not JSON: ${this.text.slice(0, 300)}`, { cause });
    }
  }

  /** JSON with every number as the text `#<digits as sent>`, so that each digit can be compared. */
  exactJson<T>(): T {
    const quoted = this.text.replace(
      /("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g,
      (_match: string, text: string | undefined, digits: string) => text ?? `"#${digits}"`,
    );
    return JSON.parse(quoted) as T;
  }

  msgpack<T>(): T {
    return unpack(this.unpacked) as T;
  }
}

/** The server has closed a connection that an answer had come over before. */
class GivenUpError extends Error {
  readonly code = 'ECONNRESET';
}

export class HttpClient {
  private readonly url: URL;
  /** Gives idle connections up when the server's Keep-Alive says so; without a timeout of its own it would not heed it. */
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: IDLE_LIMIT_MS });

  private readonly idleSinceMs = new WeakMap<Socket, number>();

  private readonly reuse: 'fresh' | 'any';

  /** `reuse`: which connections it uses again; any is for servers that can open no other one. */
  constructor(url: string, { reuse = 'fresh' }: { readonly reuse?: 'fresh' | 'any' } = {}) {
    this.url = new URL(url);
    this.reuse = reuse;
    this.agent.on('free', (socket: Socket) => this.idleSinceMs.set(socket, performance.now()));
  }

  /** `path` goes out as it is, with its query; the Host header is that of the address unless given. */
  send(method: string, path: string, options: SendOptions = {}): Promise<HttpAnswer> {
    if (this.reuse === 'fresh') this.dropIdle();
    return this.sendOnce(method, path, options).catch((error: unknown) => {
      // A server on a slow machine may give a connection up while the next request is on its way to it.
      if (!(error instanceof GivenUpError)) throw error;
      return this.sendOnce(method, path, options);
    });
  }

  private sendOnce(method: string, path: string, options: SendOptions): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        agent: this.agent,
        host: this.url.hostname,
        port: this.url.port,
        method,
        path,
        headers: { ...options.headers },
        timeout: ANSWER_LIMIT_MS,
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer to ${method} ${path.slice(0, 200)}`)));
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const isGivenUp = outgoing.reusedSocket && error.code === 'ECONNRESET';
        reject(isGivenUp ? new GivenUpError(`${method} ${path.slice(0, 200)}: ${error.message}`) : error);
      });
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve(new HttpAnswer(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks))),
        );
      });
      outgoing.end(options.body);
    });
  }

  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.send('GET', path, { headers });
  }

  /** Sends `value` as JSON; undefined sends no body. */
  post(path: string, value?: unknown, headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.send('POST', path, jsonBody(value, headers));
  }

  put(path: string, value?: unknown, headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.send('PUT', path, jsonBody(value, headers));
  }

  delete(path: string, value?: unknown, headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.send('DELETE', path, jsonBody(value, headers));
  }

  /** Sends a text as it is, declared to be JSON. */
  postText(path: string, text: string, headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.send('POST', path, { headers: { 'content-type': 'application/json', ...headers }, body: text });
  }

  postMsgpack(path: string, value: unknown, headers: OutgoingHttpHeaders = {}): Promise<HttpAnswer> {
    return this.send('POST', path, {
      headers: { 'content-type': 'application/msgpack', ...headers },
      body: pack(value),
    });
  }

  close(): void {
    this.agent.destroy();
  }

  private dropIdle(): void {
    for (const socket of Object.values(this.agent.freeSockets).flatMap((sockets) => sockets ?? [])) {
      const idleMs = performance.now() - (this.idleSinceMs.get(socket) ?? 0);
      if (idleMs > REUSE_LIMIT_MS) socket.destroy();
    }
  }
}

function jsonBody(value: unknown, headers: OutgoingHttpHeaders): SendOptions {
  if (value === undefined) return { headers };
  const body = JSON.stringify(value);
  // Node gives a DELETE with a body no length by itself.
  const length = { 'content-length': Buffer.byteLength(body) };
  return { headers: { 'content-type': 'application/json', ...length, ...headers }, body };
}

export interface RawExchange {
  /** What arrived, byte for byte, as latin1. */
  readonly text: string;
  /** True when the server ended the connection. */
  readonly closed: boolean;
}

/**
 * Sends pieces over a bare socket, `pauseMs` apart and the last one not before `beforeLast` has resolved, and gives what
 * came back once `isEnough` says so, the server has closed, or `limitMs` are over.
 */
export function exchangeRaw(
  port: number,
  pieces: readonly (string | Uint8Array)[],
  isEnough: (received: string) => boolean,
  options: { readonly pauseMs?: number; readonly beforeLast?: Promise<unknown>; readonly limitMs?: number } = {},
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let closed = false;
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, closed });
    };
    const timer = setTimeout(finish, options.limitMs ?? RAW_LIMIT_MS);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (isEnough(text)) finish();
    });
    socket.on('close', () => {
      closed = true;
      finish();
    });
    void sendPieces(pieces, options, (piece) => socket.write(piece));
  });
}

async function sendPieces(
  pieces: readonly (string | Uint8Array)[],
  { pauseMs = 0, beforeLast }: { readonly pauseMs?: number; readonly beforeLast?: Promise<unknown> },
  write: (piece: string | Uint8Array) => void,
): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && index === pieces.length - 1) await beforeLast;
    write(piece);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The status code at the head of a raw answer; 0 when there is none. */
export function rawStatus(text: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
}
