// The header of the project's own form of CSV.

import { repeatedOf } from '../recognise/column-words.ts';
import { CsvFault } from '../recognise/csv-records.ts';

export type Columns =
  | { readonly form: 'long'; readonly tag: number; readonly time: number; readonly value: number; quality: number }
  | { readonly form: 'wide'; readonly tags: readonly string[] };

export const HEADER_FORM = "tag,time,value[,quality], or time,<tag>,<tag>… ('time' first), separated by , ; or tab";
/** Columns of the Explorer's own export that a dataset has otherwise. */
const KNOWN_EXTRAS = ['dataset', 'state', 'unit'];

/** Throws a `CsvFault`. */
export function readColumns(names: readonly string[], line: number): Columns {
  const keys = names.map((name) => name.trim().toLowerCase());
  const [tag, time, value, quality] = ['tag', 'time', 'value', 'quality'].map((key) => keys.indexOf(key));
  const repeated = repeatedOf(names);
  if (repeated !== undefined) throw new CsvFault(line, `the header has ${shown(repeated)} twice; want it once`);
  if (tag !== -1 && time !== -1 && value !== -1) {
    const known = ['tag', 'time', 'value', 'quality', ...KNOWN_EXTRAS];
    const other = names.find((_, index) => !known.includes(keys[index] as string));
    if (other !== undefined) throw new CsvFault(line, `the header has the column ${shown(other)}; want ${HEADER_FORM}`);
    return { form: 'long', tag, time, value, quality } as Columns;
  }
  if (keys[0] !== 'time' || names.length < 2)
    throw new CsvFault(line, `got the header ${shown(names.join(' '))}; want ${HEADER_FORM}`);
  const empty = names.findIndex((name) => name.trim() === '');
  if (empty !== -1) throw new CsvFault(line, `column ${empty + 1} of the header is empty; want the name of a tag`);
  return { form: 'wide', tags: names.slice(1) };
}

/** In quotes, and not longer than a line of a message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
