// A pool of memory for request bodies: fresh memory has to be cleared and mapped by the system, which for bodies of
// some hundred kilobytes costs as much as receiving them. Benchmark: bench ingest.

/** Smaller ones are not worth keeping, and larger ones would hold too much. */
const SMALLEST_KEPT_BYTES = 16_384;
const LARGEST_KEPT_BYTES = 1_048_576;
const KEPT_BUFFERS = 4;

export class BodyBuffers {
  readonly #spare: Uint8Array[] = [];

  /** At least so many bytes, with whatever was in them. */
  take(sizeBytes: number): Uint8Array {
    // Node allocates many short ones from one shared pool.
    if (sizeBytes < SMALLEST_KEPT_BYTES) return Buffer.allocUnsafe(sizeBytes);
    // Memory that the process used before would be cleared in one go, which holds the event loop.
    if (sizeBytes > LARGEST_KEPT_BYTES) return new Uint8Array(Buffer.allocUnsafeSlow(sizeBytes).buffer);
    const found = this.#spare.findLastIndex(({ length }) => length >= sizeBytes);
    if (found >= 0) return this.#spare.splice(found, 1)[0] as Uint8Array;
    return new Uint8Array(2 ** Math.ceil(Math.log2(sizeBytes)));
  }

  /** Nobody uses the bytes any more. */
  release(bytes: Uint8Array): void {
    if (bytes.length < SMALLEST_KEPT_BYTES || bytes.length > LARGEST_KEPT_BYTES) return;
    if (this.#spare.length === KEPT_BUFFERS) this.#spare.shift();
    this.#spare.push(bytes);
  }
}
