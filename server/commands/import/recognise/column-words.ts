// What each column of a file is, in the words of `--columns`: a tag's name, `tag`, `time`, `value`, `quality`, or `-`.
// Pure, so that a browser can use it.

import { type SampleRow, UnclearForm } from './file-form.ts';
import { isValueWord, plainNumber } from './value-forms.ts';

const TAG_NAMES = [
  'tag',
  'tagname',
  'tag name',
  'tag_name',
  'tagpath',
  'point',
  'metric',
  'series',
  'entity_id',
  'variable',
  'varname',
];
const VALUE_NAMES = ['value', 'val', 'varvalue', 'state', 'wert', 'valor', 'floatvalue', 'pv'];
const QUALITY_NAMES = ['quality', 'q', 'status', 'dataintegrity', 'validity', 'qualität'];
/** Columns of the Explorer's own export that a dataset has otherwise. */
const KNOWN_EXTRAS = ['dataset', 'unit', 'state', 'units', 'attributes', 'result', 'table', '_start', '_stop'];
const QUALITY_END = /[\s._/:-]*[[(]?(?:quality|qualität|status|validity)[\])]?$/i;
const VALUE_END = /[\s._/:-]*[[(]?(?:value|val|wert)[\])]?$/i;

export interface ColumnSample {
  /** Undefined for a file without a header. */
  readonly names: readonly string[] | undefined;
  readonly width: number;
  readonly rows: readonly SampleRow[];
  readonly timeColumns: readonly number[];
  readonly isQuality: (text: string) => boolean;
}

export function guessColumnWords(sample: ColumnSample): string[] {
  return sample.names === undefined ? wordsWithoutHeader(sample) : wordsOf(sample, sample.names);
}

function wordsOf(sample: ColumnSample, names: readonly string[]): string[] {
  const keys = names.map((name) => name.trim().toLowerCase());
  const columns = Array.from({ length: sample.width }, (_, column) => column);
  if (keys.includes('_value') && keys.includes('_field')) return fluxWords(sample, keys);
  const at = (known: readonly string[]): number => keys.findIndex((key) => known.includes(key));
  const tag = at(TAG_NAMES);
  const ownValue = keys.indexOf('value');
  const value = ownValue === -1 ? at(VALUE_NAMES) : ownValue;
  if (tag !== -1 && value !== -1) {
    const quality = keys.findIndex((key, column) => QUALITY_NAMES.includes(key) && isQualityColumn(sample, column));
    return columns.map((column) => {
      if (sample.timeColumns.includes(column)) return 'time';
      if (column === tag) return 'tag';
      if (column === value) return 'value';
      if (column === quality) return 'quality';
      return '-';
    });
  }
  return wideWords(sample, names);
}

/** Query results of InfluxDB: the name of a tag is that of the measurement, its tags, and the field. */
function fluxWords({ timeColumns }: ColumnSample, keys: readonly string[]): string[] {
  const others = keys.filter((key) => key !== '' && !key.startsWith('_') && !['result', 'table'].includes(key));
  const order = ['_measurement', ...others, '_field'].filter((key) => keys.includes(key));
  return keys.map((key, column) => {
    if (timeColumns.includes(column)) return 'time';
    if (key === '_value') return 'value';
    return order.includes(key) ? `tag${order.indexOf(key) + 1}` : '-';
  });
}

function wideWords(sample: ColumnSample, names: readonly string[]): string[] {
  const words: string[] = [];
  for (let column = 0; column < sample.width; column++) {
    const name = names[column] ?? '';
    const before = names[column - 1];
    if (sample.timeColumns.includes(column)) words.push('time');
    else if (name.trim() === '') words.push('-');
    else if (isQualityOf(name, before) && isTag(words.at(-1)) && isQualityColumn(sample, column)) {
      words.push('quality');
      const base = name.replace(QUALITY_END, '');
      if (base !== '' && before !== base) words[column - 1] = base;
    } else words.push(name);
  }
  const repeated = words.find((word, index) => isTag(word) && words.indexOf(word) !== index);
  if (repeated !== undefined)
    throw new UnclearForm(
      '--columns <name>,<name>…',
      `The header has ${JSON.stringify(repeated)} twice; want a name for each.`,
    );
  return words;
}

function isTag(word: string | undefined): boolean {
  return word !== undefined && !['time', 'quality', '-'].includes(word);
}

/** A name that is that of the column before and a word for quality, or such a word alone. */
function isQualityOf(name: string, before: string | undefined): boolean {
  if (before === undefined || !QUALITY_END.test(name)) return false;
  const base = name.replace(QUALITY_END, '');
  return base === '' || base === before || base === before.replace(VALUE_END, '');
}

function isQualityColumn({ rows, isQuality }: ColumnSample, column: number): boolean {
  const cells = rows.map(({ fields }) => (fields[column] ?? '').trim()).filter((cell) => cell !== '');
  return cells.every((cell) => isQuality(cell));
}

function wordsWithoutHeader(sample: ColumnSample): string[] {
  const { width, rows, timeColumns } = sample;
  const others = Array.from({ length: width }, (_, column) => column).filter((one) => !timeColumns.includes(one));
  const texts = others.filter((column) => rows.every(({ fields }) => isName((fields[column] ?? '').trim())));
  const [tag] = texts;
  const rest = others.filter((column) => column !== tag);
  const [value, quality] = rest;
  const isLong = tag !== undefined && value !== undefined && rest.length <= 2 && tag < value;
  if (!isLong || (quality !== undefined && !isQualityColumn(sample, quality)))
    throw new UnclearForm(
      `--columns ${Array.from({ length: width }, (_, column) => (timeColumns.includes(column) ? 'time' : '<tag>'))}`,
      'The file has no header, so that its tags have no names.',
    );
  return Array.from({ length: width }, (_, column) => {
    if (timeColumns.includes(column)) return 'time';
    if (column === tag) return 'tag';
    return column === value ? 'value' : 'quality';
  });
}

function isName(cell: string): boolean {
  const word = cell.toLowerCase();
  if (word === '' || isValueWord(word)) return false;
  return (
    !/^(true|false|on|off|good)$/.test(word) &&
    plainNumber(cell, '.') === undefined &&
    plainNumber(cell, ',') === undefined
  );
}

/** Columns that a long file has besides, and that nobody misses. */
export function isKnownExtra(name: string): boolean {
  return KNOWN_EXTRAS.includes(name.trim().toLowerCase());
}
