// The pipelined requests of one connection. node:http starts all of them at once; here each one is started when the answer
// to the one before is complete, other connections get their turn in between, and only so many may wait.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Enough for every client that sends ahead; above it the connection is closed. */
const MAX_WAITING_REQUESTS = 100;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: () => void;
}

export class TurnQueue {
  readonly #socket: Socket;
  readonly #waiting: Turn[] = [];
  #current: Turn | undefined;
  #isClosing = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** True while a request is under way. */
  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** True when what comes now can still be answered: nothing is under way, or a request that has not come whole. */
  get canRefuse(): boolean {
    if (this.#current === undefined) return true;
    const { request, response } = this.#current;
    return !request.complete && !response.headersSent;
  }

  /** Calls `start` when it is its turn, at once when none is under way; never when the connection is closed by then. */
  add(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    response.once('close', () => this.#next());
    const turn = { request, response, start };
    if (this.#current === undefined) {
      this.#current = turn;
      start();
    } else if (this.#waiting.length < MAX_WAITING_REQUESTS) {
      this.#waiting.push(turn);
    } else {
      this.#waiting.length = 0;
      this.#socket.destroy();
    }
  }

  /** Nothing more can come: closes the connection when those that have come are answered. */
  closeWhenDone(): void {
    this.#isClosing = true;
    if (this.#current === undefined) this.#socket.destroySoon();
  }

  /** The one under way is answered, or its client has gone. */
  #next(): void {
    this.#current = this.#waiting.shift();
    const turn = this.#current;
    if (turn === undefined) {
      if (this.#isClosing) this.#socket.destroySoon();
      return;
    }
    setImmediate(() => {
      if (!this.#socket.destroyed) turn.start();
    });
  }
}
