// Points as JSON bytes: `{"t":"2024-01-02T03:04:05.678Z","v":12.3,"q":192},`, as an element of an array or, with the tag's
// name put in front, as a line of its own. The hot loop of sending: bytes are stored by the word, digits are written by hand
// (`bench/simulator/generate.ts` shows its cost).

import type { Column } from '../generate/column.ts';

const MS_PER_MINUTE = 60_000;
const HEAD = '{"t":"';
/** `2024-01-02T03:04:` */
const MINUTE_CHARACTERS = 17;
/** Head and minute in words of four bytes; the byte left over is overwritten by the seconds. */
const START_BYTES = HEAD.length + MINUTE_CHARACTERS;
const START_WORDS = Math.ceil(START_BYTES / 4);
const CACHED_MINUTES = 1024;
const ZERO = 48;
const POINT = 46;
const MINUS = 45;
const SMALL = 1_000_000_000;
/** Up to 15 digits, value times scale rounds to the very digits that the value was made of. */
const MOST_EXACT = 1e15;
/** Most bytes of a point whose number has at most 25 characters, and of the words that run past it. */
const MAX_POINT_BYTES = 80;

const cachedMinutes = new Float64Array(CACHED_MINUTES).fill(Number.NaN);
const cachedStarts = new Int32Array(CACHED_MINUTES * START_WORDS);
const powers = Float64Array.from({ length: 16 }, (_, power) => 10 ** power);
const secondWords = Uint16Array.from({ length: 60 }, (_, second) => shortOf(String(second).padStart(2, '0')));
const milliWords = Int32Array.from({ length: 1000 }, (_, milli) => wordOf(`.${String(milli).padStart(3, '0')}`));
const VALUE_WORD_1 = wordOf('Z","');
const VALUE_WORD_2 = wordOf('v": ');
const TAIL_WORD_1 = wordOf(',"q"');
const TAIL_WORD_2 = wordOf(':192');
const TAIL_SHORT = shortOf('},');

/** What stands before and behind a point. */
export interface PointEnds {
  /** What stands in place of the opening brace; empty for the brace itself. */
  readonly head: Uint8Array;
  /** What stands in place of the comma after the point; one byte. */
  readonly endByte: number;
}

/** An element of an array, with a comma after it. */
export const ELEMENT_ENDS: PointEnds = { head: new Uint8Array(0), endByte: 0x2c };

/** A line `{"n":name,"t":…,"v":…,"q":192}`. */
export function lineEnds(name: string): PointEnds {
  return { head: Buffer.from(`{"n":${JSON.stringify(name)},`), endByte: 0x0a };
}

/** A byte buffer that grows at its end. */
export class ByteArena {
  bytes: Buffer;
  view: DataView;
  length = 0;

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafeSlow(capacity);
    this.view = viewOf(this.bytes);
  }

  /** Makes room for that many more bytes. */
  reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + size));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
    this.view = viewOf(grown);
  }
}

/** Appends the points `from` to the end of a column of numbers. */
export function writeNumbers(arena: ByteArena, ends: PointEnds, column: Column, from: number): void {
  arena.reserve((column.count - from) * (ends.head.length + MAX_POINT_BYTES));
  const { bytes, view } = arena;
  const { timesMs, values, decimals, count } = column;
  const { endByte } = ends;
  const scale = powers[decimals] ?? 1;
  let at = arena.length;
  for (let i = from; i < count; i++) {
    at = writeStart(bytes, view, at, ends, timesMs[i] as number);
    const value = values[i] as number;
    const scaled = Math.round(value * scale);
    if (scaled < SMALL && scaled > -SMALL) at = writeScaled(bytes, at, scaled, decimals);
    else at = writeLarge(bytes, at, scaled, value, decimals);
    at = writeTail(bytes, view, at, endByte);
  }
  arena.length = at;
}

/** Appends one point whose value is JSON. */
export function writeJson(arena: ByteArena, ends: PointEnds, timeMs: number, json: string): void {
  arena.reserve(ends.head.length + MAX_POINT_BYTES + json.length * 3);
  const { bytes, view } = arena;
  let at = writeStart(bytes, view, arena.length, ends, timeMs);
  at += bytes.write(json, at);
  arena.length = writeTail(bytes, view, at, ends.endByte);
}

