// The form of a file with columns, from its first lines and from flags. Pure, so that a browser can use it.

import { formsOf, readClockTime, type TimeForm } from './clock-times.ts';
import { guessColumnWords, isKnownExtra } from './column-words.ts';
import { areSpaced, type CsvRecord, splitFields } from './csv-records.ts';
import { readDayWord } from './day-columns.ts';
import { type FileForm, type FormWishes, type SampleRow, UnclearForm, type ValueColumn } from './file-form.ts';
import { findTimeColumns, isFraction, joinTime, timeFormOf } from './time-columns.ts';
import { type Decimal, guessDecimal, isValueWord, unitOf } from './value-forms.ts';

const SEPARATORS = [';', '\t', '|', ','];
/** Lines of other systems that are neither header nor row. */
const MARKER =
  /^"?#(names|types|rows|group|datatype|default|constant|timezone|concat)\b|^@(mode|table|istr|ostr|output|select|ends|sepa|stim|etim|quit|stop|exit|bye|maxerr|timf)|^\* \(Ls - |^"?\$RT_(OFF|COUNT|DIS)\$/i;
const DATATYPE_LINE = /^"?#datatype[ ,]/i;
/** What the name of a column of times says of their zone. */
const UTC_NAME = /\b(utc|gmt)\b/i;
const SEPARATOR_LINE = /^"?sep=(.)"?$/i;

interface Table {
  readonly separator: string;
  readonly rows: readonly SampleRow[];
  readonly width: number;
  readonly timeColumns: readonly number[];
  /** Index of the first row with a time. */
  readonly first: number;
  /** The row before it, however many fields it has. */
  readonly above: SampleRow | undefined;
}

/** True for lines that hold neither names nor points, wherever they stand. */
export function isMarker(text: string): boolean {
  return MARKER.test(text);
}

/** Throws an `UnclearForm` where a flag is needed. Undefined where no column has times. */
export function guessForm(
  records: readonly CsvRecord[],
  wishes: FormWishes,
  isQuality: (text: string) => boolean,
): FileForm | undefined {
  const table = findTable(records, wishes);
  if (table === undefined) return undefined;
  const { rows, width, timeColumns, first, separator } = table;
  const body = rows.slice(first);
  const { header, unitsLine } = headerOf(table, wishes);
  checkAbove(table, header, wishes);
  const times = body.map(({ fields }) => joinTime(fields, timeColumns));
  const isUtc = timeColumns.some((column) => UTC_NAME.test(header?.fields[column] ?? ''));
  const zone = wishes.zone ?? (isUtc ? 'UTC' : undefined);
  const time = timesOf(times, { ...wishes, zone });
  if (time === undefined) return undefined;
  const isSpaced = areSpaced(header?.fields ?? []);
  const names = isSpaced ? header?.fields.map((name) => name.trim()) : header?.fields;
  const types = typesOf(records, separator);
  const sample = { names, width, rows: body, timeColumns, isQuality, types, tag: wishes.tag };
  const columnWords = wishes.columns ?? guessColumnWords(sample);
  if (columnWords.length !== width)
    throw new UnclearForm('--columns', `--columns has ${columnWords.length} names, and the file ${width} columns.`);
  const { tagColumns, values: plainValues } = layoutOf(columnWords, wishes.tag);
  const isByDay = plainValues.some(({ ofDayMs }) => ofDayMs !== undefined);
  if (isByDay && zone === undefined) throw unclearZone(times[0]);
  const { decimal, isTold } = decimalOf(body, plainValues, wishes.decimal);
  const values = plainValues.map((value) => ({ ...value, unit: unitsOf(body, value.column) }));
  const isFlagged = areFlags(body, values);
  return {
    separator,
    lastLineBefore: (body[0]?.line ?? 1) - 1,
    header: header?.text,
    width,
    time: { columns: timeColumns, form: time.form },
    tagColumns,
    values,
    decimal,
    isDecimalTold: isTold,
    columnWords,
    isSpaced,
    hasHeader: header !== undefined,
    isLocal: time.isLocal || isByDay,
    zone,
    isFlagged,
    isNewestFirst: time.isNewestFirst,
    doubts: [...doubtsOf({ header, unitsLine, columnWords, values, isDate: time.isDate && !isByDay, isFlagged })],
  };
}

