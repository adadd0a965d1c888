// Statuses of a dataset's collector: points of the system tag Status, and the watch over its heartbeat.

import {
  type Instant,
  PointColumns,
  type PointRun,
  type StatusPoint,
  TICKS_PER_MS,
  ValueType,
  type WriteReceipt,
} from '../types.ts';
import { admitSystemPoints } from './admission.ts';
import type { Dataset } from './dataset.ts';
import { LatePoints } from './late-points.ts';
import { SystemTagId } from './system-tags.ts';
import type { Tag } from './tag.ts';

export const StatusQuality = { Good: 192, StoreForward: 64, Shutdown: 28, SourceLost: 24 } as const;

/** Equal heartbeats are stored at most this often. */
const HEARTBEAT_STORE_MS = 60_000;

interface PlannedStatus {
  readonly ms: number;
  readonly ticks: number;
  readonly quality: number;
}

/**
 * Stores statuses in their order: none is ever ignored, one that is not later than the newest comes one tick after it.
 * Repeated heartbeats within a minute are counted as repeated and not stored.
 */
export function storeStatuses(
  dataset: Dataset,
  statuses: readonly StatusPoint[],
  urgency: 'sync' | 'lazy',
): Promise<WriteReceipt> {
  const tag = dataset.byId.get(SystemTagId.Status) as Tag;
  const receivedMs = dataset.context.clock.nowMs();
  const planned: PlannedStatus[] = [];
  let newest: PlannedStatus | undefined = tag.admitted;
  for (const { time, quality } of statuses) {
    if (time && isStored(dataset, tag, time, quality, newest)) continue; // sent again
    const at = later(time ?? { ms: receivedMs, ticks: 0 }, newest);
    const repeated =
      quality === StatusQuality.Good && newest?.quality === quality && at.ms - newest.ms < HEARTBEAT_STORE_MS;
    if (repeated) continue;
    newest = { ...at, quality };
    planned.push(newest);
  }
  const run: PointRun = {
    name: tag.name,
    tag,
    type: ValueType.Open,
    start: 0,
    count: planned.length,
    rejected: 0,
    stamped: 0,
  };
  return admitSystemPoints(dataset, { points: columnsOf(planned), runs: [run] }, urgency);
}

/** Whether exactly this status is there already: then it is the retry of a request, not another status. */
function isStored(
  dataset: Dataset,
  tag: Tag,
  time: Instant,
  quality: number,
  newest: PlannedStatus | undefined,
): boolean {
  if (!newest || newest.ms < time.ms || (newest.ms === time.ms && newest.ticks < time.ticks)) return false;
  return new LatePoints(dataset, tag).has(columnsOf([{ ...time, quality }]), 0, ValueType.Open);
}

function later(time: { ms: number; ticks: number }, newest: PlannedStatus | undefined): { ms: number; ticks: number } {
  if (!newest || time.ms > newest.ms || (time.ms === newest.ms && time.ticks > newest.ticks))
    return { ms: time.ms, ticks: time.ticks };
  if (newest.ticks + 1 < TICKS_PER_MS) return { ms: newest.ms, ticks: newest.ticks + 1 };
  return { ms: newest.ms + 1, ticks: 0 };
}

function columnsOf(statuses: readonly PlannedStatus[]): PointColumns {
  const points = new PointColumns(Math.max(1, statuses.length));
  points.count = statuses.length;
  for (const [i, { ms, ticks, quality }] of statuses.entries()) {
    points.timesMs[i] = ms;
    points.ticks[i] = ticks;
    points.qualities[i] = quality;
    points.nulls[i] = 1;
  }
  return points;
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
    const quality = (dataset.byId.get(SystemTagId.Status) as Tag).newest?.quality;
    this.#lost = quality === StatusQuality.StoreForward;
    this.#watching = this.#lost || quality === StatusQuality.Good;
    this.#signMs = dataset.context.clock.monotonicMs();
  }

  /** The collector has posted a status. */
  notePosted(quality: number): void {
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
    storeStatuses(this.#dataset, [{ time: undefined, quality }], 'lazy').catch(() => undefined); // the journal has said why
  }
}
