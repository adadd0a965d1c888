// One exchange over uWebSockets. Every call of its response object is made here or in uws-stream, and none once the
// answer is complete or the client has gone: the object throws then.

import { answerBytes, NO_BODY } from '../http/contract/body-bytes.ts';
import { ClientGoneError } from '../http/contract/client-gone.ts';
import type { HttpSocket, HttpStream } from '../http/contract/http-server.ts';
import { Linger } from '../http/linger.ts';
import type { ServerState } from '../http/server-state.ts';
import type { AnswerHead, Wire } from '../http/wire.ts';
import { ProblemError } from '../problem.ts';
import { ChunkWatch } from './chunk-watch.ts';
import type { UwsContext, UwsResponse } from './uws-api.ts';
import { writeHead, writeUnended } from './uws-head.ts';
import { socketData, UwsSocket } from './uws-socket.ts';
import { type StreamWire, UwsStream } from './uws-stream.ts';

/** uWebSockets gathers this much before it sends; more goes out at once. */
const CORK_BUFFER_BYTES = 16_384;
/** Below this an answer is given to uWebSockets as a whole. */
const SMALL_BODY_BYTES = 16_384;
/** While the reader is slow, what is left is tried this often: uWebSockets closes after 8 s without a try. */
const RETRY_MS = 3000;
/** With `resume` uWebSockets begins to wait for 8 to 12 s and closes then, however much is written; another `resume` begins anew. */
const RESUME_MS = 4000;

/** The exchange, as its wire calls it. */
export interface WireOwner {
  header(name: string): string | undefined;
  abort(): void;
  complete(): void;
  pushBody(chunk: Uint8Array, isLast: boolean): void;
  pushRestOfBody(chunk: Uint8Array): void;
  failBody(error: ProblemError): void;
}

export class UwsWire implements StreamWire, Wire {
  owner: WireOwner | undefined;
  readonly #response: UwsResponse;
  readonly #state: ServerState;
  /** Context of a request that can become a WebSocket. */
  readonly #socketContext: UwsContext | undefined;
  /** True once the response object must not be touched. */
  #isOver = false;
  #stream: UwsStream | undefined;
  #body: Uint8Array | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #isWaiting = false;
  #lastProgressMs = 0;
  #linger: Linger | undefined;
  /** Only of a chunked body. */
  #chunkWatch: ChunkWatch | undefined;
  #isBodyPaused = false;
  /** The request has come whole; what else comes on the connection waits for the answer. */
  #isHeldBack = false;
  #resumeTimer: NodeJS.Timeout | undefined;
  /** It goes on in the next turn. */
  #awaitsTurn = false;

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
    this.#isBodyPaused = true;
    if (!this.#isOver) this.#response.pause();
  }

  resumeBody(): void {
    this.#isBodyPaused = false;
    if (!this.#isOver && !this.#isHeldBack) this.#response.resume();
  }

  /** Some extensions are taken for digits, and trailers for a request. */
  chunksBegin(): 'certain' | 'uncertain' {
    this.#chunkWatch = new ChunkWatch(
      () => this.#isBodyPaused,
      () => this.#guarded(() => this.#failChunks()),
    );
    return 'uncertain';
  }

  /** From the transport: the next chunk of the body. */
  receive(chunk: Uint8Array, isLast: boolean): void {
    if (this.#linger !== undefined) {
      // Never closed within this call: while it parses, uWebSockets holds the answer back, and closing would lose it.
      this.#linger.dropped(chunk.length);
      if (isLast) this.#linger.ended();
      return;
    }
    this.#chunkWatch?.received();
    if (!isLast) return this.owner?.pushBody(chunk, false);
    this.owner?.pushRestOfBody(chunk);
    this.afterParsing(() => this.owner?.pushBody(NO_BODY, true));
  }

  /**
   * The request has come whole: goes on in the turn behind the one in which uWebSockets parses what has come with it, unless
   * the connection is closed by then.
   */
  afterParsing(step: () => void): void {
    this.#chunkWatch?.stop();
    // An answer may have been given before the end of the body.
    if (this.#isOver) return;
    this.#isHeldBack = true;
    this.#awaitsTurn = true;
    this.#response.pause();
    setImmediate(() =>
      this.#guarded(() => {
        this.#awaitsTurn = false;
        if (!this.#isOver) step();
      }),
    );
  }

  /**
   * The answer begins: what else has come on the connection is read again, unless the answer is the last. uWebSockets closes
   * the connection behind a last one at once where its `end` can be told so or the request has asked for it, else when it has
   * been idle for long.
   */
  #releaseConnection(head: AnswerHead): void {
    if (!this.#isHeldBack || head.isLast) return;
    this.#isHeldBack = false;
    this.#response.resume();
  }

