// Steps through the bytes of a JSON text one value at a time. It accepts exactly what JSON.parse accepts, except nesting
// deeper than 64 levels, and numbers and texts so long that only an attack has them; it throws a 400 with the byte position
// for everything else. Nothing is decoded before it is asked for.

import { isAscii, isUtf8 } from 'node:buffer';
import { ProblemError } from '../../problem.ts';
import { MAX_SKIPPED_BYTES, MAX_STRING_BYTES, refuseLong } from '../body/long-values.ts';
import { type RecentTexts, recentUtf8 } from '../body/recent-texts.ts';
import { EXACT_DIGITS, POWERS_OF_TEN } from '../scalars/powers-of-ten.ts';
import { Token, TokenKind } from '../scalars/token.ts';

/** Nesting of arrays and objects, in a value that is skipped. */
export const MAX_DEPTH = 64;

/** Characters of a number: as many as a text value has bytes. */
const MAX_NUMBER_BYTES = 65_536;

/** White space in a row, words of four spaces not counted: more would hold the event loop. */
const MAX_BLANK_BYTES = 16 * 2 ** 20;

const NO_BYTES = new Uint8Array(0);
const NO_BUFFER = Buffer.alloc(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);
export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The same byte four times. */
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const SPACES = 0x20202020;
/** Many spaces, to be compared with as many bytes in one call: there may be 64 MiB of them. */
const MANY_SPACES = Buffer.alloc(65_536, ' ');
const ONES = 0x01010101;
const UPPER_BITS = 0x80808080;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

export class JsonScanner {
  bytes: Uint8Array = NO_BYTES;
  view: DataView = NO_VIEW;
  /** The next byte to look at. */
  position = 0;
  end = 0;
  /** The text and the spare bytes behind it. */
  protected buffer: Buffer = NO_BUFFER;
  protected readonly skipped = new Token();
  protected readonly recent: RecentTexts<Buffer>;
  readonly #open = new Uint8Array(MAX_DEPTH);
  /** Nesting depth within the value being skipped. */
  #skipDepth = 0;
  /** Entries of the array or object that was skipped last. */
  skippedEntries = 0;

  /** @param recent may be shared: it takes 28 KB, too much to be made for each of many short texts */
  constructor(recent = recentUtf8()) {
    this.recent = recent;
  }

