// A WebSocket over node:http, by the library ws.

import { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { ClientGoneError } from '../http/contract/client-gone.ts';
import type { HttpSocket } from '../http/contract/http-server.ts';
import { asksForSocket, MAX_RECEIVED_BYTES } from '../http/guard/handshake.ts';

/** For the client to answer our close frame. */
const CLOSE_WAIT_MS = 1000;

const handshakes = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_RECEIVED_BYTES,
  handleProtocols: () => false,
});

/** Node hands every request that asks for any upgrade over to a listener, if there is one: only WebSockets are meant. */
export class UpgradableMessage extends IncomingMessage {
  /** What the parser found. Only declared: it is set before this class could set up a field of its own. */
  declare private isUpgradeAsked: boolean | undefined;

  get upgrade(): boolean {
    return (
      this.isUpgradeAsked === true &&
      asksForSocket(this.method ?? '', (name) => this.headers[name] as string | undefined)
    );
  }

  set upgrade(isAsked: boolean | null) {
    this.isUpgradeAsked = isAsked === true;
  }
}

export interface NodeSocketParts {
  /** Request with a proper handshake. */
  readonly request: IncomingMessage;
  readonly connection: Duplex;
  /** Bytes that came after the request. */
  readonly rest: Buffer;
  readonly slowReaderMs: number;
  readonly onClosed: () => void;
}

export class NodeSocket implements HttpSocket {
  readonly #connection: Duplex;
  readonly #slowReaderMs: number;
  readonly #socket: WebSocket;
  #lastSignMs = performance.now();

  constructor({ request, connection, rest, slowReaderMs, onClosed }: NodeSocketParts) {
    this.#connection = connection;
    this.#slowReaderMs = slowReaderMs;
    this.#socket = openNow(request, connection, rest);
    this.#socket.on('error', () => {}); // Told by close as well.
    this.#socket.on('pong', () => {
      this.#lastSignMs = performance.now();
    });
    this.#socket.on('close', onClosed);
  }

  send(texts: readonly string[]): Promise<void> | undefined {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.reject(new ClientGoneError());
    this.#connection.cork();
    for (const text of texts) this.#socket.send(text);
    this.#connection.uncork();
    return this.#connection.writableNeedDrain ? this.#drained() : undefined;
  }

  ping(): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (performance.now() - this.#lastSignMs > this.#slowReaderMs) this.#socket.terminate();
    else this.#socket.ping();
  }

  close(code: number, reason: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.close(code, reason);
    const timer = setTimeout(() => this.#socket.terminate(), CLOSE_WAIT_MS);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  #drained(): Promise<void> {
    const connection = this.#connection;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#socket.terminate(), this.#slowReaderMs);
      const onDrain = (): void => {
        clearTimeout(timer);
        connection.off('close', onClose);
        this.#lastSignMs = performance.now();
        resolve();
      };
      const onClose = (): void => {
        clearTimeout(timer);
        connection.off('drain', onDrain);
        reject(new ClientGoneError());
      };
      connection.once('drain', onDrain);
      connection.once('close', onClose);
    });
  }
}

function openNow(request: IncomingMessage, connection: Duplex, rest: Buffer): WebSocket {
  let opened: WebSocket | undefined;
  handshakes.handleUpgrade(request, connection, rest, (socket) => {
    opened = socket;
  });
  // It calls back at once for every handshake that it finds proper.
  if (opened === undefined) throw new Error('BUG: a handshake that was found proper was refused');
  return opened;
}
