// The points in the records of a CSV file of the project's own form: what the header says about the columns, and the values
// and times of a row. Checks all that can be known without the server, so that a faulty file is told before anything is written.

import {
  areSpaced,
  CsvFault,
  type CsvFields,
  type CsvRecord,
  splitFields,
  trimmedFields,
} from '../recognise/csv-records.ts';
import { type Columns, readColumns } from './csv-columns.ts';
import { readCsvTime } from './csv-times.ts';
import type { CsvPoint, Findings, PointReader, ReaderOptions, StretchFindings } from './point-reader.ts';
import { fieldAt, TagValues } from './tag-values.ts';

const SEPARATORS = [',', ';', '\t'];

/** Reads one file from its header on. */
export class CsvPoints implements PointReader {
  readonly doubts: readonly string[] = [];
  readonly values: TagValues;
  #columns: Columns | undefined;
  #separator = ',';
  #width = 0;
  /** True for a file with blanks around all fields, which are no part of them then. */
  #isSpaced = false;

  /** `texts`: the tags whose values are texts even where they look like numbers. */
  constructor(texts: ReadonlySet<string>, options: ReaderOptions = {}) {
    this.values = new TagValues(texts, options);
  }

  get hasHeader(): boolean {
    return this.#columns !== undefined;
  }

  /** Words for no value among numbers are none of this form, nor are numbers with signs for thousands. */
  get isOtherForm(): boolean {
    return this.values.isDoubtful;
  }

  findings(): Findings & StretchFindings {
    return { kinds: this.values.kinds(), stretches: [], isFinal: true };
  }

  /** The points of a record; the first one is the header. Throws a `CsvFault`. */
  read(record: CsvRecord): CsvPoint[] {
    if (this.#columns === undefined) {
      this.#readHeader(record);
      return [];
    }
    const fields = this.#split(record);
    if (fields.texts.length !== this.#width) {
      const hint = this.#separator === ',' ? '; is there a decimal comma? want a point' : '';
      throw new CsvFault(
        record.line,
        `got ${fields.texts.length} fields; want ${this.#width}, as in the header${hint}`,
      );
    }
    return this.#columns.form === 'long'
      ? [this.#longPoint(fields, this.#columns, record.line)]
      : this.#widePoints(fields, this.#columns.tags, record.line);
  }

  #readHeader({ line, text }: CsvRecord): void {
    const count = (separator: string): number => text.split(separator).length;
    this.#separator = SEPARATORS.reduce((best, one) => (count(one) > count(best) ? one : best));
    const { texts } = splitFields({ line, text: text.replace(/^\uFEFF/, '') }, this.#separator);
    this.#isSpaced = areSpaced(texts);
    const names = this.#isSpaced ? texts.map((name) => name.trim()) : texts;
    this.#width = names.length;
    this.#columns = readColumns(names, line);
  }

  #split(record: CsvRecord): CsvFields {
    const fields = splitFields(record, this.#separator);
    return this.#isSpaced ? trimmedFields(fields) : fields;
  }

  #longPoint(fields: CsvFields, columns: Columns & { form: 'long' }, line: number): CsvPoint {
    const { texts } = fields;
    const tag = texts[columns.tag] as string;
    if (tag.trim() === '') throw new CsvFault(line, 'the tag is empty; want its name');
    const time = readCsvTime((texts[columns.time] as string).trim(), line);
    const quality = this.values.readQuality(texts[columns.quality]?.trim(), line);
    const value = fieldAt(fields, columns.value, columns.time);
    return this.values.point(tag, time, value, line, quality);
  }

  /** A field with nothing in it is no point. */
  #widePoints(fields: CsvFields, tags: readonly string[], line: number): CsvPoint[] {
    const time = readCsvTime((fields.texts[0] as string).trim(), line);
    return tags.flatMap((tag, index) => {
      const field = fieldAt(fields, index + 1, 0);
      if (!this.values.isEmpty(tag, field)) return [this.values.point(tag, time, field, line)];
      this.values.skip(tag, field, time, line);
      return [];
    });
  }
}
