// Single points of many tags in one query: the newest ones, where nothing lies over them.

import type { ValueType } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import { tipsTable } from '../../replication/clickhouse/schema.ts';
import type { CentreDataset } from '../catalogue/centre-dataset.ts';
import type { RowPoint } from './readable-rows.ts';
import { openRows } from './tag-rows.ts';

/** Tags of one query. */
const TAGS_AT_ONCE = 5000;

/** By tag id. */
export async function readTips(
  cluster: Cluster,
  { key }: CentreDataset,
  ids: readonly number[],
): Promise<Map<number, RowPoint>> {
  const tips = new Map<number, RowPoint>();
  for (let from = 0; from < ids.length; from += TAGS_AT_ONCE) {
    const part = ids.slice(from, from + TAGS_AT_ONCE).join(', ');
    const newest = (column: string): string => `argMax(${column}, ordinal)`;
    const [time, ...rest] = ['time', 'type', 'isnull', 'num', 'whole', 'text', 'quality'].map(newest);
    const select = `SELECT tag, ${time}, max(ordinal), ${rest.join(', ')} FROM ${tipsTable(cluster.style)} WHERE dataset = ${key} AND tag IN (${part}) GROUP BY tag`;
    await readPoints(cluster, select, (tagId, point) => tips.set(tagId, point));
  }
  return tips;
}

/** Gives each row that a query selects as a point. */
export async function readPoints(
  cluster: Cluster,
  select: string,
  take: (tagId: number, point: RowPoint) => void,
): Promise<void> {
  const source = openRows(cluster, select);
  try {
    for (let rows = await source.next(); rows; rows = await source.next()) {
      const { points, types, ordinals, tags, start, end } = rows;
      for (let index = start; index < end; index++) {
        const time = { ms: points.timesMs[index] as number, ticks: points.ticks[index] as number };
        const type = types[index] as ValueType;
        take(tags[index] as number, { ...time, ordinal: ordinals[index] as number, type, points, index });
      }
    }
  } finally {
    source.close();
  }
}
