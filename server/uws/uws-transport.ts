// HTTP over uWebSockets.js. No callback may throw: a throw into uWebSockets ends the process.
//
// uWebSockets parses all that has come of a connection in one go, and closes the connection when it finds a request whose
// forerunner is not answered yet. A request that changes something, or is the last on its connection, thus begins in the turn
// behind that: when another request lies behind it, the connection is closed by then, and neither of them has an effect.
// What comes later is left with the kernel until the answer is given.

import { createServer } from 'node:net';
import type { HttpServer, HttpServerOptions } from '../http/contract/http-server.ts';
import { Exchange, type RequestHead } from '../http/exchange.ts';
import { RawHeaders } from '../http/guard/raw-headers.ts';
import { ServerState } from '../http/server-state.ts';
import type { UwsApp, UwsContext, UwsListenSocket, UwsModule, UwsRequest, UwsResponse } from './uws-api.ts';
import { socketBehavior } from './uws-socket.ts';
import { UwsWire } from './uws-wire.ts';

/** Without it a second server on the same port would get half of the connections. */
const EXCLUSIVE_PORT = 1;
/** Requests that are started in one turn of the event loop; those of one connection that are more close it. */
const STARTS_A_TURN = 200;
/** It looks every 4 s: closed after 8 to 12 s. */
const IDLE_SECONDS = 10;
/** Between the last answer and the closing of its connection, for the client to close first. */
const LAST_WORDS_MS = 50;

/** `uws` as load-uws.ts has loaded it. */
export function createUwsServer(uws: UwsModule, options: HttpServerOptions): HttpServer {
  return new UwsServer(uws, options);
}

class UwsServer implements HttpServer {
  readonly #uws: UwsModule;
  readonly #app: UwsApp;
  readonly #state: ServerState;
  #socket: UwsListenSocket | undefined;
  #startsThisTurn = 0;

  constructor(uws: UwsModule, options: HttpServerOptions) {
    this.#uws = uws;
    this.#state = new ServerState(options);
    this.#app = uws.App();
    this.#app.setIdleTimeout?.(IDLE_SECONDS);
    const behavior = socketBehavior(this.#state.slowReaderMs, (step) => this.#guarded(step));
    this.#app.ws('/*', { ...behavior, upgrade: (response, request, of) => this.#accept(response, request, of) });
    this.#app.any('/*', (response, request) => this.#accept(response, request));
  }

  async listen(host: string, port: number): Promise<number> {
    const socket = await new Promise<UwsListenSocket | false>((resolve) => {
      this.#app.listen(host, port, EXCLUSIVE_PORT, resolve);
    });
    if (socket === false) throw await explainListenFailure(host, port);
    this.#socket = socket;
    const actualPort = this.#uws.us_socket_local_port(socket);
    this.#state.listening(host, actualPort);
    return actualPort;
  }

  async close(graceMs: number): Promise<void> {
    this.#state.stop();
    if (this.#socket !== undefined) this.#uws.us_listen_socket_close(this.#socket);
    this.#socket = undefined;
    await this.#state.idle(graceMs);
    await new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS));
    this.#app.close();
  }

  #accept(response: UwsResponse, request: UwsRequest, socketContext?: UwsContext): void {
    const wire = new UwsWire(this.#state, response, socketContext);
    response.onAborted(() => this.#guarded(() => wire.aborted()));
    // Without the function that `#guarded` takes: it would be made for each request.
    try {
      const exchange = new Exchange(this.#state, wire, copyHead(request));
      wire.owner = exchange;
      if (!exchange.acceptHead()) return;
      if (exchange.hasBody) response.onData((chunk, isLast) => this.#receive(wire, chunk, isLast));
      if (exchange.hasBody || (exchange.isSafe && !exchange.isLast)) this.#start(exchange);
      else wire.afterParsing(() => exchange.handle());
    } catch (error) {
      this.#failed(error, wire);
    }
  }

  /**
   * Requests that were sent ahead and can be answered at once come all in one turn, before anybody else is served. One
   * that waits for the next turn ends that: uWebSockets closes a connection on which another comes before its answer.
   */
  #start(exchange: Exchange): void {
    if (this.#startsThisTurn === 0) {
      setImmediate(() => {
        this.#startsThisTurn = 0;
      });
    }
    this.#startsThisTurn++;
    if (this.#startsThisTurn <= STARTS_A_TURN) exchange.handle();
    else setImmediate(() => exchange.handle());
  }

  #receive(wire: UwsWire, chunk: ArrayBuffer, isLast: boolean): void {
    try {
      wire.receive(new Uint8Array(chunk), isLast);
    } catch (error) {
      this.#failed(error, wire);
    }
  }

  #guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown, wire?: UwsWire): void {
    this.#state.onError(error, 'taking a request');
    wire?.destroy();
  }
}

/** The request object is valid only during the call. */
function copyHead(request: UwsRequest): RequestHead {
  const headers = new RawHeaders();
  request.forEach((name, value) => {
    headers.add(name, value);
  });
  const query = request.getQuery() ?? '';
  return { method: request.getCaseSensitiveMethod(), path: request.getUrl(), query, headers };
}

/** uWebSockets only says that it failed; Node, asked for the same address, says why. */
function explainListenFailure(host: string, port: number): Promise<Error> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen({ host, port, exclusive: true }, () => {
      const taken = new Error(`listen EADDRINUSE: address already in use ${host}:${port}`);
      probe.close(() => resolve(Object.assign(taken, { code: 'EADDRINUSE' })));
    });
  });
}
