// Maintenance of one dataset: blocks, checkpoints, spills, journals and purge, each when it is due.

import type { Dataset } from '../dataset/dataset.ts';
import { BlockWriter } from '../flush/block-writer.ts';
import { checkpoint } from '../flush/checkpoint.ts';
import { removeRetiredFiles } from '../flush/file-removal.ts';
import { FolderSize } from './folder-size.ts';
import { type ClockTrust, purge } from './purge.ts';
import { StatusWatch } from './status.ts';
import { SystemRecorder } from './system-recorder.ts';
import { deleteFutureSystemPoints } from './system-tag-repair.ts';

/** A dataset that can be read. */
export interface ReadableDataset {
  readonly dataset: Dataset;
  readonly size: FolderSize;
  /** Why it cannot be written to, in words; absent when it can. */
  readonly reason?: string;
}

export class DatasetMaintenance implements ReadableDataset {
  readonly dataset: Dataset;
  readonly watch: StatusWatch;
  readonly recorder: SystemRecorder;
  readonly size: FolderSize;
  readonly #blocks: BlockWriter;
  #checkpointing = false;

  /** The dataset must have been recovered. */
  constructor(dataset: Dataset) {
    this.dataset = dataset;
    this.watch = new StatusWatch(dataset);
    this.recorder = new SystemRecorder(dataset);
    this.size = new FolderSize(dataset);
    this.#blocks = new BlockWriter(dataset);
  }

  /** Name inside the data folder. */
  get folder(): string {
    return this.dataset.files.folder.slice(this.dataset.files.folder.lastIndexOf('/') + 1);
  }

  /** Called after each request: writes blocks, and spills heads that are too large. */
  afterWrite(): void {
    this.#blocks.start();
    if (this.dataset.memory.arena.usedBytes > this.dataset.context.tunables.headLimitBytes) this.#checkpoint('spill');
  }

  /** Called every second. */
  tick(): void {
    const { dataset } = this;
    if (dataset.deleted || dataset.context.health.poisoned) return;
    this.watch.tick();
    dataset.tags.former.expire();
    this.#blocks.start();
    const { tunables } = dataset.context;
    if (this.#spillsAreDue()) this.#checkpoint('absorb');
    else if (
      dataset.memory.arena.usedBytes > tunables.headLimitBytes ||
      dataset.writing.journal.keptBytes > tunables.journalLimitBytes
    )
      this.#checkpoint('spill');
    removeRetiredFiles(dataset, 'due');
  }

  async purge(clock: ClockTrust): Promise<void> {
    const { dataset } = this;
    // Not inside `maintain`: the journal may have to wait for a checkpoint first.
    const repaired = clock.trusted ? deleteFutureSystemPoints(dataset) : undefined;
    const purged = dataset.maintain(() => purge(dataset, { clock, size: this.size }));
    await Promise.all([repaired, purged]);
  }

  /** Stops all work and flushes everything to files: the next start replays nothing. */
  async close(): Promise<void> {
    const { dataset } = this;
    await dataset.annotations.idle();
    await dataset.writing.journal.drain();
    await this.#blocks.stop();
    await dataset.maintenance;
    if (!dataset.context.health.poisoned)
      await dataset
        .maintain(() => checkpoint(dataset, { mode: 'spill' }))
        .catch((error: unknown) => this.#noteFailed(error));
    await dataset.writing.journal.close();
  }

  /** Stops all work without flushing: the dataset is deleted. */
  async stop(): Promise<void> {
    await this.dataset.writing.lane.idle();
    await this.dataset.annotations.idle();
    await this.dataset.writing.journal.drain();
    await this.#blocks.stop();
    await this.dataset.maintenance;
    await this.dataset.writing.journal.close().catch(() => undefined);
  }

  #spillsAreDue(): boolean {
    const { context } = this.dataset;
    const spills = this.dataset.files.spills.filter((spill) => !spill.unreadable);
    const oldest = spills[0];
    if (!oldest) return false;
    return (
      spills.length > context.tunables.maxSpills ||
      context.clock.nowMs() - oldest.createdMs > context.tunables.spillAgeMs
    );
  }

  #checkpoint(mode: 'spill' | 'absorb'): void {
    if (this.#checkpointing || this.dataset.isEnding) return;
    this.#checkpointing = true;
    const { dataset } = this;
    dataset
      .maintain(() => checkpoint(dataset, { mode, mayBeLeft: true }))
      .catch((error: unknown) => this.#noteFailed(error))
      .finally(() => {
        this.#checkpointing = false;
      });
  }

  /** A failed checkpoint loses nothing: the journals are kept. */
  #noteFailed(error: unknown): void {
    this.dataset.report(
      'error',
      'checkpoint.failed',
      `A checkpoint failed: ${String(error)}. The journals are kept until one succeeds.`,
    );
  }
}
