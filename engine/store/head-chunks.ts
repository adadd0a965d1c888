// The memory of heads: slabs cut into small chunks, chained by whoever uses them. A chunk begins with the next chunk of
// its chain, the number of its points (once it is full) and the time that the first of them is told from.

/** What an almost empty head takes. */
export const CHUNK_BYTES = 256;
/** next u32, points u32, time f64 */
export const CHUNK_HEADER_BYTES = 16;
/** What of a chunk is for points. */
export const CHUNK_ROOM_BYTES = CHUNK_BYTES - CHUNK_HEADER_BYTES;
export const NO_CHUNK = -1;

const CHUNKS_PER_SLAB = 1024;
const SLAB_SHIFT = 10;

export interface Slab {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly times: Float64Array;
  readonly view: DataView;
}

export class HeadChunks {
  readonly #slabs: Slab[] = [];
  #free = NO_CHUNK;
  #unused = 0;
  inUse = 0;

  slabOf(chunk: number): Slab {
    return this.#slabs[chunk >> SLAB_SHIFT] as Slab;
  }

  /** Where a chunk begins in its slab; bytes. */
  offsetOf(chunk: number): number {
    return (chunk & (CHUNKS_PER_SLAB - 1)) * CHUNK_BYTES;
  }

  nextOf(chunk: number): number {
    return this.slabOf(chunk).words[this.offsetOf(chunk) >> 2] as number;
  }

  pointsOf(chunk: number): number {
    return this.slabOf(chunk).words[(this.offsetOf(chunk) >> 2) + 1] as number;
  }

  /** Ends a chunk: it has so many points, and goes on in another. */
  close(chunk: number, points: number, next: number): void {
    const { words } = this.slabOf(chunk);
    const at = this.offsetOf(chunk) >> 2;
    words[at] = next;
    words[at + 1] = points;
  }

  /** A chunk for points told from a time. */
  take(timeMs: number): number {
    this.inUse++;
    let chunk = this.#free;
    if (chunk === NO_CHUNK) {
      if (this.#unused === this.#slabs.length * CHUNKS_PER_SLAB) this.#slabs.push(newSlab());
      chunk = this.#unused++;
    } else this.#free = this.nextOf(chunk);
    const slab = this.slabOf(chunk);
    const at = this.offsetOf(chunk);
    slab.words[at >> 2] = NO_CHUNK;
    slab.times[(at >> 3) + 1] = timeMs;
    return chunk;
  }

  giveBack(chunk: number): void {
    this.inUse--;
    if (this.inUse === 0) {
      // All is free: give the memory back to the system.
      this.#slabs.length = Math.min(this.#slabs.length, 1);
      this.#free = NO_CHUNK;
      this.#unused = 0;
      return;
    }
    this.slabOf(chunk).words[this.offsetOf(chunk) >> 2] = this.#free;
    this.#free = chunk;
  }
}

function newSlab(): Slab {
  const bytes = new Uint8Array(CHUNKS_PER_SLAB * CHUNK_BYTES);
  const { buffer } = bytes;
  return { bytes, words: new Int32Array(buffer), times: new Float64Array(buffer), view: new DataView(buffer) };
}
