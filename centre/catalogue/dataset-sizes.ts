// How much the datasets take at the centre, and how old their oldest points are: from what ClickHouse knows of its parts.

import { TICKS_PER_MS } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import { pointsTable } from '../../replication/clickhouse/schema.ts';
import { WEEK_TICKS } from '../../replication/clickhouse/ticks.ts';
import type { CentreDataset } from './centre-dataset.ts';

interface PartRow {
  /** Text of the form `(dataset,week)`. */
  readonly partition: string;
  readonly bytes: string;
}

const PARTITION = /^\((\d+),(-?\d+)\)$/;

export async function readSizes(cluster: Cluster, datasets: readonly CentreDataset[]): Promise<void> {
  const select = `SELECT partition, toString(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = '${cluster.style.database}' AND table = 'points_local' GROUP BY partition`;
  const sizes = new Map<string, number>();
  const weeks = new Map<string, number>();
  for (let shard = 0; shard < cluster.shardCount; shard++) {
    const rows = await cluster.onShard(shard, (server) => server.rows<PartRow>(select));
    for (const { partition, bytes } of rows) {
      const [, key = '', week = ''] = PARTITION.exec(partition) ?? [];
      sizes.set(key, (sizes.get(key) ?? 0) + Number(bytes));
      weeks.set(key, Math.min(weeks.get(key) ?? Number.POSITIVE_INFINITY, Number(week)));
    }
  }
  for (const dataset of datasets) {
    dataset.sizeBytes = sizes.get(String(dataset.key)) ?? 0;
    const week = weeks.get(String(dataset.key));
    if (week !== undefined) dataset.oldestMs = await oldestOf(cluster, dataset, week);
  }
}

/** Time of the oldest point of user tags, which is in the oldest week. */
async function oldestOf(cluster: Cluster, { key, oldestMs }: CentreDataset, week: number): Promise<number> {
  const select = `SELECT toString(min(time)) AS oldest, count() AS points FROM ${pointsTable(cluster.style)} WHERE dataset = ${key} AND tag >= 64 AND intDiv(time, ${WEEK_TICKS}) = ${week}`;
  const [row] = await cluster.onAny((server) => server.rows<{ oldest: string; points: string }>(select));
  return row && Number(row.points) > 0 ? Number(BigInt(row.oldest) / BigInt(TICKS_PER_MS)) : oldestMs;
}
