// Puts staged points in order by tag, and makes the runs of a batch of them; in steps.

import { GOOD_QUALITY, type PointBatch } from '../../../engine/index.ts';
import { BatchBuilder, type ParsedBody } from '../body/batch-builder.ts';
import type { StagedPoints } from './staged-points.ts';
import type { TagColumn, TagColumns } from './tag-columns.ts';
import type { ValueStore } from './value-store.ts';

/** Points of a step, or tags. */
const STEP_POINTS = 4_096;
/** Bytes of a text that cost as much as a point. */
const TEXT_BYTES = 16;
/** What `BatchBuilder.begin` takes for the least bytes of a point. */
const POINT_BYTES = 2;
/** From so many points on the builder takes the columns of a long body. */
const MANY_POINTS = 64;
const LONG_BODY_BYTES = 4_096;

type Work = 'counting' | 'ordering' | 'building' | 'built';

export class SortedRuns {
  readonly #staged: StagedPoints;
  readonly #columns: TagColumns;
  readonly #values: ValueStore;
  readonly #builder = new BatchBuilder();
  #work: Work = 'counting';
  /** Points by tag, in the order in which they came. */
  #order = new Int32Array(0);
  /** By column: where its next point goes in the order. */
  #places = new Int32Array(0);
  /** How far the work has come: a column or a point. */
  #column = 0;
  #point = 0;
  /** The run being built has begun. */
  #isInRun = false;

  constructor(staged: StagedPoints, columns: TagColumns, values: ValueStore) {
    this.#staged = staged;
    this.#columns = columns;
    this.#values = values;
  }

  /** Does one step; true when the batch is built. */
  step(): boolean {
    switch (this.#work) {
      case 'counting':
        this.#begin();
        this.#work = 'ordering';
        return false;
      case 'ordering':
        if (this.#orderSome()) this.#work = 'building';
        return false;
      case 'building':
        if (!this.#buildSome()) return false;
        this.#work = 'built';
        return true;
      case 'built':
        return true;
    }
  }

  /** The batch; what comes next is another one. */
  finish(): ParsedBody {
    const parsed = this.#builder.finish('lenient');
    this.#clear();
    return parsed;
  }

  abandon(): void {
    if (this.#work === 'ordering' || this.#work === 'building' || this.#work === 'built') this.#builder.abandon();
    this.#clear();
  }

  release(batch: PointBatch): void {
    this.#builder.release(batch);
  }

  #clear(): void {
    this.#work = 'counting';
    this.#order = new Int32Array(0);
    this.#places = new Int32Array(0);
    this.#column = 0;
    this.#point = 0;
    this.#isInRun = false;
  }

  #begin(): void {
    const { count } = this.#staged;
    const { all } = this.#columns;
    this.#builder.begin(Math.max(count * POINT_BYTES, count > MANY_POINTS ? LONG_BODY_BYTES : 0));
    this.#builder.reserveTo(count);
    this.#order = new Int32Array(count);
    this.#places = new Int32Array(all.length);
    let place = 0;
    for (const column of all) {
      this.#places[column.number] = place;
      place += column.count;
    }
  }

  #orderSome(): boolean {
    const staged = this.#staged;
    const order = this.#order;
    const places = this.#places;
    const end = Math.min(staged.count, this.#point + STEP_POINTS);
    for (let point = this.#point; point < end; point++) {
      staged.goTo(point);
      const column = staged.chunk.columns[staged.index] as number;
      const place = places[column] as number;
      order[place] = point;
      places[column] = place + 1;
    }
    this.#point = end;
    if (end < staged.count) return false;
    this.#point = 0;
    return true;
  }

  #buildSome(): boolean {
    const { all } = this.#columns;
    for (let left = STEP_POINTS; left > 0; left--) {
      const column = all[this.#column];
      if (column === undefined) return true;
      left -= this.#buildRun(column, left);
    }
    return false;
  }

  /** Goes on with the run of the column; returns what that cost. */
  #buildRun(column: TagColumn, most: number): number {
    const builder = this.#builder;
    if (!this.#isInRun) {
      builder.beginRun(column.name, column.tag, 'member');
      builder.type = column.type;
      builder.stamped = column.stamped;
      this.#isInRun = true;
    }
    const runEnd = this.#places[column.number] as number;
    let cost = 0;
    for (; this.#point < runEnd && cost < most; this.#point++)
      cost += this.#addPoint(column, this.#order[this.#point] as number);
    if (this.#point < runEnd) return cost;
    builder.endRun();
    this.#isInRun = false;
    this.#column++;
    return cost;
  }

  /** Returns what it cost, in points without a text. */
  #addPoint(column: TagColumn, point: number): number {
    const builder = this.#builder;
    const staged = this.#staged;
    staged.goTo(point);
    const { chunk, index } = staged;
    const { points } = builder;
    const { count } = points;
    points.timesMs[count] = chunk.timesMs[index] as number;
    points.ticks[count] = chunk.ticks[index] as number;
    points.qualities[count] = GOOD_QUALITY;
    points.nulls[count] = 0;
    const textBytes = this.#values.restore(column.type, chunk, index, builder);
    builder.keepPoint();
    return 1 + textBytes / TEXT_BYTES;
  }
}