  #failChunks(): void {
    this.owner?.failBody(
      new ProblemError(
        400,
        'The chunked body does not come to its end as it is read here: send it without chunk extensions, or with a Content-Length.',
      ),
    );
  }

  /** From the transport: the client has gone, or we have closed. */
  aborted(): void {
    if (this.#awaitsTurn) this.#state.onSentAhead();
    this.#over();
    this.#stream?.abort(new ClientGoneError());
    this.owner?.abort();
  }

  sendWhole(head: AnswerHead, body: Uint8Array | string): boolean {
    if (this.#isOver) return true;
    this.#releaseConnection(head);
    const bytes = answerBytes(body);
    if (bytes.length > SMALL_BODY_BYTES) {
      this.#sendLarge(head, bytes);
      return this.#isOver;
    }
    if (this.#chunkWatch !== undefined) {
      this.#sendBehindChunks(head, bytes);
      return true;
    }
    this.#response.cork(() => {
      writeHead(this.#response, head);
      if (this.#closesUnsaid()) this.#response.writeHeader('Connection', 'close');
      this.#response.end(bytes, head.isLast);
    });
    this.#completed();
    return true;
  }

  /**
   * The last line end of a chunked body may come behind what uWebSockets takes for its end. Closing with bytes that are not read
   * would make the client's kernel drop the answer, so they are read; a request among them closes the connection.
   */
  #sendBehindChunks(head: AnswerHead, body: Uint8Array): void {
    this.sendAndHangUp(head, body);
    this.#linger?.ended();
    this.#response.resume();
  }

  sendHead(head: AnswerHead, lengthBytes: number | undefined): void {
    if (this.#isOver) return;
    this.#releaseConnection(head);
    this.#response.cork(() => {
      writeHead(this.#response, head);
      // Its own method for a length leaves the answer unfinished for ever.
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
    if (this.#isHeldBack && !head.isLast)
      this.#resumeTimer = setInterval(() => this.#guarded(() => this.#response.resume()), RESUME_MS);
    this.#releaseConnection(head);
    this.#response.cork(() => {
      writeHead(this.#response, head);
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
    this.#response.cork(() => this.#response.upgrade(socketData(peer), key, '', '', context));
    return peer;
  }

  sendAndHangUp(head: AnswerHead, body: Uint8Array): void {
    if (this.#isOver) return;
    // It would not all be with the kernel when the connection is closed.
    if (body.length > SMALL_BODY_BYTES) return this.#sendLarge(head, body);
    this.#response.cork(() => writeUnended(this.#response, head, body));
    this.#linger = new Linger(() => this.destroy());
    this.owner?.complete();
  }

  refuse(head: AnswerHead, body: Uint8Array): void {
    if (this.#isOver) return;
    // While it parses, uWebSockets holds back what we send, and closing would lose it. More than its buffer takes goes
    // out at once; JSON does not mind the blanks.
    const padded = Buffer.alloc(CORK_BUFFER_BYTES + body.length, ' ');
    padded.set(body);
    this.#response.cork(() => writeUnended(this.#response, head, padded));
    this.destroy();
  }

  isStalled(ms: number): boolean {
    return this.#isWaiting && performance.now() - this.#lastProgressMs >= ms;
  }

  destroy(): void {
    if (!this.#isOver) this.#response.close();
  }

  writeChunk(chunk: Uint8Array): boolean {
    let hasGone = false;
    this.#response.cork(() => {
      hasGone = this.#response.write(chunk);
    });
    return hasGone;
  }

  endStream(): void {
    this.#response.cork(() => this.#response.end());
    this.#completed();
  }

  noteProgress(): void {
    this.#isWaiting = false;
  }

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
    if (this.isStalled(this.#state.slowReaderMs)) this.destroy();
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
      writeHead(this.#response, head);
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

  /** True when uWebSockets itself closes after the answer; only then does its `end` not say it. */
  #closesUnsaid(): boolean {
    return this.owner?.header('connection')?.toLowerCase() === 'close';
  }

  #completed(): void {
    this.#over();
    this.owner?.complete();
  }

  #over(): void {
    this.#isOver = true;
    this.#body = undefined;
    clearInterval(this.#retryTimer);
    clearInterval(this.#resumeTimer);
    this.#chunkWatch?.stop();
    this.#linger?.stop();
  }

  /** A throw into uWebSockets would end the process. */
  #guarded(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#state.onError(error, 'sending an answer');
      this.destroy();
    }
  }
}
