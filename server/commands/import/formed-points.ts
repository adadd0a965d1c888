// The points in the records of a file whose form was recognised, or given by flags.

import { formatInstant } from '../../codec/scalars/timestamp.ts';
import { findTimeZone, instantOfLocal, type TimeZone } from '../../routes/request/time-zone.ts';
import {
  type CsvPoint,
  CsvPoints,
  type CsvPointsOptions,
  type CsvTime,
  fieldAt,
  type PointReader,
  type UnknownQualities,
  type ValueField,
} from './csv-points.ts';
import { readClockTime } from './recognise/clock-times.ts';
import { CsvFault, type CsvFields, type CsvRecord, splitFields, trimmedFields } from './recognise/csv-records.ts';
import type { FileForm, ValueColumn } from './recognise/file-form.ts';
import { isMarker } from './recognise/guess-form.ts';
import { BAD_VALUE_WORDS, NO_VALUE_WORDS, plainNumber } from './recognise/value-forms.ts';

export interface FormedOptions extends CsvPointsOptions {
  readonly texts: ReadonlySet<string>;
  /** Words for no value, besides the usual ones. */
  readonly nulls: ReadonlySet<string>;
  readonly zone: string | undefined;
  /** Put in front of each tag. */
  readonly prefix: string;
}

const NOTHING: ValueField = { text: '', quotes: 'none' };
const BAD = 'bad';
const QUARTER_MS = 900_000;

export class FormedPoints implements PointReader {
  readonly #form: FileForm;
  readonly #options: FormedOptions;
  readonly #points: CsvPoints;
  readonly #clock: LocalClock;
  readonly #nulls: ReadonlySet<string>;
  #isBegun = false;

  constructor(form: FileForm, options: FormedOptions) {
    this.#form = form;
    this.#options = options;
    this.#points = new CsvPoints(options.texts, options);
    this.#clock = new LocalClock(findTimeZone(options.zone ?? 'UTC') as TimeZone, form.isNewestFirst);
    this.#nulls = new Set([...NO_VALUE_WORDS, ...[...options.nulls].map((word) => word.toLowerCase())]);
  }

  get tagCount(): number {
    return this.#points.tagCount;
  }

  get unknownQualities(): UnknownQualities {
    return this.#points.unknownQualities;
  }

  get isUnsorted(): boolean {
    return this.#points.isUnsorted;
  }

  get hasHeader(): boolean {
    return this.#isBegun;
  }

  read(record: CsvRecord): CsvPoint[] {
    const { lastLineBefore, header } = this.#form;
    this.#isBegun = true;
    if (record.line <= lastLineBefore || record.text === header || isMarker(record.text)) return [];
    const fields = this.#split(record);
    if (fields.texts.every((text) => text.trim() === '')) return [];
    this.#checkWidth(fields, record.line);
    const time = this.#readTime(fields, record.line);
    return this.#form.values.flatMap((column) => this.#pointOf(fields, column, time, record.line));
  }

  #split(record: CsvRecord): CsvFields {
    const fields = splitFields(record, this.#form.separator);
    return this.#form.isSpaced ? trimmedFields(fields) : fields;
  }

