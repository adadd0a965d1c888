// What the points of a tag come to, cell by cell of a grid, summed up where they lie.

import { buffer } from 'node:stream/consumers';
import { type Instant, TICKS_PER_MS } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import { pointsTable } from '../../replication/clickhouse/schema.ts';
import { ticksText } from '../../replication/clickhouse/ticks.ts';
import type { CentreDataset } from '../catalogue/centre-dataset.ts';
import type { TagPoints } from '../points/tag-points.ts';
import { rowsOf, timesWithin } from '../points/tag-rows.ts';
import { type Cell, cellColumns, readCells } from './cell-columns.ts';
import { haveNumbers } from './fit-points.ts';
import type { Grid } from './grid.ts';

export interface SummedRange {
  readonly grid: Grid;
  /** Begins where the range that functions are asked of does, or at a step of the grid; the end is not part of it. */
  readonly start: Instant;
  readonly end: Instant;
  /** Whether it matters when extreme values were there. */
  readonly extremeTimes: boolean;
}

export class TagSums {
  readonly #cluster: Cluster;
  readonly #dataset: CentreDataset;
  readonly #points: TagPoints;

  constructor(cluster: Cluster, dataset: CentreDataset, points: TagPoints) {
    this.#cluster = cluster;
    this.#dataset = dataset;
    this.#points = points;
  }

  /** Whether there may be any: its rows are its points, and the values of its type are in a column of numbers. */
  get arePossible(): boolean {
    return this.#points.isItsRows && haveNumbers(this.#points.tag.definition.type);
  }

  /** About the number of points of a range: a row that is there twice counts twice. */
  async countUpTo(start: Instant, end: Instant): Promise<number> {
    const select = `SELECT toString(count()) AS points FROM ${this.#from()} AND ${timesWithin(start, end)}`;
    const [counted] = await this.#cluster.onAny((server) => server.rows<{ points: string }>(select));
    return Number(counted?.points ?? 0);
  }

  /** The cells that have points, in order. */
  async cells(range: SummedRange): Promise<Cell[]> {
    const select = this.#select(range);
    const { signal } = new AbortController();
    const bytes = await this.#cluster.onAny(async (server) => buffer(await server.stream(select, signal)));
    return readCells(bytes);
  }

  #select({ grid, start, end, extremeTimes }: SummedRange): string {
    const behind = `(time - (${textOf(grid.origin)}))`;
    const columns = cellColumns({
      type: this.#points.tag.definition.type,
      isEdge: `modulo(${behind}, ${ticksOf(grid.stepMs)}) = 0 OR time = ${textOf(start)}`,
      isWhole: `modulo(${behind}, ${TICKS_PER_MS}) = 0`,
      extremeTimes,
    });
    const times = `time >= ${textOf(start)} AND time < ${textOf(end)}`;
    return `SELECT ${columns} FROM ${this.#from('FINAL')} AND ${times} GROUP BY ${cellOf(grid, behind)} ORDER BY min(time)`;
  }

  /** `FINAL`: each row once. */
  #from(how: 'FINAL' | '' = ''): string {
    return `${pointsTable(this.#cluster.style)} ${how} WHERE ${rowsOf(this.#dataset, [this.#points.tag])}`;
  }
}

function cellOf({ stepMs, parts }: Grid, behind: string): string {
  const step = `intDiv(${behind}, ${ticksOf(stepMs)})`;
  if (parts === 1) return step;
  return `${step}, intDiv(modulo(${behind}, ${ticksOf(stepMs)}), ${ticksOf(Math.ceil(stepMs / parts))})`;
}

function textOf({ ms, ticks }: Instant): string {
  return ticksText(ms, ticks);
}

function ticksOf(ms: number): string {
  return ticksText(ms, 0);
}
