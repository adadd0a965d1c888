// One exchange over uWebSockets. Every call of its response object is made here or in uws-stream, and none once the
// answer is complete or the client has gone: the object throws then.

import { ClientGoneError } from './client-gone.ts';
import { httpDate } from './http-date.ts';
import type { HttpSocket, HttpStream } from './http-server.ts';
import { Linger } from './linger.ts';
import type { ServerState } from './server-state.ts';
import { statusLine } from './status-titles.ts';
import type { UwsContext, UwsResponse } from './uws-api.ts';
import { UwsSocket } from './uws-socket.ts';
import { UwsStream } from './uws-stream.ts';
import type { AnswerHead, Wire } from './wire.ts';

/** uWebSockets gathers this much before it sends; more goes out at once. */
const CORK_BUFFER_BYTES = 16_384;
/** Below this an answer is given to uWebSockets as a whole. */
const SMALL_BODY_BYTES = 16_384;
/** While the reader is slow, what is left is tried this often: uWebSockets closes after 8 s without a try. */
const RETRY_MS = 3000;

/** Clients are told to give an idle connection up in time: uWebSockets closes it 8 to 12 s after the last answer. */
const KEEP_ALIVE = ['Keep-Alive', 'timeout=7'] as const;

/** What the wire tells its exchange. */
export interface WireOwner {
  header(name: string): string | undefined;
  abort(): void;
  complete(): void;
  pushBody(chunk: Uint8Array, isLast: boolean): void;
}

export class UwsWire implements Wire {
  owner: WireOwner | undefined;
  readonly #response: UwsResponse;
  readonly #state: ServerState;
  /** Of a request that can become a WebSocket. */
  readonly #socketContext: UwsContext | undefined;
  /** True once the response object must not be touched. */
  #isOver = false;
  #stream: UwsStream | undefined;
  #body: Uint8Array | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #isWaiting = false;
  #lastProgressMs = 0;
  #linger: Linger | undefined;

  constructor(state: ServerState, response: UwsResponse, socketContext?: UwsContext) {
    this.#state = state;
    this.#socketContext = socketContext;
    this.#response = response;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  remoteAddress(): string {
    return this.#isOver ? '' : Buffer.from(this.#response.getRemoteAddressAsText()).toString('latin1');
  }

