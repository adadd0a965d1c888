// HTTP over node:http: for platforms that uWebSockets has no binary for, or by choice.

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { BodyPace } from '../http/body/body-pace.ts';
import type { HttpServer, HttpServerOptions, TlsFiles } from '../http/contract/http-server.ts';
import { Exchange, type RequestHead } from '../http/exchange.ts';
import { PARSER_HEAD_BYTES } from '../http/guard/guard.ts';
import { RawHeaders } from '../http/guard/raw-headers.ts';
import { ServerState } from '../http/server-state.ts';
import { ProblemError } from '../problem.ts';
import { UpgradableMessage } from './node-socket.ts';
import { type NodeUpgrade, NodeWire } from './node-wire.ts';
import { TurnQueue } from './turn-queue.ts';

/** Times of uWebSockets, so that clients meet the same server on both transports. */
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 10_000;
const CHECKING_INTERVAL_MS = 2000;

export function createNodeServer(options: HttpServerOptions): HttpServer {
  return new NodeServer(options);
}

class NodeServer implements HttpServer {
  readonly #state: ServerState;
  readonly #server: Server;
  /** What a request without a Host is for. */
  #ownHost = 'localhost';
  /** Connections on which a request was refused: what else came on them is ignored. */
  readonly #refused = new WeakSet<Socket>();
  readonly #queues = new WeakMap<Socket, TurnQueue>();
  /** All open connections, also those that Node has detached, such as WebSockets and those with faulty heads. */
  readonly #connections = new Set<Socket>();

  constructor(options: HttpServerOptions) {
    this.#state = new ServerState(options);
    this.#server = openServer(options.tls);
    this.#server.maxHeadersCount = 0;
    this.#server.on('connection', (socket) => this.#track(socket));
    this.#server.on('request', (request, response) => this.#enqueue(request, response));
    this.#server.on('upgrade', (request, socket, rest) => this.#acceptUpgrade(request, socket as Socket, rest));
    this.#server.on('clientError', (error, socket) => this.#refuseUnread(error, socket as Socket));
  }

  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, exclusive: true }, () => {
        this.#server.off('error', reject);
        this.#server.on('error', (error) => this.#state.onError(error, 'listening'));
        const actualPort = (this.#server.address() as AddressInfo).port;
        this.#state.listening(host, actualPort);
        this.#ownHost = `localhost:${actualPort}`;
        resolve(actualPort);
      });
    });
  }

  async close(graceMs: number): Promise<void> {
    this.#state.stop();
    const isClosed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    // They have begun to wait for their readers with a longer time.
    for (const socket of this.#connections) if (socket.writableLength > 0) socket.setTimeout(this.#state.slowReaderMs);
    await this.#state.idle(graceMs);
    for (const socket of this.#connections) socket.destroy();
    await isClosed;
  }

  #track(socket: Socket): void {
    this.#connections.add(socket);
    socket.once('close', () => this.#connections.delete(socket));
  }

  #enqueue(request: IncomingMessage, response: ServerResponse): void {
    this.#queueOf(request.socket).add(request, response, () => this.#accept(request, response));
  }

  #queueOf(socket: Socket): TurnQueue {
    const known = this.#queues.get(socket);
    if (known !== undefined) return known;
    const queue = new TurnQueue(socket);
    this.#queues.set(socket, queue);
    return queue;
  }

  /** Node has detached the connection: this is the last request on it, whatever becomes of it. */
  #acceptUpgrade(request: IncomingMessage, socket: Socket, rest: Buffer): void {
    socket.on('error', () => {}); // Told by its close.
    if (this.#queueOf(socket).isBusy) {
      socket.destroy();
      return;
    }
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    this.#accept(request, response, rest);
  }

  /** What came cannot be parsed. It is not answered within another answer, or instead of one. */
  #refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
    const queue = this.#queueOf(socket);
    if (queue.canRefuse) answerParserError(error, socket);
    else queue.closeWhenDone();
  }

  #accept(request: IncomingMessage, response: ServerResponse, rest?: Buffer): void {
    request.on('error', () => {}); // The abort is told by the response's close.
    if (this.#refused.has(request.socket)) return;
    try {
      this.#begin(request, response, rest);
    } catch (error) {
      this.#state.onError(error, 'taking a request');
      request.socket.destroy();
    }
  }

  #begin(request: IncomingMessage, response: ServerResponse, rest?: Buffer): void {
    const upgrade: NodeUpgrade | undefined = rest && { rest, onClosed: () => exchange.abort() };
    const wire = new NodeWire(this.#state, request, response, upgrade);
    const exchange = new Exchange(this.#state, wire, copyHead(request, this.#ownHost));
    response.on('error', () => {}); // Told by close as well.
    // Node emits `finish` for aborted answers too, and closes last connections in its own listener: ask before that.
    response.prependListener('finish', () => {
      if (!request.socket.destroyed) exchange.complete();
    });
    response.on('close', () => exchange.abort()); // Does nothing when it is complete.
    if (!exchange.acceptHead(versionFault(request))) {
      this.#refused.add(request.socket);
      return;
    }
    if (exchange.hasBody) receiveBody(request, wire, exchange);
    exchange.handle();
  }
}

