// The memory of heads: slabs divided into small chunks, which the caller links to chains. A chunk begins with the next chunk
// of its chain, the number of its points (set once it is full) and the base time of its first run.

export const CHUNK_BYTES = 256;
/** The first chunk of a head is smaller if its points fit: most heads of a million tags never need more. */
export const FIRST_CHUNK_BYTES = CHUNK_BYTES / 2;
/** next u32, points u32, time f64 */
export const CHUNK_HEADER_BYTES = 16;
/** Bytes of a chunk for points. */
export const CHUNK_ROOM_BYTES = CHUNK_BYTES - CHUNK_HEADER_BYTES;
export const FIRST_CHUNK_ROOM_BYTES = FIRST_CHUNK_BYTES - CHUNK_HEADER_BYTES;
export const NO_CHUNK = -1;

/** A chunk's number consists of slab, index in the slab, and a bit that is set for small chunks. */
const CHUNKS_PER_SLAB = 1024;
const SLAB_SHIFT = 11;
const SIZE_BIT = 1;
const LARGE = 0;
const SMALL = 1;

export interface Slab {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly times: Float64Array;
  readonly view: DataView;
}

/** Size of a chunk with its header. */
export function chunkBytes(chunk: number): number {
  return CHUNK_BYTES >> (chunk & SIZE_BIT);
}

/** Free chunks of one size: released ones, and those of the newest slab that were never used. */
interface ChunkStock {
  free: number;
  unused: number;
  unusedEnd: number;
}

export class HeadChunks {
  readonly #slabs: Slab[] = [];
  readonly #stocks: readonly [ChunkStock, ChunkStock] = [emptyStock(), emptyStock()];
  /** Size of all chunks in use. */
  usedBytes = 0;

  slabOf(chunk: number): Slab {
    return this.#slabs[chunk >> SLAB_SHIFT] as Slab;
  }

  /** Byte offset of a chunk in its slab. */
  offsetOf(chunk: number): number {
    return ((chunk >> 1) & (CHUNKS_PER_SLAB - 1)) * chunkBytes(chunk);
  }

  nextOf(chunk: number): number {
    return this.slabOf(chunk).words[this.offsetOf(chunk) >> 2] as number;
  }

  pointsOf(chunk: number): number {
    return this.slabOf(chunk).words[(this.offsetOf(chunk) >> 2) + 1] as number;
  }

  /** The base time of a chunk: not later than its first point. */
  timeOf(chunk: number): number {
    return this.slabOf(chunk).times[(this.offsetOf(chunk) >> 3) + 1] as number;
  }

  /** Ends a chunk: stores its number of points and the next chunk of the chain. */
  close(chunk: number, points: number, next: number): void {
    const { words } = this.slabOf(chunk);
    const at = this.offsetOf(chunk) >> 2;
    words[at] = next;
    words[at + 1] = points;
  }

  /** Takes a free chunk; `timeMs` is its base time. */
  take(timeMs: number): number {
    return this.#take(LARGE, timeMs);
  }

  /** Takes a free small chunk; `timeMs` is its base time. */
  takeSmall(timeMs: number): number {
    return this.#take(SMALL, timeMs);
  }

  #take(size: typeof LARGE | typeof SMALL, timeMs: number): number {
    const stock = this.#stocks[size];
    let chunk = stock.free;
    if (chunk === NO_CHUNK) {
      if (stock.unused === stock.unusedEnd) this.#addSlab(stock, size);
      chunk = stock.unused;
      stock.unused += 2;
    } else stock.free = this.nextOf(chunk);
    this.usedBytes += chunkBytes(chunk);
    const slab = this.slabOf(chunk);
    const at = this.offsetOf(chunk);
    slab.words[at >> 2] = NO_CHUNK;
    slab.times[(at >> 3) + 1] = timeMs;
    return chunk;
  }

  #addSlab(stock: ChunkStock, size: number): void {
    stock.unused = (this.#slabs.length << SLAB_SHIFT) | size;
    stock.unusedEnd = stock.unused + 2 * CHUNKS_PER_SLAB;
    // Not cleared: nothing of a chunk is read before it is written.
    this.#slabs.push(slabOver(Buffer.allocUnsafeSlow(CHUNKS_PER_SLAB * chunkBytes(stock.unused)).buffer));
  }

  release(chunk: number): void {
    this.usedBytes -= chunkBytes(chunk);
    if (this.usedBytes === 0) {
      // Nothing is in use: return the memory to the system.
      this.#slabs.length = 0;
      for (const stock of this.#stocks) Object.assign(stock, emptyStock());
      return;
    }
    const stock = this.#stocks[(chunk & SIZE_BIT) as typeof LARGE | typeof SMALL];
    this.slabOf(chunk).words[this.offsetOf(chunk) >> 2] = stock.free;
    stock.free = chunk;
  }
}

function emptyStock(): ChunkStock {
  return { free: NO_CHUNK, unused: 0, unusedEnd: 0 };
}

/** The views of a buffer with chunks. */
export function slabOver(buffer: ArrayBufferLike): Slab {
  return {
    bytes: new Uint8Array(buffer),
    words: new Int32Array(buffer),
    times: new Float64Array(buffer),
    view: new DataView(buffer),
  };
}