  pauseBody(): void {
    if (!this.#isOver) this.#response.pause();
  }

  resumeBody(): void {
    if (!this.#isOver) this.#response.resume();
  }

  /** From the transport: the next piece of the body. */
  receive(chunk: Uint8Array, isLast: boolean): void {
    if (this.#linger === undefined) {
      this.owner?.pushBody(chunk, isLast);
      return;
    }
    // Never closed within this call: while it parses, uWebSockets holds the answer back, and closing would lose it.
    this.#linger.dropped(chunk.length);
    if (isLast) this.#linger.ended();
  }

  /** From the transport: the client has gone, or we have closed. */
  aborted(): void {
    this.#over();
    this.#stream?.abort(new ClientGoneError());
    this.owner?.abort();
  }

  sendWhole(head: AnswerHead, body: Uint8Array | string): boolean {
    if (this.#isOver) return true;
    if (body.length > SMALL_BODY_BYTES) {
      this.#sendLarge(head, typeof body === 'string' ? Buffer.from(body) : body);
      return this.#isOver;
    }
    this.#response.cork(() => {
      this.#writeHead(head);
      if (this.#closesUnsaid()) this.#response.writeHeader('Connection', 'close');
      this.#response.end(body, head.isLast);
    });
    this.#completed();
    return true;
  }

  sendHead(head: AnswerHead, lengthBytes: number | undefined): void {
    if (this.#isOver) return;
    this.#response.cork(() => {
      this.#writeHead(head);
      // Its own way to tell a length leaves the answer unfinished for ever.
      if (lengthBytes !== undefined) this.#response.writeHeader('Content-Length', String(lengthBytes));
      if (head.isLast) this.#response.writeHeader('Connection', 'close');
      this.#response.endWithoutBody();
    });
    this.#completed();
  }

  openStream(head: AnswerHead): HttpStream {
    const stream = new UwsStream(this, this.#response);
    this.#stream = stream;
    if (this.#isOver) return stream;
    this.#response.cork(() => {
      this.#writeHead(head);
      if (head.isLast) this.#response.writeHeader('Connection', 'close');
    });
    return stream;
  }

  openSocket(): HttpSocket {
    const [owner, context] = [this.owner, this.#socketContext];
    if (owner === undefined || context === undefined) throw new Error('BUG: the request cannot become a WebSocket');
    const peer = new UwsSocket(() => owner.abort());
    if (this.#isOver) return peer;
    this.#over();
    const key = owner.header('sec-websocket-key') ?? '';
    this.#response.cork(() => this.#response.upgrade({ peer }, key, '', '', context));
    return peer;
  }

  sendAndHangUp(head: AnswerHead, body: Uint8Array): void {
    if (this.#isOver) return;
    this.#response.cork(() => this.#writeUnended(head, body));
    this.#linger = new Linger(() => this.cut());
    this.owner?.complete();
  }

  refuse(head: AnswerHead, body: Uint8Array): void {
    if (this.#isOver) return;
    // While it parses, uWebSockets holds back what we send, and closing would lose it. More than its buffer takes goes
    // out at once; JSON does not mind the blanks.
    const padded = Buffer.alloc(CORK_BUFFER_BYTES + body.length, ' ');
    padded.set(body);
    this.#response.cork(() => this.#writeUnended(head, padded));
    this.cut();
  }

  cut(): void {
    if (!this.#isOver) this.#response.close();
  }

  /** From the stream: hands one chunk on. False when not all of it went to the kernel. */
  writeChunk(chunk: Uint8Array): boolean {
    let hasGone = false;
    this.#response.cork(() => {
      hasGone = this.#response.write(chunk);
    });
    return hasGone;
  }

  /** From the stream: the answer is whole. */
  endStream(): void {
    this.#response.cork(() => this.#response.end());
    this.#completed();
  }

  noteProgress(): void {
    this.#isWaiting = false;
  }

  /** The kernel takes no more: goes on when it does, and gives up when it does not for too long. */
  waitForReader(): void {
    if (!this.#isWaiting) this.#lastProgressMs = performance.now();
    this.#isWaiting = true;
    if (this.#retryTimer !== undefined) return;
    this.#response.onWritable(() => {
      this.#guarded(() => this.#retry(true));
      return true;
    });
    const everyMs = Math.min(RETRY_MS, this.#state.slowReaderMs / 4);
    this.#retryTimer = setInterval(() => this.#guarded(() => this.#checkReader()), everyMs);
  }

  #checkReader(): void {
    if (!this.#isWaiting || this.#isOver) return;
    this.#retry(false);
    if (this.#isWaiting && performance.now() - this.#lastProgressMs >= this.#state.slowReaderMs) this.cut();
  }

  #retry(isWritable: boolean): void {
    if (this.#isOver) return;
    if (isWritable) this.#lastProgressMs = performance.now();
    if (this.#body !== undefined) this.#sendRest(this.#body);
    else this.#stream?.retry(isWritable);
  }

  #sendLarge(head: AnswerHead, body: Uint8Array): void {
    this.#body = body;
    let isComplete = false;
    // In one go with the head, for the sake of large answers that are not that large.
    this.#response.cork(() => {
      this.#writeHead(head);
      if (head.isLast) this.#response.writeHeader('Connection', 'close');
      [, isComplete] = this.#response.tryEnd(body, body.length);
    });
    if (isComplete) this.#completed();
    else this.waitForReader();
  }

  #sendRest(body: Uint8Array): void {
    const offset = this.#response.getWriteOffset();
    let isComplete = false;
    this.#response.cork(() => {
      [, isComplete] = this.#response.tryEnd(body.subarray(offset), body.length);
    });
    if (isComplete) {
      this.#completed();
      return;
    }
    if (this.#response.getWriteOffset() > offset) this.noteProgress();
    this.waitForReader();
  }

  #writeHead(head: AnswerHead): void {
    const response = this.#response;
    response.writeStatus(statusLine(head.status));
    const [first, ...others] = head.isLast ? head.headers : [KEEP_ALIVE, ...head.headers];
    if (first === undefined) return;
    // All in one call, as lines of the first one's value: a call takes longer than putting a line together.
    let lines = first[1];
    for (const [name, value] of others) lines += `\r\n${name}: ${value}`;
    response.writeHeader(first[0], lines);
  }

  /** True when uWebSockets itself closes after the answer; only then does its `end` not say it. */
  #closesUnsaid(): boolean {
    return this.owner?.header('connection')?.toLowerCase() === 'close';
  }

  /**
   * Writes a complete answer without telling uWebSockets that it is one: so it goes on taking the body, and a further
   * request on the connection closes it. The body goes behind the last header; the line end that follows counts as
   * part of it.
   */
  #writeUnended(head: AnswerHead, body: Uint8Array): void {
    this.#writeHead(head);
    const length = Buffer.from(`${body.length + 2}\r\n\r\n`);
    this.#response.writeHeader('Date', httpDate());
    this.#response.writeHeader('Connection', 'close');
    this.#response.writeHeader('Content-Length', Buffer.concat([length, body]));
  }

  #completed(): void {
    this.#over();
    this.owner?.complete();
  }

  #over(): void {
    this.#isOver = true;
    this.#body = undefined;
    clearInterval(this.#retryTimer);
    this.#linger?.stop();
  }

  /** A throw into uWebSockets would end the process. */
  #guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#state.onError(error, 'sending an answer');
      this.cut();
    }
  }
}
