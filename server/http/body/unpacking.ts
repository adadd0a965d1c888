// Undoes the Content-Encoding of request bodies, off the main thread, a few at a time: the threads that do it are those
// that write to disk. Never makes more than the limit. The unpacked size is known only while unpacking,
// so all begin alike, and those that turn out long wait for each other.

import zlib from 'node:zlib';
import { ProblemError } from '../../problem.ts';
import { FairTurns } from '../../process/fair-turns.ts';
import type { BodyRoom } from './body-room.ts';
import { type PackedEncoding, tooLarge } from './content-encoding.ts';

/** What is unpacked at a time at least: each takes a turn of a thread. */
const OUTPUT_STEP_BYTES = 65_536;
/** Bodies that are unpacked at a time: short ones, and long ones. Node has four threads for them and for the disk. */
const MOST_AT_ONCE = 2;
const MOST_LONG_AT_ONCE = 2;
/** A body of more than this is long. */
const LONG_BYTES = 1_048_576;
/** A checksum and a size. */
const GZIP_TRAILER_BYTES = 8;

export interface UnpackOptions {
  readonly encoding: PackedEncoding;
  readonly limitBytes: number;
  /** Room that it is unpacked to; may throw to stop. */
  readonly room: BodyRoom;
  /** Whose turn it takes. */
  readonly holder: string;
}

type Unpacker = zlib.Gunzip | zlib.BrotliDecompress;

/** For all bodies of one server. */
export class Unpacking {
  readonly #turns = new FairTurns(MOST_AT_ONCE);
  readonly #longTurns = new FairTurns(MOST_LONG_AT_ONCE);

  /**
   * Rejects with a `ProblemError`: 413 as soon as it unpacks to more than the limit, 400 when the bytes are not what the
   * encoding says; or with what the room throws.
   */
  async unpack(packed: Uint8Array, options: UnpackOptions): Promise<void> {
    const turn = new UnpackTurn(this.#turns, options.holder);
    await turn.begin();
    try {
      await unpackInto(packed, options, () => turn.changeTo(this.#longTurns));
    } finally {
      turn.end();
    }
  }
}

/** The turn of one body: first with all others, then with the long ones. */
class UnpackTurn {
  readonly #holder: string;
  #turns: FairTurns;
  #isHeld = false;

  constructor(turns: FairTurns, holder: string) {
    this.#turns = turns;
    this.#holder = holder;
  }

  async begin(): Promise<void> {
    const waiting = this.#turns.take(this.#holder);
    if (waiting !== undefined) await waiting;
    this.#isHeld = true;
  }

  changeTo(turns: FairTurns): Promise<void> {
    this.end();
    this.#turns = turns;
    return this.begin();
  }

  end(): void {
    if (this.#isHeld) this.#turns.give();
    this.#isHeld = false;
  }
}

/** `becameLong` is called once; unpacking waits for its promise. */
async function unpackInto(
  packed: Uint8Array,
  { encoding, limitBytes, room }: UnpackOptions,
  becameLong: () => Promise<void>,
): Promise<void> {
  const unpacker = createUnpacker(packed, encoding);
  let isLong = false;
  unpacker.end(packed);
  try {
    for await (const chunk of unpacker as AsyncIterable<Buffer>) {
      if (room.length + chunk.length > limitBytes) throw tooLarge(limitBytes);
      room.append(chunk, limitBytes);
      if (isLong || room.length <= LONG_BYTES) continue;
      isLong = true;
      await becameLong();
    }
  } catch (cause) {
    if (cause instanceof ProblemError) throw cause;
    throw new ProblemError(400, `The body is not valid ${encoding} data.`, { cause });
  }
}

function createUnpacker(packed: Uint8Array, encoding: PackedEncoding): Unpacker {
  const options = { chunkSize: OUTPUT_STEP_BYTES };
  if (encoding === 'gzip') return zlib.createGunzip({ chunkSize: stepOfGzip(packed) });
  if (encoding === 'br') return zlib.createBrotliDecompress(options);
  return hasZlibHeader(packed) ? zlib.createInflate(options) : zlib.createInflateRaw(options);
}

/**
 * All of a body that is not long, if it says the truth: the last four bytes are the size of what was packed (RFC 1952, 2.3.1).
 * One byte more, so that the end is seen with it.
 */
function stepOfGzip(packed: Uint8Array): number {
  if (packed.length < GZIP_TRAILER_BYTES) return OUTPUT_STEP_BYTES;
  const sizeBytes = new DataView(packed.buffer, packed.byteOffset).getUint32(packed.length - 4, true);
  return sizeBytes < LONG_BYTES ? Math.max(OUTPUT_STEP_BYTES, sizeBytes + 1) : OUTPUT_STEP_BYTES;
}

/** Clients disagree on whether `deflate` has the zlib wrapping; RFC 9110 says it does, and both are sent. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  const second = bytes[1] ?? 0;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
