// Gathers the body of one request as the transport hands it over, up to a limit. Until somebody reads it, only what
// arrives in one go is held and the connection is paused.

import { BodyBuffers } from './body-buffers.ts';
import { ClientGoneError } from './client-gone.ts';
import { type BodyEncoding, type PackedEncoding, tooLarge, unpackBody } from './content-encoding.ts';
import { CHUNKED_BODY } from './guard.ts';
import { ProblemError } from './problem.ts';

/** A body is allocated whole from the start up to here; a longer one only once this much of it has come. */
const FIRST_ALLOCATION_BYTES = 1_048_576;
/** An unread rest up to here is read and dropped to keep the connection; above it the connection is closed. */
const DRAIN_BYTES = 262_144;

/** What all bodies together may hold; shared by the exchanges of one server. */
export class BodyBudget {
  readonly limitBytes: number;
  readonly buffers = new BodyBuffers();
  heldBytes = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** Throws 503 when the bytes are not to be had now. */
  take(sizeBytes: number): void {
    if (this.heldBytes + sizeBytes > this.limitBytes) {
      throw new ProblemError(503, 'The server is receiving too much at once; try again in a moment.', {
        headers: [['Retry-After', '1']],
      });
    }
    this.heldBytes += sizeBytes;
  }

  give(sizeBytes: number): void {
    this.heldBytes -= sizeBytes;
  }
}

/** The flow of a body, as the transport can steer it. */
export interface BodyFlow {
  pauseBody(): void;
  resumeBody(): void;
}

interface Reader {
  readonly limitBytes: number;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

export class RequestBody {
  readonly #flow: BodyFlow;
  readonly #budget: BodyBudget;
  /** In bytes, or `CHUNKED_BODY`. */
  readonly #declaredBytes: number;
  #bytes: Uint8Array | undefined;
  /** What the reader has got, until it gives it back. */
  #lent: Uint8Array | undefined;
  #receivedBytes = 0;
  #heldBytes = 0;
  #isComplete: boolean;
  #isDropped = false;
  #isPaused = false;
  #wasRead = false;
  #reader: Reader | undefined;
  /** Why there is no body to be had any more. */
  #failure: unknown;

  constructor(flow: BodyFlow, budget: BodyBudget, declaredBytes: number) {
    this.#flow = flow;
    this.#budget = budget;
    this.#declaredBytes = declaredBytes;
    this.#isComplete = declaredBytes === 0;
  }

  /** True when so much is still to come that closing the connection is better than reading it. */
  get isLongUnread(): boolean {
    if (this.#isComplete) return false;
    return this.#declaredBytes === CHUNKED_BODY || this.#declaredBytes - this.#receivedBytes > DRAIN_BYTES;
  }

  /** Takes the next piece; its bytes are copied. */
  push(chunk: Uint8Array, isLast: boolean): void {
    if (this.#isDropped) {
      this.#receivedBytes += chunk.length;
      this.#isComplete = isLast;
      return;
    }
    try {
      this.#store(chunk, isLast);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#isComplete = isLast;
    if (isLast) this.#finish();
    else if (this.#reader === undefined) this.#pause();
  }

  /** Ends for good: a pending read rejects, and so does every later one. */
  abort(): void {
    this.#isPaused = false;
    this.#fail(new ClientGoneError());
  }

  /** No more interest: what still comes is dropped. */
  drop(): void {
    this.#isDropped = true;
    this.#release();
    this.#resume();
  }

  /** The whole body, unpacked. See `HttpRequest.readBody`. */
  read(encoding: BodyEncoding, limitBytes: number): Promise<Uint8Array> {
    if (this.#wasRead) return Promise.reject(new Error('BUG: the body was read twice'));
    this.#wasRead = true;
    if (this.#declaredBytes > limitBytes) return Promise.reject(this.#refuse(tooLarge(limitBytes)));
    const packed = this.#receive(limitBytes);
    if (encoding === 'identity') return packed;
    return packed.then((bytes) => this.#unpack(bytes, encoding, limitBytes));
  }

  /** The reader is done with the bytes that it got: their memory serves other bodies. */
  reuse(): void {
    if (this.#lent !== undefined) this.#budget.buffers.giveBack(this.#lent);
    this.#lent = undefined;
  }

  #receive(limitBytes: number): Promise<Uint8Array> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#receivedBytes > limitBytes) return Promise.reject(this.#refuse(tooLarge(limitBytes)));
    return new Promise((resolve, reject) => {
      this.#reader = { limitBytes, resolve, reject };
      if (this.#isComplete) this.#finish();
      else this.#resume();
    });
  }

  async #unpack(packed: Uint8Array, encoding: PackedEncoding, limitBytes: number): Promise<Uint8Array> {
    const budget = this.#budget;
    let heldBytes = 0;
    const onGrowth = (sizeBytes: number): void => {
      budget.take(sizeBytes);
      heldBytes += sizeBytes;
    };
    try {
      return await unpackBody(packed, { encoding, limitBytes, onGrowth });
    } finally {
      budget.give(heldBytes);
    }
  }

  #refuse(error: ProblemError): ProblemError {
    this.drop();
    return error;
  }

  #store(chunk: Uint8Array, isLast: boolean): void {
    const endBytes = this.#receivedBytes + chunk.length;
    if (this.#reader !== undefined && endBytes > this.#reader.limitBytes) throw tooLarge(this.#reader.limitBytes);
    if (isLast && this.#receivedBytes === 0) {
      this.#bytes = this.#budget.buffers.take(chunk.length);
      this.#bytes.set(chunk);
      this.#receivedBytes = endBytes;
      return;
    }
    if (chunk.length === 0) return;
    this.#reserve(endBytes);
    (this.#bytes as Uint8Array).set(chunk, this.#receivedBytes);
    this.#receivedBytes = endBytes;
  }

  /** Makes room for `endBytes`; a declared length is allocated whole once enough of it has come. */
  #reserve(endBytes: number): void {
    const current = this.#bytes;
    if (current !== undefined && current.length >= endBytes) return;
    const declared = this.#declaredBytes;
    let sizeBytes = Math.max(endBytes, 2 * (current?.length ?? 0), 4096);
    if (declared !== CHUNKED_BODY)
      sizeBytes = current === undefined ? Math.min(declared, FIRST_ALLOCATION_BYTES) : declared;
    sizeBytes = Math.max(sizeBytes, endBytes);
    this.#budget.take(sizeBytes);
    this.#heldBytes += sizeBytes;
    const grown = this.#budget.buffers.take(sizeBytes);
    if (current !== undefined) {
      grown.set(current.subarray(0, this.#receivedBytes));
      this.#budget.give(this.#heldBytes - sizeBytes);
      this.#heldBytes = sizeBytes;
    }
    this.#bytes = grown;
  }

  #finish(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    this.#reader = undefined;
    const bytes = this.#bytes ?? new Uint8Array(0);
    const sizeBytes = this.#receivedBytes;
    this.#lent = bytes;
    this.#release();
    reader.resolve(bytes.length === sizeBytes ? bytes : bytes.subarray(0, sizeBytes));
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    const reader = this.#reader;
    this.#reader = undefined;
    this.drop();
    reader?.reject(error);
  }

  #release(): void {
    this.#bytes = undefined;
    this.#budget.give(this.#heldBytes);
    this.#heldBytes = 0;
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#flow.pauseBody();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#flow.resumeBody();
  }
}
