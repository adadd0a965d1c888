// Reads a body of line protocol straight into columns. A line is good or bad as a whole, and by itself: of a bad line
// nothing is stored, and the others do not notice.
//
// First the points are staged in their order, each with the number of its tag; then they are put in order by tag, because
// a batch has one run for each.

import { MAX_TAG_NAME_BYTES } from '../../../client/tag-name.ts';
import type { PointBatch, TagLookup } from '../../../engine/index.ts';
import { SERVER_TIME, ValueType } from '../../../engine/index.ts';
import { ProblemError } from '../../problem.ts';
import type { LineTemplate } from '../../settings/line-template.ts';
import { MAX_POINTS_IN_BODY, type ParsedBody } from '../body/batch-builder.ts';
import { inOneGo, PIECE_BYTES, type Pieces } from '../body/pieces.ts';
import type { TruthTags } from '../scalars/value-fit.ts';
import { areEqual, fieldKeyLength, KnownSeries, Series, type SeriesField } from './known-series.ts';
import {
  behindByteOrderMark,
  COMMA,
  EQUALS,
  HASH,
  lineEnd,
  MAX_LINE_BYTES,
  NEWLINE,
  NONE,
  newlineFrom,
  RETURN,
  SPACE,
  TAB,
} from './line-bytes.ts';
import { LineTimes } from './line-times.ts';
import { LineValue } from './line-value.ts';
import { parseFieldKey, parseSeriesKey } from './series-key.ts';
import { SortedRuns } from './sorted-runs.ts';
import { StagedPoints } from './staged-points.ts';
import { type TagColumn, TagColumns } from './tag-columns.ts';
import { nameSeries, type SeriesNaming } from './tag-naming.ts';
import { ValueStore } from './value-store.ts';

export interface LineOptions {
  readonly lookup: TagLookup;
  readonly template: LineTemplate;
  /** Precision of times: a name that `isPrecision` knows. */
  readonly precision: string;
  /** Time of lines without one. */
  readonly arrivalMs: number;
  readonly maxTextBytes: number;
  readonly truths: TruthTags;
}

/** A line that was left out. */
export interface BadLine {
  /** From 1. */
  readonly number: number;
  /** Its beginning. */
  readonly text: string;
  readonly fault: string;
}

export interface ParsedLines extends ParsedBody {
  readonly firstBad: BadLine | undefined;
}

const MAX_FIELDS = 10_000;
/** New names in a piece: each is made, looked up and kept, which takes up to 25 us where it is long. */
const PIECE_NAMES = 500;
/** Most bytes of the measurement with its tags, and of a field's key, as they are written. */
const MAX_SERIES_BYTES = 16_384;
const MAX_KEY_BYTES = 2_048;
const SHOWN_BYTES = 160;
/** While no body is read. */
const NO_BYTES = Buffer.alloc(0);

export class LineParser {
  readonly #series = new KnownSeries();
  readonly #columns = new TagColumns();
  readonly #staged = new StagedPoints();
  readonly #times = new LineTimes();
  readonly #value = new LineValue();
  readonly #values = new ValueStore();
  readonly #sorted = new SortedRuns(this.#staged, this.#columns, this.#values);
  /** Columns that have got their type from the line being read. */
  readonly #typed: TagColumn[] = [];

  #bytes: Buffer = NO_BYTES;
  #template: LineTemplate | undefined;
  #arrivalMs = 0;
  /** Offset of the line being read, or of the next one. */
  #at = 0;
  /** First point of the line being read. */
  #first = 0;
  /** Offset at which the line being read has to end at the latest. */
  #limit = 0;
  #number = 0;
  /** Tells one reading of a line from the next, which may be of the same line. */
  #reading = 0;
  /** New names in the piece being read. */
  #newNames = 0;
  #badCount = 0;
  #firstBad: BadLine | undefined;
  /** Why the line being read is bad. */
  #fault = '';

  /** Reads a body at once; throws as `read`. */
  parse(bytes: Uint8Array, options: LineOptions): ParsedLines {
    return inOneGo(this.read(bytes, options));
  }

  /** Reads a body; throws a 413 `ProblemError` when it names too many tags or has too many points. */
  *read(bytes: Uint8Array, options: LineOptions): Pieces<ParsedLines> {
    this.#begin(bytes, options);
    try {
      while (this.#at < bytes.length) {
        this.#readLines(this.#at + PIECE_BYTES);
        if (this.#at < bytes.length) yield;
      }
      const { batch } = yield* this.#sorted.build();
      const rejected = this.#badCount;
      const firstBad = this.#firstBad;
      return { batch: { ...batch, rejected }, faults: [], faultCount: rejected, rejected, firstBad };
    } finally {
      this.#close();
    }
  }

  #begin(bytes: Uint8Array, options: LineOptions): void {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#template = options.template;
    this.#arrivalMs = options.arrivalMs;
    this.#at = behindByteOrderMark(bytes);
    this.#number = 0;
    this.#reading = 0;
    this.#badCount = 0;
    this.#firstBad = undefined;
    this.#times.begin(options.precision);
    this.#columns.begin(options.lookup);
    this.#values.begin(this.#bytes, options.truths, options.maxTextBytes);
  }

