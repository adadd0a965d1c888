// A CSV file as records with the number of their line, read in slices: the file is never in memory as a whole. A field may
// be in double quotes, and then hold separators, line breaks, and quotes written twice.

import type { Encoding } from './text-encoding.ts';

/** A fault of the file: where, what is there, and what would be right. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export interface CsvRecord {
  /** The first line of the record, counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** A longer one is no record of a CSV file, and would fill the memory. */
const MAX_RECORD_CHARACTERS = 4 * 1024 * 1024;

/** `lines`: a record ends with its line, whatever quotes it has. */
export type RecordStyle = 'csv' | 'lines';

/**
 * Gives the records of each slice, to be taken before those of the next one; empty lines are none. One at a time, so that the
 * collector meets few that live. Throws a `CsvFault` where the text is none.
 */
export async function* readRecords(
  slices: AsyncIterable<Uint8Array>,
  encoding: Encoding = 'utf-8',
  style: RecordStyle = 'csv',
): AsyncGenerator<Iterable<CsvRecord>> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const lines = new RecordReader(style);
  for await (const slice of slices) yield lines.add(decodeSlice(decoder, slice, lines.line));
  yield lines.end(decodeSlice(decoder, undefined, lines.line));
}

function decodeSlice(decoder: InstanceType<typeof TextDecoder>, slice: Uint8Array | undefined, line: number): string {
  try {
    return slice === undefined ? decoder.decode() : decoder.decode(slice, { stream: true });
  } catch {
    const name = decoder.encoding === 'utf-8' ? 'UTF-8' : decoder.encoding;
    const advice = 'save the file with that encoding, or name its own with --encoding';
    throw new CsvFault(line, `here or some lines further the bytes are no ${name}; ${advice}`);
  }
}

/** The records of the first part of a text; the last one is left out where the part may cut it. */
export function sampleRecords(text: string, isWhole: boolean, style: RecordStyle = 'csv'): CsvRecord[] {
  const lines = new RecordReader(style);
  return [...(isWhole ? lines.end(text) : lines.add(text))];
}

class RecordReader {
  /** Line of the record that begins next. */
  line = 1;
  /** The record that has no end yet. */
  #rest = '';
  /** Its lines that were read already, so that one of very many lines is read once. */
  #readLength = 0;
  #lineBreaks = 1;
  #isInQuotes = false;
  readonly #style: RecordStyle;

  constructor(style: RecordStyle) {
    this.#style = style;
  }

  *add(text: string): Generator<CsvRecord> {
    const all = this.#rest + text;
    let start = 0;
    let lineStart = this.#readLength;
    for (let at = all.indexOf('\n', lineStart); at !== -1; at = all.indexOf('\n', lineStart)) {
      if (this.#isOpen(all.slice(lineStart, at))) this.#isInQuotes = !this.#isInQuotes;
      lineStart = at + 1;
      if (this.#isInQuotes) {
        this.#lineBreaks++;
        continue;
      }
      const record = all.slice(start, all[at - 1] === '\r' && at > start ? at - 1 : at);
      const { line } = this;
      this.line += this.#lineBreaks;
      this.#lineBreaks = 1;
      start = lineStart;
      if (record !== '') yield { line, text: record };
    }
    this.#rest = all.slice(start);
    this.#readLength = lineStart - start;
    if (this.#rest.length > MAX_RECORD_CHARACTERS) throw this.#tooLong();
  }

  *end(text: string): Generator<CsvRecord> {
    yield* this.add(text);
    const last = this.#rest.replace(/\r$/, '');
    if (this.#isOpen(last)) throw new CsvFault(this.line, 'the quote that opens here is not closed');
    if (last !== '') yield { line: this.line, text: last };
  }

  #isOpen(record: string): boolean {
    return this.#style === 'csv' && isOpen(record);
  }

  #tooLong(): CsvFault {
    const what = this.#isOpen(this.#rest) ? 'a quote is opened and not closed' : 'the line does not end';
    return new CsvFault(
      this.line,
      `${what} within ${MAX_RECORD_CHARACTERS} characters; want ${this.#style === 'csv' ? 'a CSV file' : 'shorter lines'}`,
    );
  }
}

/** Whether it opens a quote and does not close it, or the other way round: quotes within quotes are doubled, so that they are an odd number. */
function isOpen(record: string): boolean {
  let count = 0;
  for (let at = record.indexOf('"'); at !== -1; at = record.indexOf('"', at + 1)) count++;
  return count % 2 === 1;
}

export interface CsvFields {
  readonly texts: readonly string[];
  /** True where the field is in quotes. */
  readonly isQuoted: readonly (boolean | undefined)[];
}

const NONE_QUOTED: readonly boolean[] = [];

/** The fields of a record, with the blanks around them; those around quotes are left out. */
export function splitFields({ line, text }: CsvRecord, separator: string): CsvFields {
  if (!text.includes('"')) return { texts: text.split(separator), isQuoted: NONE_QUOTED };
  const texts: string[] = [];
  const quoted: boolean[] = [];
  for (let at = 0; at <= text.length; ) {
    const opening = /\s*"/y;
    opening.lastIndex = at;
    const isQuoted = separator.trim() === '' ? text[at] === '"' : opening.test(text);
    const end = isQuoted ? endOfQuoted(text, text.indexOf('"', at) + 1) : at;
    const next = text.indexOf(separator, end);
    const field = text.slice(at, next === -1 ? undefined : next);
    texts.push(isQuoted ? unquote(field.trim(), line) : field);
    quoted.push(isQuoted);
    if (next === -1) break;
    at = next + separator.length;
  }
  return { texts, isQuoted: quoted };
}

/** Offset behind the quote that closes. */
function endOfQuoted(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1;
  }
  return text.length;
}

function unquote(field: string, line: number): string {
  const inner = /^"((?:[^"]|"")*)"$/.exec(field)?.[1];
  if (inner === undefined) throw new CsvFault(line, `got ${field}; want a quoted field, with quotes in it doubled`);
  return inner.replaceAll('""', '"');
}

/** Whether the names of a header have blanks around them, which are then around all fields and no part of them. */
export function areSpaced(names: readonly string[]): boolean {
  return names.length > 1 && names.slice(1).every((name) => name !== name.trim());
}

export function trimmedFields({ texts, isQuoted }: CsvFields): CsvFields {
  return { texts: texts.map((text, index) => (isQuoted[index] ? text : text.trim())), isQuoted };
}
