// Moves points that make good blocks from spills and heads into tag files, a slice at a time.

import type { Dataset } from '../dataset/dataset.ts';
import { poison } from '../dataset/write-failure.ts';
import type { EncodingBatch } from '../encoder/encoding-batch.ts';
import type { EncodingThread } from '../encoder/encoding-thread.ts';
import { EngineError } from '../errors.ts';
import type { Head } from '../head/head.ts';
import { Slicer } from '../io/slicer.ts';
import { isPassing } from '../io/system-errors.ts';
import type { Tag } from '../tag/tag.ts';
import type { ValueType } from '../types.ts';
import { fileBlocks, fileHead, fileTag, onlyHead, unflushedFrom } from './flush-tag.ts';

/** Blocks that a tag's long head gives at a turn. */
const TURN_BLOCKS = 16;
/** With more tags waiting, this thread helps the one that encodes. */
const MOST_WAITING = 256;

/** Points of a head that are being encoded: `[firstOrdinal, nextOrdinal)`. */
interface Flush {
  readonly tag: Tag;
  readonly head: Head;
  readonly type: ValueType;
  readonly firstOrdinal: number;
  readonly nextOrdinal: number;
}

/** Writes the queued tags' blocks until none is left; waits for the journal where it must (D5). */
export class BlockWriter {
  readonly #dataset: Dataset;
  /** Batches of blocks that are being encoded. */
  readonly #underWay = new Set<Promise<void>>();
  #running: Promise<void> | undefined;
  /** Blocks of a batch could not be written: nothing more is tried until the next start. */
  #isDelayed = false;
  #closed = false;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /** Begins to write, when there is something and nobody does already. */
  start(): void {
    if (this.#running || !this.#mayGoOn) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Stops after the slice under way. */
  async stop(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  get #mayGoOn(): boolean {
    return this.#dataset.fullTags.length > 0 && !this.#closed && !this.#dataset.deleted;
  }

  async #run(): Promise<void> {
    const slicer = new Slicer(this.#dataset.context);
    this.#isDelayed = false;
    try {
      while (this.#mayGoOn && !this.#isDelayed) {
        await this.#fileSome(this.#dataset.context.encodingThread);
        await slicer.pause();
        if (this.#dataset.fullTags.length === 0) await Promise.all(this.#underWay);
      }
    } catch (error) {
      this.#giveUp(error);
    }
    await Promise.all(this.#underWay);
  }

  /** Has a batch of tags encoded on the other thread, or one tag here, when there is none or too much for it. */
  async #fileSome(thread: EncodingThread | undefined): Promise<void> {
    const batch = thread?.take();
    if (thread && batch) await this.#encodeBatch(thread, batch);
    else if (thread?.isRunning && this.#dataset.fullTags.length < MOST_WAITING) await thread.whenFree();
    else {
      const tag = await this.#nextTag();
      if (this.#mayBeFlushed(tag)) this.#file(tag);
    }
  }

  /** Takes the next tag of the queue, and has its points synced. */
  async #nextTag(): Promise<Tag> {
    const { fullTags, journal } = this.#dataset;
    const tag = fullTags.pop() as Tag;
    tag.queued = false;
    if (!tag.deleted && tag.headSequence > journal.syncedSequence) await journal.sync();
    return tag;
  }

  /**
   * What came while the sync ran is not covered by it: such a tag waits for its next turn. To be asked in the turn that
   * takes the points, because at `interval` and `os` more may come whenever something is waited for (D5).
   */
  #mayBeFlushed(tag: Tag): boolean {
    return tag.headSequence <= this.#dataset.journal.syncedSequence && !tag.deleted;
  }

  /** Of a long head, which a long request leaves, only some blocks: the tag has another turn. */
  #file(tag: Tag): void {
    const dataset = this.#dataset;
    const mostPoints = TURN_BLOCKS * dataset.context.tunables.blockPoints;
    const head = onlyHead(dataset, tag);
    if (!head || head.count <= 2 * mostPoints) return fileTag(dataset, tag);
    fileHead(dataset, tag, head, mostPoints);
    this.#queue(tag);
  }

  #queue(tag: Tag): void {
    tag.queued = true;
    this.#dataset.fullTags.push(tag);
  }

  /** Fills a batch with tags of the queue, and sees to it that their blocks are filed. */
  async #encodeBatch(thread: EncodingThread, batch: EncodingBatch): Promise<void> {
    const flushes: Flush[] = [];
    try {
      while (this.#mayGoOn) {
        const tag = await this.#nextTag();
        if (!this.#mayBeFlushed(tag)) continue;
        const head = onlyHead(this.#dataset, tag);
        if (!head || !isForThread(tag, head)) {
          this.#file(tag);
          break;
        }
        const flush = this.#addToBatch(batch, tag, head);
        if (!flush) break;
        flushes.push(flush);
      }
    } finally {
      const underWay = this.#fileEncoded(thread, batch, flushes);
      this.#underWay.add(underWay);
      void underWay.then(() => this.#underWay.delete(underWay));
    }
  }

  /** Undefined when the batch is full; the tag then waits for the next one. */
  #addToBatch(batch: EncodingBatch, tag: Tag, head: Head): Flush | undefined {
    const skip = unflushedFrom(tag, head);
    const firstOrdinal = head.firstOrdinal + skip;
    const { type } = head;
    const count = batch.add({ tagId: tag.id, type, firstOrdinal }, this.#dataset.arena, head, skip);
    if (count === 0) {
      this.#queue(tag);
      return undefined;
    }
    tag.queued = true; // nobody is to queue it meanwhile
    return { tag, head, type, firstOrdinal, nextOrdinal: firstOrdinal + count };
  }

  /** Never rejects. */
  async #fileEncoded(thread: EncodingThread, batch: EncodingBatch, flushes: readonly Flush[]): Promise<void> {
    let flushedCount = 0;
    try {
      if (flushes.length > 0) await thread.encode(batch);
      for (const { tag } of flushes) tag.queued = false;
      for (const flush of flushes) {
        this.#fileOne(flush, batch.blocksOf(flushedCount));
        flushedCount++;
      }
    } catch (error) {
      this.#giveUp(error);
      this.#isDelayed = true;
      for (const { tag } of flushes.slice(flushedCount)) if (!tag.queued && !tag.deleted) this.#queue(tag);
    } finally {
      thread.release(batch);
    }
  }

  /** Files what was encoded, unless something else has become of it meanwhile; the rest has another turn. */
  #fileOne(flush: Flush, blocks: Uint8Array): void {
    const dataset = this.#dataset;
    const { tag, head, nextOrdinal } = flush;
    if (tag.deleted || dataset.deleted || dataset.context.health.poisoned) return;
    if (!this.#isAsItWas(flush)) return this.#queue(tag);
    if (blocks.length > 0) fileBlocks(dataset, tag, head, blocks, nextOrdinal);
    else this.#file(tag);
    if (!tag.queued && tag.nextOrdinal - tag.flushedOrdinal >= dataset.context.tunables.blockPoints) this.#queue(tag);
  }

  #isAsItWas({ tag, head, type, firstOrdinal }: Flush): boolean {
    if (onlyHead(this.#dataset, tag) !== head || tag.deletedRanges.length > 0 || head.type !== type) return false;
    return head.firstOrdinal + unflushedFrom(tag, head) === firstOrdinal;
  }

  /** Nothing is lost: the points are in the journal and in the heads. A full disk passes, anything else does not. */
  #giveUp(error: unknown): void {
    const dataset = this.#dataset;
    if (error instanceof EngineError && error.code === 'POISONED') return;
    if (isPassing(error)) {
      dataset.context.disk.noteFull();
      dataset.report(
        'warn',
        'blocks.delayed',
        `Blocks could not be written (${String(error)}); their points stay in the journal and are tried again.`,
      );
      return;
    }
    poison(dataset, 'Writing blocks', error);
  }
}

/** The thread knows no texts, and splits nothing where times may step back. */
function isForThread(tag: Tag, head: Head): boolean {
  return !head.texts && tag.deletedRanges.length === 0 && unflushedFrom(tag, head) < head.count;
}
