// One request and its answer: the wrapper around every handler, the same over both transports. Whatever a handler or a
// client does, nothing is thrown out of here, and nothing is sent after the client has gone.

import { networkOf, plainAddress } from '../auth/audit/remote-address.ts';
import { ProblemError } from '../problem.ts';
import { Answer, type AnswerContext } from './answer.ts';
import { type BodyHost, RequestBody } from './body/body.ts';
import { parseContentEncoding } from './body/content-encoding.ts';
import { NO_BODY } from './contract/body-bytes.ts';
import { ClientGoneError } from './contract/client-gone.ts';
import type { HeaderList, HttpHandler, HttpRequest, ProblemForm, RenderedProblem } from './contract/http-server.ts';
import type { ClientAddress } from './forwarded.ts';
import type { CorsHeaders } from './guard/cors.ts';
import { type CrossSiteCheck, foreignHostFault } from './guard/cross-site.ts';
import { CHUNKED_BODY, checkHead } from './guard/guard.ts';
import { asksForSocket, handshakeFault } from './guard/handshake.ts';
import type { RawHeaders } from './guard/raw-headers.ts';
import { AnswerMemory, type HeldMemory } from './memory/answer-memory.ts';
import type { MemoryBudget } from './memory/memory-budget.ts';
import { problemFormOf, renderProblem } from './render-problem.ts';
import type { Wire } from './wire.ts';

/** What the exchanges of one server share. */
export interface ExchangeHost extends BodyHost {
  readonly handler: HttpHandler;
  readonly answerBudget: MemoryBudget;
  readonly commonHeaders: (headers: HeaderList) => HeaderList;
  readonly crossSite: CrossSiteCheck;
  /** Undefined where no proxy is named. */
  readonly clientAddress: ClientAddress | undefined;
  readonly allowHost: (request: HttpRequest, kind: 'local' | 'foreign') => boolean;
  readonly corsHeaders: CorsHeaders;
  readonly problemForms: readonly ProblemForm[];
  readonly onForeign: (request: HttpRequest, reason: string) => void;
  /** True once the server is closing. */
  readonly isStopping: boolean;
  readonly onError: (error: unknown, context: string) => void;
  exchangeBegan(exchange: Exchange): void;
  exchangeEnded(exchange: Exchange): void;
}

export interface RequestHead {
  /** The method as it came. */
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RawHeaders;
}

/** Methods that change nothing, which a page of another site may therefore cause. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Among the options of a Connection header. */
const closeOption = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

export class Exchange implements HttpRequest, AnswerContext {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #headers: RawHeaders;
  readonly #host: ExchangeHost;
  readonly #wire: Wire;
  readonly #answer: Answer;
  #body: RequestBody | undefined;
  #bodyCheck: (() => void) | undefined;
  #holder: string | undefined;
  #memory: AnswerMemory | undefined;
  #abortCallbacks: (() => void)[] | undefined;
  /** The connection ends with the answer, since what follows the body on it may be part of the body. */
  #isEndUncertain = false;
  #isAborted = false;
  #isOver = false;
  /** The handler has not ended. */
  #isRunning = false;

  constructor(host: ExchangeHost, wire: Wire, head: RequestHead) {
    this.method = head.method;
    this.path = head.path;
    this.query = head.query;
    this.#headers = head.headers;
    this.#host = host;
    this.#wire = wire;
    this.#answer = new Answer(this, wire);
    host.exchangeBegan(this);
  }

  get remoteAddress(): string {
    const peer = this.#wire.remoteAddress();
    return this.#host.clientAddress?.(peer, this.header('x-forwarded-for')) ?? peer;
  }

  get holder(): string {
    this.#holder ??= networkOf(plainAddress(this.remoteAddress));
    return this.#holder;
  }

  chargeTo(holder: string): void {
    this.#holder = holder;
  }

  get memory(): HeldMemory {
    this.#memory ??= new AnswerMemory(this.#host.answerBudget, this.holder);
    return this.#memory;
  }

