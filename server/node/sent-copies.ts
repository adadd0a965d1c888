// Copies of bytes that Node may hold until the client has taken them, in memory that is used again. New memory of buffers
// lies outside of V8's heap, and each 64 MB of it have V8 mark the whole heap: with very many tags half of the time.

import { Pool } from '../../engine/index.ts';

/** Chunks of streamed answers are mostly smaller. */
const COPY_BYTES = 128 * 1024;
const MOST_SPARE = 16;
/** Node cuts buffers of fewer bytes from a slab, of 8 KiB. */
const SMALL_BYTES = 4096;

const spare = new Pool(MOST_SPARE, () => Buffer.allocUnsafeSlow(COPY_BYTES));

export interface SentCopy {
  readonly bytes: Buffer;
  /** Takes whatever Node gives when it has sent the bytes. */
  readonly sent: (error?: Error | null) => void;
}

/** A copy to write, with what is to be called when it is written. */
export function copyToSend(chunk: Uint8Array): SentCopy {
  if (chunk.length > COPY_BYTES) return { bytes: Buffer.from(chunk), sent: () => {} };
  const memory = spare.take();
  memory.set(chunk);
  // After an error the kernel may still read it.
  const sent = (error?: Error | null): void => (error ? undefined : spare.release(memory));
  return { bytes: memory.subarray(0, chunk.length), sent };
}

/** A copy of few bytes, which costs no memory of its own; undefined for more. */
export function smallCopy(bytes: Uint8Array): Buffer | undefined {
  return bytes.length < SMALL_BYTES ? Buffer.from(bytes) : undefined;
}