  /** A separator too many at the end of a row does no harm. */
  #checkWidth({ texts }: CsvFields, line: number): void {
    const { width } = this.#form;
    const isRight = texts.length >= width && texts.slice(width).every((text) => text.trim() === '');
    if (!isRight) throw new CsvFault(line, `got ${texts.length} fields; want ${width}, as in the other rows`);
  }

  #readTime({ texts }: CsvFields, line: number): CsvTime {
    const { columns, form } = this.#form.time;
    const field = columns.map((column) => (texts[column] as string).trim()).join(' ');
    const time = readClockTime(field, form);
    if (time === undefined)
      throw new CsvFault(line, `got the time ${field.slice(0, 60)}; want one of the form ${form}`);
    const ms = time.isLocal ? this.#clock.instantOf(time.ms) : time.ms;
    if (ms === undefined)
      throw new CsvFault(
        line,
        `clocks in ${this.#options.zone} never show ${field}: they were put forward; want another --tz`,
      );
    return { ms, ticks: time.ticks, text: formatInstant({ ms, ticks: time.ticks }) };
  }

  #pointOf(fields: CsvFields, column: ValueColumn, time: CsvTime, line: number): CsvPoint[] {
    const { tagColumns } = this.#form;
    const plainTag = column.tag ?? (tagColumns ?? []).map((one) => fields.texts[one] as string).join('.');
    if (plainTag.trim() === '') throw new CsvFault(line, 'the tag is empty; want its name');
    const told = column.quality === undefined ? undefined : (fields.texts[column.quality] as string).trim();
    const field = this.#valueOf(plainTag, column, fields);
    const tag = this.#options.prefix + plainTag;
    const isNothing = field !== BAD && this.#points.isEmpty(tag, field);
    // A point without a value is one where the file says that it is bad; a column for each tag has empty fields between points.
    if (isNothing && tagColumns === undefined && (told === undefined || told === '')) return [];
    const point = this.#points.point(tag, time, field === BAD ? NOTHING : field, line);
    const quality = this.#points.readQuality(told, line);
    return [{ ...point, quality: quality ?? (field === BAD ? '0' : undefined) }];
  }

  /** The field as `CsvPoints` reads it: numbers with a decimal point. */
  #valueOf(tag: string, { column, unit }: ValueColumn, fields: CsvFields): ValueField | typeof BAD {
    const { textTags, decimal, time } = this.#form;
    const field = fieldAt(fields, column, time.columns[0] as number);
    const word = field.text.trim();
    const tagName = this.#options.prefix + tag;
    if (this.#options.texts.has(tagName)) return field;
    const isText = textTags.has(tag);
    const lower = word.toLowerCase();
    if (this.#options.nulls.has(word) || (!isText && this.#nulls.has(lower))) return NOTHING;
    if (!isText && BAD_VALUE_WORDS.includes(lower)) return BAD;
    if (isText || word === '') return field;
    const bare = unit !== undefined && word.endsWith(unit) ? word.slice(0, -unit.length).trim() : word;
    const number = plainNumber(bare, decimal);
    return number === undefined ? field : { text: number, quotes: 'none' };
  }
}

/** Local times of a file to instants. An hour that the clocks show twice is told apart by the order of the rows. */
class LocalClock {
  readonly #zone: TimeZone;
  #quarter = Number.NaN;
  #firstMs = 0;
  #secondMs = 0;
  #isSkipped = false;
  readonly #isNewestFirst: boolean;
  #lastMs: number;

  constructor(zone: TimeZone, isNewestFirst: boolean) {
    this.#zone = zone;
    this.#isNewestFirst = isNewestFirst;
    this.#lastMs = isNewestFirst ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }

  /** Undefined for a time that the clocks skip. */
  instantOf(localMs: number): number | undefined {
    const quarter = Math.floor(localMs / QUARTER_MS);
    if (quarter !== this.#quarter) this.#turnTo(quarter);
    if (this.#isSkipped) return undefined;
    const first = localMs - this.#firstMs;
    const second = localMs - this.#secondMs;
    const isSecond = this.#isNewestFirst
      ? second <= this.#lastMs || first > this.#lastMs
      : first < this.#lastMs && second >= this.#lastMs;
    this.#lastMs = isSecond ? second : first;
    return this.#lastMs;
  }

  /** The differences to UTC are those of the whole quarter of an hour. */
  #turnTo(quarter: number): void {
    const localMs = quarter * QUARTER_MS;
    const first = instantOfLocal(this.#zone, localMs, 'first');
    this.#quarter = quarter;
    this.#firstMs = localMs - first;
    this.#secondMs = localMs - instantOfLocal(this.#zone, localMs, 'second');
    this.#isSkipped = first + this.#zone.offsetMs(first) !== localMs;
  }
}
