// The points in the records of a CSV file: what the header says about the columns, and the values and times of a row.
// Checks all that can be known without the server, so that a faulty file is told before anything is written.

import { BAD_QUALITY, knownQuality } from '../../../client/foreign-quality.ts';
import { formatInstant, parseInstant } from '../../codec/scalars/timestamp.ts';
import {
  areSpaced,
  CsvFault,
  type CsvFields,
  type CsvRecord,
  splitFields,
  trimmedFields,
} from './recognise/csv-records.ts';

export interface CsvPoint {
  readonly tag: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** The value as JSON. */
  readonly value: string;
  /** Undefined where the file has none. */
  readonly quality: string | undefined;
  readonly line: number;
}

interface TagSeen {
  kind: 'number' | 'boolean' | 'text' | undefined;
  kindLine: number;
  time: CsvTime | undefined;
  timeLine: number;
}

export interface UnknownQualities {
  readonly count: number;
  /** The first one and its line, in words. */
  readonly first: string | undefined;
}

type Columns =
  | { readonly form: 'long'; readonly tag: number; readonly time: number; readonly value: number; quality: number }
  | { readonly form: 'wide'; readonly tags: readonly string[] };

export const HEADER_FORM = "tag,time,value[,quality], or time,<tag>,<tag>… ('time' first), separated by , ; or tab";
const SEPARATORS = [',', ';', '\t'];
/** Columns of the Explorer's own export that a dataset has otherwise. */
const KNOWN_EXTRAS = ['dataset', 'state', 'unit'];
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;

/** What reads the records of a file, one after the other. */
export interface PointReader {
  readonly tagCount: number;
  readonly unknownQualities: UnknownQualities;
  /** True once rows can be understood. */
  readonly hasHeader: boolean;
  /** True where a point was earlier than one before of its tag. */
  readonly isUnsorted: boolean;
  /** Throws a `CsvFault`. */
  read(record: CsvRecord): CsvPoint[];
}

export interface CsvPointsOptions {
  /** Whether points earlier than one before are given; a fault otherwise. */
  readonly takesUnsorted?: boolean;
}

/** Reads one file from its header on. */
export class CsvPoints implements PointReader {
  isUnsorted = false;
  readonly #takesUnsorted: boolean;
  readonly #texts: ReadonlySet<string>;
  readonly #seen = new Map<string, TagSeen>();
  #columns: Columns | undefined;
  #unknownQualities: UnknownQualities = { count: 0, first: undefined };
  #separator = ',';
  #width = 0;
  /** True for a file with blanks around all fields, which are no part of them then. */
  #isSpaced = false;

  /** `texts`: the tags whose values are texts even where they look like numbers. */
  constructor(texts: ReadonlySet<string>, { takesUnsorted = false }: CsvPointsOptions = {}) {
    this.#texts = texts;
    this.#takesUnsorted = takesUnsorted;
  }

  get tagCount(): number {
    return this.#seen.size;
  }

  /** Qualities that are in no table, and so are bad. */
  get unknownQualities(): UnknownQualities {
    return this.#unknownQualities;
  }

  get hasHeader(): boolean {
    return this.#columns !== undefined;
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
    const quality = this.readQuality(texts[columns.quality]?.trim(), line);
    const value = fieldAt(fields, columns.value, columns.time);
    return { ...this.point(tag, time, value, line), quality };
  }

  /** A field with nothing in it is no point. */
  #widePoints(fields: CsvFields, tags: readonly string[], line: number): CsvPoint[] {
    const time = readCsvTime((fields.texts[0] as string).trim(), line);
    return tags.flatMap((tag, index) => {
      const field = fieldAt(fields, index + 1, 0);
      return this.isEmpty(tag, field) ? [] : [this.point(tag, time, field, line)];
    });
  }

  /** A point of a row that was taken apart already. Throws a `CsvFault`. */
  point(tag: string, time: CsvTime, field: ValueField, line: number): CsvPoint {
    const seen = this.#seenOf(tag);
    if (seen.time !== undefined && isEarlier(time, seen.time)) this.isUnsorted = true;
    if (!this.#takesUnsorted) checkOrder(tag, seen, time, line);
    seen.time = time;
    seen.timeLine = line;
    const value = isNothing(field, seen.kind) ? 'null' : this.#readValue(tag, seen, field.text, line);
    return { tag, time: time.text, value, quality: undefined, line };
  }

  /** Whether the field is no point in a column of the tag. */
  isEmpty(tag: string, field: ValueField): boolean {
    return isNothing(field, this.#kindOf(tag));
  }

  #kindOf(tag: string): TagSeen['kind'] {
    return this.#seen.get(tag)?.kind ?? (this.#texts.has(tag) ? 'text' : undefined);
  }

  /** Undefined for none; a quality that is not known is bad, and counted. */
  readQuality(field: string | undefined, line: number): string | undefined {
    if (field === undefined || field === '') return undefined;
    const quality = knownQuality(field);
    if (quality !== undefined) return String(quality);
    const { count, first } = this.#unknownQualities;
    this.#unknownQualities = { count: count + 1, first: first ?? `${shown(field)} in line ${line}` };
    return String(BAD_QUALITY);
  }

  #seenOf(tag: string): TagSeen {
    let seen = this.#seen.get(tag);
    if (seen === undefined) {
      seen = { kind: this.#kindOf(tag), kindLine: 1, time: undefined, timeLine: 0 };
      this.#seen.set(tag, seen);
    }
    return seen;
  }

  #readValue(tag: string, seen: TagSeen, text: string, line: number): string {
    if (this.#texts.has(tag)) return JSON.stringify(text);
    const field = text.trim();
    if (DECIMAL_COMMA.test(field)) throw new CsvFault(line, `got ${field}; want a decimal point`);
    const kind = kindOf(field);
    if (seen.kind === undefined) Object.assign(seen, { kind, kindLine: line });
    if (seen.kind !== kind) {
      const wanted = `want a ${seen.kind}, as in line ${seen.kindLine}`;
      throw new CsvFault(
        line,
        `got ${shown(field)} for ${tag}; ${wanted}, or --text ${shown(tag)} where all are texts`,
      );
    }
    if (kind === 'text') return JSON.stringify(text);
    return kind === 'boolean' ? field.toLowerCase() : formatNumber(field, line);
  }
}