  get wantsSocket(): boolean {
    return asksForSocket(this.method, (name) => this.header(name));
  }

  get aborted(): boolean {
    return this.#isAborted;
  }

  completeHeaders(headers: HeaderList): HeaderList {
    const isPreflight = this.method === 'OPTIONS' && this.header('access-control-request-method') !== undefined;
    const cors = this.#host.corsHeaders(this.header('origin'), isPreflight ? 'preflight' : 'request');
    const common = this.#host.commonHeaders(headers);
    return cors.length === 0 ? common : [...common, ...cors];
  }

  get isHead(): boolean {
    return this.method === 'HEAD';
  }

  get isLast(): boolean {
    return this.#isEndUncertain || this.#host.isStopping || closeOption.test(this.header('connection') ?? '');
  }

  get isBodyLeft(): boolean {
    return this.#body?.isLongUnread ?? false;
  }

  get acceptEncoding(): string | undefined {
    return this.#headers.get('accept-encoding');
  }

  /** True for a method that changes nothing. */
  get isSafe(): boolean {
    return SAFE_METHODS.has(this.method);
  }

  /** True when a body is to come. Known after `acceptHead`. */
  get hasBody(): boolean {
    return this.#body !== undefined;
  }

  header(name: string): string | undefined {
    return this.#headers.get(name);
  }

  onAbort(callback: () => void): void {
    if (this.#isAborted) {
      this.#callBack(callback);
    } else if (!this.#isOver) {
      this.#abortCallbacks ??= [];
      this.#abortCallbacks.push(callback);
    }
  }

