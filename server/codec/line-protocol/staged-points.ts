// Points of a body of lines in the order in which they came, each with the number of its column: the tag that it is of.
// In chunks, because memory that grows by copying would hold the event loop.

const CHUNK_BITS = 14;
const CHUNK_POINTS = 2 ** CHUNK_BITS;
const CHUNK_MASK = CHUNK_POINTS - 1;
/** Chunks kept for the next bodies. */
const KEPT_CHUNKS = 16;

export class StagedChunk {
  readonly timesMs = new Float64Array(CHUNK_POINTS);
  readonly numbers = new Float64Array(CHUNK_POINTS);
  /** The halves of `numbers`, low half first: of a whole number, or where a text begins and ends in the body. */
  readonly words = new Int32Array(this.numbers.buffer);
  readonly columns = new Int32Array(CHUNK_POINTS);
  readonly ticks = new Uint16Array(CHUNK_POINTS);
}

export class StagedPoints {
  count = 0;
  /** Place of the point that the next calls are about: this chunk, this index. */
  chunk = new StagedChunk();
  index = 0;
  #chunks = [this.chunk];

  clear(): void {
    this.count = 0;
    this.#chunks.length = Math.min(this.#chunks.length, KEPT_CHUNKS);
  }

  /** Goes to the point after the last one, which is not counted yet. */
  goToEnd(): void {
    if (this.count >>> CHUNK_BITS === this.#chunks.length) this.#chunks.push(new StagedChunk());
    this.goTo(this.count);
  }

  goTo(point: number): void {
    this.chunk = this.#chunks[point >>> CHUNK_BITS] as StagedChunk;
    this.index = point & CHUNK_MASK;
  }
}