/** Writes all that comes before the value. */
function writeStart(bytes: Buffer, view: DataView, start: number, ends: PointEnds, timeMs: number): number {
  let at = start;
  const { head } = ends;
  if (head.length > 0) {
    bytes.set(head, at);
    at += head.length - 1;
  }
  const minute = Math.floor(timeMs / MS_PER_MINUTE);
  const slot = minute & (CACHED_MINUTES - 1);
  if (cachedMinutes[slot] !== minute) cacheMinute(slot, minute);
  const word = slot * START_WORDS;
  view.setInt32(at, cachedStarts[word] as number, true);
  view.setInt32(at + 4, cachedStarts[word + 1] as number, true);
  view.setInt32(at + 8, cachedStarts[word + 2] as number, true);
  view.setInt32(at + 12, cachedStarts[word + 3] as number, true);
  view.setInt32(at + 16, cachedStarts[word + 4] as number, true);
  view.setInt32(at + 20, cachedStarts[word + 5] as number, true);
  // The name's comma, where the brace has just been written.
  if (head.length > 0) bytes[at] = 0x2c;
  at += START_BYTES;
  const rest = (timeMs - minute * MS_PER_MINUTE) | 0;
  const second = (rest / 1000) | 0;
  view.setUint16(at, secondWords[second] as number, true);
  view.setInt32(at + 2, milliWords[rest - second * 1000] as number, true);
  view.setInt32(at + 6, VALUE_WORD_1, true);
  view.setInt32(at + 10, VALUE_WORD_2, true);
  return at + 13;
}

function writeTail(bytes: Buffer, view: DataView, at: number, endByte: number): number {
  view.setInt32(at, TAIL_WORD_1, true);
  view.setInt32(at + 4, TAIL_WORD_2, true);
  view.setUint16(at + 8, TAIL_SHORT, true);
  bytes[at + 9] = endByte;
  return at + 10;
}

function cacheMinute(slot: number, minute: number): void {
  const text = HEAD + new Date(minute * MS_PER_MINUTE).toISOString().slice(0, MINUTE_CHARACTERS);
  const padded = text.padEnd(START_WORDS * 4);
  for (let k = 0; k < START_WORDS; k++) cachedStarts[slot * START_WORDS + k] = wordOf(padded.slice(k * 4, k * 4 + 4));
  cachedMinutes[slot] = minute;
}

/** `scaled` / 10^`decimals` with as few digits as say it; |scaled| below 10^9. */
function writeScaled(bytes: Buffer, start: number, scaled: number, decimals: number): number {
  let at = start;
  let digits = scaled | 0;
  if (digits < 0) {
    bytes[at++] = MINUS;
    digits = -digits;
  }
  let places = digits === 0 ? 0 : decimals;
  while (places > 0) {
    const tenth = (digits / 10) | 0;
    if (tenth * 10 !== digits) break;
    digits = tenth;
    places--;
  }
  const count = Math.max(countDigits(digits), places + 1);
  const end = at + count + (places > 0 ? 1 : 0);
  let position = end - 1;
  for (let k = 0; k < count; k++) {
    if (k === places && k > 0) bytes[position--] = POINT;
    const tenth = (digits / 10) | 0;
    bytes[position--] = ZERO + (digits - tenth * 10);
    digits = tenth;
  }
  return end;
}

/** Whole part and fraction apart, when both are small; any other number as JavaScript writes it. */
function writeLarge(bytes: Buffer, start: number, scaled: number, value: number, decimals: number): number {
  const scale = powers[decimals] ?? 1;
  const size = Math.abs(scaled);
  const whole = Math.floor(size / scale);
  if (decimals === 0 || scale > SMALL || whole >= SMALL || size >= MOST_EXACT) {
    return start + bytes.write(String(value), start);
  }
  let at = writeScaled(bytes, start, scaled < 0 ? -whole : whole, 0);
  let fraction = size - whole * scale;
  let places = decimals;
  for (; places > 0 && fraction % 10 === 0; places--) fraction = (fraction / 10) | 0;
  if (places === 0) return at;
  bytes[at] = POINT;
  for (let k = places; k > 0; k--) {
    bytes[at + k] = ZERO + (fraction % 10);
    fraction = (fraction / 10) | 0;
  }
  at += places + 1;
  return at;
}

function countDigits(value: number): number {
  if (value < 100) return value < 10 ? 1 : 2;
  if (value < 10_000) return value < 1000 ? 3 : 4;
  if (value < 1_000_000) return value < 100_000 ? 5 : 6;
  if (value < 100_000_000) return value < 10_000_000 ? 7 : 8;
  return 9;
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Four characters as a little-endian word. */
function wordOf(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0);
}

function shortOf(text: string): number {
  return Buffer.from(text, 'latin1').readUInt16LE(0);
}
