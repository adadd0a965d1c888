// A read's answer as flat rows: a row for each point, `time`, `tag`, `value` and `quality`, one tag after the other.

import type { AggregateLabel, Instant, PointChunk, ReadGap, TagDefinition } from '../../../engine/index.ts';
import type { PreparedCell, RowWriter } from './row-writer.ts';

const POINT_COLUMNS = ['tag', 'value', 'quality'] as const;
const RESULT_COLUMNS = ['tag', 'function', 'state', 'stateName', 'value', 'quality'] as const;
const BAD_QUALITY = '0';

/** Renderer without the frame of answers to reads; bounds and markers have no place in rows. */
export class RowsRenderer {
  readonly isPlanned = false;
  readonly #writer: RowWriter;
  readonly #columns: typeof POINT_COLUMNS | typeof RESULT_COLUMNS;
  readonly #time: PreparedCell;
  readonly #value: PreparedCell;
  readonly #quality: PreparedCell;
  /** The cells between time and value, which all rows of an entry share. */
  #label: readonly PreparedCell[] = [];

  /** @param isOfFunctions whether rows say which function they are results of */
  constructor(writer: RowWriter, isOfFunctions: boolean) {
    this.#writer = writer;
    this.#columns = isOfFunctions ? RESULT_COLUMNS : POINT_COLUMNS;
    this.#time = writer.heading(writer.timeName, true);
    this.#value = writer.heading('value', false);
    this.#quality = writer.heading('quality', false);
  }

  begin(): void {
    this.#writer.begin([this.#writer.timeName, ...this.#columns]);
  }

  beginEntry(tag: TagDefinition, _bounds: unknown, _plan: unknown, label: AggregateLabel | undefined): void {
    const writer = this.#writer;
    const cells = [writer.heading('tag', false), writer.text(tag.name)];
    if (this.#columns === RESULT_COLUMNS) {
      const texts = { function: label?.function, state: label?.state, stateName: label?.stateName };
      for (const [name, text] of Object.entries(texts)) {
        cells.push(writer.heading(name, false));
        cells.push(text === undefined || text === null ? writer.empty : writer.text(String(text)));
      }
    }
    this.#label = cells;
  }

  passCount(): number {
    return 1;
  }

  beginPass(): void {
    // Rows come as the points do.
  }

  points(chunk: PointChunk): void {
    const writer = this.#writer;
    const { timesMs, ticks } = chunk.points;
    for (let at = chunk.start; at < chunk.end; at++) {
      writer.beginRow();
      writer.put(this.#time);
      writer.time(timesMs[at] as number, ticks[at] as number);
      for (const cell of this.#label) writer.put(cell);
      writer.put(this.#value);
      writer.value(chunk, at);
      writer.put(this.#quality);
      writer.quality(chunk, at);
      writer.endRow();
    }
  }

  /** What cannot be read is said by a row without a value and of bad quality, at its beginning and at its end. */
  endEntry({ gaps }: { readonly gaps: readonly ReadGap[] }): void {
    for (const { start, end } of gaps) for (const time of [start, end]) this.#gapRow(time);
  }

  #gapRow({ ms, ticks }: Instant): void {
    const writer = this.#writer;
    writer.beginRow();
    writer.put(this.#time);
    writer.time(ms, ticks);
    for (const cell of this.#label) writer.put(cell);
    writer.put(this.#value);
    writer.put(writer.empty);
    writer.put(this.#quality);
    writer.put(writer.number(BAD_QUALITY));
    writer.endRow();
  }

  end(): void {
    this.#writer.end();
  }
}
