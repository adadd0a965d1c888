// Gathers the body of one request as the transport hands it over, up to a limit. Until somebody reads it, only what
// arrives at once is held, and the connection is paused. What it holds is charged to the budget until it is released.

import type { ProblemError } from '../../problem.ts';
import { ClientGoneError } from '../contract/client-gone.ts';
import { CHUNKED_BODY } from '../guard/guard.ts';
import type { BodyBudget, BudgetUser } from './body-budget.ts';
import { BodyRoom } from './body-room.ts';
import { type BodyEncoding, type PackedEncoding, tooLarge } from './content-encoding.ts';
import type { Unpacking } from './unpacking.ts';

/** An unread rest up to here is read and dropped to keep the connection; above it the connection is closed. */
const DRAIN_BYTES = 262_144;
/** Whose a longer body is counts, also for one turn. */
const MOST_UNCHARGED_BYTES = 65_536;

/** The flow of a body, as the transport can steer it. */
export interface BodyFlow {
  pauseBody(): void;
  resumeBody(): void;
}

/** What the bodies of one server share. */
export interface BodyHost {
  readonly budget: BodyBudget;
  readonly unpacking: Unpacking;
}

export interface BodyOptions {
  readonly flow: BodyFlow;
  readonly host: BodyHost;
  /** In bytes, or `CHUNKED_BODY`. */
  readonly declaredBytes: number;
  /** Whom the body is charged to; called when it is charged first. */
  readonly holder: () => string;
}

interface Reader {
  readonly limitBytes: number;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

export class RequestBody implements BudgetUser {
  readonly #flow: BodyFlow;
  readonly #host: BodyHost;
  /** In bytes, or `CHUNKED_BODY`. */
  readonly #declaredBytes: number;
  readonly #askHolder: () => string;
  #holder: string | undefined;
  readonly #room: BodyRoom;
  /** What was unpacked of it. */
  #unpacked: BodyRoom | undefined;
  readonly #rate = new BodyRate();
  #receivedBytes = 0;
  #isComplete: boolean;
  #isDropped = false;
  #isPaused = false;
  #wasRead = false;
  /** The reader has the bytes, and has not released them. */
  #isLent = false;
  #reader: Reader | undefined;
  /** Why the body cannot be read any more. */
  #failure: unknown;

  constructor({ flow, host, declaredBytes, holder }: BodyOptions) {
    this.#flow = flow;
    this.#host = host;
    this.#declaredBytes = declaredBytes;
    this.#askHolder = holder;
    this.#isComplete = declaredBytes === 0;
    this.#room = new BodyRoom(host.budget, this);
  }

  get holder(): string {
    this.#holder ??= this.#askHolder();
    return this.#holder;
  }

  get heldBytes(): number {
    return this.#room.heldBytes;
  }

  isSlow(): boolean {
    return !this.#isPaused && this.#rate.isSlow(performance.now(), this.#receivedBytes, this.heldBytes);
  }

  giveUp(error: ProblemError): void {
    this.fail(error);
  }

