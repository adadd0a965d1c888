// Which rows of a tag are asked for: its own and those of its late points, without those that were deleted, as SQL.

import { type DeletedOrdinals, FIRST_LATE_ORDINAL, type Instant } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import { pointsTable } from '../../replication/clickhouse/schema.ts';
import { ticksText } from '../../replication/clickhouse/ticks.ts';
import type { TagDocument } from '../../replication/sink.ts';
import type { CentreDataset } from '../catalogue/centre-dataset.ts';
import { ROW_COLUMNS, RowReader, type Rows } from './row-reader.ts';

export interface RowRange {
  readonly start: Instant;
  readonly end: Instant;
}

/** Rows that come one after another; close it, also after an error. */
export interface RowSource {
  next(): Promise<Rows | undefined>;
  close(): void;
}

export class TagRows {
  readonly tag: TagDocument;
  readonly late: TagDocument | undefined;
  readonly #cluster: Cluster;
  readonly #where: string;

  constructor(cluster: Cluster, dataset: CentreDataset, tag: TagDocument) {
    this.#cluster = cluster;
    this.tag = tag;
    this.late = dataset.lateOf(tag);
    const parts = this.late ? [tag, this.late] : [tag];
    this.#where = rowsOf(dataset, parts);
  }

  /** In the order of time, of one time own points before late ones, and then of ordinals. A row may come twice. */
  ascending(range: RowRange): RowSource {
    return this.ascendingWithin([range]);
  }

  /** The rows of several ranges that follow each other, in the same order; the first of them with a limit. */
  ascendingWithin(ranges: readonly RowRange[], limit?: number): RowSource {
    const most = limit === undefined ? '' : ` LIMIT ${limit}`;
    const times = ranges.map(({ start, end }) => `(${timesWithin(start, end)})`).join(' OR ');
    return this.#open(`(${times}) ORDER BY ${this.#order}${most}`);
  }

  /** The last rows up to a time, in the opposite order. */
  descending(end: Instant, limit: number): RowSource {
    const order = this.late ? `time DESC, tag = ${this.late.id} DESC, ordinal DESC` : 'time DESC, ordinal DESC';
    return this.#open(`time <= ${text(end)} ORDER BY ${order} LIMIT ${limit}`);
  }

  /** The time of a stored or late point by its ordinal in markers. */
  async timeOfMarker(marker: number): Promise<Instant | undefined> {
    const isLate = marker >= FIRST_LATE_ORDINAL;
    const id = isLate ? this.late?.id : this.tag.id;
    if (id === undefined) return undefined;
    const ordinal = isLate ? marker - FIRST_LATE_ORDINAL : marker;
    const rows = await firstRows(this.#open(`tag = ${id} AND ordinal = ${ordinal} LIMIT 1`));
    return rows && { ms: rows.points.timesMs[0] as number, ticks: rows.points.ticks[0] as number };
  }

  get #order(): string {
    return this.late ? `time, tag = ${this.late.id}, ordinal` : 'tag, time, ordinal';
  }

  #open(rest: string): RowSource {
    const select = `SELECT ${ROW_COLUMNS} FROM ${pointsTable(this.#cluster.style)} WHERE ${this.#where} AND ${rest}`;
    return openRows(this.#cluster, select);
  }
}

/** The condition for all rows of some tags. */
export function rowsOf({ key }: CentreDataset, tags: readonly TagDocument[]): string {
  return `dataset = ${key} AND tag IN (${tags.map(({ id }) => id).join(', ')})${tags.map(notDeleted).join('')}`;
}

/** Begins at once, so that several can be under way. */
export function openRows(cluster: Cluster, select: string): RowSource {
  const controller = new AbortController();
  const opening = cluster.onAny((server) => server.stream(select, controller.signal));
  opening.catch(() => undefined);
  let reader: RowReader | undefined;
  return {
    async next() {
      reader ??= new RowReader(await opening);
      return reader.next();
    },
    close() {
      controller.abort();
      opening.then((stream) => stream.destroy()).catch(() => undefined);
    },
  };
}

/** The first rows of a source that has few; undefined when it has none. */
export async function firstRows(source: RowSource): Promise<Rows | undefined> {
  try {
    return await source.next();
  } finally {
    source.close();
  }
}

export function timesWithin(start: Instant, end: Instant): string {
  return `time >= ${text(start)} AND time <= ${text(end)}`;
}

function text({ ms, ticks }: Instant): string {
  return ticksText(ms, ticks);
}

function notDeleted({ id, deleted }: TagDocument): string {
  return merged(deleted)
    .map(({ from, to }) => ` AND NOT (tag = ${id} AND ordinal >= ${from} AND ordinal < ${to})`)
    .join('');
}

/** The ordinals in as few ranges as will do. */
function merged(ranges: readonly DeletedOrdinals[]): DeletedOrdinals[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}
