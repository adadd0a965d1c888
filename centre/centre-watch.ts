// Watches the points of a dataset at the centre by asking for the newest point of each tag again and again. What a poll finds
// new is read and told; late points and corrections are told as ranges that have changed, removals as all of the tag's time.

import {
  type CorrectedRange,
  type CorrectionWatcher,
  FIRST_INSTANT,
  LAST_INSTANT,
  type PointColumns,
  type PointWatch,
  type PointWatcher,
  type ReadMarker,
  type ValueType,
} from '../engine/index.ts';
import type { Cluster } from '../replication/clickhouse/cluster.ts';
import { pointsTable } from '../replication/clickhouse/schema.ts';
import { ticksText } from '../replication/clickhouse/ticks.ts';
import type { TagDocument } from '../replication/sink.ts';
import type { CentreDataset } from './catalogue/centre-dataset.ts';
import { readTips } from './points/known-points.ts';
import type { RowPoint } from './points/readable-rows.ts';
import { ROW_COLUMNS, type Rows } from './points/row-reader.ts';
import { openRows } from './points/tag-rows.ts';

/** Between two polls. */
const POLL_MS = 1_000;

interface Watcher {
  readonly onPoints: PointWatcher;
  readonly onCorrected: CorrectionWatcher | undefined;
}

export class CentreWatch {
  readonly #cluster: Cluster;
  readonly #dataset: CentreDataset;
  readonly #watchers = new Set<Watcher>();
  /** Whether the dataset is still the one of its name. */
  readonly #isThere: () => boolean;
  /** By tag id. */
  #tips = new Map<number, RowPoint>();
  #corrections: ReadonlyMap<number, unknown> = new Map();
  /** Tags as of the last poll, and the largest revision of them then. */
  #tags: ReadonlyMap<number, TagDocument> = new Map();
  #revision = -1;
  #timer: NodeJS.Timeout | undefined;

  constructor(cluster: Cluster, dataset: CentreDataset, isThere: () => boolean) {
    this.#cluster = cluster;
    this.#dataset = dataset;
    this.#isThere = isThere;
  }

  get isUsed(): boolean {
    return this.#watchers.size > 0;
  }

  /** The newest point of a tag at the last poll. */
  newestOf(tagId: number): RowPoint | undefined {
    return this.#tips.get(tagId);
  }

