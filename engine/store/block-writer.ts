// Moves points that make good blocks from spills and heads into tag files, a slice at a time.

import { EngineError } from '../errors.ts';
import { isPassing } from '../io/system-errors.ts';
import type { Dataset } from './dataset.ts';
import { Slicer } from './slicer.ts';
import type { Tag } from './tag.ts';
import { fileHead, fileTag, onlyHead } from './tag-filing.ts';

/** Blocks that a tag's long head gives at a turn. */
const TURN_BLOCKS = 16;

/** Writes the queued tags' blocks until none is left; waits for the journal where it must (rule 1e). */
export class BlockWriter {
  readonly #dataset: Dataset;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /** Begins to write, when there is something and nobody does already. */
  start(): void {
    if (this.#running || this.#closed || this.#dataset.fullTags.length === 0) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Stops after the slice under way. */
  async stop(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  get idle(): Promise<void> | undefined {
    return this.#running;
  }

  async #run(): Promise<void> {
    const dataset = this.#dataset;
    const slicer = new Slicer(dataset.context);
    try {
      while (dataset.fullTags.length > 0 && !this.#closed && !dataset.deleted) {
        const tag = dataset.fullTags.pop() as Tag;
        tag.queued = false;
        if (tag.deleted) continue;
        if (tag.headSequence > dataset.journal.syncedSequence) await dataset.journal.sync();
        // What came while the sync ran is not covered by it: this tag waits for its next turn.
        if (tag.headSequence <= dataset.journal.syncedSequence && !tag.deleted) this.#file(tag);
        await slicer.pause();
      }
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Of a long head, which a long request leaves, only some blocks: the tag has another turn. */
  #file(tag: Tag): void {
    const dataset = this.#dataset;
    const mostPoints = TURN_BLOCKS * dataset.context.tunables.blockPoints;
    const head = onlyHead(dataset, tag);
    if (!head || head.count <= 2 * mostPoints) return fileTag(dataset, tag);
    fileHead(dataset, tag, head, mostPoints);
    tag.queued = true;
    dataset.fullTags.push(tag);
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
    dataset.context.poison(
      new EngineError('POISONED', `Writing blocks of dataset '${dataset.name}' failed (${String(error)}).`, {}, error),
    );
  }
}
