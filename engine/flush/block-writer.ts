// Moves points that make good blocks from spills and heads into tag files, a slice at a time.

import type { Dataset } from '../dataset/dataset.ts';
import { poison } from '../dataset/write-failure.ts';
import type { EncodingBatch } from '../encoder/encoding-batch.ts';
import type { EncodingThread } from '../encoder/encoding-thread.ts';
import { EngineError } from '../errors.ts';
import type { Head } from '../head/head.ts';
import { Slicer } from '../io/slicer.ts';
import { isPassing } from '../io/system-errors.ts';
import { mayStepBack, type Tag } from '../tag/tag.ts';
import type { ValueType } from '../types.ts';
import { flushBlocks, flushHead, flushTag, onlyHead, unflushedFrom } from './flush-tag.ts';

/** Most blocks that are flushed from one long head at a turn. */
const TURN_BLOCKS = 16;
/** With more tags waiting than this, the main thread encodes blocks as well. */
const MOST_WAITING = 256;

/** Points of a head that are being encoded: `[firstOrdinal, nextOrdinal)`. */
interface Flush {
  readonly tag: Tag;
  readonly head: Head;
  readonly type: ValueType;
  readonly firstOrdinal: number;
  readonly nextOrdinal: number;
}

/** Flushes the queued tags as blocks until the queue is empty; waits until their records are synced (D5). */
export class BlockWriter {
  readonly #dataset: Dataset;
  /** Batches that are being encoded. */
  readonly #underWay = new Set<Promise<void>>();
  #running: Promise<void> | undefined;
  /** Blocks of a batch could not be written: nothing is tried again until the next `start`. */
  #isDelayed = false;
  #closed = false;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /** Starts writing, if there is something to write and it is not running already. */
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
    return this.#dataset.memory.fullTags.length > 0 && !this.#closed && !this.#dataset.deleted;
  }

  async #run(): Promise<void> {
    const slicer = new Slicer(this.#dataset.context);
    this.#isDelayed = false;
    try {
      while (this.#mayGoOn && !this.#isDelayed) {
        await this.#flushSome(this.#dataset.context.encodingThread);
        await slicer.pause();
        if (this.#dataset.memory.fullTags.length === 0) await Promise.all(this.#underWay);
      }
    } catch (error) {
      this.#giveUp(error);
    }
    await Promise.all(this.#underWay);
  }

  /** Flushes a batch of tags through the encoding thread, or one tag on this thread when that one is missing or overloaded. */
  async #flushSome(thread: EncodingThread | undefined): Promise<void> {
    const batch = thread?.take();
    if (thread && batch) await this.#encodeBatch(thread, batch);
    else if (thread?.isRunning && this.#dataset.memory.fullTags.length < MOST_WAITING) await thread.whenFree();
    else {
      const tag = await this.#nextTag();
      if (this.#mayBeFlushed(tag)) this.#flushTag(tag);
    }
  }

  /** Takes the next tag off the queue, and syncs the journal records of its points. */
  async #nextTag(): Promise<Tag> {
    const {
      memory: { fullTags },
      writing: { journal },
    } = this.#dataset;
    const tag = fullTags.pop() as Tag;
    tag.queued = false;
    if (!tag.deleted && tag.headSequence > journal.syncedSequence) await journal.sync();
    return tag;
  }

  /**
   * Points that came while the sync ran are not covered by it: their tag waits for its next turn. Check this in the same
   * turn that reads the points, because at `interval` and `os` more may come during any await (D5).
   */
  #mayBeFlushed(tag: Tag): boolean {
    return tag.headSequence <= this.#dataset.writing.journal.syncedSequence && !tag.deleted;
  }

  /** Flushes a tag's head; a long one, left by a long request, only by some blocks, and the tag is queued again. */
  #flushTag(tag: Tag): void {
    const dataset = this.#dataset;
    const mostPoints = TURN_BLOCKS * dataset.context.tunables.blockPoints;
    const head = onlyHead(dataset.files, tag);
    if (!head || head.count <= 2 * mostPoints) return flushTag(dataset, tag);
    flushHead(dataset, tag, head, mostPoints);
    this.#queue(tag);
  }

  #queue(tag: Tag): void {
    tag.queued = true;
    this.#dataset.memory.fullTags.push(tag);
  }

  /** Fills a batch with queued tags and starts encoding it; the blocks are flushed when they are ready. */
  async #encodeBatch(thread: EncodingThread, batch: EncodingBatch): Promise<void> {
    const flushes: Flush[] = [];
    try {
      while (this.#mayGoOn) {
        const tag = await this.#nextTag();
        if (!this.#mayBeFlushed(tag)) continue;
        const head = onlyHead(this.#dataset.files, tag);
        if (!head || !isForThread(tag, head)) {
          this.#flushTag(tag);
          break;
        }
        const flush = this.#addToBatch(batch, tag, head);
        if (!flush) break;
        flushes.push(flush);
      }
    } finally {
      const underWay = this.#flushEncoded(thread, batch, flushes);
      this.#underWay.add(underWay);
      void underWay.then(() => this.#underWay.delete(underWay));
    }
  }

  /** Undefined when the batch is full; the tag is then queued again. */
  #addToBatch(batch: EncodingBatch, tag: Tag, head: Head): Flush | undefined {
    const skip = unflushedFrom(tag, head);
    const firstOrdinal = head.firstOrdinal + skip;
    const { type } = head;
    const count = batch.add({ tagId: tag.id, type, firstOrdinal }, this.#dataset.memory.arena, head, skip);
    if (count === 0) {
      this.#queue(tag);
      return undefined;
    }
    tag.queued = true; // keeps others from queueing it meanwhile
    return { tag, head, type, firstOrdinal, nextOrdinal: firstOrdinal + count };
  }

  /** Never rejects. */
  async #flushEncoded(thread: EncodingThread, batch: EncodingBatch, flushes: readonly Flush[]): Promise<void> {
    let flushedCount = 0;
    try {
      if (flushes.length > 0) await thread.encode(batch);
      for (const { tag } of flushes) tag.queued = false;
      for (const flush of flushes) {
        this.#flushOne(flush, batch.blocksOf(flushedCount));
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

  /**
   * Appends encoded blocks to the tag's file if its head is unchanged since; otherwise queues the tag again. Without blocks
   * the thread has ended: the head is flushed here, with points that came meanwhile, and only if these are synced, too (D5).
   */
  #flushOne(flush: Flush, blocks: Uint8Array): void {
    const dataset = this.#dataset;
    const { tag, head, nextOrdinal } = flush;
    if (tag.deleted || dataset.deleted || dataset.context.health.poisoned) return;
    if (!this.#isAsItWas(flush)) return this.#queue(tag);
    if (blocks.length > 0) flushBlocks(dataset, tag, head, blocks, nextOrdinal);
    else if (this.#mayBeFlushed(tag)) this.#flushTag(tag);
    else this.#queue(tag);
    if (!tag.queued && tag.nextOrdinal - tag.flushedOrdinal >= dataset.context.tunables.blockPoints) this.#queue(tag);
  }

  #isAsItWas({ tag, head, type, firstOrdinal }: Flush): boolean {
    if (onlyHead(this.#dataset.files, tag) !== head || mayStepBack(tag) || head.type !== type) return false;
    return head.firstOrdinal + unflushedFrom(tag, head) === firstOrdinal;
  }

  /** Nothing is lost: the points are in the journal and in the heads. A full disk is retried; any other error poisons the engine. */
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

/** The encoding thread has no texts, and takes points in time order only. */
function isForThread(tag: Tag, head: Head): boolean {
  return !head.texts && !mayStepBack(tag) && unflushedFrom(tag, head) < head.count;
}
