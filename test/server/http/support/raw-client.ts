// A client on a bare socket, for what no proper HTTP client sends, and a parser of what comes back.

import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** For what comes in a moment where nothing else runs. */
const ANSWER_LIMIT_MS = 60_000;

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** False when the connection ended before the answer did. */
  readonly isComplete: boolean;
}

export class RawClient {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  isClosed = false;
  receivedBytes = 0;
  #chunks: Buffer[] = [];
  /** What came behind the last complete answer, and the complete ones: what was parsed is not parsed again. */
  #unparsed: Buffer[] = [];
  readonly #complete: RawAnswer[] = [];
  #onChange: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#unparsed.push(chunk);
      this.receivedBytes += chunk.length;
      this.#onChange?.();
    });
    socket.on('error', () => {}); // A reset shows as closed.
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isClosed = true;
        this.#onChange?.();
        resolve();
      });
    });
  }

  static open(port: number): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      socket.once('error', reject);
      socket.once('connect', () => resolve(new RawClient(socket)));
    });
  }

  send(...pieces: (string | Uint8Array)[]): void {
    for (const piece of pieces) this.socket.write(piece);
  }

  /** Sends the pieces so that each is a segment of its own. */
  async sendSlowly(pieces: readonly (string | Uint8Array)[], pauseMs: number): Promise<void> {
    for (const piece of pieces) {
      this.socket.write(piece);
      await delay(pauseMs);
    }
  }

  get received(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] as Buffer;
  }

  get answers(): RawAnswer[] {
    const incomplete = this.#parse();
    return incomplete === undefined ? [...this.#complete] : [...this.#complete, incomplete];
  }

  /** Moves complete answers from what is unparsed; the one that is not complete yet. */
  #parse(): RawAnswer | undefined {
    const bytes = Buffer.concat(this.#unparsed);
    const { answers, end } = parseFrom(bytes, 'GET');
    this.#unparsed = [bytes.subarray(end)];
    const incomplete = answers.at(-1)?.isComplete === false ? answers.pop() : undefined;
    this.#complete.push(...answers);
    return incomplete;
  }

  /** Waits until so many answers are complete or the connection is closed. */
  async answered(count: number, timeoutMs = ANSWER_LIMIT_MS): Promise<RawAnswer[]> {
    const isAnswered = (): boolean => {
      this.#parse();
      return this.isClosed || this.#complete.length >= count;
    };
    await this.until(isAnswered, timeoutMs);
    return this.answers;
  }

  async until(isReached: () => boolean, timeoutMs = ANSWER_LIMIT_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!isReached()) {
      if (performance.now() > deadline)
        throw new Error(`not within ${timeoutMs} ms; received ${this.receivedBytes} bytes`);
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
        setTimeout(resolve, 20);
      });
    }
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** How many answers a client takes, whole or not: none behind one that says that it is the last (RFC 9112, section 9.6). */
export function countTaken({ received }: RawClient): number {
  const answers = received.toString('latin1').split('HTTP/1.1 ').slice(1);
  const last = answers.findIndex((text) => /\r\nConnection: close\r\n/i.test(text));
  return last < 0 ? answers.length : last + 1;
}

/** Interim answers (1xx) are listed too. */
export function parseAnswers(bytes: Buffer, method: string): RawAnswer[] {
  return parseFrom(bytes, method).answers;
}

/** `end` is behind the last complete answer. */
function parseFrom(bytes: Buffer, method: string): { answers: RawAnswer[]; end: number } {
  const answers: RawAnswer[] = [];
  let offset = 0;
  let completeEnd = 0;
  while (offset < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', offset);
    if (headEnd < 0) break;
    const head = bytes.toString('latin1', offset, headEnd);
    const { body, end, isComplete } = parseBody(bytes, headEnd + 4, head, method);
    answers.push({ status: Number(head.slice(9, 12)), head, headers: parseHeaders(head), body, isComplete });
    offset = end;
    if (isComplete) completeEnd = end;
  }
  return { answers, end: completeEnd };
}

function parseHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

interface ParsedBody {
  readonly body: Buffer;
  readonly end: number;
  readonly isComplete: boolean;
}

function parseBody(bytes: Buffer, start: number, head: string, method: string): ParsedBody {
  const headers = parseHeaders(head);
  const status = Number(head.slice(9, 12));
  const nothing = { body: Buffer.alloc(0), end: start, isComplete: true };
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return nothing;
  if (headers.get('transfer-encoding') === 'chunked') return parseChunks(bytes, start);
  const length = Number(headers.get('content-length') ?? 0);
  const end = Math.min(start + length, bytes.length);
  return { body: bytes.subarray(start, end), end, isComplete: end - start === length };
}

function parseChunks(bytes: Buffer, start: number): ParsedBody {
  const chunks: Buffer[] = [];
  let offset = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', offset);
    if (lineEnd < 0) break;
    const size = Number.parseInt(bytes.toString('latin1', offset, lineEnd), 16);
    const dataStart = lineEnd + 2;
    if (size === 0)
      return { body: Buffer.concat(chunks), end: dataStart + 2, isComplete: bytes.length >= dataStart + 2 };
    if (Number.isNaN(size)) throw new Error(`chunk size ${JSON.stringify(bytes.toString('latin1', offset, lineEnd))}`);
    chunks.push(bytes.subarray(dataStart, dataStart + size));
    offset = dataStart + size + 2;
    if (offset > bytes.length) break;
  }
  return { body: Buffer.concat(chunks), end: bytes.length, isComplete: false };
}