/** Types that the line `#datatype measurement,tag,…` says of the columns. */
function typesOf(records: readonly CsvRecord[], separator: string): readonly string[] | undefined {
  const line = records.find(({ text }) => DATATYPE_LINE.test(text));
  if (line === undefined) return undefined;
  const { texts } = splitFields({ ...line, text: line.text.replace(/^"?#datatype /i, '') }, separator);
  return texts.map((type) => type.trim());
}

/** Whether all qualities are 0 or 1, and some are 1, which OPC has for bad. */
function areFlags(rows: readonly SampleRow[], values: readonly ValueColumn[]): boolean {
  const columns = values.flatMap(({ quality }) => (quality === undefined ? [] : [quality]));
  const words = rows.flatMap(({ fields }) => columns.map((column) => (fields[column] ?? '').trim()));
  return words.includes('1') && words.every((word) => ['', '0', '1'].includes(word));
}

export interface GuessedTimes {
  readonly form: TimeForm;
  readonly isLocal: boolean;
  /** True where some are days without a time. */
  readonly isDate: boolean;
  readonly isNewestFirst: boolean;
}

/** Throws an `UnclearForm` where a flag has to say the form or the zone. Undefined where there are no times. */
export function timesOf(times: readonly string[], wishes: FormWishes): GuessedTimes | undefined {
  const form = wishes.form ?? timeFormOf(times);
  if (form === undefined) return undefined;
  const locals = times.map((time) => readClockTime(time, form)).filter((time) => time?.isLocal === true);
  const isLocal = locals.some((time) => time?.isDate === false);
  if (isLocal && wishes.zone === undefined) throw unclearZone(times[0]);
  return { form, isLocal, isDate: locals.some((time) => time?.isDate), isNewestFirst: isNewestFirst(times, form) };
}

function unclearZone(time: string | undefined): UnclearForm {
  return new UnclearForm(
    '--tz <zone>, such as --tz Europe/Berlin or --tz UTC',
    `Times such as ${time} do not say in which time zone they are.`,
  );
}

/** By the steps of the sample: the hour that clocks show twice falls once in a file that rises, and rises once in one that falls. */
function isNewestFirst(times: readonly string[], form: TimeForm): boolean {
  let balance = 0;
  let last: number | undefined;
  for (const time of times) {
    const ms = readClockTime(time, form)?.ms;
    if (ms !== undefined && last !== undefined) balance += Math.sign(ms - last);
    last = ms ?? last;
  }
  return balance < 0;
}

/** The first separator whose columns have times. */
function findTable(records: readonly CsvRecord[], wishes: FormWishes): Table | undefined {
  const told = SEPARATOR_LINE.exec(records[0]?.text ?? '')?.[1];
  const lines = records.filter(
    ({ text }, index) => !MARKER.test(text) && !(index === 0 && told !== undefined) && !isTypes(records, index),
  );
  const separators = wishes.separator ?? told;
  let unclear: unknown;
  for (const separator of separators === undefined ? SEPARATORS : [separators]) {
    try {
      const table = tableOf(lines, separator, wishes);
      if (table !== undefined) return table;
    } catch (error) {
      unclear ??= error;
    }
  }
  if (unclear !== undefined) throw unclear;
  return undefined;
}

/** The line below `#TYPES`. */
function isTypes(records: readonly CsvRecord[], index: number): boolean {
  return /^"?#types/i.test(records[index - 1]?.text ?? '');
}

function tableOf(lines: readonly CsvRecord[], separator: string, wishes: FormWishes): Table | undefined {
  const split = lines
    .map((record) => ({ line: record.line, text: record.text, fields: splitFields(record, separator).texts }))
    .filter(({ fields }) => fields.some((field) => field.trim() !== ''));
  return tableOfRows(withoutEndings(split), separator, wishes);
}

/** Rows of one field more than the line above them, which is always empty, without it: a separator ends them. */
function withoutEndings(split: readonly SampleRow[]): readonly SampleRow[] {
  const [header] = split;
  const width = header?.fields.length ?? 0;
  const isEnded = split.length > 1 && width > 1 && split.slice(1).every(({ fields }) => isEndedRow(fields, width));
  return isEnded ? split.map((row) => ({ ...row, fields: row.fields.slice(0, width) })) : split;
}

function isEndedRow(fields: readonly string[], width: number): boolean {
  return fields.length === width + 1 && fields[width]?.trim() === '';
}

function tableOfRows(split: readonly SampleRow[], separator: string, wishes: FormWishes): Table | undefined {
  const counts = new Map<number, number>();
  for (const { fields } of split) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const width = Math.max(0, ...[...counts].filter(([, count]) => count === most).map(([length]) => length));
  if (width < 2) return undefined;
  const rows = split.filter(({ fields }) => fields.length === width);
  const tail = rows.slice(Math.floor(rows.length / 2)).map(({ fields }) => fields);
  const hasTime = (row: SampleRow, columns: readonly number[]): boolean =>
    columns.some((column) => isTime(row.fields[column] ?? '', wishes.form));
  const namesAbove = (columns: readonly number[]): readonly string[] => {
    const first = rows.findIndex((row) => hasTime(row, columns));
    const above = rows.slice(0, Math.max(first, 0)).map(({ fields }) => fields);
    const filled = (fields: readonly string[]): number => fields.filter((field) => field.trim() !== '').length;
    return above.reduce((best, one) => (filled(one) >= filled(best) ? one : best), [] as readonly string[]);
  };
  const timeColumns = timeWishOf(wishes, rows) ?? findTimeColumns(tail, namesAbove);
  const first = rows.findIndex((row) => hasTime(row, timeColumns.slice(0, 1)));
  const firstRow = rows[first];
  if (timeColumns.length === 0 || firstRow === undefined) return undefined;
  return { separator, rows, width, timeColumns, first, above: split[split.indexOf(firstRow) - 1] };
}

function isTime(field: string, form: TimeForm | undefined): boolean {
  return form === undefined ? formsOf(field.trim()).length > 0 : readClockTime(field.trim(), form) !== undefined;
}

/** The columns that `--time` or `--columns` names; undefined for none. */
function timeWishOf({ time, columns }: FormWishes, rows: readonly SampleRow[]): readonly number[] | undefined {
  if (columns !== undefined) return columns.flatMap((word, column) => (word === 'time' ? [column] : []));
  return time?.map((name) => {
    const named = rows.map(({ fields }) => fields.findIndex((field) => field.trim() === name)).find((at) => at !== -1);
    const column = named ?? (/^\d+$/.test(name) ? Number(name) - 1 : -1);
    if (column < 0) throw new UnclearForm('--time <column>', `No column has the name ${name}.`);
    return column;
  });
}

/** The last row above the points; one without a name for the times is a line of units. */
function headerOf({ rows, first, timeColumns }: Table, { isHeaderless }: FormWishes) {
  if (isHeaderless === true) return { header: undefined, unitsLine: undefined };
  const above = rows.slice(0, first);
  const last = above.at(-1);
  const isUnits = above.length > 1 && /^(units?|einheit)?$/i.test((last?.fields[timeColumns[0] ?? 0] ?? '').trim());
  return isUnits ? { header: above.at(-2), unitsLine: last } : { header: last, unitsLine: undefined };
}

/** A row above with fewer or more fields is a header that does not fit, as of a file with a comma within its times. */
function checkAbove(
  { above, width, rows, first, timeColumns }: Table,
  header: SampleRow | undefined,
  wishes: FormWishes,
): void {
  if (header !== undefined || above === undefined || above.fields.length < 2) return;
  if (wishes.columns !== undefined || wishes.isHeaderless === true) return;
  const behind = rows[first]?.fields[(timeColumns.at(-1) ?? 0) + 1] ?? '';
  const names = above.fields.flatMap((name, column) => (column === timeColumns[0] ? ['time', 'time'] : [name]));
  const advice = isFraction(behind) && names.length === width ? names.join(',') : '<name>,<name>…';
  const got = `Line ${above.line} has ${above.fields.length} names, and line ${rows[first]?.line} ${width} fields`;
  throw new UnclearForm(
    `--columns ${advice}`,
    `${got}; is there a separator within the times or values, without quotes?`,
  );
}

type PlainColumn = Omit<ValueColumn, 'unit'>;

/** `tag` takes the place of the name of the only tag. Throws an `UnclearForm` where there are several. */
export function layoutOf(
  words: readonly string[],
  tag?: string,
): {
  tagColumns: readonly number[] | undefined;
  values: readonly PlainColumn[];
} {
  const columnsOf = (wanted: RegExp): number[] => words.flatMap((word, column) => (wanted.test(word) ? [column] : []));
  const found = columnsOf(/^value$/);
  const numbered = columnsOf(/^tag\d*$/).sort((a, b) => partOf(words[a]) - partOf(words[b]) || a - b);
  if (found.length > 0 && numbered.length > 0) {
    const quality = words.indexOf('quality');
    const beside = quality === -1 ? undefined : quality;
    return { tagColumns: numbered, values: found.map((column) => ({ column, tag: undefined, quality: beside })) };
  }
  const parts = columnsOf(/^tag$/);
  const named = words.flatMap((word, column) => {
    if (['time', 'quality', '-', 'tag'].includes(word)) return [];
    const day = readDayWord(word);
    const quality = words[column + 1] === 'quality' ? column + 1 : undefined;
    // A column of tags has the whole name of what days hold.
    return [{ column, tag: day?.tag ?? word, quality, ofDayMs: day?.ofDayMs }];
  });
  const isOne = new Set(named.map((one) => one.tag)).size === 1;
  if (tag !== undefined && (!isOne || parts.length > 0))
    throw new UnclearForm(
      '--columns',
      `--tag ${tag} names one tag, and the file has ${named.length} columns of values.`,
    );
  const isByDay = named.some(({ ofDayMs }) => ofDayMs !== undefined);
  const nameOf = (own: string): string | undefined => (isByDay && parts.length > 0 ? undefined : (tag ?? own));
  const values = named.map((one) => ({ ...one, tag: nameOf(one.tag) }));
  return { tagColumns: parts.length === 0 ? undefined : parts, values };
}

function partOf(word: string | undefined): number {
  return Number(word?.slice('tag'.length) ?? 0);
}

function decimalOf(
  rows: readonly SampleRow[],
  values: readonly PlainColumn[],
  wish: Decimal | undefined,
): { readonly decimal: Decimal; readonly isTold: boolean } {
  if (wish !== undefined) return { decimal: wish, isTold: true };
  const cells = rows.flatMap(({ fields }) => values.map(({ column }) => (fields[column] ?? '').trim()));
  const guess = guessDecimal(cells);
  if ('decimal' in guess) return guess;
  const shown = guess.conflict.join(' and ');
  throw new UnclearForm(
    '--decimal . or --decimal ,',
    `Numbers such as ${shown} can have a decimal point or a decimal comma.`,
  );
}

/** The unit that all values of a column are written with. */
function unitsOf(rows: readonly SampleRow[], column: number): string | undefined {
  const cells = rows
    .map(({ fields }) => (fields[column] ?? '').trim())
    .filter((cell) => cell !== '' && !isValueWord(cell));
  const unit = unitOf(cells[0] ?? '');
  return unit !== undefined && cells.every((cell) => unitOf(cell) === unit) ? unit : undefined;
}

interface Guessed {
  readonly header: SampleRow | undefined;
  readonly unitsLine: SampleRow | undefined;
  readonly columnWords: readonly string[];
  readonly values: readonly ValueColumn[];
  readonly isDate: boolean;
  readonly isFlagged: boolean;
}

function* doubtsOf({ header, unitsLine, columnWords, values, isDate, isFlagged }: Guessed): Generator<string> {
  if (isFlagged) yield 'Qualities are 0 and 1: 1 is taken for good, 0 for bad.';
  if (unitsLine !== undefined) yield `Line ${unitsLine.line} is taken for units, and left out.`;
  for (const { unit, tag } of values)
    if (unit !== undefined) yield `${tag ?? 'value'}: the unit ${unit} is left out of the values.`;
  const left = (header?.fields ?? []).filter(
    (name, column) => columnWords[column] === '-' && name.trim() !== '' && !isKnownExtra(name),
  );
  if (left.length > 0) yield `Columns left out: ${left.join(', ')}.`;
  if (isDate) yield 'Dates without a time of day are the start of that day, in UTC where no zone is given.';
}
