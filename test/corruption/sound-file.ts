// What a file gives while it is sound, and whether it gives nothing else once it is damaged.

import type { Vfs } from '../../engine/io/vfs.ts';
import { FIRST_USER_TAG_ID } from '../../engine/limits.ts';
import { openFile, type Piece } from './touched-file.ts';
import type { WrittenPoints } from './written-points.ts';

interface KnownPiece {
  readonly bytes: Uint8Array;
  /** Number of the judgement that has met it last. */
  seenIn: number;
}

interface JudgedFile {
  readonly pieceCount: number;
  readonly lostCount: number;
  /** Whether the readers say that something could not be read. */
  readonly isDamageSaid: boolean;
}

export class SoundFile {
  readonly #pieces = new Map<number | string, KnownPiece>();
  readonly #folder: string;
  readonly #path: string;
  readonly #written: ReadonlyMap<number, WrittenPoints>;
  #judgement = 0;
  #seenCount = 0;

  /** Opens the sound file, whose blocks must hold what was written. `written` is by tag id. */
  constructor(vfs: Vfs, folder: string, path: string, written: ReadonlyMap<number, WrittenPoints>) {
    this.#folder = folder;
    this.#path = path;
    this.#written = written;
    const isDamageSaid = openFile(vfs, folder, path, (piece) => {
      this.#checkPoints(piece);
      if (this.#pieces.has(piece.key)) throw new Error(`${path} gives ${piece.key} twice`);
      this.#pieces.set(piece.key, { bytes: piece.bytes.slice(), seenIn: 0 });
    });
    if (isDamageSaid) throw new Error(`${path} is said to be damaged before anything was done to it`);
  }

  /** Opens the file again. Throws when it gives anything that it did not give before, down to a byte. */
  judge(vfs: Vfs): JudgedFile {
    this.#judgement++;
    this.#seenCount = 0;
    const isDamageSaid = openFile(vfs, this.#folder, this.#path, this.#see);
    return { pieceCount: this.#pieces.size, lostCount: this.#pieces.size - this.#seenCount, isDamageSaid };
  }

  readonly #see = (piece: Piece): void => {
    this.#checkPoints(piece);
    const known = this.#pieces.get(piece.key);
    if (known === undefined || Buffer.compare(known.bytes, piece.bytes) !== 0)
      throw new Error(`gives what was never written: piece ${String(piece.key).slice(0, 60)}`);
    if (known.seenIn === this.#judgement) return;
    known.seenIn = this.#judgement;
    this.#seenCount++;
  };

  /** The points of system tags are the engine's own: their blocks are known by their bytes only. */
  #checkPoints({ block }: Piece): void {
    if (block === undefined || block.header.tagId < FIRST_USER_TAG_ID) return;
    const { header, points } = block;
    const written = this.#written.get(header.tagId);
    if (written === undefined) throw new Error(`gives what was never written: a block of tag ${header.tagId}`);
    const next = written.follow(header.type, points, 0, points.count, header.firstOrdinal);
    if (points.count !== header.pointCount || next !== header.firstOrdinal + points.count)
      throw new Error(`${written.name}: a block says ordinals that its points do not have`);
  }
}