/** The field of a value. */
export interface ValueField {
  readonly text: string;
  readonly quotes: 'none' | 'chosen' | 'all';
}

/** `time`: a field that needs no quotes. */
export function fieldAt({ texts, isQuoted }: CsvFields, index: number, time: number): ValueField {
  const text = texts[index] as string;
  if (!isQuoted[index]) return { text, quotes: 'none' };
  return { text, quotes: isQuoted[time] ? 'all' : 'chosen' };
}

/**
 * Whether there is no value. Blanks, and quotes with nothing in them, are a text only for tags of texts: by an earlier value, or
 * by quotes in a row that has none where none are needed.
 */
function isNothing({ text, quotes }: ValueField, kind: TagSeen['kind']): boolean {
  if (text === '' && quotes === 'none') return true;
  if (text.trim() !== '' || kind === 'text') return false;
  return kind !== undefined || quotes !== 'chosen';
}

function readColumns(names: readonly string[], line: number): Columns {
  const keys = names.map((name) => name.trim().toLowerCase());
  const [tag, time, value, quality] = ['tag', 'time', 'value', 'quality'].map((key) => keys.indexOf(key));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
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

/** Points that are older than one before would be left out by the server, as late. */
function checkOrder(tag: string, seen: TagSeen, time: CsvTime, line: number): void {
  if (seen.time !== undefined && isEarlier(time, seen.time)) {
    const before = `that of ${tag} in line ${seen.timeLine} (${seen.time.text})`;
    throw new CsvFault(line, `${time.text} is earlier than ${before}; want the rows sorted by time, oldest first`);
  }
}

function isEarlier(a: CsvTime, b: CsvTime): boolean {
  return a.ms < b.ms || (a.ms === b.ms && a.ticks < b.ticks);
}

function kindOf(field: string): 'number' | 'boolean' | 'text' {
  if (NUMBER.test(field)) return 'number';
  return /^(true|false)$/i.test(field) ? 'boolean' : 'text';
}

/** With the digits of the file where JSON can have them. */
function formatNumber(field: string, line: number): string {
  if (!Number.isFinite(Number(field))) throw new CsvFault(line, `got ${field}; want a number of at most 1.8e308`);
  if (JSON_NUMBER.test(field)) return field;
  const plain = field.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
  return JSON_NUMBER.test(plain) ? plain : JSON.stringify(Number(field));
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** An instant, and its text for the server. */
export interface CsvTime {
  readonly ms: number;
  /** Units of 100 ns, below the millisecond. */
  readonly ticks: number;
  readonly text: string;
}

const TIME_FORM = 'ISO 8601 such as 2024-03-01T08:00:00Z, or milliseconds since 1970';
const BLANK_DATE_TIME = /^(\d{4}-\d\d-\d\d) +(\d\d:.*)$/;
/** From 1973 on; what has fewer digits is probably seconds. */
const MILLISECONDS = /^\d{12,15}$/;
const SECONDS = /^\d{9,10}$/;

/** Throws a `CsvFault`. */
export function readCsvTime(field: string, line: number): CsvTime {
  const instant = MILLISECONDS.test(field)
    ? { ms: Number(field), ticks: 0 }
    : parseInstant(field.replace(BLANK_DATE_TIME, '$1T$2'));
  if (instant === undefined || instant.ms > Date.UTC(9999, 11, 31)) {
    const hint = SECONDS.test(field) ? ` (${field}000 where these are seconds)` : '';
    throw new CsvFault(
      line,
      `got ${field === '' ? 'no time' : `the time ${field.slice(0, 60)}`}; want ${TIME_FORM}${hint}`,
    );
  }
  return { ...instant, text: formatInstant(instant) };
}
