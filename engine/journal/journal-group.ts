// Requests that go to the journal together: their frames one behind the other in one buffer, and who is to hear. A long record
// is a group of its own, which takes its buffer over: copying it would hold the event loop.

import type { EngineError } from '../errors.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { beginFrame, endFrame, FRAME_HEADER } from '../format/bytes/frame.ts';

const INITIAL_BUFFER_BYTES = 64 * 1024;
/** A buffer that one huge request has blown up is not kept above this. */
const KEPT_BUFFER_BYTES = 16 * 2 ** 20;

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

/** A record on its way: what writes its payload, or the payload behind room for the frame's header (`beginFrame`). */
export type JournalRecord = ((out: ByteWriter) => void) | ByteWriter;

/** What the frame of a record says besides. */
export interface FrameFacts {
  readonly sequence: number;
  readonly identity: number;
  readonly syncedSequence: number;
}

export class JournalGroup {
  entries: JournalEntry[] = [];
  firstSequence = 0;
  /** Some entry waits for the disk; a group without one is written, but no sync is made for it. */
  urgent = false;
  #out = new ByteWriter(INITIAL_BUFFER_BYTES);
  #isAdopted = false;

  /** What it takes in the file. */
  get sizeBytes(): number {
    return this.#out.length;
  }

  add(record: JournalRecord, { sequence, identity, syncedSequence }: FrameFacts): void {
    const out = this.#out;
    const offset = beginFrame(out);
    if (record instanceof ByteWriter) out.copy(record.bytes, FRAME_HEADER.sizeBytes, record.length);
    else record(out);
    endFrame(out, offset, sequence, identity, syncedSequence);
  }

  /** Makes a record all of the group, without a copy: nothing else may be added, and it stays as it is until it is written. */
  adopt(record: ByteWriter, { sequence, identity, syncedSequence }: FrameFacts): void {
    endFrame(record, 0, sequence, identity, syncedSequence);
    this.#out = record;
    this.#isAdopted = true;
  }

  /** All of its frames; valid until `clear`. */
  written(): Uint8Array {
    return this.#out.written();
  }

  /** Forgets the records. */
  clear(): void {
    this.urgent = false;
    if (this.#isAdopted || this.#out.bytes.length > KEPT_BUFFER_BYTES) this.#out = new ByteWriter(INITIAL_BUFFER_BYTES);
    this.#isAdopted = false;
    this.#out.clear();
  }
}
