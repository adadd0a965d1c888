// The points in the records of a file whose form was recognised, or given by flags.

import { formatInstant } from '../../../codec/scalars/timestamp.ts';
import { findTimeZone, type TimeZone } from '../../../routes/request/time-zone.ts';
import { readClockTime } from '../recognise/clock-times.ts';
import { CsvFault, type CsvFields, type CsvRecord, splitFields, trimmedFields } from '../recognise/csv-records.ts';
import type { FileForm, ValueColumn } from '../recognise/file-form.ts';
import { isMarker } from '../recognise/guess-form.ts';
import { isBadValueWord, isThousandOrFraction, isValueWord, plainNumber } from '../recognise/value-forms.ts';
import type { CsvTime } from './csv-times.ts';
import { LocalClock } from './local-clock.ts';
import type { CsvPoint, Findings, PointReader, ReaderOptions, UnknownQualities } from './point-reader.ts';
import { fieldAt, TagValues, type ValueField } from './tag-values.ts';

export interface FormedOptions extends ReaderOptions {
  readonly texts: ReadonlySet<string>;
  /** Words for no value, besides the usual ones. */
  readonly nulls: ReadonlySet<string>;
  readonly zone: string | undefined;
  /** Which of two hours local times are of where no row tells it. */
  readonly twice: 'first' | 'second' | undefined;
  /** Put in front of each tag. */
  readonly prefix: string;
}

const NOTHING: ValueField = { text: '', quotes: 'none' };
/** In place of a word for no value. */
const WORD: ValueField = { text: '', quotes: 'chosen' };
const BAD = 'bad';

export class FormedPoints implements PointReader {
  readonly isOtherForm = false;
  readonly #form: FileForm;
  readonly #options: FormedOptions;
  readonly #values: TagValues;
  readonly #clock: LocalClock;
  #isBegun = false;

  constructor(form: FileForm, options: FormedOptions) {
    this.#form = form;
    this.#options = options;
    this.#values = new TagValues(options.texts, options);
    this.#clock = new LocalClock(findTimeZone(options.zone ?? 'UTC') as TimeZone, {
      isNewestFirst: form.isNewestFirst,
      verdicts: options.isOnePass === true ? undefined : options.findings?.stretches,
      twice: options.twice,
      isOnePass: options.isOnePass ?? false,
    });
  }

  get tagCount(): number {
    return this.#values.tagCount;
  }

  get unknownQualities(): UnknownQualities {
    return this.#values.unknownQualities;
  }

  get isUnsorted(): boolean {
    return this.#values.isUnsorted;
  }

  get missedCount(): number {
    return this.#values.missedCount;
  }

  get hasHeader(): boolean {
    return this.#isBegun;
  }

  get doubts(): readonly string[] {
    return [...this.#values.wordDoubts(), ...this.#clockDoubts()];
  }

  findings(): Findings & { readonly isFinal: boolean } {
    const { verdicts, isFinal } = this.#clock.end();
    return { kinds: this.#values.kinds(), stretches: verdicts, isFinal };
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

  #readTime(fields: CsvFields, line: number): CsvTime {
    const { columns, form } = this.#form.time;
    const field = columns.map((column) => (fields.texts[column] as string).trim()).join(' ');
    const time = readClockTime(field, form);
    if (time === undefined)
      throw new CsvFault(line, `got the time ${field.slice(0, 60)}; want one of the form ${form}`);
    if (time.isLocal && !time.isDate && this.#options.zone === undefined)
      throw new CsvFault(line, `${field} does not say in which time zone it is; want --tz <zone>`);
    const ms = time.isLocal ? this.#clock.instantOf(time.ms, this.#tagOf(fields), line) : time.ms;
    if (ms === 'skipped')
      throw new CsvFault(
        line,
        `clocks in ${this.#options.zone} never show ${field}: they were put forward; want another --tz`,
      );
    if (ms === 'mixed')
      throw new CsvFault(
        line,
        `clocks in ${this.#options.zone} show ${field} twice, and the order of the rows does not tell which it is; want rows sorted by time, or --twice first or --twice second`,
      );
    return { ms, ticks: time.ticks, text: formatInstant({ ms, ticks: time.ticks }) };
  }

  /** Empty in a file with a column for each tag. */
  #tagOf({ texts }: CsvFields): string {
    const { tagColumns = [] } = this.#form;
    return tagColumns.map((column) => texts[column] as string).join('.');
  }

  #pointOf(fields: CsvFields, column: ValueColumn, time: CsvTime, line: number): CsvPoint[] {
    const { tagColumns } = this.#form;
    const plainTag = column.tag ?? this.#tagOf(fields);
    if (plainTag.trim() === '') throw new CsvFault(line, 'the tag is empty; want its name');
    const told = column.quality === undefined ? undefined : (fields.texts[column.quality] as string).trim();
    const tag = this.#options.prefix + plainTag;
    const field = this.#valueOf(tag, column, fields, line);
    const isNothing = field !== BAD && (field === WORD || this.#values.isEmpty(tag, field));
    // A point without a value is one where the file says that it is bad; a column for each tag has empty fields between points.
    if (isNothing && tagColumns === undefined && (told === undefined || told === '')) {
      this.#values.skip(tag, field, time, line);
      return [];
    }
    const point = this.#values.point(tag, time, field === BAD || field === WORD ? NOTHING : field, line);
    const quality = this.#values.readQuality(told, line);
    return [{ ...point, quality: quality ?? (field === BAD ? '0' : undefined) }];
  }

  /** The field with numbers as JSON has them: a decimal point, and nothing else. */
  #valueOf(tag: string, { column, unit }: ValueColumn, fields: CsvFields, line: number): ValueField | typeof BAD {
    const { decimal, time } = this.#form;
    const field = fieldAt(fields, column, time.columns[0] as number);
    if (this.#options.texts.has(tag)) return field;
    const word = field.text.trim();
    if (word === '') return field;
    if (this.#options.nulls.has(word)) return NOTHING;
    const bare = unit !== undefined && word.endsWith(unit) ? word.slice(0, -unit.length).trim() : word;
    const number = plainNumber(bare, decimal);
    if (number !== undefined) {
      if (!this.#form.isDecimalTold) this.#checkDecimal(tag, bare, number, line);
      return { text: number, quotes: 'none', original: word };
    }
    if (!isValueWord(word)) return field;
    const kind = this.#values.kindOf(tag);
    if (kind === 'text') return field;
    if (kind === undefined) this.#values.noteWord(tag, word, line);
    return isBadValueWord(word) ? BAD : WORD;
  }

  /** Numbers that no row of the first part has told how to read. */
  #checkDecimal(tag: string, field: string, number: string, line: number): void {
    if (isThousandOrFraction(field))
      throw new CsvFault(line, `got ${field}, which can be a thousand or a fraction; want --decimal . or --decimal ,`);
    const isPlain = number === field;
    if (!isPlain && this.#values.kindOf(tag) === undefined && this.#options.isOnePass === true)
      this.#values.noteWord(tag, field, line);
  }

  *#clockDoubts(): Generator<string> {
    const { untold } = this.#clock;
    if (untold === undefined) return;
    const { count, firstLine, taken } = untold;
    const other = taken === 'first' ? 'second' : 'first';
    yield `Line ${firstLine}: clocks in ${this.#options.zone} show this hour twice, and no row tells which it is (${count.toLocaleString('en')} rows); it is taken for the ${taken} one. --twice ${other} where it is the other.`;
  }
}