  /** True when so much is still to come that closing the connection is better than reading it. */
  get isLongUnread(): boolean {
    if (this.#isComplete) return false;
    return this.#declaredBytes === CHUNKED_BODY || this.#declaredBytes - this.#receivedBytes > DRAIN_BYTES;
  }

  /** Takes the next chunk; its bytes are copied. */
  push(chunk: Uint8Array, isLast: boolean): void {
    if (this.#isDropped) {
      this.#receivedBytes += chunk.length;
      this.#isComplete = isLast;
      return;
    }
    try {
      this.#store(chunk, isLast);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.#isComplete = isLast;
    if (isLast) this.#finish();
    else if (this.#reader === undefined) this.#pause();
  }

  /**
   * Takes the last chunk, while the end is still to be told: by a `push` of no bytes. A small body that came in one chunk is
   * charged to nobody, since it is read in the next turn.
   */
  pushRest(chunk: Uint8Array): void {
    if (chunk.length > MOST_UNCHARGED_BYTES || this.#isDropped) return this.push(chunk, false);
    try {
      this.#store(chunk, true);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends the body: a pending read rejects, and so does every later one. */
  abort(): void {
    this.#isPaused = false;
    this.fail(new ClientGoneError());
  }

  /** The body cannot be read: a pending read rejects, and so does every later one. */
  fail(error: unknown): void {
    this.#failure ??= error;
    const reader = this.#reader;
    this.#reader = undefined;
    this.drop();
    reader?.reject(error);
  }

  /** Nobody wants what still comes. What the reader has got stays valid. */
  drop(): void {
    this.#isDropped = true;
    this.#host.budget.ended(this);
    if (!this.#isLent) this.release();
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

  /** The reader needs its bytes no more: their memory may serve other bodies. */
  reuse(): void {
    this.#isLent = false;
    this.#room.recycle();
    this.#unpacked?.recycle();
  }

  /** Nobody uses the bytes any more, but for those whose memory is not to be used again. */
  release(): void {
    this.#isLent = false;
    this.#room.release();
    this.#unpacked?.release();
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
    const { budget, unpacking } = this.#host;
    const room = new BodyRoom(budget, this);
    this.#unpacked = room;
    try {
      await unpacking.unpack(packed, { encoding, limitBytes, room, holder: this.holder });
      return room.written();
    } finally {
      this.#room.recycle();
    }
  }

  #refuse(error: ProblemError): ProblemError {
    this.drop();
    return error;
  }

  #store(chunk: Uint8Array, isLast: boolean): void {
    const endBytes = this.#receivedBytes + chunk.length;
    if (this.#reader !== undefined && endBytes > this.#reader.limitBytes) throw tooLarge(this.#reader.limitBytes);
    if (chunk.length === 0) return;
    if (isLast && this.#receivedBytes === 0) {
      this.#room.appendWhole(chunk);
    } else {
      if (this.#receivedBytes === 0) this.#host.budget.began(this);
      this.#room.append(chunk, this.#mostBytes);
      this.#rate.note(performance.now(), endBytes);
    }
    this.#receivedBytes = endBytes;
  }

  get #mostBytes(): number {
    return this.#declaredBytes === CHUNKED_BODY ? (this.#reader?.limitBytes ?? 0) : this.#declaredBytes;
  }

  #finish(): void {
    this.#host.budget.ended(this);
    const reader = this.#reader;
    if (reader === undefined) return;
    this.#reader = undefined;
    this.#isLent = true;
    reader.resolve(this.#room.written());
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

/** The rate is that of the last one to two marks. */
const MARK_MS = 1000;
/** Younger bodies have no rate yet. */
const YOUNGEST_MS = 2000;
/** A body that takes longer than this for as much as it holds is slow. */
const SLOW_MS = 30_000;

interface Mark {
  readonly timeMs: number;
  readonly receivedBytes: number;
}

export class BodyRate {
  #beganMs: number | undefined;
  #older: Mark | undefined;
  #newer: Mark | undefined;

  /** `receivedBytes` have come in all. */
  note(timeMs: number, receivedBytes: number): void {
    if (this.#newer !== undefined && timeMs - this.#newer.timeMs < MARK_MS) return;
    this.#beganMs ??= timeMs;
    this.#older = this.#newer ?? { timeMs, receivedBytes };
    this.#newer = { timeMs, receivedBytes };
  }

  isSlow(timeMs: number, receivedBytes: number, heldBytes: number): boolean {
    const since = this.#older;
    if (since === undefined || this.#beganMs === undefined || timeMs - this.#beganMs < YOUNGEST_MS) return false;
    return ((receivedBytes - since.receivedBytes) / (timeMs - since.timeMs)) * SLOW_MS < heldBytes;
  }
}
