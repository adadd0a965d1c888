// What a dataset has got lately, run by run in the order of coming: in pieces, so that neither to remember nor to forget
// copies much.

/** A stretch of points of one tag, by where it begins. */
export interface RecentRun {
  readonly tagId: number;
  readonly name: string;
  readonly isSystem: boolean;
  readonly ordinal: number;
}

/** Runs of one piece. */
const PIECE_RUNS = 4096;
/** Remembered at least: about 10 MB. */
const MIN_PIECES = 64;
/** All beyond the least is forgotten when there are so many. */
const MAX_PIECES = 2 * MIN_PIECES;

export class RecentRuns {
  #pieces: RecentRun[][] = [];
  #forgottenPieces = 0;

  /** Number of the runs seen so far: a place to go on from. */
  get place(): number {
    const last = this.#pieces.at(-1);
    if (last === undefined) return this.#forgottenPieces * PIECE_RUNS;
    return (this.#forgottenPieces + this.#pieces.length - 1) * PIECE_RUNS + last.length;
  }

  add(run: RecentRun): void {
    let last = this.#pieces.at(-1);
    if (last === undefined || last.length === PIECE_RUNS) {
      last = [];
      this.#pieces.push(last);
      if (this.#pieces.length > MAX_PIECES) this.#forget();
    }
    last.push(run);
  }

  /** How many there have been since a place; undefined when that is forgotten or was never reached. */
  countSince(place: number): number | undefined {
    if (place < this.#forgottenPieces * PIECE_RUNS || place > this.place) return undefined;
    return this.place - place;
  }

  /** Those from a place, which is not forgotten, towards a later one that was reached: a few thousand at most. */
  some(from: number, to: number): readonly RecentRun[] {
    const piece = Math.floor(from / PIECE_RUNS) - this.#forgottenPieces;
    const start = from % PIECE_RUNS;
    return this.#pieces[piece]?.slice(start, start + to - from) ?? [];
  }

  /** All of them. */
  *between(from: number, to: number): Generator<RecentRun> {
    for (let place = from; place < to; ) {
      const runs = this.some(place, to);
      yield* runs;
      place += runs.length;
    }
  }

  #forget(): void {
    const surplus = this.#pieces.length - MIN_PIECES;
    this.#pieces = this.#pieces.slice(surplus);
    this.#forgottenPieces += surplus;
  }
}
