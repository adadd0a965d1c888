// Statuses of a dataset's collector: points of the system tag Status, and the watch over its heartbeat.

import type { Dataset } from '../dataset/dataset.ts';
import { SystemTagId } from '../dataset/system-tags.ts';
import { appendSystemPoints } from '../ingest/general-append.ts';
import type { Tag } from '../tag/tag.ts';
import { type PointRun, ValueType, type WriteCounts, type WriteReceipt } from '../types.ts';
import { columnsOf, StatusPlan, StatusQuality } from './status-plan.ts';

/** The tag that holds the statuses of a dataset. */
export function statusTag(dataset: Dataset): Tag {
  return dataset.byId.get(SystemTagId.Status) as Tag;
}

/** Stores what was planned, which must be just now: nothing else may have been admitted since. */
export async function storeStatuses(
  dataset: Dataset,
  { stored, repeatedCount }: StatusPlan,
  urgency: 'sync' | 'lazy',
): Promise<WriteReceipt> {
  const tag = statusTag(dataset);
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

/** Watches a collector's heartbeat: after the given time without a sign of life the server posts 64, at the next sign 192. */
export class StatusWatch {
  readonly #dataset: Dataset;
  #watching: boolean;
  #lost: boolean;
  #signMs: number;

  /** Goes on where the statuses say it was; silence counts from now. */
  constructor(dataset: Dataset) {
    this.#dataset = dataset;
    const quality = statusTag(dataset).newest?.quality;
    this.#lost = quality === StatusQuality.StoreForward;
    this.#watching = this.#lost || quality === StatusQuality.Good;
    this.#signMs = dataset.context.clock.monotonicMs();
  }

  /** The collector has posted statuses, which are stored already, or on their way. */
  notePosted({ signs, repeatedCount }: StatusPlan): void {
    for (const quality of signs) this.#noteStatus(quality);
    if (signs.length === 0 && repeatedCount > 0) this.noteData(); // sent again, but sent by somebody who lives
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

  /** Data has arrived. */
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
    const plan = new StatusPlan(this.#dataset, statusTag(this.#dataset), [{ time: undefined, quality }]);
    storeStatuses(this.#dataset, plan, 'lazy').catch(() => undefined); // the journal has said why
  }
}
