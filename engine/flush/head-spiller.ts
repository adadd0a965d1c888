// Writes the heads of many tags into one spill; the heads drop these points once the spill is durable.

import type { Dataset } from '../dataset/dataset.ts';
import { SPILL_FOLDER } from '../filenames.ts';
import { SpillWriter } from '../files/spill.ts';
import { PlainPoints } from '../format/block/plain-block.ts';
import { type Head, headParts } from '../head/head.ts';
import { Slicer } from '../io/slicer.ts';
import { mayStepBack, type Tag } from '../tag/tag.ts';
import { PointColumns } from '../types.ts';
import { dropHead } from './flush-tag.ts';

/** A tag whose head points below `ordinal` are in the spill. */
interface SpilledHead {
  readonly tag: Tag;
  readonly ordinal: number;
}

export class HeadSpiller {
  readonly #dataset: Dataset;
  readonly #points = new PointColumns(4096);
  readonly #plain = new PlainPoints(4096);
  readonly #spilled: SpilledHead[] = [];
  #writer: SpillWriter | undefined;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /** Adds a tag's head; call it in the order of tag ids. The journal records of its points must be synced (D5). */
  add(tag: Tag): void {
    let ordinal = 0;
    for (const part of headParts(tag.head)) {
      if (part.count === 0) continue;
      this.#writer ??= this.#begin();
      this.#addPart(this.#writer, tag, part);
      ordinal = part.nextOrdinal;
    }
    if (ordinal > 0) this.#spilled.push({ tag, ordinal });
  }

  #addPart(writer: SpillWriter, tag: Tag, part: Head): void {
    const {
      memory: { arena },
    } = this.#dataset;
    const { type, firstOrdinal } = part;
    const first = mayStepBack(tag) ? -1 : arena.copyPlain(part, 0, part.count, this.#plain);
    if (first >= 0) return writer.addPlain(this.#plain, first, { tagId: tag.id, type, firstOrdinal });
    this.#points.clear();
    arena.copy(part, 0, part.count, this.#points);
    writer.addAll(this.#points, { tagId: tag.id, type, firstOrdinal, order: tag.isLate ? 'arrival' : 'time' });
  }

  /** Undefined when there is nothing to wait for: a million needless awaits take seconds. */
  flushWhenFull(): Promise<void> | undefined {
    return this.#writer?.full ? this.#writer.flush() : undefined;
  }

  /** Makes the spill durable; reads use it from then on. Creates no spill when there are no points. */
  async finish(): Promise<void> {
    const writer = this.#writer;
    if (!writer) return;
    const spill = await writer.finish();
    this.#writer = undefined;
    this.#dataset.context.bytesWritten.spill += spill.sizeBytes;
    this.#dataset.files.spills.push(spill);
    // Until they are dropped, points are in both, and are read once, by their ordinals (D6).
    const slicer = new Slicer(this.#dataset.context);
    for (const { tag, ordinal } of this.#spilled) {
      dropHead(this.#dataset.memory, tag, ordinal);
      const turn = slicer.pause();
      if (turn) await turn;
    }
  }

  abandon(): void {
    this.#writer?.abandon();
  }

  #begin(): SpillWriter {
    const { vfs, clock } = this.#dataset.context;
    vfs.makeDirectorySync(`${this.#dataset.files.folder}/${SPILL_FOLDER}`);
    return new SpillWriter(vfs, this.#dataset.files.folder, this.#dataset.files.nextSpillNumber++, clock.nowMs());
  }
}
