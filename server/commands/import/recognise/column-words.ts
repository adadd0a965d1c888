// What each column of a file is, in the words of `--columns`: a tag's name, `tag`, `time`, `value`, `quality`, or `-`.
// Pure, so that a browser can use it.

import { areDayColumns, dayColumnWords } from './day-columns.ts';
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
  'tagid',
  'streamid',
];
const VALUE_NAMES = ['value', 'val', 'varvalue', 'state', 'wert', 'valor', 'floatvalue', 'pv'];
const QUALITY_NAMES = ['quality', 'q', 'status', 'dataintegrity', 'validity', 'qualität'];
/** Columns of tables that have one for each type of value: a row has its value in one of them. */
const TYPED_VALUE_NAMES = ['intvalue', 'floatvalue', 'stringvalue'];
/** Columns of the Explorer's own export that a dataset has otherwise. */
const KNOWN_EXTRAS = ['dataset', 'unit', 'state', 'units', 'attributes', 'result', 'table', '_start', '_stop'];
/** Names that nothing else has, whatever the values are: unknown ones are bad. */
const SURE_QUALITY = /(quality|qualität|dataintegrity)[\])]?$/i;
const QUALITY_END = /[\s._/:-]*[[(]?(?:quality|qualität|status|validity)[\])]?$/i;
/** A longer name of a column is none of a tag, and takes such patterns long. */
const MOST_NAME_CHARACTERS = 1000;
const VALUE_END = /[\s._/:-]*[[(]?(?:value|val|wert)[\])]?$/i;

export interface ColumnSample {
  /** Undefined for a file without a header. */
  readonly names: readonly string[] | undefined;
  readonly width: number;
  readonly rows: readonly SampleRow[];
  readonly timeColumns: readonly number[];
  readonly isQuality: (text: string) => boolean;
  /** What a line above says of each column, as files for `influx write` have it. */
  readonly types?: readonly string[] | undefined;
  /** The name of the one tag, where it was given. */
  readonly tag?: string | undefined;
}

export function guessColumnWords(sample: ColumnSample): string[] {
  return sample.names === undefined ? wordsWithoutHeader(sample) : wordsOf(sample, sample.names);
}

function wordsOf(sample: ColumnSample, names: readonly string[]): string[] {
  const keys = names.map((name) => name.trim().toLowerCase());
  const columns = Array.from({ length: sample.width }, (_, column) => column);
  if (areDayColumns(names, sample.timeColumns)) return dayWords(sample, names);
  if (keys.includes('_value') && keys.includes('_field')) return fluxWords(sample, keys);
  if (sample.types?.some((type) => /^(measurement|tag|field)$/.test(type)) === true)
    return typedWords(sample.types, names);
  if (keys[0] === 'name' && (keys[1] === 'time' || keys[1] === 'tags')) return influxWords(sample, names);
  const at = (known: readonly string[]): number => keys.findIndex((key) => known.includes(key));
  const tag = at(TAG_NAMES);
  const values = valuesAmong(keys);
  if (tag === -1) return wideWords(sample, names);
  if (values.length === 0) return wideWords(sample, names).map((word, column) => (column === tag ? 'tag' : word));
  const quality = keys.findIndex((key, column) => QUALITY_NAMES.includes(key) && isQualityColumn(sample, column));
  return columns.map((column) => {
    if (sample.timeColumns.includes(column)) return 'time';
    if (column === tag) return 'tag';
    if (values.includes(column)) return 'value';
    return column === quality ? 'quality' : '-';
  });
}

function valuesAmong(keys: readonly string[]): readonly number[] {
  const typed = TYPED_VALUE_NAMES.map((name) => keys.indexOf(name)).filter((column) => column !== -1);
  if (typed.length > 1) return typed;
  const own = keys.indexOf('value');
  const value = own === -1 ? keys.findIndex((key) => VALUE_NAMES.includes(key)) : own;
  return value === -1 ? [] : [value];
}

function dayWords(sample: ColumnSample, names: readonly string[]): string[] {
  const { rows, timeColumns, tag } = sample;
  const texts = names.flatMap((_, column) => {
    const isText = rows.every(({ fields }) => isName((fields[column] ?? '').trim()));
    return isText && !timeColumns.includes(column) ? [column] : [];
  });
  return dayColumnWords(names, timeColumns, texts, tag);
}

/** Files for `influx write`: columns of the measurement and of tags are parts of the names, in their order. */
function typedWords(types: readonly string[], names: readonly string[]): string[] {
  return names.map((name, column) => {
    const type = types[column] ?? '';
    if (/^dateTime/i.test(type)) return 'time';
    if (type === 'measurement' || type === 'tag') return 'tag';
    return /^ignored?$/.test(type) || name.trim() === '' ? '-' : name;
  });
}

/**
 * What `influx -format csv` prints: the measurement, tags, and a column for each field. Where rows have the same time, columns of
 * texts tell them apart, and are parts of the names.
 */
function influxWords(sample: ColumnSample, names: readonly string[]): string[] {
  const { rows, timeColumns } = sample;
  const words = wideWords(sample, names);
  const timesOf = rows.map(({ fields }) => [fields[0], ...timeColumns.map((column) => fields[column])].join(' '));
  const isRepeated = new Set(timesOf).size < rows.length;
  return words.map((word, column) => {
    if (column === 0 || (column === 1 && !timeColumns.includes(1))) return 'tag';
    const isText = rows.every(({ fields }) => isName((fields[column] ?? '').trim()));
    return isRepeated && isTag(word) && isText ? 'tag' : word;
  });
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
  const repeated = repeatedOf(words.filter(isTag));
  if (repeated !== undefined)
    throw new UnclearForm(
      `--columns '${numbered(words).join(',')}'`,
      `The header has ${JSON.stringify(repeated)} twice; want a name for each.`,
    );
  return words;
}

/** Names that come again with their number. */
function numbered(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return words.map((word) => {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    const name = isTag(word) && count > 1 ? `${word} ${count}` : word;
    return name.includes(',') ? `"${name}"` : name;
  });
}

/** The first name that was there before; of a file that has very many, too. */
export function repeatedOf(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

function isTag(word: string | undefined): boolean {
  return word !== undefined && !['time', 'quality', '-'].includes(word);
}

/** A name that is that of the column before and a word for quality, or such a word alone. */
function isQualityOf(name: string, before: string | undefined): boolean {
  if (before === undefined || name.length > MOST_NAME_CHARACTERS || !QUALITY_END.test(name)) return false;
  const base = name.replace(QUALITY_END, '');
  return base === '' || base === before || base === before.replace(VALUE_END, '');
}

function isQualityColumn({ rows, isQuality, names }: ColumnSample, column: number): boolean {
  if (SURE_QUALITY.test((names?.[column] ?? '').trim())) return true;
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
