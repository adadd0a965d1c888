// Puts staged points in order by tag, and makes the runs of a batch of them.

import { GOOD_QUALITY, type PointBatch } from '../../../engine/index.ts';
import { BatchBuilder, type ParsedBody } from '../body/batch-builder.ts';
import type { Pieces } from '../body/pieces.ts';
import type { StagedPoints } from './staged-points.ts';
import type { TagColumn, TagColumns } from './tag-columns.ts';
import type { ValueStore } from './value-store.ts';

/** What `BatchBuilder.begin` takes for the least bytes of a point. */
const POINT_BYTES = 2;
/** From so many points on the builder takes the columns of a long body. */
const MANY_POINTS = 64;
const LONG_BODY_BYTES = 4_096;
/** Points that are put in order in a piece. */
const PIECE_POINTS = 4_096;

export class SortedRuns {
  readonly #staged: StagedPoints;
  readonly #columns: TagColumns;
  readonly #values: ValueStore;
  readonly #builder = new BatchBuilder();

  constructor(staged: StagedPoints, columns: TagColumns, values: ValueStore) {
    this.#staged = staged;
    this.#columns = columns;
    this.#values = values;
  }

  *build(): Pieces<ParsedBody> {
    const { count } = this.#staged;
    this.#builder.begin(Math.max(count * POINT_BYTES, count > MANY_POINTS ? LONG_BODY_BYTES : 0));
    try {
      this.#builder.reserveTo(count);
      yield* this.#buildRuns();
    } catch (error) {
      this.#builder.abandon();
      throw error;
    }
    return this.#builder.finish('lenient');
  }

  release(batch: PointBatch): void {
    this.#builder.release(batch);
  }

  *#buildRuns(): Pieces {
    const builder = this.#builder;
    const places = this.#firstPlaces();
    const order = this.#order(places);
    let place = 0;
    for (const column of this.#columns.all) {
      builder.beginRun(column.name, column.tag, 'member');
      builder.type = column.type;
      builder.stamped = column.stamped;
      const end = places[column.number] as number;
      for (; place < end; place++) {
        this.#addPoint(column, order[place] as number);
        if (place % PIECE_POINTS === 0) yield;
      }
      builder.endRun();
    }
  }

  /** By column: where its first point goes in the order. */
  #firstPlaces(): Int32Array {
    const { all } = this.#columns;
    const places = new Int32Array(all.length);
    let place = 0;
    for (const column of all) {
      places[column.number] = place;
      place += column.count;
    }
    return places;
  }

  /** Points by tag, in the order in which they came; `places` become the ends of their columns. */
  #order(places: Int32Array): Int32Array {
    const staged = this.#staged;
    const order = new Int32Array(staged.count);
    for (let point = 0; point < staged.count; point++) {
      staged.goTo(point);
      const column = staged.chunk.columns[staged.index] as number;
      const place = places[column] as number;
      order[place] = point;
      places[column] = place + 1;
    }
    return order;
  }

  #addPoint(column: TagColumn, point: number): void {
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
    this.#values.restore(column.type, chunk, index, builder);
    builder.keepPoint();
  }
}