  /**
   * Begins a new text; its bytes must not change while it is read. Throws a 400 when they are not UTF-8.
   * @param spareBytes zeros behind the text in the same memory: what is read in whole words may be read up to its end then
   */
  load(bytes: Uint8Array, spareBytes: number): void {
    const readableBytes = bytes.byteLength + spareBytes;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, readableBytes);
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, readableBytes);
    this.position = 0;
    this.end = bytes.length;
    if (isAscii(bytes)) return;
    if (!isUtf8(bytes)) throw new ProblemError(400, 'The body is not UTF-8.');
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.position = 3;
  }

  /** Forgets the text, so that its memory can go. */
  unload(): void {
    this.bytes = NO_BYTES;
    this.view = NO_VIEW;
    this.buffer = NO_BUFFER;
    this.position = 0;
    this.end = 0;
  }

  /** Skips white space; returns the byte that is next, or -1 at the end. */
  peek(): number {
    const first = this.bytes[this.position] as number;
    return first > 0x20 ? first : this.#skipBlanks();
  }

  #skipBlanks(): number {
    const { bytes, view, end } = this;
    const start = this.position;
    let position = start;
    let others = 0;
    while (position < end) {
      if (position + 4 <= end && view.getInt32(position, true) === SPACES) {
        position += 4;
        if (position - start >= MANY_SPACES.length) position = this.#stepOverSpaces(position);
        continue;
      }
      const byte = bytes[position] as number;
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) {
        this.position = position;
        return byte;
      }
      position++;
      if (++others > MAX_BLANK_BYTES) refuseLong('white space', start, MAX_BLANK_BYTES);
    }
    this.position = position;
    return -1;
  }

  /** Steps over spaces while there are very many; where fewer are left, or others. */
  #stepOverSpaces(start: number): number {
    const { buffer, end } = this;
    const { length } = MANY_SPACES;
    let position = start;
    while (position + length <= end && MANY_SPACES.compare(buffer, position, position + length) === 0)
      position += length;
    return position;
  }

  /** The text of a text token. */
  text(token: Token): string {
    if (token.isEscaped) return JSON.parse(this.buffer.toString('utf8', token.start - 1, token.end + 1)) as string;
    return this.recent.at(this.buffer, token.start, token.end);
  }

  /** A number as it was written. */
  literal(token: Token): string {
    return this.buffer.toString('latin1', token.start, token.end);
  }

  fail(want: string): never {
    const { position } = this;
    const got =
      position >= this.end ? 'the end' : `byte 0x${(this.bytes[position] as number).toString(16).padStart(2, '0')}`;
    throw new ProblemError(400, `The body is not JSON: got ${got} at byte ${position}; want ${want}.`);
  }

  /** Steps over `byte`, which must be next. */
  expect(byte: number, want: string): void {
    if (this.peek() !== byte) this.fail(want);
    this.position++;
  }

  /** Nothing but white space may follow. */
  expectEnd(): void {
    if (this.peek() !== -1) this.fail('the end');
  }

  /** Reads the key of a member, and the colon. */
  key(token: Token): void {
    if (this.peek() !== QUOTE) this.fail('a key');
    this.string(token);
    this.expect(COLON, 'a colon');
  }

  kind(): TokenKind {
    const first = this.peek();
    if (first === OPEN_BRACE) return TokenKind.Object;
    return first === OPEN_BRACKET ? TokenKind.Array : TokenKind.Absent;
  }

  isEmpty(): boolean {
    const start = this.position;
    const isEmpty = !this.enter();
    this.position = start;
    return isEmpty;
  }

  enter(): boolean {
    const close = this.bytes[this.position++] === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
    if (this.peek() !== close) return true;
    this.position++;
    return false;
  }

  more(kind: TokenKind): boolean {
    const byte = this.peek();
    const close = kind === TokenKind.Object ? CLOSE_BRACE : CLOSE_BRACKET;
    if (byte !== COMMA && byte !== close) this.fail(kind === TokenKind.Object ? 'a comma or }' : 'a comma or ]');
    this.position++;
    return byte === COMMA;
  }

  /** Reads any value; skips arrays and objects, which must not be long. */
  value(token: Token): void {
    const first = this.peek();
    if (first === OPEN_BRACKET || first === OPEN_BRACE) {
      token.kind = first === OPEN_BRACE ? TokenKind.Object : TokenKind.Array;
      const start = this.position;
      this.beginSkip();
      if (!this.skipOn(start + MAX_SKIPPED_BYTES)) refuseLong('an array or object', start, MAX_SKIPPED_BYTES);
    } else {
      this.#scalar(token, first);
    }
  }

  #scalar(token: Token, first: number): void {
    if (first === QUOTE) {
      token.kind = TokenKind.Text;
      this.string(token);
    } else if (first === MINUS || (first >= ZERO && first <= 0x39)) {
      token.kind = TokenKind.Number;
      this.#number(token);
    } else if (first === 0x6e) {
      token.kind = TokenKind.Null;
      this.#word('null');
    } else if (first === 0x74) {
      token.kind = TokenKind.True;
      this.#word('true');
    } else if (first === 0x66) {
      token.kind = TokenKind.False;
      this.#word('false');
    } else {
      this.fail('a value');
    }
  }

  #word(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[this.position] !== word.charCodeAt(i)) this.fail(word);
      this.position++;
    }
  }

  /** Reads a text, the opening quote being next. */
  string(token: Token): void {
    const { bytes } = this;
    const start = this.position + 1;
    const last = Math.min(this.end, start + MAX_STRING_BYTES);
    let position = this.#skipUnescaped(start, last);
    token.start = start;
    token.isEscaped = false;
    for (;;) {
      const byte = position < last ? (bytes[position] as number) : -1;
      if (byte === QUOTE) break;
      if (byte < 0x20) {
        if (last < this.end && position >= last) refuseLong('a text', start, MAX_STRING_BYTES);
        this.position = position;
        this.fail('the end of a text');
      }
      position++;
      if (byte !== BACKSLASH) continue;
      token.isEscaped = true;
      position = this.#escape(position);
    }
    token.end = position;
    this.position = position + 1;
  }

  /** Skips words of four ASCII bytes without a quote, backslash or control character. */
  #skipUnescaped(start: number, end: number): number {
    const { view } = this;
    const lastWord = end - 4;
    let position = start;
    while (position <= lastWord) {
      const word = view.getInt32(position, true);
      // the upper bit of a byte is set in a difference that went below zero
      const ends = ((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES) | (word - SPACES) | word;
      if ((ends & UPPER_BITS) !== 0) break;
      position = (position + 4) | 0;
    }
    return position;
  }

  /** Steps over what follows a backslash. */
  #escape(start: number): number {
    const byte = this.bytes[start];
    this.position = start;
    if (byte === undefined || start >= this.end || !'"\\/bfnrtu'.includes(String.fromCharCode(byte)))
      this.fail('an escape');
    if (byte !== 0x75) return start + 1;
    for (this.position = start + 1; this.position < start + 5; this.position++) {
      const digit = this.bytes[this.position] ?? 0;
      const isHex = (digit >= ZERO && digit <= 0x39) || ((digit | 0x20) >= 0x61 && (digit | 0x20) <= 0x66);
      if (!isHex) this.fail('a hex digit');
    }
    return start + 5;
  }

  /** Reads a number. Up to 15 digits without an exponent become a double by one exact division. */
  #number(token: Token): void {
    const start = this.position;
    const isNegative = this.bytes[start] === MINUS;
    if (isNegative) this.position++;
    const wholeStart = this.position;
    this.#digits();
    if (this.bytes[wholeStart] === ZERO) this.position = wholeStart + 1; // a further digit fails where a separator must be
    const wholeEnd = this.position;
    const hasFraction = this.bytes[wholeEnd] === POINT;
    if (hasFraction) {
      this.position++;
      this.#digits();
    }
    const digitsEnd = this.position;
    if (((this.bytes[digitsEnd] ?? 0) | 0x20) === 0x65) this.#exponent();
    token.start = start;
    token.end = this.position;
    if (token.end - start > MAX_NUMBER_BYTES) refuseLong('a number', start, MAX_NUMBER_BYTES);
    token.isExact = this.position === digitsEnd && digitsEnd - wholeStart <= EXACT_DIGITS;
    if (token.isExact) {
      const fractionDigits = hasFraction ? digitsEnd - wholeEnd - 1 : 0;
      const magnitude = this.#digitsValue(wholeStart, digitsEnd) / (POWERS_OF_TEN[fractionDigits] as number);
      token.number = isNegative ? -magnitude : magnitude;
    } else {
      token.number = Number(this.buffer.toString('latin1', token.start, token.end));
    }
  }

  /** Steps over one digit or more. */
  #digits(): void {
    const { bytes } = this;
    const start = this.position;
    const last = start + MAX_NUMBER_BYTES;
    let position = start;
    for (;;) {
      const digit = (bytes[position] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) break;
      if (position++ === last) refuseLong('a number', start, MAX_NUMBER_BYTES);
    }
    this.position = position;
    if (position === start) this.fail('a digit');
  }

  #exponent(): void {
    this.position++;
    const sign = this.bytes[this.position];
    if (sign === MINUS || sign === 0x2b) this.position++;
    this.#digits();
  }

  /** The digits of a number without its point. */
  #digitsValue(start: number, end: number): number {
    const { bytes } = this;
    let value = 0;
    for (let i = start; i < end; i++) {
      const digit = (bytes[i] as number) - ZERO;
      if (digit >= 0) value = value * 10 + digit; // the point is below zero
    }
    return value;
  }

  /** Begins to skip the array or object that is next. */
  beginSkip(): void {
    this.#skipDepth = 0;
    this.skippedEntries = 0;
  }

  /** Skips it, without recursion, up to its end or to `stopAt`; true when the end was reached. */
  skipOn(stopAt: number): boolean {
    const open = this.#open;
    let depth = this.#skipDepth;
    do {
      const kind = this.kind();
      if (kind === TokenKind.Absent) {
        this.#scalar(this.skipped, this.peek());
      } else {
        if (depth === MAX_DEPTH) throw new ProblemError(400, `The body is nested too deep at byte ${this.position}.`);
        open[depth] = kind;
        if (this.enter()) {
          if (depth === 0) this.skippedEntries = 1;
          if (kind === TokenKind.Object) this.key(this.skipped);
          depth++;
          continue;
        }
      }
      depth = this.#leave(depth);
    } while (depth > 0 && this.position < stopAt);
    this.#skipDepth = depth;
    return depth === 0;
  }

  /** After a value: leaves the containers that end here, and goes to the next value; returns the depth that is left. */
  #leave(depth: number): number {
    for (let left = depth; left > 0; left--) {
      const kind = this.#open[left - 1] as TokenKind;
      if (!this.more(kind)) continue;
      if (left === 1) this.skippedEntries++;
      if (kind === TokenKind.Object) this.key(this.skipped);
      return left;
    }
    return 0;
  }
}
