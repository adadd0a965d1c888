// The latest runs of a dataset in the order in which they came: in chunks, so that neither adding nor forgetting copies
// much.

/** A run of points of one tag, by the ordinal of its first point. */
export interface RecentRun {
  readonly tagId: number;
  readonly name: string;
  readonly isSystem: boolean;
  readonly ordinal: number;
}

/** Runs of one chunk. */
const CHUNK_RUNS = 4096;
/** Chunks that are kept at least: about 10 MB. */
const MIN_CHUNKS = 64;
/** With so many chunks all but the last MIN_CHUNKS are forgotten. */
const MAX_CHUNKS = 2 * MIN_CHUNKS;

export class RecentRuns {
  #chunks: RecentRun[][] = [];
  #forgottenChunks = 0;

  /** Number of the runs seen so far: the sequence number of the next one. */
  get sequence(): number {
    const last = this.#chunks.at(-1);
    if (last === undefined) return this.#forgottenChunks * CHUNK_RUNS;
    return (this.#forgottenChunks + this.#chunks.length - 1) * CHUNK_RUNS + last.length;
  }

  add(run: RecentRun): void {
    let last = this.#chunks.at(-1);
    if (last === undefined || last.length === CHUNK_RUNS) {
      last = [];
      this.#chunks.push(last);
      if (this.#chunks.length > MAX_CHUNKS) this.#forget();
    }
    last.push(run);
  }

  /** How many there have been from a sequence number on; undefined when that is forgotten or was never reached. */
  countSince(sequence: number): number | undefined {
    if (sequence < this.#forgottenChunks * CHUNK_RUNS || sequence > this.sequence) return undefined;
    return this.sequence - sequence;
  }

  /** Runs from a sequence number, which is not forgotten, towards a later one that was reached: a chunk at most. */
  some(from: number, to: number): readonly RecentRun[] {
    const chunk = Math.floor(from / CHUNK_RUNS) - this.#forgottenChunks;
    const start = from % CHUNK_RUNS;
    return this.#chunks[chunk]?.slice(start, start + to - from) ?? [];
  }

  /** All runs of the range. */
  *between(from: number, to: number): Generator<RecentRun> {
    for (let sequence = from; sequence < to; ) {
      const runs = this.some(sequence, to);
      yield* runs;
      sequence += runs.length;
    }
  }

  #forget(): void {
    const surplus = this.#chunks.length - MIN_CHUNKS;
    this.#chunks = this.#chunks.slice(surplus);
    this.#forgottenChunks += surplus;
  }
}
