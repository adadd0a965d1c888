// A WebSocket over uWebSockets, which keeps whatever the kernel does not take: so the sender is told to wait until all of
// it has gone. Clients that answer no ping and take nothing are closed by uWebSockets itself.

import { ClientGoneError } from '../http/contract/client-gone.ts';
import type { HttpSocket } from '../http/contract/http-server.ts';
import { MAX_RECEIVED_BYTES } from '../http/guard/handshake.ts';
import type { UwsSocketData, UwsWebSocket, UwsWebSocketBehavior } from './uws-api.ts';

/** Bounds of the times without a sign of the client that uWebSockets can wait for. */
const [MIN_IDLE_S, MAX_IDLE_S] = [8, 960];
/**
 * What our pings carry. uWebSockets takes frames that are not masked for masked ones: the answer then comes back as
 * something else.
 */
const PING_PAYLOAD = 'varve';
/** Result of `send`, besides 1: all of it went to the kernel. */
const KEPT = 0;

export class UwsSocket implements HttpSocket {
  readonly #onClosed: () => void;
  /** Until it is closed; every call throws afterwards. */
  #socket: UwsWebSocket | undefined;
  #resolve: (() => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  constructor(onClosed: () => void) {
    this.#onClosed = onClosed;
  }

  send(texts: readonly string[]): Promise<void> | undefined {
    const socket = this.#socket;
    if (socket === undefined) return Promise.reject(new ClientGoneError());
    if (this.#resolve !== undefined) throw new Error('BUG: send before the last one was done');
    let isKept = false;
    socket.cork(() => {
      for (const text of texts) isKept = socket.send(Buffer.from(text), false, false) === KEPT || isKept;
    });
    if (!isKept) return undefined;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.look();
    });
  }

  ping(): void {
    this.#socket?.ping(PING_PAYLOAD);
  }

  /** The client answers a ping, or says unasked that it is there. */
  ponged(payload: ArrayBuffer): void {
    if (payload.byteLength > 0 && Buffer.from(payload).toString('latin1') !== PING_PAYLOAD) this.#socket?.close();
    else this.look();
  }

  close(code: number, reason: string): void {
    this.#socket?.end(code, Buffer.from(reason));
  }

  opened(socket: UwsWebSocket): void {
    this.#socket = socket;
  }

  /** The kernel may have taken what was kept. */
  look(): void {
    if (this.#resolve === undefined || this.#socket === undefined || this.#socket.getBufferedAmount() > 0) return;
    const resolve = this.#resolve;
    this.#resolve = undefined;
    this.#reject = undefined;
    resolve();
  }

  closed(): void {
    this.#socket = undefined;
    const reject = this.#reject;
    this.#resolve = undefined;
    this.#reject = undefined;
    reject?.(new ClientGoneError());
    this.#onClosed();
  }
}

/** What an upgrade has to carry, so that the socket is found again. */
export function socketData(peer: UwsSocket): UwsSocketData {
  return { peer };
}

function peerOf(socket: UwsWebSocket): UwsSocket {
  return (socket.getUserData() as { readonly peer: UwsSocket }).peer;
}

/** What every socket of a server does; `guarded` keeps throws from uWebSockets. */
export function socketBehavior(
  slowReaderMs: number,
  guarded: (step: () => void) => void,
): Omit<UwsWebSocketBehavior, 'upgrade'> {
  const look = (socket: UwsWebSocket): void => guarded(() => peerOf(socket).look());
  return {
    maxPayloadLength: MAX_RECEIVED_BYTES,
    maxBackpressure: 0, // Without bound: what it kept beyond one would be lost without a word. The senders wait.
    idleTimeout: Math.min(Math.max(Math.ceil(slowReaderMs / 1000), MIN_IDLE_S), MAX_IDLE_S),
    sendPingsAutomatically: true,
    open: (socket) => guarded(() => peerOf(socket).opened(socket)),
    drain: look,
    pong: (socket, payload) => guarded(() => peerOf(socket).ponged(payload)),
    close: (socket) => guarded(() => peerOf(socket).closed()),
  };
}
