// Requests that go to the journal together: their frames one behind the other, and who is to hear. Short records are copied
// into one buffer. Long ones are written from where they are, and their checksums are made in stretches, because either
// would hold the event loop.

import type { EngineError } from '../errors.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { crc32Between } from '../format/bytes/crc.ts';
import { beginFrame, endFrame, headerCrc, putFrameHeader, sealFrame } from '../format/bytes/frame.ts';

const INITIAL_BUFFER_BYTES = 64 * 1024;
/** A buffer that one huge request has blown up is not kept above this. */
const KEPT_BUFFER_BYTES = 16 * 2 ** 20;
/** Bytes of a checksum between two looks at the clock. */
const CHECKED_AT_ONCE_BYTES = 2 ** 20;

/** One request on its way through the journal. Exactly one of the two is called, in the order of submission. */
export interface JournalEntry {
  /**
   * The request is as durable as the level in force says: apply and acknowledge it. What takes long gives a promise; the
   * entries behind wait for it.
   */
  commit(): Promise<void> | void;
  /** It is not stored. Called newest first, so that undoing in this order restores the state before. */
  fail(error: EngineError): void;
}

/** A record on its way: what writes its payload, or a payload that stays as it is until the request is settled. */
export type JournalRecord = ((out: ByteWriter) => void) | Uint8Array;

/** What the frame of a record says besides. */
export interface FrameFacts {
  readonly sequence: number;
  readonly identity: number;
  readonly syncedSequence: number;
}

/** A payload that is not copied. */
interface LongRecord {
  /** Where in the buffer its frame begins; it follows the header. */
  readonly offset: number;
  /** Where the buffer goes on behind it. */
  readonly next: number;
  readonly payload: Uint8Array;
  readonly identity: number;
}

export class JournalGroup {
  entries: JournalEntry[] = [];
  firstSequence = 0;
  /** Some entry waits for the disk; a group without one is written, but no sync is made for it. */
  urgent = false;
  #out = new ByteWriter(INITIAL_BUFFER_BYTES);
  #long: LongRecord[] = [];
  #longBytes = 0;

  /** What it takes in the file. */
  get sizeBytes(): number {
    return this.#out.length + this.#longBytes;
  }

  /** Adds a record; one that is there already and longer than `copiedBytes` is not copied. */
  add(record: JournalRecord, facts: FrameFacts, copiedBytes: number): void {
    const { sequence, identity, syncedSequence } = facts;
    const out = this.#out;
    if (record instanceof Uint8Array && record.length > copiedBytes) {
      const offset = putFrameHeader(out, record.length, sequence, syncedSequence);
      this.#long.push({ offset, next: out.length, payload: record, identity });
      this.#longBytes += record.length;
      return;
    }
    const offset = beginFrame(out);
    if (record instanceof Uint8Array) out.raw(record);
    else record(out);
    endFrame(out, offset, sequence, identity, syncedSequence);
  }

  /** Puts the checksums of long records in; undefined when there are none. `pause` lets others have a turn when it is time. */
  seal(pause: () => Promise<void> | undefined): Promise<void> | undefined {
    return this.#long.length > 0 ? this.#sealLong(pause) : undefined;
  }

  async #sealLong(pause: () => Promise<void> | undefined): Promise<void> {
    for (const { offset, payload, identity } of this.#long) {
      let crc = headerCrc(this.#out, offset, identity);
      for (let from = 0; from < payload.length; from += CHECKED_AT_ONCE_BYTES) {
        crc = crc32Between(payload, from, Math.min(payload.length, from + CHECKED_AT_ONCE_BYTES), crc);
        const waiting = pause();
        if (waiting) await waiting;
      }
      sealFrame(this.#out, offset, crc);
    }
  }

  /** All of it, to be written one piece behind the other; one piece where no record is long. */
  pieces(): Uint8Array[] {
    const bytes = this.#out.written();
    const pieces: Uint8Array[] = [];
    let from = 0;
    for (const { next, payload } of this.#long) {
      pieces.push(bytes.subarray(from, next), payload);
      from = next;
    }
    if (from < bytes.length) pieces.push(bytes.subarray(from));
    return pieces;
  }

  /** Forgets the records. */
  clear(): void {
    this.urgent = false;
    this.#long = [];
    this.#longBytes = 0;
    this.#out.clear();
    if (this.#out.bytes.length > KEPT_BUFFER_BYTES) this.#out = new ByteWriter(INITIAL_BUFFER_BYTES);
  }
}