function openServer(tls: TlsFiles | undefined): Server {
  const options: ServerOptions = {
    insecureHTTPParser: false,
    requireHostHeader: false,
    IncomingMessage: UpgradableMessage,
    maxHeaderSize: PARSER_HEAD_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CHECKING_INTERVAL_MS,
    noDelay: true,
  };
  if (tls === undefined) return createServer(options);
  const key = readFileSync(tls.keyFile);
  const cert = readFileSync(tls.certFile);
  return createTlsServer({ ...options, key, cert, handshakeTimeout: HEADERS_TIMEOUT_MS });
}

/** Node says only after the last chunk that it was the last. */
function receiveBody(request: IncomingMessage, wire: NodeWire, exchange: Exchange): void {
  const nothing = new Uint8Array(0);
  const pace = new BodyPace(
    () => request.isPaused(),
    () => request.socket.destroy(),
  );
  request.on('data', (chunk: Buffer) => {
    pace.received(chunk.length);
    wire.bodyArrived(chunk.length);
    exchange.pushBody(chunk, false);
  });
  request.on('end', () => {
    pace.stop();
    exchange.pushBody(nothing, true);
  });
  request.on('close', () => pace.stop());
}

/** Node takes the version 2.0 in a head of HTTP/1. */
function versionFault({ httpVersion, httpVersionMajor }: IncomingMessage): ProblemError | undefined {
  if (httpVersionMajor === 1) return undefined;
  return new ProblemError(505, `The request is of HTTP/${httpVersion}; HTTP/1.1 is spoken here.`);
}

/** Target in absolute form (RFC 9112, section 3.2.2): its authority, and the rest. */
const absoluteTarget = /^https?:\/\/([^/?#]+)(.*)$/i;

function copyHead(request: IncomingMessage, ownHost: string): RequestHead {
  const headers = new RawHeaders();
  const raw = request.rawHeaders;
  const [, authority, rest] = absoluteTarget.exec(request.url ?? '') ?? [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    headers.add(name, name === 'host' && authority !== undefined ? authority : (raw[index + 1] as string));
  }
  // HTTP/1.0 knows no Host, and no browser sends it, which the checks of Host are for.
  if (request.httpVersion === '1.0' && headers.get('host') === undefined) headers.add('host', ownHost);
  const target = rest === undefined ? (request.url ?? '') : rest.replace(/^(?!\/)/, '/');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  return { method: request.method ?? '', path, query, headers };
}

function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.end(`HTTP/1.1 ${parserErrorStatus(error.code)}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.destroySoon();
}

function parserErrorStatus(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout';
  return '400 Bad Request';
}
