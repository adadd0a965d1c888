// A body is read in pieces, so that others can have a turn between two of them. Readers know only where a piece ends; whether
// anybody has a turn there is for those who read.

import { isTurnOver, nextTurn, type PointBatch, type TagLookup } from '../../../engine/index.ts';
import { FairTurns } from '../../process/fair-turns.ts';

/** Gives way after each piece; the result comes with the last. */
export type Pieces<T = void> = Generator<undefined, T, undefined>;

/** A piece ends at the first point, tag or line that begins after so many bytes: some 4 ms where these are very short. */
export const PIECE_BYTES = 32_768;
/** Bodies up to here are read without a turn for others, as nearly all are. */
const SHORT_BYTES = 16_384;
/** Time that bodies are read for before others have their turn. */
const SLICE_MS = 4;

export interface Looking {
  readonly lookup: TagLookup;
}

/** A reader of one body at a time. */
export interface PieceReader<Options extends Looking, Parsed> {
  /** No other body may be read before the last piece, or a throw. */
  read(bytes: Uint8Array, options: Options): Pieces<Parsed>;
  /** Reclaims the memory of a batch, once nobody uses it any more; does nothing for that of another reader. */
  release(batch: PointBatch): void;
}

/** Whose turn a long body takes: asked only then, because the address of a client takes a call of the system. */
export interface Sender {
  readonly holder: string;
}

/** Reads all pieces without a turn for anybody. */
export function inOneGo<T>(pieces: Pieces<T>): T {
  let piece = pieces.next();
  while (!piece.done) piece = pieces.next();
  return piece.value;
}

/** Reads the bodies of all requests: short ones at once, long ones one at a time with turns for others between the pieces. */
export class Bodies<Options extends Looking, Parsed> {
  readonly #short: PieceReader<Options, Parsed>;
  readonly #long: PieceReader<Options, Parsed>;
  readonly #turns = new FairTurns(1);

  constructor(make: () => PieceReader<Options, Parsed>) {
    this.#short = make();
    this.#long = make();
  }

  /** Throws or rejects as the reader throws. A long body is looked up by what `lookup` gives when its turn has come. */
  parse(bytes: Uint8Array, options: Options, sender: Sender, lookup: () => TagLookup): Parsed | Promise<Parsed> {
    if (bytes.length <= SHORT_BYTES) return inOneGo(this.#short.read(bytes, options));
    return this.#parseLong(bytes, options, sender.holder, lookup);
  }

  async #parseLong(bytes: Uint8Array, options: Options, holder: string, lookup: () => TagLookup): Promise<Parsed> {
    const waiting = this.#turns.take(holder);
    if (waiting !== undefined) await waiting;
    try {
      const pieces = this.#long.read(bytes, { ...options, lookup: lookup() });
      let piece = pieces.next();
      while (!piece.done) {
        if (isTurnOver(performance.now(), SLICE_MS)) await nextTurn();
        piece = pieces.next();
      }
      return piece.value;
    } finally {
      this.#turns.give();
    }
  }

  /** Reclaims the memory of a batch, once nobody uses it any more. */
  release(batch: PointBatch): void {
    this.#short.release(batch);
    this.#long.release(batch);
  }
}
