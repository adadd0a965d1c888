// Memory for bodies, used again by later ones: what is made for each long body is garbage of so many bytes that the collector
// runs all the time. Benchmark: bench ingest, 100 points a tag.

import { BODY_SPARE_BYTES } from '../contract/body-bytes.ts';

/** Smaller ones are not worth keeping. */
const SMALLEST_KEPT_BYTES = 16_384;
const MIB = 1_048_576;
const LARGEST_SHORT_BYTES = MIB;
const KEPT_SHORT = 4;
/** Larger ones would hold too much. */
const LARGEST_KEPT_BYTES = 8 * MIB;
/** Bytes of all long ones together. */
const KEPT_LONG_BYTES = 16 * MIB;

/** Memory for bodies, each with `BODY_SPARE_BYTES` that are not counted in any size. */
export class BodyBuffers {
  readonly #short: Uint8Array[] = [];
  readonly #long: Uint8Array[] = [];
  #longBytes = 0;

  /** At least so many bytes and the spare ones, with whatever was in them. */
  take(sizeBytes: number): Uint8Array {
    // Node allocates many short ones from one shared pool.
    if (sizeBytes < SMALLEST_KEPT_BYTES) return Buffer.allocUnsafe(sizeBytes + BODY_SPARE_BYTES);
    if (sizeBytes <= LARGEST_SHORT_BYTES)
      return takeFitting(this.#short, sizeBytes) ?? new Uint8Array(roundedUp(sizeBytes) + BODY_SPARE_BYTES);
    const kept = takeFitting(this.#long, sizeBytes);
    if (kept === undefined) return makeLong(sizeBytes);
    this.#longBytes -= roomOf(kept);
    return kept;
  }

  /** Nobody uses the bytes any more. */
  release(bytes: Uint8Array): void {
    const sizeBytes = roomOf(bytes);
    if (sizeBytes < SMALLEST_KEPT_BYTES || sizeBytes > LARGEST_KEPT_BYTES) return;
    if (sizeBytes <= LARGEST_SHORT_BYTES) {
      if (this.#short.length === KEPT_SHORT) this.#short.shift();
      this.#short.push(bytes);
      return;
    }
    this.#long.push(bytes);
    this.#longBytes += sizeBytes;
    while (this.#longBytes > KEPT_LONG_BYTES) this.#longBytes -= roomOf(this.#long.shift() as Uint8Array);
  }
}

/** The one that was used last of those that are large enough: it is most likely in the processor's cache. */
function takeFitting(spare: Uint8Array[], sizeBytes: number): Uint8Array | undefined {
  const found = spare.findLastIndex((bytes) => roomOf(bytes) >= sizeBytes);
  return found >= 0 ? spare.splice(found, 1)[0] : undefined;
}

/** To a power of two, so that one serves bodies of about its size. */
function roundedUp(sizeBytes: number): number {
  return 2 ** Math.ceil(Math.log2(sizeBytes));
}

/** Memory that the process used before would be cleared in one go, which holds the event loop. */
function makeLong(sizeBytes: number): Uint8Array {
  const roomBytes = sizeBytes <= LARGEST_KEPT_BYTES ? Math.ceil(sizeBytes / MIB) * MIB : sizeBytes;
  return new Uint8Array(Buffer.allocUnsafeSlow(roomBytes + BODY_SPARE_BYTES).buffer);
}

/** What of a buffer a body may fill; bytes. */
export function roomOf(bytes: Uint8Array): number {
  return bytes.length - BODY_SPARE_BYTES;
}
