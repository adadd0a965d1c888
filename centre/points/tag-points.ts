// The points of one tag at the centre: every way to read them goes over rows in order, or backwards.

import { type Amendment, compareInstants, type Instant, LAST_INSTANT } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import type { TagDocument } from '../../replication/sink.ts';
import type { CentreDataset } from '../catalogue/centre-dataset.ts';
import { readTips } from './known-points.ts';
import { newestFirst } from './newest-first.ts';
import { RangeCursor, type RangeRead } from './range-cursor.ts';
import type { RowPoint } from './readable-rows.ts';
import { type RowRange, type RowSource, TagRows } from './tag-rows.ts';

export interface CarriedRead {
  readonly start: Instant;
  readonly end: Instant;
  readonly limit: number | undefined;
  readonly carryIn: boolean;
}

export class TagPoints {
  readonly tag: TagDocument;
  readonly #cluster: Cluster;
  readonly #dataset: CentreDataset;
  readonly #rows: TagRows;
  readonly #amendment: Amendment | undefined;

  constructor(cluster: Cluster, dataset: CentreDataset, tag: TagDocument) {
    this.tag = tag;
    this.#cluster = cluster;
    this.#dataset = dataset;
    this.#rows = new TagRows(cluster, dataset, tag);
    this.#amendment = dataset.corrections.amendmentOf(tag.id);
  }

  /** Whether its rows are its points: no corrections and no late points. */
  get isItsRows(): boolean {
    return this.#amendment === undefined && this.#rows.late === undefined;
  }

  /** Whether its newest point is the one with the largest ordinal. */
  get isPlain(): boolean {
    return this.isItsRows && this.tag.deleted.length === 0;
  }

  /** Its rows in the order of time. */
  rows(range: RowRange): RowSource {
    return this.#rows.ascending(range);
  }

  /** Its rows in several ranges that follow each other; the first of them with a limit. */
  rowsWithin(ranges: readonly RowRange[], limit?: number): RowSource {
    return this.#rows.ascendingWithin(ranges, limit);
  }

  open(range: Omit<RangeRead, 'rows' | 'amendment'>): RangeCursor {
    return new RangeCursor({ ...range, rows: this.#rows, amendment: this.#amendment });
  }

  /** The points of a range, and with `carryIn` the one before it. */
  async openFrom({ start, end, limit, carryIn }: CarriedRead): Promise<RangeCursor> {
    const before = carryIn ? await this.newestUpTo(start) : undefined;
    const isEarlier = before !== undefined && compareInstants(before, start) < 0;
    if (!isEarlier) return this.open({ start, end, firstOrdinal: 0, limit });
    return this.open({ start: before, end, firstOrdinal: before.ordinal, limit });
  }

  /** Readable points up to a time, the newest first. */
  newestFirst(end: Instant): AsyncGenerator<RowPoint> {
    return newestFirst({ rows: this.#rows, amendment: this.#amendment, end });
  }

  /** The newest readable point of all. */
  async newest(): Promise<RowPoint | undefined> {
    const { id } = this.tag;
    const tip = this.isPlain ? (await readTips(this.#cluster, this.#dataset, [id])).get(id) : undefined;
    return tip ?? this.newestUpTo();
  }

  /** The newest readable point up to a time. */
  async newestUpTo(end: Instant = LAST_INSTANT): Promise<RowPoint | undefined> {
    for await (const point of this.newestFirst(end)) return point;
    return undefined;
  }

  /** The time of a stored, amended or late point by its ordinal in markers. */
  async timeOf(ordinal: number): Promise<Instant | undefined> {
    const amended = this.#amendment?.points.find((point) => point.ordinal === ordinal);
    return amended ?? this.#rows.timeOfMarker(ordinal);
  }
}