  /** Reclaims the memory of a batch, once nobody uses it any more. */
  release(batch: PointBatch): void {
    this.#sorted.release(batch);
  }

  #close(): void {
    this.#series.clear();
    this.#columns.clear();
    this.#staged.clear();
    this.#values.begin(NO_BYTES, 'boolean', 0);
    this.#bytes = NO_BYTES;
    this.#at = 0;
  }

  /**
   * Reads the lines that begin before `stopAt`. A line with more new names than a piece may have is read again in the next one,
   * which knows those of this one.
   */
  #readLines(stopAt: number): void {
    const bytes = this.#bytes;
    this.#newNames = 0;
    const end = Math.min(bytes.length, stopAt);
    while (this.#at < end) {
      const byte = bytes[this.#at];
      if (byte === SPACE || byte === TAB || byte === RETURN) {
        this.#at++;
      } else if (byte === NEWLINE) {
        this.#at++;
        this.#number++;
      } else {
        this.#number++;
        if (byte === HASH) this.#at = newlineFrom(bytes, this.#at) + 1;
        else this.#line(this.#at);
        if (this.#newNames > PIECE_NAMES) return;
      }
    }
  }

  #line(start: number): void {
    this.#limit = Math.min(this.#bytes.length, start + MAX_LINE_BYTES);
    this.#typed.length = 0;
    this.#reading++;
    this.#first = this.#staged.count;
    const series = this.#seriesAt(start);
    const behind = series === undefined ? NONE : this.#readFields(series, this.#skipSpaces(start + series.length));
    if (this.#newNames > PIECE_NAMES) this.#leaveLine();
    else this.#endLine(behind === NONE ? NONE : this.#endPoints(behind));
  }

  /** Ends the line at its newline, or leaves out what was read of it. */
  #endLine(end: number): void {
    const start = this.#at;
    if (end !== NONE) {
      this.#at = end + 1;
      return;
    }
    this.#dropPoints();
    const badEnd = lineEnd(this.#bytes, start);
    this.#badCount++;
    this.#firstBad ??= { number: this.#number, text: this.#shown(start, badEnd), fault: this.#fault };
    this.#at = badEnd + 1;
  }

  /** The line is read again from its beginning. */
  #leaveLine(): void {
    this.#dropPoints();
    this.#number--;
  }

  #dropPoints(): void {
    this.#staged.count = this.#first;
    for (const column of this.#typed) column.type = ValueType.Open;
  }

  #shown(start: number, end: number): string {
    const text = this.#bytes.toString('utf8', start, Math.min(end, start + SHOWN_BYTES)).trimEnd();
    return end - start > SHOWN_BYTES ? `${text}…` : text;
  }

  /** What follows the fields: a time, if there is one, and the end of the line; then the points are whole. */
  #endPoints(behind: number): number {
    const times = this.#times;
    let at = this.#skipSpaces(behind);
    const isStamped = this.#isEnd(at);
    if (isStamped) {
      times.ms = this.#arrivalMs;
      times.ticks = SERVER_TIME;
    } else {
      at = times.read(this.#bytes, at, this.#limit);
      if (at === NONE) return this.#refuse('bad timestamp');
      at = this.#skipSpaces(at);
      if (!this.#isEnd(at)) return this.#refuse('bad timestamp');
    }
    if (this.#bytes[at] === RETURN) at++;
    if (at >= this.#limit && this.#limit < this.#bytes.length)
      return this.#refuse(`a line of more than ${MAX_LINE_BYTES} bytes`);
    this.#setTimes(isStamped);
    return at;
  }

  #setTimes(isStamped: boolean): void {
    const staged = this.#staged;
    const { ms, ticks } = this.#times;
    for (let point = this.#first; point < staged.count; point++) {
      staged.goTo(point);
      const { chunk, index } = staged;
      chunk.timesMs[index] = ms;
      chunk.ticks[index] = ticks;
      const column = this.#columns.all[chunk.columns[index] as number] as TagColumn;
      column.count++;
      if (isStamped) column.stamped++;
    }
  }

  /** Whether the line ends at `at`, but for the return in front of its newline. */
  #isEnd(at: number): boolean {
    if (at >= this.#limit) return true;
    const byte = this.#bytes[at];
    if (byte === NEWLINE) return true;
    return byte === RETURN && (at + 1 >= this.#limit || this.#bytes[at + 1] === NEWLINE);
  }

  #skipSpaces(at: number): number {
    let next = at;
    while (next < this.#limit && this.#bytes[next] === SPACE) next++;
    return next;
  }

  #seriesAt(start: number): Series | undefined {
    const expected = this.#series.findNext(this.#bytes, start);
    if (expected !== undefined) return expected;
    if (!this.#series.scan(this.#bytes, start, this.#limit)) {
      this.#fault = 'missing fields';
      return undefined;
    }
    return this.#series.find(this.#bytes, start) ?? this.#addSeries(start);
  }

  #addSeries(start: number): Series | undefined {
    const { length, hash } = this.#series;
    const naming = this.#namingOf(start, length);
    if (typeof naming === 'string') {
      this.#fault = naming;
      return undefined;
    }
    const series = new Series({ start, length, hash }, naming);
    this.#series.add(series);
    return series;
  }

  /** A text says what is wrong. What a name has in common is bounded here, because every field has it. */
  #namingOf(start: number, length: number): SeriesNaming | string {
    if (length > MAX_SERIES_BYTES) return `a measurement with tags of more than ${MAX_SERIES_BYTES} bytes`;
    const key = parseSeriesKey(this.#bytes.subarray(start, start + length));
    if (typeof key === 'string') return key;
    const naming = nameSeries(this.#template as LineTemplate, key.measurement, key.tags);
    return naming.nameOf('').length > MAX_TAG_NAME_BYTES ? 'a tag name that is too long' : naming;
  }

  /** Reads the fields, the first of which is at `start`; returns the offset behind the last, or NONE. */
  #readFields(series: Series, start: number): number {
    const bytes = this.#bytes;
    let at = start;
    for (let number = 0; ; number++) {
      if (number === MAX_FIELDS) return this.#refuse(`more than ${MAX_FIELDS} fields`);
      const field = this.#fieldOf(series, number, at);
      if (field === undefined) return NONE;
      const end = this.#value.read(bytes, at + field.length + 1, this.#limit);
      if (end === NONE) return this.#refuse(this.#value.fault);
      if (!this.#stage(field.column)) return NONE;
      if (end >= this.#limit || bytes[end] !== COMMA) return end;
      at = end + 1;
    }
  }

  /** Keeps the value as the tag's point of this line; the last one counts when a line has several. */
  #stage(column: TagColumn): boolean {
    const staged = this.#staged;
    const isFirst = column.type === ValueType.Open;
    const type = isFirst ? this.#values.typeOfFirst(this.#value) : column.type;
    if (staged.count === MAX_POINTS_IN_BODY)
      throw new ProblemError(
        413,
        `The body has more than ${MAX_POINTS_IN_BODY} points; write them in several requests.`,
      );
    const isAgain = column.line === this.#reading;
    if (isAgain) staged.goTo(column.point);
    else staged.goToEnd();
    const fault = column.fault ?? this.#values.keep(this.#value, type, staged.chunk, staged.index);
    if (fault !== undefined) {
      this.#fault = `tag '${column.name}': ${fault}`;
      return false;
    }
    if (isAgain) return true;
    if (isFirst) this.#typed.push(column);
    column.type = type;
    column.line = this.#reading;
    column.point = staged.count;
    staged.chunk.columns[staged.index] = column.number;
    staged.count++;
    return true;
  }

  /** The field whose key is at `at`: the `number`-th of its line, which mostly are the same in every line. */
  #fieldOf(series: Series, number: number, at: number): SeriesField | undefined {
    const bytes = this.#bytes;
    const expected = series.fields[number];
    if (expected !== undefined && bytes[at + expected.length] === EQUALS) {
      if (areEqual(bytes, at, expected.start, expected.length)) return expected;
    }
    const length = fieldKeyLength(bytes, at, this.#limit);
    if (length > 0) return series.findField(bytes, at, length) ?? this.#addField(series, at, length);
    this.#fault = length === 0 ? 'missing field key' : 'invalid field format';
    return undefined;
  }

  /** Undefined for a key that cannot be one, and behind the last new name of a piece. */
  #addField(series: Series, start: number, length: number): SeriesField | undefined {
    if (++this.#newNames > PIECE_NAMES) return undefined;
    const key = length > MAX_KEY_BYTES ? undefined : parseFieldKey(this.#bytes.subarray(start, start + length));
    if (key === undefined) {
      this.#fault = `a field key that is not UTF-8, or of more than ${MAX_KEY_BYTES} bytes`;
      return undefined;
    }
    const field = { start, length, column: this.#columns.of(series.naming.nameOf(key)) };
    series.addField(this.#bytes, field);
    return field;
  }

  #refuse(fault: string): typeof NONE {
    this.#fault = fault;
    return NONE;
  }
}