  readBody(limitBytes: number): Promise<Uint8Array> {
    const body = this.#body;
    if (body === undefined) return Promise.resolve(NO_BODY);
    try {
      const reading = body.read(parseContentEncoding(this.header('content-encoding')), limitBytes);
      const check = this.#bodyCheck;
      return check === undefined ? reading : checked(reading, check);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  checkAfterBody(check: () => void): void {
    this.#bodyCheck = check;
  }

  reuseBody(): void {
    this.#body?.reuse();
  }

  dropBody(): void {
    this.#body?.drop();
  }

  checkHandshake(): void {
    if (!this.wantsSocket) throw new Error('BUG: a WebSocket for a request that wants none');
    const fault = handshakeFault((name) => this.header(name));
    if (fault !== undefined) throw fault;
  }

  /** Checks the head, in which the transport may have found a fault; false when it had to be refused: the connection is closed then. */
  acceptHead(fault?: ProblemError): boolean {
    const length = fault ?? checkHead(this.path, this.query, this.#headers);
    if (typeof length !== 'number') {
      this.#refuse(length);
      return false;
    }
    if (length !== 0) {
      const body = { flow: this.#wire, host: this.#host, declaredBytes: length, holder: () => this.holder };
      this.#body = new RequestBody(body);
    }
    this.#isEndUncertain = length === CHUNKED_BODY && this.#wire.chunksBegin() === 'uncertain';
    return true;
  }

  /** Runs the handler. Never throws. */
  handle(): void {
    try {
      this.#checkPermitted();
      const running = this.#host.handler(this, this.#answer);
      if (running === undefined) this.#checkAnswered();
      else void this.#follow(running);
    } catch (error) {
      this.fail(error);
    }
  }

  /** The next chunk of the body; copied. */
  pushBody(chunk: Uint8Array, isLast: boolean): void {
    this.#body?.push(chunk, isLast);
  }

  /** From the transport: the last chunk of the body, whose end is told by `pushBody` later. */
  pushRestOfBody(chunk: Uint8Array): void {
    this.#body?.pushRest(chunk);
  }

  /** From the transport: the body cannot be read. */
  failBody(error: ProblemError): void {
    this.#body?.fail(error);
  }

  /** From the transport: the client has gone before the answer was complete. */
  abort(): void {
    if (this.#isOver) return;
    this.#isAborted = true;
    const callbacks = this.#abortCallbacks;
    this.complete();
    this.#body?.abort();
    for (const callback of callbacks ?? []) this.#callBack(callback);
  }

  /** From the transport: the answer is complete. */
  complete(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#abortCallbacks = undefined;
    if (!this.#isRunning) this.#memory?.release();
    this.#host.exchangeEnded(this);
  }

  /** From the server that stops. Memory for answers is asked for by reads only. */
  hurry(stalledMs: number): void {
    if (this.#isOver || !(this.isSafe || this.#memory !== undefined)) return;
    if (!this.#answer.isGiven) this.#refuseRead();
    else if (stalledMs === 0 || this.#wire.isStalled(stalledMs)) this.#wire.destroy();
  }

  /** For the handler it is as if the client had gone. */
  #refuseRead(): void {
    const callbacks = this.#abortCallbacks ?? [];
    this.fail(stopping());
    this.#isAborted = true;
    for (const callback of callbacks) this.#callBack(callback);
  }

  /** Answers with an error, or aborts the answer when it has begun. Never throws. */
  fail(error: unknown): void {
    try {
      if (this.#isWorthReporting(error)) this.#host.onError(error, `${this.method} ${this.path}`);
      if (this.#isOver) return;
      if (this.#answer.isGiven) this.#answer.destroy();
      else this.#answerProblem(error);
    } catch (second) {
      this.#host.onError(second, `answering ${this.method} ${this.path}`);
      this.#wire.destroy();
    }
  }

  async #follow(running: Promise<void>): Promise<void> {
    this.#isRunning = true;
    try {
      await running;
      this.#checkAnswered();
    } catch (error) {
      this.fail(error);
    } finally {
      this.#isRunning = false;
      if (this.#isOver) this.#memory?.release();
      this.#body?.release();
    }
  }

  #checkPermitted(): void {
    if (this.#host.isStopping) throw stopping();
    // Browsers let the pages of every site open a WebSocket, and read what it says.
    if (this.isSafe && !this.wantsSocket) return;
    const fault = this.#crossSiteFault(this.header('host') ?? '');
    if (fault === undefined) return;
    this.#host.onForeign(this, fault.message);
    throw fault;
  }

  /** The Origin comes first: the Host of a page of another site is not looked at. */
  #crossSiteFault(host: string): ProblemError | undefined {
    const { crossSite } = this.#host;
    const fault = crossSite.originFault(this.header('origin'), host);
    if (fault !== undefined) return fault;
    const kind = crossSite.hostKind(host);
    return kind === 'own' || this.#host.allowHost(this, kind) ? undefined : foreignHostFault(host);
  }

  #checkAnswered(): void {
    if (!this.#answer.isGiven && !this.#isAborted) throw new Error('BUG: the handler ended without an answer');
  }

  #isWorthReporting(error: unknown): boolean {
    if (error instanceof ProblemError) return error.status === 500;
    return !(error instanceof ClientGoneError);
  }

  #answerProblem(error: unknown): void {
    const { status, headers, body } = this.#renderProblem(error);
    this.#answer.send(status, headers, body);
  }

  #refuse(problem: ProblemError): void {
    const { status, headers, body } = this.#renderProblem(problem);
    this.#wire.refuse({ status, headers: this.completeHeaders(headers), isLast: true }, Buffer.from(body));
  }

  #renderProblem(error: unknown): RenderedProblem {
    return renderProblem(error, this.path, problemFormOf(this.#host.problemForms, this.path));
  }

  #callBack(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#host.onError(error, `abort of ${this.method} ${this.path}`);
    }
  }
}

function stopping(): ProblemError {
  return new ProblemError(503, 'The server is stopping.', { key: 'Error.Stopping', headers: [['Retry-After', '1']] });
}

async function checked(reading: Promise<Uint8Array>, check: () => void): Promise<Uint8Array> {
  const bytes = await reading;
  check();
  return bytes;
}
