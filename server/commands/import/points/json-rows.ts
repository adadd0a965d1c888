// The lines of a file of JSON lines as fields: the keys are its columns, in the order in which they were first seen.

import { isKnownExtra } from '../recognise/column-words.ts';
import { CsvFault, type CsvRecord } from '../recognise/csv-records.ts';
import type { ValueColumn } from '../recognise/file-form.ts';
import type { JsonForm } from '../recognise/json-form.ts';
import { type JsonCell, parseJsonLine } from '../recognise/json-lines.ts';
import type { RowFields, Rows } from './csv-rows.ts';

const NONE_QUOTED: readonly boolean[] = [];

export class JsonRows implements Rows {
  readonly added: ValueColumn[] = [];
  readonly #isLong: boolean;
  readonly #columns: Map<string, number>;

  constructor(form: JsonForm) {
    this.#isLong = form.tagColumns !== undefined;
    this.#columns = new Map(form.keys.map((key, column) => [key, column]));
  }

  split(record: CsvRecord): RowFields | undefined {
    if (record.text.trim() === '') return undefined;
    const texts = new Array<string>(this.#columns.size).fill('');
    const kinds = new Array<JsonCell['kind'] | undefined>(this.#columns.size).fill('nothing');
    for (const [key, { text, kind }] of parseJsonLine(record)) {
      const column = this.#columns.get(key) ?? this.#add(key, record.line);
      texts[column] = text;
      kinds[column] = kind;
    }
    return { texts, isQuoted: NONE_QUOTED, kinds };
  }

  /** A key that comes late is one more tag where each key is a tag. */
  #add(key: string, line: number): number {
    if (this.#isLong && !isKnownExtra(key))
      throw new CsvFault(
        line,
        `got the key ${JSON.stringify(key)}, which no line of the first part has; want the keys of the other lines`,
      );
    const column = this.#columns.size;
    this.#columns.set(key, column);
    if (!this.#isLong) this.added.push({ column, tag: key, quality: undefined, unit: undefined });
    return column;
  }
}
