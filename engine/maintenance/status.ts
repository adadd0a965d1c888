// Statuses of a dataset's collector: points of the system tag Status, and the supervision of its heartbeat.

import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetTags } from '../dataset/dataset-tags.ts';
import { SystemTagId } from '../dataset/system-tags.ts';
import { appendSystemPoints } from '../ingest/append-batch.ts';
import type { Tag } from '../tag/tag.ts';
import { type PointRun, ValueType, type WriteCounts, type WriteReceipt } from '../types.ts';
import { columnsOf, StatusPlan, StatusQuality } from './status-plan.ts';

/** The tag that holds the statuses of a dataset. */
export function statusTag(tags: DatasetTags): Tag {
  return tags.byId.get(SystemTagId.Status) as Tag;
}

/** Stores a plan. It must have been made in the same turn: nothing else may have been accepted since. */
export async function storeStatuses(
  dataset: Dataset,
  { stored, repeatedCount }: StatusPlan,
  urgency: 'sync' | 'lazy',
): Promise<WriteReceipt> {
  const tag = statusTag(dataset.tags);
  const run: PointRun = {
    name: tag.name,
    tag,
    type: ValueType.Open,
    start: 0,
    count: stored.length,
    rejected: 0,
    stamped: 0,
  };
  const receipt = await appendSystemPoints(dataset, { points: columnsOf(stored), runs: [run] }, urgency);
  const counts: WriteCounts = { ...receipt, repeated: repeatedCount };
  const tags = new Map([[tag.name, counts]]);
  return { ...counts, tags, eachTag: () => tags };
}

/** Supervises a collector's heartbeat: the server posts 64 after the given time without a sign of life, and 192 at the next. */
export class StatusWatch {
  readonly #dataset: Dataset;
  #watching: boolean;
  #lost: boolean;
  #signMs: number;

  /** Continues from the stored statuses; silence counts from now. */
  constructor(dataset: Dataset) {
    this.#dataset = dataset;
    const quality = statusTag(dataset.tags).newest?.quality;
    this.#lost = quality === StatusQuality.StoreForward;
    this.#watching = this.#lost || quality === StatusQuality.Good;
    this.#signMs = dataset.context.clock.monotonicMs();
  }

  /** Call it when the collector has posted statuses; they are stored or pending. */
  notePosted({ signs, repeatedCount }: StatusPlan): void {
    for (const quality of signs) this.#noteStatus(quality);
    if (signs.length === 0 && repeatedCount > 0) this.noteData(); // a repetition is a sign of life, too
  }

  #noteStatus(quality: number): void {
    if (quality === StatusQuality.Good) {
      this.#watching = true;
      this.#lost = false;
      this.#signMs = this.#dataset.context.clock.monotonicMs();
    } else if (quality === StatusQuality.Shutdown || quality === StatusQuality.SourceLost) {
      this.#watching = false;
      this.#lost = false;
    }
  }

  /** Call it when data has arrived. */
  noteData(): void {
    if (!this.#watching) return;
    this.#signMs = this.#dataset.context.clock.monotonicMs();
    if (!this.#lost) return;
    this.#lost = false;
    this.#post(StatusQuality.Good);
  }

  tick(): void {
    if (!this.#watching || this.#lost) return;
    if (this.#dataset.context.clock.monotonicMs() - this.#signMs < this.#dataset.context.tunables.heartbeatMs) return;
    this.#lost = true;
    this.#post(StatusQuality.StoreForward);
  }

  #post(quality: number): void {
    const plan = new StatusPlan(this.#dataset, statusTag(this.#dataset.tags), [{ time: undefined, quality }]);
    storeStatuses(this.#dataset, plan, 'lazy').catch(() => undefined); // the journal has reported why
  }
}
