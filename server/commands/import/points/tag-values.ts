// The values of a file's tags, point by point: of which kind those of each tag are, whether its times rise, and the values as
// JSON. The same for each form of file.

import { BAD_QUALITY, knownQuality } from '../../../../client/foreign-quality.ts';
import { formatInstant } from '../../../codec/scalars/timestamp.ts';
import { CsvFault, type CsvFields } from '../recognise/csv-records.ts';
import { isValueWord, plainNumber } from '../recognise/value-forms.ts';
import { shown } from './csv-columns.ts';
import type { CsvTime } from './csv-times.ts';
import type { CsvPoint, KnownKind, ReaderOptions, ReadValues, UnknownQualities, ValueKind } from './point-reader.ts';

interface TagSeen {
  kind: ValueKind | undefined;
  kindLine: number;
  /** True where a value is a text and no word that could mean no value or a number. */
  isSurelyText: boolean;
  /** Time of the newest point; minus infinity before the first. */
  ms: number;
  /** Units of 100 ns, below the millisecond. */
  ticks: number;
  timeLine: number;
  pointCount: number;
  /** Fields that were no point, because nothing told whether they are texts. */
  skippedCount: number;
  /** The first word that was taken for no value while nothing told whether the tag has texts. */
  word: { readonly text: string; readonly line: number } | undefined;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;
/** A number that JSON writes in the same way, and that no other rule is about. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;

/** The field of a value. */
export interface ValueField {
  readonly text: string;
  readonly quotes: 'none' | 'chosen' | 'all';
  /** The field as it is in the file, where `text` is not. */
  readonly original?: string;
  /** Undefined unless the file says it; the text is what JSON has for a number or a boolean then. */
  readonly kind?: ValueKind;
}

export class TagValues implements ReadValues {
  isUnsorted = false;
  /** True where a value was read by a rule that another form of file does not have. */
  hasDoubtfulValue = false;
  tagCount = 0;
  readonly #texts: ReadonlySet<string>;
  readonly #options: ReaderOptions;
  readonly #seen = new Map<string, TagSeen>();
  #unknownQualities: UnknownQualities = { count: 0, first: undefined };

  /** `texts`: the tags whose values are texts even where they look like numbers. */
  constructor(texts: ReadonlySet<string>, options: ReaderOptions) {
    this.#texts = texts;
    this.#options = options;
  }

  /** Qualities that are in no table, and so are bad. */
  get unknownQualities(): UnknownQualities {
    return this.#unknownQualities;
  }

