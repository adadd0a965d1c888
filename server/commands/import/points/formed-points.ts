// The points in the records of a file whose form was recognised, or given by flags.

import { CsvFault, type CsvRecord } from '../recognise/csv-records.ts';
import type { FileForm, ValueColumn } from '../recognise/file-form.ts';
import { joinTime } from '../recognise/time-columns.ts';
import { isBadValueWord, isThousandOrFraction, isValueWord, plainNumber } from '../recognise/value-forms.ts';
import type { RowFields, Rows } from './csv-rows.ts';
import type { CsvTime } from './csv-times.ts';
import { FileTimes, type FileTimesOptions } from './file-times.ts';
import type { CsvPoint, Findings, PointReader, StretchFindings } from './point-reader.ts';
import { fieldAt, TagValues, type ValueField } from './tag-values.ts';

export interface FormedOptions extends FileTimesOptions {
  readonly texts: ReadonlySet<string>;
  /** Words for no value, besides the usual ones. */
  readonly nulls: ReadonlySet<string>;
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
  readonly values: TagValues;
  readonly #rows: Rows;
  readonly #times: FileTimes;
  #isBegun = false;

  constructor(form: FileForm, rows: Rows, options: FormedOptions) {
    this.#form = form;
    this.#rows = rows;
    this.#options = options;
    this.values = new TagValues(options.texts, options);
    this.#times = new FileTimes(form.time.form, form.isNewestFirst, options);
  }

  get hasHeader(): boolean {
    return this.#isBegun;
  }

  get doubts(): readonly string[] {
    return [...this.values.wordDoubts(), ...this.#times.doubts()];
  }

  findings(): Findings & StretchFindings {
    return { kinds: this.values.kinds(), ...this.#times.findings() };
  }

  read(record: CsvRecord): CsvPoint[] {
    this.#isBegun = true;
    const fields = this.#rows.split(record);
    if (fields === undefined) return [];
    const { values, time: timeForm } = this.#form;
    const { line } = record;
    const told = joinTime(fields.texts, timeForm.columns);
    if (values[0]?.ofDayMs !== undefined) return this.#dayOf(fields, told, line);
    const time = this.#times.read(told, this.#tagOf(fields), line);
    const columns = values.length > 1 && values[0]?.tag === undefined ? [filledOf(values, fields)] : values;
    const points = columns.flatMap((column) => this.#pointOf(fields, column, time, line));
    for (const column of this.#rows.added) points.push(...this.#pointOf(fields, column, time, line));
    return points;
  }

  /** The points of a row that is a day; a field without a value is none, as of an hour that clocks leave out. */
  #dayOf(fields: RowFields, day: string, line: number): CsvPoint[] {
    return this.#form.values.flatMap((column) => {
      const word = (fields.texts[column.column] ?? '').trim();
      if (word === '' || isValueWord(word) || this.#options.nulls.has(word)) return [];
      const time = this.#times.readOfDay(day, column.ofDayMs ?? 0, this.#tagOf(fields), line);
      return this.#pointOf(fields, column, time, line);
    });
  }

  /** Empty in a file with a column for each tag. */
  #tagOf({ texts }: RowFields): string {
    const { tagColumns = [] } = this.#form;
    if (tagColumns.length === 1) return texts[tagColumns[0] as number] as string;
    return tagColumns
      .map((column) => texts[column] as string)
      .filter((part) => part !== '')
      .join('.');
  }

  #pointOf(fields: RowFields, column: ValueColumn, time: CsvTime, line: number): CsvPoint[] {
    const plainTag = this.#nameOf(fields, column, line);
    const told = this.#qualityOf(fields, column);
    const tag = this.#options.prefix + plainTag;
    const field = this.#valueOf(tag, column, fields, line);
    const isNothing = field !== BAD && (field === WORD || this.values.isEmpty(tag, field));
    // A point without a value is one where the file says that it is bad; a column for each tag has empty fields between points.
    if (isNothing && column.tag !== undefined && (told === undefined || told === '')) {
      this.values.skip(tag, field, time, line);
      return [];
    }
    const quality = this.values.readQuality(told, line) ?? (field === BAD ? '0' : undefined);
    return [this.values.point(tag, time, field === BAD || field === WORD ? NOTHING : field, line, quality)];
  }

  #nameOf(fields: RowFields, { tag }: ValueColumn, line: number): string {
    if (tag !== undefined && this.#form.tagColumns === undefined) return tag;
    const told = this.#tagOf(fields);
    if (told.trim() === '') throw new CsvFault(line, 'the tag is empty; want its name');
    return tag === undefined ? told : `${told}.${tag}`;
  }

  #qualityOf({ texts }: RowFields, { quality }: ValueColumn): string | undefined {
    const told = quality === undefined ? undefined : (texts[quality] as string).trim();
    return told === '1' && this.#form.isFlagged === true ? '192' : told;
  }

  /** The field with numbers as JSON has them: a decimal point, and nothing else. */
  #valueOf(tag: string, { column, unit }: ValueColumn, fields: RowFields, line: number): ValueField | typeof BAD {
    const { decimal, time } = this.#form;
    const kind = fields.kinds?.[column];
    if (kind === 'nothing') return NOTHING;
    const field = fieldAt(fields, column, time.columns[0] as number);
    // A field with nothing in it is no text, unless the file says that it is one.
    if (this.#options.texts.has(tag)) return kind === undefined ? field : { ...field, kind: 'text' };
    const word = field.text.trim();
    if (word === '' && kind === undefined) return field;
    if (this.#options.nulls.has(word)) return NOTHING;
    if (kind !== undefined) return { ...field, kind };
    const bare = unit !== undefined && word.endsWith(unit) ? word.slice(0, -unit.length).trim() : word;
    const number = plainNumber(bare, decimal);
    if (number !== undefined) {
      if (!this.#form.isDecimalTold) this.#checkDecimal(tag, bare, number, line);
      return { text: number, quotes: 'none', original: word };
    }
    if (!isValueWord(word)) return field;
    const known = this.values.kindOf(tag);
    if (known === 'text') return field;
    if (known === undefined) this.values.noteWord(tag, word, line);
    return isBadValueWord(word) ? BAD : WORD;
  }

  /** Numbers that no row of the first part has told how to read. */
  #checkDecimal(tag: string, field: string, number: string, line: number): void {
    if (isThousandOrFraction(field))
      throw new CsvFault(line, `got ${field}, which can be a thousand or a fraction; want --decimal . or --decimal ,`);
    const isPlain = number === field;
    if (!isPlain && this.values.kindOf(tag) === undefined && this.#options.isOnePass === true)
      this.values.noteWord(tag, field, line);
  }
}

/** The column that has the value of a row, where there is one for each type; the first one where none has. */
function filledOf(columns: readonly ValueColumn[], { texts }: RowFields): ValueColumn {
  const isFilled = ({ column }: ValueColumn): boolean => {
    const word = (texts[column] as string).trim();
    return word !== '' && !isValueWord(word);
  };
  return columns.find(isFilled) ?? (columns[0] as ValueColumn);
}
