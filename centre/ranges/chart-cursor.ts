// What a chart shows of a tag: of few points all are read, and of many only those that it shows, where the server can find them.

import { compareInstants, type TagCursor, type TagDefinition } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import type { CentreDataset } from '../catalogue/centre-dataset.ts';
import type { TagPoints } from '../points/tag-points.ts';
import { begunCursor } from './begun-cursor.ts';
import { CentreReducedCursor, type Intervals } from './reduced-cursor.ts';
import { canReduce, type ReducedRows, readReduced } from './reduced-rows.ts';
import { type GroupedRows, RowsBehind } from './tag-group.ts';

export interface ChartParts {
  readonly cluster: Cluster;
  readonly dataset: CentreDataset;
  readonly points: TagPoints;
  /** Under the name that was asked for. */
  readonly definition: TagDefinition;
  readonly intervals: Intervals;
  readonly carryIn: boolean;
  /** What came with other tags, if it did. */
  readonly grouped: Promise<GroupedRows> | undefined;
}

export function openChart(parts: ChartParts): TagCursor {
  let pointCount: number | undefined;
  const begin = async (): Promise<TagCursor> => {
    const rows = await parts.grouped;
    const { start, end } = parts.intervals;
    const { carryIn } = parts;
    if (rows?.isWhole) return parts.points.open({ start, end, firstOrdinal: 0, limit: undefined, source: rows });
    rows?.close();
    const reduced = await reduce(parts);
    pointCount = reduced?.pointCount;
    return reduced ? openReduced(parts, reduced) : parts.points.openFrom({ start, end, carryIn, limit: undefined });
  };
  return new CentreReducedCursor(begunCursor(parts.definition, begin()), parts.intervals, () => pointCount);
}

async function reduce({ cluster, dataset, points, intervals }: ChartParts): Promise<ReducedRows | undefined> {
  if (!cluster.style.isModern || !points.isItsRows || !canReduce(intervals)) return undefined;
  return readReduced(cluster, dataset, points.tag, intervals);
}

async function openReduced({ points, intervals, carryIn }: ChartParts, { rows }: ReducedRows): Promise<TagCursor> {
  const { start, end } = intervals;
  try {
    const before = carryIn ? await points.newestUpTo(start) : undefined;
    const isEarlier = before !== undefined && compareInstants(before, start) < 0;
    const source = isEarlier ? new RowsBehind(points, before, rows) : rows;
    return points.open({ start, end, firstOrdinal: 0, limit: undefined, source });
  } catch (error) {
    rows.close();
    throw error;
  }
}
