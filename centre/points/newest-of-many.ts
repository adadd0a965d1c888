// The newest points of several tags up to a time: those that have one shortly before it in one query.

import type { Instant } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import { pointsTable } from '../../replication/clickhouse/schema.ts';
import type { CentreDataset } from '../catalogue/centre-dataset.ts';
import { readPoints } from './known-points.ts';
import type { RowPoint } from './readable-rows.ts';
import { ROW_COLUMNS } from './row-reader.ts';
import type { TagPoints } from './tag-points.ts';
import { rowsOf, timesWithin } from './tag-rows.ts';

/** How far back one query looks for all of them. */
const SHORTLY_MS = 3_600_000;
/** Tags of one query. */
const TAGS_AT_ONCE = 1000;
/** Tags that are looked for by themselves, beside each other. */
const AT_ONCE = 8;

/** By tag id; tags without a point are left out. Without an end, the newest of all. */
export async function newestOfMany(
  cluster: Cluster,
  dataset: CentreDataset,
  tags: readonly TagPoints[],
  end: Instant | undefined,
): Promise<Map<number, RowPoint>> {
  const together = tags.filter(({ isItsRows }) => isItsRows);
  const found = new Map<number, RowPoint>();
  const isWorthIt = end !== undefined && together.length > 1;
  for (let from = 0; isWorthIt && from < together.length; from += TAGS_AT_ONCE) {
    const documents = together.slice(from, from + TAGS_AT_ONCE).map(({ tag }) => tag);
    const times = timesWithin({ ms: end.ms - SHORTLY_MS, ticks: end.ticks }, end);
    const select = `SELECT ${ROW_COLUMNS} FROM ${pointsTable(cluster.style)} WHERE ${rowsOf(dataset, documents)} AND ${times} ORDER BY tag, time DESC, ordinal DESC LIMIT 1 BY tag`;
    await readPoints(cluster, select, (tagId, point) => found.set(tagId, point));
  }
  const missing = tags.filter(({ tag }) => !found.has(tag.id));
  for (let from = 0; from < missing.length; from += AT_ONCE) {
    const located = missing.slice(from, from + AT_ONCE).map(async (points) => {
      const point = await points.newestUpTo(end);
      if (point) found.set(points.tag.id, point);
    });
    await Promise.all(located);
  }
  return found;
}
