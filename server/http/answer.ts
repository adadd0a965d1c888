// The answer side of one exchange: answered once, compressed when it pays, and never after the client has gone.

import { chooseEncoding } from './compression/accept-encoding.ts';
import { compressBody, isCompressible, isWorthCompressing } from './compression/compress.ts';
import { GzipStream } from './compression/gzip-stream.ts';
import { answerBytes } from './contract/body-bytes.ts';
import { ClientGoneError } from './contract/client-gone.ts';
import { checkHeaderList, withHeaders } from './contract/header-list.ts';
import type { HeaderList, HttpResponse, HttpSocket, HttpStream } from './contract/http-server.ts';
import type { HeldMemory } from './memory/answer-memory.ts';
import type { AnswerHead, Wire } from './wire.ts';

/** What the answer has to know of its request and server. */
export interface AnswerContext {
  readonly isHead: boolean;
  readonly acceptEncoding: string | undefined;
  /** True when the connection must not carry another request. */
  readonly isLast: boolean;
  /** True when too much of the body has not been received to wait for it. */
  readonly isBodyLeft: boolean;
  readonly aborted: boolean;
  readonly memory: HeldMemory;
  /** The headers with those that every answer has. */
  completeHeaders(headers: HeaderList): HeaderList;
  /** The handler needs no more of the body. */
  dropBody(): void;
  fail(error: unknown): void;
  /** Throws a `ProblemError` when the request is no proper handshake. */
  checkHandshake(): void;
}

const VARY = ['Vary', 'Accept-Encoding'] as const;

/** For answers to clients that have gone. */
const goneStream: HttpStream = {
  write: () => Promise.reject(new ClientGoneError()),
  end: () => {},
  destroy: () => {},
};

const goneSocket: HttpSocket = {
  send: () => Promise.reject(new ClientGoneError()),
  ping: () => {},
  close: () => {},
};

/** For answers to HEAD. */
const mutedStream: HttpStream = {
  write: () => undefined,
  end: () => {},
  destroy: () => {},
};

export class Answer implements HttpResponse {
  readonly #context: AnswerContext;
  readonly #wire: Wire;
  #isGiven = false;
  #stream: HttpStream | undefined;

  constructor(context: AnswerContext, wire: Wire) {
    this.#context = context;
    this.#wire = wire;
  }

  /** True once `send` or `stream` was called. */
  get isGiven(): boolean {
    return this.#isGiven;
  }

  send(status: number, headers: HeaderList, body: Uint8Array | string = ''): void {
    this.#send(status, headers, body);
  }

  lend(status: number, headers: HeaderList, body: Uint8Array): boolean {
    return this.#send(status, headers, body);
  }

  /** Returns whether the bytes may be reused. */
  #send(status: number, headers: HeaderList, body: Uint8Array | string): boolean {
    if (!this.#begin(headers)) return true;
    if (body.length === 0 || !isCompressible(headers)) return this.#transmit(status, headers, body);
    const bytes = answerBytes(body);
    if (isWorthCompressing(bytes.length)) return this.#sendCompressed(status, withHeaders(headers, VARY), bytes);
    return this.#transmit(status, headers, bytes);
  }

  stream(status: number, headers: HeaderList, heldBytes = 0): HttpStream {
    if (heldBytes > 0) this.#context.memory.take(heldBytes);
    if (!this.#begin(headers)) return goneStream;
    const varied = isCompressible(headers) ? withHeaders(headers, VARY) : headers;
    if (this.#context.isHead) {
      this.#wire.sendHead(this.#head(status, varied), undefined);
      return mutedStream;
    }
    this.#stream = this.#openStream(status, varied);
    return this.#stream;
  }

  openSocket(): HttpSocket {
    this.#context.checkHandshake();
    return this.#begin([]) ? this.#wire.openSocket() : goneSocket;
  }

  /** Aborts the answer by closing the connection, so that the client sees that it is not complete. */
  destroy(): void {
    if (this.#stream === undefined) this.#wire.destroy();
    else this.#stream.destroy();
  }

  #begin(headers: HeaderList): boolean {
    if (this.#isGiven && !this.#context.aborted) throw new Error('BUG: the request was answered twice');
    checkHeaderList(headers);
    this.#isGiven = true;
    return !this.#context.aborted;
  }

  #head(status: number, headers: HeaderList): AnswerHead {
    const { isLast, isBodyLeft } = this.#context;
    return { status, headers: this.#context.completeHeaders(headers), isLast: isLast || isBodyLeft };
  }

  #sendCompressed(status: number, headers: HeaderList, body: Uint8Array): boolean {
    const encoding = this.#context.isHead ? undefined : chooseEncoding(this.#context.acceptEncoding);
    if (encoding === undefined) return this.#transmit(status, headers, body);
    compressBody(body, encoding).then(
      (packed) => this.#transmit(status, withHeaders(headers, ['Content-Encoding', encoding]), packed),
      (error) => this.#context.fail(error),
    );
    return false;
  }

  /** Returns whether the bytes may be reused. */
  #transmit(status: number, headers: HeaderList, body: Uint8Array | string): boolean {
    const context = this.#context;
    if (context.aborted) return true;
    const head = this.#head(status, headers);
    let hasGone = false;
    if (status === 204 || status === 304) this.#wire.sendHead(head, undefined);
    else if (context.isBodyLeft) this.#wire.sendAndHangUp(head, answerBytes(body));
    else if (context.isHead) this.#wire.sendHead(head, Buffer.byteLength(body));
    else hasGone = this.#wire.sendWhole(head, body);
    context.dropBody();
    return hasGone;
  }

  #openStream(status: number, headers: HeaderList): HttpStream {
    const encoding = isCompressible(headers) ? chooseEncoding(this.#context.acceptEncoding, ['gzip']) : undefined;
    if (encoding === undefined) return this.#wire.openStream(this.#head(status, headers));
    const packed = withHeaders(headers, ['Content-Encoding', encoding]);
    return new GzipStream(this.#wire.openStream(this.#head(status, packed)));
  }
}