  kinds(): ReadonlyMap<string, KnownKind> {
    const kinds = new Map<string, KnownKind>();
    for (const [tag, { kind, kindLine }] of this.#seen)
      if (kind !== undefined) kinds.set(tag, { kind, line: kindLine });
    return kinds;
  }

  /** A point of a row that was taken apart already. Throws a `CsvFault`. */
  point(tag: string, time: CsvTime, field: ValueField, line: number, quality?: string): CsvPoint {
    const seen = this.#seenOf(tag);
    this.#noteTime(tag, seen, time, line);
    if (seen.pointCount++ === 0) this.tagCount++;
    const value = isNothing(field, seen.kind) ? 'null' : this.#readValue(tag, seen, field, line);
    return { tag, time: time.text, value, quality, line };
  }

  /** Whether the field is no point in a column of the tag. */
  isEmpty(tag: string, field: ValueField): boolean {
    return isNothing(field, this.kindOf(tag));
  }

  /** Undefined while no value of the tag tells it. */
  kindOf(tag: string): ValueKind | undefined {
    const seen = this.#seen.get(tag);
    return seen === undefined ? this.#knownKind(tag)?.kind : seen.kind;
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

  /**
   * Notes a word that means no value unless the tag has texts, which nothing tells yet. Throws a `CsvFault` where the row
   * cannot wait for what tells.
   */
  noteWord(tag: string, text: string, line: number): void {
    if (this.#options.isOnePass === true) throw doubtfulWord(tag, text, line);
    this.#seenOf(tag).word ??= { text, line };
  }

  /** Notes a field that is no point: it would be one if the tag had texts, which nothing tells yet. */
  skip(tag: string, field: ValueField, time: CsvTime, line: number): void {
    if (field.text === '' && field.quotes === 'none') return;
    if (this.kindOf(tag) !== undefined) return;
    const seen = this.#seenOf(tag);
    seen.skippedCount++;
    this.#noteTime(tag, seen, time, line);
  }

  /** Fields that were skipped, of tags that have texts. */
  get missedCount(): number {
    let count = 0;
    for (const { kind, skippedCount } of this.#seen.values()) if (kind === 'text') count += skippedCount;
    return count;
  }

  /** Whether some value means another thing in the forms of other systems. */
  get isDoubtful(): boolean {
    if (this.hasDoubtfulValue) return true;
    for (const [tag, { kind, isSurelyText }] of this.#seen)
      if (kind === 'text' && !isSurelyText && !this.#texts.has(tag)) return true;
    return false;
  }

  /** Tags that have words for no value, and nothing else. */
  *wordDoubts(): Generator<string> {
    const found = [...this.#seen].filter(([, { kind, word }]) => kind === undefined && word !== undefined);
    if (found.length === 0) return;
    const [[tag, { word }]] = found as [[string, TagSeen]];
    const others = found.length > 1 ? ` and ${(found.length - 1).toLocaleString('en')} more` : '';
    yield `No values but words such as ${shown(word?.text ?? '')} (line ${word?.line}): ${shown(tag)}${others}; they are taken for no value. --text ${shown(tag)} where they are texts.`;
  }

  #noteTime(tag: string, seen: TagSeen, time: CsvTime, line: number): void {
    if (time.ms < seen.ms || (time.ms === seen.ms && time.ticks < seen.ticks)) {
      this.isUnsorted = true;
      if (this.#options.takesUnsorted !== true) throw tooEarly(tag, seen, time, line);
    }
    seen.ms = time.ms;
    seen.ticks = time.ticks;
    seen.timeLine = line;
  }

  #knownKind(tag: string): KnownKind | undefined {
    return this.#texts.has(tag) ? { kind: 'text', line: 1 } : this.#options.findings?.kinds.get(tag);
  }

  #seenOf(tag: string): TagSeen {
    let seen = this.#seen.get(tag);
    if (seen === undefined) {
      const { kind, line = 1 } = this.#knownKind(tag) ?? { kind: undefined };
      seen = { ...NOTHING_SEEN, kind, kindLine: line };
      this.#seen.set(tag, seen);
    }
    return seen;
  }

  #readValue(tag: string, seen: TagSeen, { text, original, kind: said }: ValueField, line: number): string {
    if (this.#texts.has(tag)) return JSON.stringify(text);
    if (said === undefined && seen.kind === 'number' && PLAIN_NUMBER.test(text)) return text;
    const field = text.trim();
    if (said === undefined && DECIMAL_COMMA.test(field))
      throw new CsvFault(line, `got ${field}; want a decimal point, or --decimal ,`);
    const kind = said ?? kindOfField(field);
    const isDoubtful = said === undefined && kind === 'text' && !seen.isSurelyText && isDoubtfulText(field);
    if (seen.kind === undefined) {
      if (isDoubtful && this.#options.isOnePass === true) throw doubtfulWord(tag, field, line);
      seen.kind = kind;
      seen.kindLine = line;
    }
    if (seen.kind !== kind) {
      if (isDoubtful) this.hasDoubtfulValue = true;
      throw otherKind(tag, seen, original ?? field, line);
    }
    if (kind === 'text') {
      seen.isSurelyText ||= !isDoubtful;
      return JSON.stringify(text);
    }
    return kind === 'boolean' ? field.toLowerCase() : formatNumber(field, line);
  }
}

const NOTHING_SEEN: TagSeen = {
  kind: undefined,
  kindLine: 1,
  isSurelyText: false,
  ms: Number.NEGATIVE_INFINITY,
  ticks: 0,
  timeLine: 0,
  pointCount: 0,
  skippedCount: 0,
  word: undefined,
};

/** `time`: a field that needs no quotes. */
export function fieldAt({ texts, isQuoted }: CsvFields, index: number, time: number): ValueField {
  const text = texts[index] as string;
  if (!isQuoted[index]) return { text, quotes: 'none' };
  return { text, quotes: isQuoted[time] ? 'all' : 'chosen' };
}

/**
 * Whether there is no value. Blanks, and quotes with nothing in them, are a text only for tags of texts: by another value, or
 * by quotes in a row that has none where none are needed.
 */
function isNothing({ text, quotes, kind: said }: ValueField, kind: ValueKind | undefined): boolean {
  if (said !== undefined) return false;
  if (text === '' && quotes === 'none') return true;
  if (kind === 'text' || text.trim() !== '') return false;
  return kind !== undefined || quotes !== 'chosen';
}

/** Whether other systems mean no value or a number by it. */
function isDoubtfulText(field: string): boolean {
  return isValueWord(field) || plainNumber(field, '.') !== undefined || plainNumber(field, ',') !== undefined;
}

function kindOfField(field: string): ValueKind {
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

/** Points that are older than one before would be left out by the server, as late. */
function tooEarly(tag: string, seen: TagSeen, time: CsvTime, line: number): CsvFault {
  const before = `that of ${tag} in line ${seen.timeLine} (${formatInstant(seen)})`;
  return new CsvFault(line, `${time.text} is earlier than ${before}; want the rows sorted by time, oldest first`);
}

function otherKind(tag: string, seen: TagSeen, field: string, line: number): CsvFault {
  const wanted = `want a ${seen.kind}, as in line ${seen.kindLine}`;
  const asNull = isValueWord(field) ? `, or --null ${shown(field)} where it means no value` : '';
  return new CsvFault(
    line,
    `got ${shown(field)} for ${tag}; ${wanted}, or --text ${shown(tag)} where all are texts${asNull}`,
  );
}

function doubtfulWord(tag: string, field: string, line: number): CsvFault {
  const other = isValueWord(field)
    ? `--null ${shown(field)} where it means no value`
    : '--decimal . where it is a number';
  return new CsvFault(
    line,
    `got ${shown(field)} for ${tag}, and no row before tells whether its values are texts; want --text ${shown(tag)} where they are, or ${other}`,
  );
}
