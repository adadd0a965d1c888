// The rows that a chart shows of a tag, found where they lie: of each interval those that the engine's reducer keeps
// (engine/reduction/interval-reducer.ts), so that it comes to the same as if it were given all of them.

import { GOOD_QUALITY, TICKS_PER_MS, ValueType } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import { pointsTable } from '../../replication/clickhouse/schema.ts';
import type { TagDocument } from '../../replication/sink.ts';
import type { CentreDataset } from '../catalogue/centre-dataset.ts';
import { openRows, type RowSource, rowsOf, timesWithin } from '../points/tag-rows.ts';
import type { Intervals } from './reduced-cursor.ts';

/** Values that are not in the column of numbers. */
const OTHER_TYPES = [ValueType.Int64, ValueType.UInt64, ValueType.Decimal, ValueType.String, ValueType.DateTime];

export interface ReducedRows {
  /** In the order of time. */
  readonly rows: RowSource;
  /** Points in the whole range. */
  readonly pointCount: number;
}

/** Undefined: not all values are numbers, and all rows are needed. For servers with codecs only: older ones lack functions. */
export async function readReduced(
  cluster: Cluster,
  dataset: CentreDataset,
  tag: TagDocument,
  intervals: Intervals,
): Promise<ReducedRows | undefined> {
  const from = `FROM ${pointsTable(cluster.style)} WHERE ${rowsOf(dataset, [tag])} AND ${timesWithin(intervals.start, intervals.end)}`;
  const rows = openRows(cluster, rowsToShow(tag.id, intervals, from));
  try {
    // A row may be there twice: ordinals are counted.
    const select = `SELECT toString(groupBitmap(ordinal)) AS points, countIf(type IN (${OTHER_TYPES.join(', ')}) OR isNaN(num)) > 0 AS others ${from}`;
    const [counted] = await cluster.onAny((server) => server.rows<{ points: string; others: number }>(select));
    if (counted && Number(counted.others) === 0) return { rows, pointCount: Number(counted.points) };
  } catch (error) {
    rows.close();
    throw error;
  }
  rows.close();
  return undefined;
}

/** Whether its intervals can be found from numbers of ticks, which are divided towards zero. */
export function canReduce({ start }: Intervals): boolean {
  return start.ms >= 0;
}

/** One row for each role, each once. */
function rowsToShow(tagId: number, intervals: Intervals, from: string): string {
  const point = '(ordinal, time, type, isnull, num, quality)';
  const good = `isnull = 0 AND quality >= ${GOOD_QUALITY}`;
  const bad = `isnull = 0 AND quality < ${GOOD_QUALITY}`;
  const grouped = [
    `min(${point}) AS first`,
    `max(${point}) AS last`,
    'min((quality, ordinal, time, type, isnull, num)) AS worst',
    ...extremes('good', good),
    ...extremes('bad', bad),
    'countIf(isnull = 1) AS null_count',
    `minIf(${point}, isnull = 1) AS first_null`,
  ];
  const shown = [
    'first',
    'last',
    '(worst.2, worst.3, worst.4, worst.5, worst.6, worst.1)',
    ...extremesShown('good'),
    ...extremesShown('bad'),
    'if(null_count > 0, first_null, first)',
  ];
  const perInterval = `SELECT ${grouped.join(', ')} ${from} GROUP BY ${intervalOf(intervals)}`;
  const points = `SELECT arrayJoin(arrayDistinct([${shown.join(', ')}])) AS p FROM (${perInterval})`;
  return `SELECT toUInt64(${tagId}), p.2, p.1, p.3, p.4, p.5, toInt64(0), '', p.6 FROM (${points}) ORDER BY p.2, p.1`;
}

/** The first of the smallest and the first of the largest. */
function extremes(name: string, condition: string): string[] {
  return [
    `countIf(${condition}) AS ${name}_count`,
    `minIf((num, ordinal, time, type, quality), ${condition}) AS ${name}_min`,
    `maxIf((num, -toInt64(ordinal), time, type, quality), ${condition}) AS ${name}_max`,
  ];
}

function extremesShown(name: string): string[] {
  const point = (of: string, ordinal: string): string => `(${ordinal}, ${of}.3, ${of}.4, toUInt8(0), ${of}.1, ${of}.5)`;
  const [min, max] = [`${name}_min`, `${name}_max`];
  return [
    `if(${name}_count > 0, ${point(min, `${min}.2`)}, first)`,
    `if(${name}_count > 0, ${point(max, `toUInt64(-${max}.2)`)}, first)`,
  ];
}

/** Does the operations of `CentreReducedCursor` on the same doubles: not one point may fall into another interval. */
function intervalOf({ start, end, count }: Intervals): string {
  const span = `(toFloat64(${end.ms - start.ms}) + toFloat64(${end.ticks - start.ticks}) / ${TICKS_PER_MS})`;
  const ms = `toFloat64(intDiv(time, ${TICKS_PER_MS}) - ${start.ms})`;
  const ticks = `toFloat64(toInt64(modulo(time, ${TICKS_PER_MS})) - ${start.ticks})`;
  const isPoint = end.ms === start.ms && end.ticks === start.ticks;
  return isPoint
    ? '1'
    : `least(${count - 1}, toInt64(floor((${ms} + ${ticks} / ${TICKS_PER_MS}) * ${count} / ${span})))`;
}
