// The form of a file of JSON lines: its keys are what the columns of other files are. Pure, so that a browser can use it.

import { guessColumnWords, isKnownExtra } from './column-words.ts';
import { CsvFault, type CsvRecord } from './csv-records.ts';
import { type FileForm, type FormWishes, type SampleRow, UnclearForm } from './file-form.ts';
import { layoutOf, timesOf } from './guess-form.ts';
import { parseJsonLine } from './json-lines.ts';
import { findTimeColumns, joinTime } from './time-columns.ts';

/** What the points of a stream of TVQs are called. */
const SHORT_KEYS: Readonly<Record<string, string>> = { n: 'tag', t: 'time', v: 'value', q: 'quality' };

export interface JsonForm extends FileForm {
  /** In the order in which the first part has them. */
  readonly keys: readonly string[];
}

/** Throws an `UnclearForm` where a flag is needed, a `CsvFault` where no line has a time. */
export function guessJsonForm(
  records: readonly CsvRecord[],
  wishes: FormWishes,
  isQuality: (text: string) => boolean,
): JsonForm {
  if (wishes.columns !== undefined)
    throw new UnclearForm('--time <key>', '--columns is for files with columns; JSON lines have names of their own.');
  const { keys, rows } = sampleOf(records);
  const isShort = ['n', 't', 'v'].every((key) => keys.includes(key));
  const names = isShort ? keys.map((key) => SHORT_KEYS[key] ?? key) : keys;
  const timeColumns = wishes.time?.map((name) => keyOf(name, keys)) ?? findTimeColumns(cellsOf(rows), () => names);
  const times = rows.map(({ fields }) => joinTime(fields, timeColumns));
  const time = timeColumns.length === 0 ? undefined : timesOf(times, wishes);
  if (time === undefined)
    throw new CsvFault(
      records[0]?.line ?? 1,
      `no key has times (${keys.slice(0, 10).join(', ')}); want one, such as time`,
    );
  const columnWords = guessColumnWords({ names, width: names.length, rows, timeColumns, isQuality, tag: wishes.tag });
  const { tagColumns, values } = layoutOf(columnWords, wishes.tag);
  const left = names.filter((name, column) => columnWords[column] === '-' && !isKnownExtra(name));
  return {
    keys,
    separator: ',',
    lastLineBefore: 0,
    header: undefined,
    width: names.length,
    time: { columns: timeColumns, form: time.form },
    tagColumns,
    values: values.map((value) => ({ ...value, unit: undefined })),
    decimal: '.',
    isDecimalTold: true,
    columnWords,
    isSpaced: false,
    hasHeader: true,
    isLocal: time.isLocal,
    isNewestFirst: time.isNewestFirst,
    doubts: left.length > 0 ? [`Keys left out: ${left.join(', ')}.`] : [],
  };
}

function cellsOf(rows: readonly SampleRow[]): (readonly string[])[] {
  return rows.map(({ fields }) => fields);
}

function keyOf(name: string, keys: readonly string[]): number {
  const column = keys.indexOf(name);
  if (column === -1) throw new UnclearForm('--time <key>', `No line has the key ${name}.`);
  return column;
}

/** Lines that are no object are told when they are read. */
function sampleOf(records: readonly CsvRecord[]): { keys: string[]; rows: SampleRow[] } {
  const columns = new Map<string, number>();
  const rows: SampleRow[] = [];
  for (const record of records) {
    try {
      const fields: string[] = [];
      for (const [key, { text }] of parseJsonLine(record)) {
        const column = columns.get(key) ?? columns.size;
        columns.set(key, column);
        fields[column] = text;
      }
      rows.push({ line: record.line, text: record.text, fields: Array.from(fields, (field) => field ?? '') });
    } catch (fault) {
      if (!(fault instanceof CsvFault)) throw fault;
    }
  }
  return { keys: [...columns.keys()], rows };
}
