// The rows of several tags in one query, for tags whose rows are their points.

import { type Instant, PointColumns } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import { pointsTable } from '../../replication/clickhouse/schema.ts';
import type { CentreDataset } from '../catalogue/centre-dataset.ts';
import { appendRowPoint, type RowPoint } from '../points/readable-rows.ts';
import { ROW_COLUMNS, type Rows } from '../points/row-reader.ts';
import type { TagPoints } from '../points/tag-points.ts';
import { openRows, type RowSource, rowsOf, timesWithin } from '../points/tag-rows.ts';

/** What one query gave of a tag. */
export interface TagPart {
  /** In the order of time; a row may come twice. */
  readonly rows: readonly Rows[];
  /** Whether there are no more. */
  readonly isWhole: boolean;
}

export interface GroupRange {
  readonly start: Instant;
  readonly end: Instant;
  /** Points of each tag that are wanted at most. */
  readonly limit: number | undefined;
}

/** Rows of one query: 4 MB. */
export const GROUP_ROWS = 65_536;
/** A row may come twice until ClickHouse has merged its parts. */
const TIMES = 2;

/** By tag id, for each of the tags. */
export async function readGroup(
  cluster: Cluster,
  dataset: CentreDataset,
  tags: readonly TagPoints[],
  { start, end, limit }: GroupRange,
): Promise<ReadonlyMap<number, TagPart>> {
  const most = limit === undefined ? GROUP_ROWS : Math.min(GROUP_ROWS, TIMES * (limit + 1));
  const ofEach = most < GROUP_ROWS ? ` LIMIT ${most} BY tag` : '';
  const documents = tags.map(({ tag }) => tag);
  const condition = `${rowsOf(dataset, documents)} AND ${timesWithin(start, end)}`;
  const select = `SELECT ${ROW_COLUMNS} FROM ${pointsTable(cluster.style)} WHERE ${condition} ORDER BY tag, time, ordinal${ofEach} LIMIT ${GROUP_ROWS}`;
  const found = await collect(openRows(cluster, select));
  const counts = new Map([...found].map(([id, rows]) => [id, rows.reduce((sum, one) => sum + one.end - one.start, 0)]));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const firstCut = total < GROUP_ROWS ? Number.POSITIVE_INFINITY : Math.max(...found.keys());
  const partOf = (id: number): TagPart => ({
    rows: found.get(id) ?? [],
    isWhole: id < firstCut && (counts.get(id) ?? 0) < most,
  });
  return new Map(documents.map(({ id }) => [id, partOf(id)]));
}

/** By tag id. */
async function collect(source: RowSource): Promise<Map<number, Rows[]>> {
  const found = new Map<number, Rows[]>();
  try {
    for (let rows = await source.next(); rows; rows = await source.next())
      for (const part of ofOneTag(rows)) {
        const id = part.tags[part.start] as number;
        found.set(id, [...(found.get(id) ?? []), part]);
      }
  } finally {
    source.close();
  }
  return found;
}

function* ofOneTag(rows: Rows): Generator<Rows> {
  for (let { start } = rows; start < rows.end; ) {
    let end = start + 1;
    while (end < rows.end && rows.tags[end] === rows.tags[start]) end++;
    yield { ...rows, start, end };
    start = end;
  }
}

/** The rows of a tag that came with those of others, and what is missing of them. */
export class GroupedRows implements RowSource {
  readonly #tag: TagPoints;
  readonly #part: TagPart;
  readonly #range: GroupRange;
  #next = 0;
  #rest: RowSource | undefined;

  /** @param before stands before the rows, where a point is carried into the range */
  constructor(tag: TagPoints, part: TagPart, range: GroupRange, before?: RowPoint) {
    this.#tag = tag;
    this.#part = before ? { ...part, rows: [rowOf(before, tag.tag.id), ...part.rows] } : part;
    this.#range = range;
  }

  /** Whether all rows are here. */
  get isWhole(): boolean {
    return this.#part.isWhole;
  }

  async next(): Promise<Rows | undefined> {
    const rows = this.#part.rows[this.#next++];
    if (rows) return rows;
    if (this.#part.isWhole) return undefined;
    this.#rest ??= this.#tag.rows({ start: this.#restStart(), end: this.#range.end });
    return this.#rest.next();
  }

  close(): void {
    this.#rest?.close();
  }

  /** The last rows come once more: there may be others of their time. */
  #restStart(): Instant {
    const last = this.#part.rows.at(-1);
    const index = (last?.end ?? 0) - 1;
    if (last === undefined || (last.points.timesMs[index] as number) < this.#range.start.ms) return this.#range.start;
    return { ms: last.points.timesMs[index] as number, ticks: last.points.ticks[index] as number };
  }
}

/** A row before others. */
export class RowsBehind implements RowSource {
  #first: Rows | undefined;
  readonly #others: RowSource;

  constructor(tag: TagPoints, first: RowPoint, others: RowSource) {
    this.#first = rowOf(first, tag.tag.id);
    this.#others = others;
  }

  async next(): Promise<Rows | undefined> {
    const first = this.#first;
    this.#first = undefined;
    return first ?? this.#others.next();
  }

  close(): void {
    this.#others.close();
  }
}

function rowOf(point: RowPoint, tagId: number): Rows {
  const points = new PointColumns(1);
  appendRowPoint(points, point);
  return {
    points,
    types: Uint8Array.of(point.type),
    ordinals: Float64Array.of(point.ordinal),
    tags: Float64Array.of(tagId),
    start: 0,
    end: 1,
  };
}