  add(onPoints: PointWatcher, onCorrected: CorrectionWatcher | undefined): PointWatch {
    const watcher = { onPoints, onCorrected };
    this.#watchers.add(watcher);
    if (this.#timer === undefined) this.#schedule(0);
    const watchers = this.#watchers;
    const isThere = this.#isThere;
    return {
      position: (name) => this.#position(name),
      nameOf: (tagId) => this.#dataset.definitionOf(tagId)?.name,
      get isOn() {
        return watchers.has(watcher) && isThere();
      },
      stop: () => {
        watchers.delete(watcher);
        if (watchers.size === 0) this.stop();
      },
    };
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tips.clear();
  }

  #position(name: string): ReadMarker | undefined {
    const tag = this.#dataset.find(name);
    return tag && { tagId: tag.id, ordinal: (this.#tips.get(tag.id)?.ordinal ?? -1) + 1 };
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => {
      void this.#poll()
        // The catalogue tells when the centre is away; the next poll goes on.
        .catch(() => undefined)
        .then(() => {
          if (this.isUsed && this.#isThere()) this.#schedule(POLL_MS);
        });
    }, ms);
  }

  async #poll(): Promise<void> {
    const tags = [...this.#dataset.byId.keys()];
    const isFirst = this.#tips.size === 0;
    const tips = await readTips(this.#cluster, this.#dataset, tags);
    const changed = [...tips].filter(([id, tip]) => tip.ordinal > (this.#tips.get(id)?.ordinal ?? -1));
    const before = this.#tips;
    if (isFirst) this.#tips = tips;
    else for (const [id, tip] of changed) await this.#tell(id, before.get(id), tip);
    this.#tellCorrections(isFirst);
    this.#tellRemovals(isFirst);
  }

  async #tell(id: number, before: RowPoint | undefined, tip: RowPoint): Promise<void> {
    const tag = this.#dataset.byId.get(id);
    if (tag === undefined) return;
    const from = (before?.ordinal ?? -1) + 1;
    const runs =
      tip.ordinal === from ? [{ ...tip, firstOrdinal: from, count: 1 }] : await this.#runsFrom(id, from, before, tip);
    this.#tips.set(id, tip);
    if (tag.lateOf !== undefined) return this.#tellLate(tag, runs);
    for (const { type, points, index, count, firstOrdinal } of runs) {
      const marker = { tagId: id, ordinal: firstOrdinal, isSystem: tag.isSystem };
      const run = { ...marker, tag: tag.definition, type, points, start: index, count };
      for (const { onPoints } of this.#watchers) onPoints(run);
    }
  }

  /** Late points change a range of the past. */
  #tellLate({ lateOf }: TagDocument, runs: readonly Run[]): void {
    const owner = lateOf === undefined ? undefined : this.#dataset.byId.get(lateOf);
    if (owner === undefined) return;
    for (const { points, index, count } of runs) {
      const times = points.timesMs.slice(index, index + count);
      const start = { ms: times.reduce((a, b) => Math.min(a, b)), ticks: 0 };
      const end = { ms: times.reduce((a, b) => Math.max(a, b)), ticks: 9_999 };
      this.#tellChanged(owner, { start, end });
    }
  }

  /** Rows behind those that are known, by runs of one type. */
  async #runsFrom(id: number, from: number, before: RowPoint | undefined, tip: RowPoint): Promise<Run[]> {
    const isOrdered = this.#dataset.byId.get(id)?.lateOf === undefined;
    const since = before && isOrdered ? ` AND time >= ${ticksText(before.ms, before.ticks)}` : '';
    const select = `SELECT ${ROW_COLUMNS} FROM ${pointsTable(this.#cluster.style)} WHERE dataset = ${this.#dataset.key} AND tag = ${id}${since} AND ordinal >= ${from} AND ordinal <= ${tip.ordinal} ORDER BY ordinal`;
    const source = openRows(this.#cluster, select);
    const runs: Run[] = [];
    try {
      for (let rows = await source.next(); rows; rows = await source.next()) addRuns(rows, runs);
    } finally {
      source.close();
    }
    return runs;
  }

  /** Corrections that came, or that were undone. */
  #tellCorrections(isFirst: boolean): void {
    const now = new Map<number, boolean>();
    for (const correction of this.#dataset.corrections.all()) {
      const { id, tagId, undone } = correction;
      now.set(id, undone === undefined);
      const tag = this.#dataset.byId.get(tagId);
      if (isFirst || tag === undefined || this.#corrections.get(id) === now.get(id)) continue;
      this.#tellChanged(tag, correction);
    }
    this.#corrections = now;
  }

  /** Tags that were deleted, and those of which points were removed: at which times these were is not known here. */
  #tellRemovals(isFirst: boolean): void {
    const { byId, revision } = this.#dataset;
    if (revision === this.#revision) return;
    for (const tag of isFirst ? [] : this.#tags.values()) {
      const now = byId.get(tag.id);
      if (now === tag || (now && countOf(now) === countOf(tag))) continue;
      const owner = tag.lateOf === undefined ? tag : byId.get(tag.lateOf);
      if (owner !== undefined) this.#tellChanged(owner, { start: FIRST_INSTANT, end: LAST_INSTANT });
    }
    this.#tags = new Map(byId);
    this.#revision = revision;
  }

  #tellChanged({ id, isSystem, definition }: TagDocument, { start, end }: Pick<CorrectedRange, 'start' | 'end'>): void {
    const range = { tagId: id, isSystem, tag: definition, start, end };
    for (const { onCorrected } of this.#watchers) onCorrected?.(range);
  }
}

/** Ordinals that were removed; their ranges are never taken back. */
function countOf({ deleted }: TagDocument): number {
  return deleted.reduce((sum, { from, to }) => sum + to - from, 0);
}

interface Run {
  readonly type: ValueType;
  readonly points: PointColumns;
  readonly index: number;
  readonly count: number;
  readonly firstOrdinal: number;
}

/** Adds rows as runs of one type with consecutive ordinals; a row that comes twice once. */
function addRuns({ points, types, ordinals, start: first, end }: Rows, runs: Run[]): void {
  let start = first;
  for (let i = first + 1; i <= end; i++) {
    const isNext = i < end && types[i] === types[start] && ordinals[i] === (ordinals[i - 1] as number) + 1;
    if (isNext) continue;
    const firstOrdinal = ordinals[start] as number;
    const last = runs.at(-1);
    const isTwice = last !== undefined && firstOrdinal < last.firstOrdinal + last.count;
    if (!isTwice) runs.push({ type: types[start] as ValueType, points, index: start, count: i - start, firstOrdinal });
    start = i;
  }
}
