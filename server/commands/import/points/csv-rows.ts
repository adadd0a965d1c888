// The rows of a file as fields, by its form.

import { CsvFault, type CsvFields, type CsvRecord, splitFields, trimmedFields } from '../recognise/csv-records.ts';
import type { FileForm, ValueColumn } from '../recognise/file-form.ts';
import { isMarker } from '../recognise/guess-form.ts';
import type { JsonCell } from '../recognise/json-lines.ts';

export interface RowFields extends CsvFields {
  /** Undefined for files without kinds of their own, in which the text of a field says it. */
  readonly kinds?: readonly (JsonCell['kind'] | undefined)[];
}

/** What takes the records of a file apart. */
export interface Rows {
  /** Columns of tags that the first part does not have. */
  readonly added: readonly ValueColumn[];
  /** Undefined for what is no row. Throws a `CsvFault`. */
  split(record: CsvRecord): RowFields | undefined;
}

export class CsvRows implements Rows {
  readonly added: readonly ValueColumn[] = [];
  readonly #form: FileForm;

  constructor(form: FileForm) {
    this.#form = form;
  }

  split(record: CsvRecord): CsvFields | undefined {
    const { lastLineBefore, header, separator, isSpaced } = this.#form;
    if (record.line <= lastLineBefore || record.text === header || isMarker(record.text)) return undefined;
    const plain = splitFields(record, separator);
    const fields = isSpaced ? trimmedFields(plain) : plain;
    if (fields.texts.every((text) => text.trim() === '')) return undefined;
    this.#checkWidth(fields, record.line);
    return fields;
  }

  /** A separator too many at the end of a row does no harm. */
  #checkWidth({ texts }: CsvFields, line: number): void {
    const { width } = this.#form;
    const isRight = texts.length >= width && texts.slice(width).every((text) => text.trim() === '');
    if (!isRight) throw new CsvFault(line, `got ${texts.length} fields; want ${width}, as in the other rows`);
  }
}
