// What the routes know of HTTP: one request, one response, one server. Two transports implement it.

import type { ProblemError } from '../../problem.ts';
import type { HeldMemory } from '../memory/answer-memory.ts';

export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** Still percent-encoded, without the query. */
  readonly path: string;
  /** Still percent-encoded, without `?`; empty when there is none. */
  readonly query: string;
  /** By lower-case name; several of one name are joined by `, `. */
  header(name: string): string | undefined;
  readonly remoteAddress: string;
  /** For whom the server's memory and time are used: the network that the request came from, or who `chargeTo` said. */
  readonly holder: string;
  /** Sets the holder, before the body is read: that of a token that was found valid. */
  chargeTo(holder: string): void;
  /** For what the answer holds until it is complete, charged to the holder. Asked for behind `chargeTo`. */
  readonly memory: HeldMemory;
  /** True when the client would like a WebSocket. Its Host and Origin have been checked then. */
  readonly wantsSocket: boolean;
  /** True once the client has gone; nothing that is sent afterwards arrives. */
  readonly aborted: boolean;
  /** Calls back once when the client goes before the answer is complete; at once when it has gone already. */
  onAbort(callback: () => void): void;
  /**
   * The whole body, its Content-Encoding undone. Throws a `ProblemError`: 413 above `limitBytes` (also when it only
   * unpacks to more), 415 for an unknown encoding, 400 for a body that does not unpack. The bytes are the caller's, and so
   * are the `BODY_SPARE_BYTES` zeros behind them (body-bytes.ts).
   */
  readBody(limitBytes: number): Promise<Uint8Array>;
  /** Called when the whole body has come: what it throws is what `readBody` rejects with. */
  checkAfterBody(check: () => void): void;
  /** The bytes of `readBody` are not needed any more: their memory may serve other bodies at once. */
  reuseBody(): void;
}

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** An answer that is an error. */
export interface RenderedProblem {
  readonly status: number;
  readonly headers: HeaderList;
  /** JSON text. */
  readonly body: string;
}

/** Errors in the form of another standard, for the paths that speak it. */
export interface ProblemForm {
  /** The paths that are this one, or begin with it and a slash; in lower case. */
  readonly prefix: string;
  /** The headers of the problem must be among those of the answer. */
  render(problem: ProblemError): RenderedProblem;
}

/** The answer to one request. Exactly one of its methods is called, once; after an abort they do nothing. */
export interface HttpResponse {
  /** A whole answer. Compressed when it pays and the client accepts it. The bytes must not change any more. */
  send(status: number, headers: HeaderList, body?: Uint8Array | string): void;
  /** The same with bytes that the caller would like to reuse; returns whether it may. */
  lend(status: number, headers: HeaderList, body: Uint8Array): boolean;
  /** Begins an answer of unknown length. `heldBytes` is what is held while it is given, as of `HttpRequest.memory`. */
  stream(status: number, headers: HeaderList, heldBytes?: number): HttpStream;
  /**
   * Makes a WebSocket of the connection, for a request that wants one. The request's `onAbort` is called when it is closed,
   * by either side. Throws a `ProblemError` when the handshake is faulty, and another answer can be given then.
   */
  openSocket(): HttpSocket;
}

export interface HttpStream {
  /**
   * Hands a chunk over; the bytes may be used again once the call (or its promise) is done. A returned promise means
   * back-pressure: await it before the next chunk. It rejects when the client has gone or took nothing for 30 s.
   */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** Ends the answer as complete. */
  end(): void;
  /** Aborts the answer, so that the client sees that it is not complete. */
  destroy(): void;
}

/** A WebSocket; what the client sends is not looked at. After it is closed every call does nothing. */
export interface HttpSocket {
  /**
   * Sends texts, each a message of its own. A returned promise means back-pressure: await it before the next ones. It
   * rejects when the client has gone, also because it took nothing for 30 s.
   */
  send(texts: readonly string[]): Promise<void> | undefined;
  /** Keeps the connection open. */
  ping(): void;
  /** Sends a close frame of this code, and closes when the client has answered it, or after a second. */
  close(code: number, reason: string): void;
}

/** May throw (or reject with) a `ProblemError`; anything else becomes a 500. */
export type HttpHandler = (request: HttpRequest, response: HttpResponse) => Promise<void> | void;

export interface HttpServer {
  /** Resolves to the port listened on. Rejects with code EADDRINUSE when it is taken, by us or anybody. */
  listen(host: string, port: number): Promise<number>;
  /** Takes no new connections or requests, waits for running requests up to `graceMs`, then closes. */
  close(graceMs: number): Promise<void>;
}

/** Paths of PEM files that were found good. */
export interface TlsFiles {
  readonly keyFile: string;
  /** The certificate, followed by the intermediate ones. */
  readonly certFile: string;
}

export interface HttpServerOptions {
  readonly handler: HttpHandler;
  /** Product token of the `Server` header, e.g. `Varve/0.1.0`. */
  readonly serverName: string;
  /** For the Host and Origin checks: names this server goes by besides loopback and the host it listens on. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may send any request and read the answers, as browsers write them, in lower case. */
  readonly allowedOrigins?: readonly string[];
  /** Speaks HTTPS with this key and certificate; HTTP when absent. */
  readonly tls?: TlsFiles;
  /**
   * Whether a request whose Host and Origin are checked may be for a Host that is not plainly this server's. May throw the
   * `ProblemError` to refuse it with. Absent: local names may.
   */
  readonly allowHost?: (request: HttpRequest, kind: 'local' | 'foreign') => boolean;
  /** Addresses of proxies: what they say of where a request came from is believed. */
  readonly proxies?: readonly string[];
  /** Called for each request that is refused as another site's. */
  readonly onForeign?: (request: HttpRequest, reason: string) => void;
  /** Called when a connection was closed because a request had been sent ahead on it; none of the two was carried out. */
  readonly onSentAhead?: () => void;
  readonly onError: (error: unknown, context: string) => void;
  /** How errors look below some paths; as problem+json everywhere when absent. */
  readonly problemForms?: readonly ProblemForm[];
  /**
   * A client that takes nothing of its answer for this long is closed (by node:http after up to twice as long); 30 s when
   * absent.
   */
  readonly slowReaderMs?: number;
  /**
   * What all request bodies may hold together until they are read; one client may have three quarters of it. 4/3 GiB when
   * absent. Above it: 503.
   */
  readonly bodiesInFlightBytes?: number;
  /** What all answers under way may hold together, in the same way; 1 GiB when absent. Above it: 503. */
  readonly answersInFlightBytes?: number;
}
