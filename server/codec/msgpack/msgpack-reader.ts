// Steps through a msgpack body one value at a time. Unlike a general decoder it never allocates by a length that the
// body states (five bytes can claim four thousand million elements), keeps time stamps exact to 100 ns, and knows no
// extensions but the time stamp and msgpackr's typed arrays.

import { MAX_TIME_MS, MIN_TIME_MS } from '../../../engine/index.ts';
import { ProblemError } from '../../problem.ts';
import type { BatchBuilder } from '../body/batch-builder.ts';
import type { BodySource } from '../body/body-source.ts';
import { FastOutcome, type FastRequest, FastStep, type PointEntries } from '../body/fast-path.ts';
import { MAX_SKIPPED_BYTES, MAX_STRING_BYTES, refuseLong } from '../body/long-values.ts';
import { takesNumbers } from '../body/plain-numbers.ts';
import { RecentTexts } from '../body/recent-texts.ts';
import { type Column, type ColumnOutcome, NOT_TYPED, TYPED_BYTES, TypedCode } from '../scalars/column.ts';
import type { TimeReader } from '../scalars/timestamp.ts';
import { Token, TokenKind } from '../scalars/token.ts';
import { MsgpackColumns } from './msgpack-columns.ts';
import { numberAt, numberBytes, typedEntry } from './msgpack-numbers.ts';
import { MsgpackPoints } from './msgpack-points.ts';

const TIMESTAMP_EXTENSION = -1;
/** msgpackr's own, for typed arrays: a code, and the entries in little-endian order. */
const TYPED_EXTENSION = 0x74;
/** Entries of a column that is read in one go: a millisecond. */
const MOST_ENTRIES = 16_384;
const NIL = 0xc0;
const NO_BYTES = new Uint8Array(0);
const TWO_TO_32 = 4_294_967_296;
const textDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class MsgpackReader implements BodySource {
  bytes: Uint8Array = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  position = 0;
  /** Elements or members left in each of the containers we are in. */
  readonly #left: number[] = [];
  /** Elements and members of the container whose header was read last, keys counted apart. */
  #size = 0;
  /** Values that are still to come of the one being stepped over. */
  #pending = 0;
  skippedEntries = 0;
  readonly #skipped = new Token();
  readonly #texts = new RecentTexts((bytes, start, end) => textDecoder.decode(bytes.subarray(start, end)));
  readonly #columns = new MsgpackColumns();
  readonly #points = new MsgpackPoints();

  load(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = 0;
    this.#left.length = 0;
  }

  unload(): void {
    this.load(NO_BYTES);
  }

  kind(): TokenKind {
    const lead = this.bytes[this.position];
    if (lead === undefined) this.#fail('the body ends too early');
    if ((lead >= 0x80 && lead <= 0x8f) || lead === 0xde || lead === 0xdf) return TokenKind.Object;
    if ((lead >= 0x90 && lead <= 0x9f) || lead === 0xdc || lead === 0xdd) return TokenKind.Array;
    return TokenKind.Absent;
  }

  isEmpty(): boolean {
    const start = this.position;
    this.#containerHeader();
    this.position = start;
    return this.#size === 0;
  }

  enter(): boolean {
    const isObject = this.kind() === TokenKind.Object;
    this.#containerHeader();
    const count = isObject ? this.#size / 2 : this.#size;
    if (count > 0) this.#left.push(count);
    return count > 0;
  }

  more(_kind: TokenKind): boolean {
    const left = (this.#left.pop() as number) - 1;
    if (left > 0) this.#left.push(left);
    return left > 0;
  }

  key(token: Token): void {
    if (this.kind() !== TokenKind.Absent) this.#fail('a key is not text');
    this.#scalar(token);
    if (token.kind !== TokenKind.Text) this.#fail('a key is not text');
  }

  value(token: Token): void {
    const kind = this.kind();
    if (kind === TokenKind.Absent) return this.#scalar(token);
    const start = this.position;
    this.beginSkip();
    if (!this.skipOn(start + MAX_SKIPPED_BYTES)) refuseLong('an array or object', start, MAX_SKIPPED_BYTES);
    token.kind = kind;
  }

  /** Reads a value that is no array and no object; false, and the position has not moved, when one is next. */
  fastScalar(token: Token): boolean {
    if (this.kind() !== TokenKind.Absent) return false;
    this.#scalar(token);
    return true;
  }

  beginSkip(): void {
    const isObject = this.kind() === TokenKind.Object;
    this.#containerHeader();
    this.#pending = this.#size;
    this.skippedEntries = isObject ? this.#size / 2 : this.#size;
  }

  /** Counts what is still to come, however it is nested. */
  skipOn(stopAt: number): boolean {
    for (; this.#pending > 0 && this.position < stopAt; this.#pending--) {
      if (this.kind() === TokenKind.Absent) {
        this.#scalar(this.#skipped);
      } else {
        this.#containerHeader();
        this.#pending += this.#size;
      }
    }
    return this.#pending === 0;
  }

  goTo(position: number): void {
    this.position = position;
  }

  openColumn(column: Column): ColumnOutcome {
    column.clear();
    if (this.kind() === TokenKind.Absent) return this.#typedColumn(column) ? 'known' : 'none';
    if (this.kind() !== TokenKind.Array) return 'none';
    this.beginSkip();
    column.start = this.position;
    return 'begun';
  }

  /**
   * For the fast path: finds the entries of the column that is next, and steps over it; false when none is next, or one of
   * something else than numbers, or one that is too long to be read in one go.
   */
  fastColumn(column: Column): boolean {
    column.clear();
    if (this.kind() === TokenKind.Absent) return this.#typedColumn(column) && column.count <= MOST_ENTRIES;
    if (this.kind() !== TokenKind.Array) return false;
    const start = this.position;
    this.#containerHeader();
    column.count = this.#size;
    column.start = this.position;
    column.next = this.position;
    const areNumbers = column.count <= MOST_ENTRIES && this.#skipNumbers(column.count);
    if (!areNumbers) this.position = start;
    return areNumbers;
  }

  /** Steps over so many numbers and nils; false when something else is among them. */
  #skipNumbers(count: number): boolean {
    const { bytes } = this;
    let { position } = this;
    for (let i = 0; i < count; i++) {
      const lead = bytes[position];
      if (lead === undefined) return false;
      const sizeBytes = lead === NIL ? 1 : numberBytes(lead);
      if (sizeBytes === 0) return false;
      position += sizeBytes;
    }
    this.position = position;
    return position <= bytes.length;
  }

  /** A typed array as msgpackr writes it; one whose bytes are not whole entries is none. */
  #typedColumn(column: Column): boolean {
    const start = this.position;
    this.#scalar(this.#skipped);
    const { kind, typedCode, start: first, end } = this.#skipped;
    // A negative index would be looked up as a property name, which is slow.
    const sizeBytes = kind === TokenKind.Bytes && typedCode !== NOT_TYPED ? (TYPED_BYTES[typedCode] ?? 0) : 0;
    if (sizeBytes === 0 || (end - first) % sizeBytes !== 0) {
      this.position = start;
      return false;
    }
    column.typedCode = typedCode;
    column.start = first;
    column.next = first;
    column.count = (end - first) / sizeBytes;
    return true;
  }

  entry(column: Column, token: Token): void {
    const { typedCode, next } = column;
    if (typedCode === NOT_TYPED) {
      this.position = next;
      this.value(token);
      column.next = this.position;
      return;
    }
    column.next = next + (TYPED_BYTES[typedCode] as number);
    token.typedCode = typedCode;
    token.start = next;
    token.isEscaped = false;
    this.#number(token, typedEntry(this.view, typedCode, next));
  }

  tryFast(step: FastStep, request: FastRequest): number {
    switch (step) {
      case FastStep.Members:
        return this.#followingKey(request);
      case FastStep.Points:
        return this.#addColumns(request.builder);
      case FastStep.Elements:
        return this.#addElements(request.builder);
      case FastStep.Entries:
        return this.#addEntries(request);
      default:
        return FastOutcome.NotTaken;
    }
  }

  #followingKey(request: FastRequest): number {
    const skipped = this.#skipped;
    const { position } = this;
    const { lookup } = request;
    this.key(skipped);
    request.tag = lookup.findFollowing(this.view, skipped.start);
    if (request.tag !== undefined && lookup.foundBytes === skipped.end - skipped.start) return FastOutcome.Key;
    this.position = position;
    return FastOutcome.NotTaken;
  }

  #addElements(builder: BatchBuilder): number {
    if (!takesNumbers(builder.type)) return FastOutcome.NotTaken;
    builder.reserve();
    const top = this.#left.length - 1;
    const left = this.#left[top] as number;
    const count = this.#points.add(this.view, this.position, left, builder);
    if (count === 0) return FastOutcome.NotTaken;
    this.position = this.#points.position;
    this.#left[top] = left - count + 1; // the last of them is for `more` to count
    return count;
  }

  #addColumns(builder: BatchBuilder): number {
    const start = this.position;
    const depth = this.#left.length;
    if (this.kind() !== TokenKind.Object || this.isEmpty()) return FastOutcome.NotTaken;
    this.enter();
    if (this.#columns.add(this, builder)) return FastOutcome.ColumnsRead;
    this.#left.length = depth;
    this.position = start;
    return FastOutcome.NotTaken;
  }

  #addEntries({ builder, columns, entryCount }: FastRequest): number {
    const isAdded = this.#columns.addNext(this.view, columns as PointEntries, entryCount, builder);
    return isAdded ? entryCount : FastOutcome.NotTaken;
  }

  expectEnd(): void {
    if (this.position !== this.bytes.length) this.#fail('bytes follow the body');
  }

  text(token: Token): string {
    try {
      return this.#texts.at(this.bytes, token.start, token.end);
    } catch {
      throw new ProblemError(400, `The body is not msgpack: a text is not UTF-8 at byte ${token.start}.`);
    }
  }

  literal(token: Token): string {
    if (token.typedCode === TypedCode.BigInt64) return String(this.view.getBigInt64(token.start, true));
    if (token.typedCode === TypedCode.BigUint64) return String(this.view.getBigUint64(token.start, true));
    if (token.typedCode !== NOT_TYPED) return String(token.number);
    const lead = this.bytes[token.start];
    if (lead === 0xcf) return String(this.view.getBigUint64(token.start + 1));
    if (lead === 0xd3) return String(this.view.getBigInt64(token.start + 1));
    return String(token.number);
  }

  /** A time as text, as a time stamp, or as a number of ms since 1970. */
  time(token: Token, reader: TimeReader): boolean {
    if (token.kind === TokenKind.Text) return reader.read(this.view, token.start, token.end);
    if (token.kind === TokenKind.Instant) return this.#readTimestamp(token, reader);
    if (token.kind !== TokenKind.Number) return false;
    return reader.readMs(token.number);
  }

  #readTimestamp(token: Token, reader: TimeReader): boolean {
    const { view } = this;
    const sizeBytes = token.end - token.start;
    let seconds = 0;
    let nanoseconds = 0;
    if (sizeBytes === 4) {
      seconds = view.getUint32(token.start);
    } else if (sizeBytes === 8) {
      const upper = view.getUint32(token.start);
      nanoseconds = upper >>> 2;
      seconds = (upper & 3) * TWO_TO_32 + view.getUint32(token.start + 4);
    } else if (sizeBytes === 12) {
      nanoseconds = view.getUint32(token.start);
      seconds = view.getInt32(token.start + 4) * TWO_TO_32 + view.getUint32(token.start + 8);
    } else {
      return false;
    }
    reader.ms = seconds * 1000 + Math.floor(nanoseconds / 1e6);
    reader.ticks = Math.floor((nanoseconds % 1e6) / 100);
    return nanoseconds < 1e9 && reader.ms >= MIN_TIME_MS && reader.ms <= MAX_TIME_MS;
  }

  #fail(what: string): never {
    throw new ProblemError(400, `The body is not msgpack: ${what} at byte ${this.position}.`);
  }

  /** Steps over `count` bytes and returns where they began. */
  #take(count: number): number {
    const start = this.position;
    if (start + count > this.bytes.length) this.#fail('the body ends too early');
    this.position = start + count;
    return start;
  }

  /** An unsigned big-endian number of 1, 2 or 4 bytes. */
  #unsigned(sizeBytes: number): number {
    const start = this.#take(sizeBytes);
    if (sizeBytes === 1) return this.view.getUint8(start);
    return sizeBytes === 2 ? this.view.getUint16(start) : this.view.getUint32(start);
  }

  #containerHeader(): void {
    const lead = this.bytes[this.#take(1)] as number;
    if (lead === 0xdc || lead === 0xdd) this.#size = this.#unsigned(lead === 0xdc ? 2 : 4);
    else if (lead === 0xde || lead === 0xdf) this.#size = 2 * this.#unsigned(lead === 0xde ? 2 : 4);
    else this.#size = lead < 0x90 ? 2 * (lead & 0x0f) : lead & 0x0f;
  }

  #scalar(token: Token): void {
    const start = this.#take(1);
    const lead = this.bytes[start] as number;
    token.start = start;
    token.isEscaped = false;
    token.typedCode = NOT_TYPED;
    if (lead <= 0x7f) return this.#number(token, lead);
    if (lead >= 0xe0) return this.#number(token, lead - 256);
    if (lead <= 0xbf) return this.#span(token, TokenKind.Text, lead & 0x1f);
    if (lead >= 0xd9) return this.#span(token, TokenKind.Text, this.#unsigned(1 << (lead - 0xd9)));
    if (lead >= 0xd4) return this.#extension(token, 1 << (lead - 0xd4));
    if (lead >= 0xca) return this.#wideNumber(token, lead);
    if (lead >= 0xc7) return this.#extension(token, this.#unsigned(1 << (lead - 0xc7)));
    if (lead >= 0xc4) return this.#span(token, TokenKind.Bytes, this.#unsigned(1 << (lead - 0xc4)));
    if (lead === 0xc1) this.#fail('a byte has no meaning');
    if (lead === 0xc0) token.kind = TokenKind.Null;
    else token.kind = lead === 0xc3 ? TokenKind.True : TokenKind.False;
  }

  #span(token: Token, kind: TokenKind, sizeBytes: number): void {
    token.kind = kind;
    token.start = this.#take(sizeBytes);
    token.end = this.position;
    if (kind === TokenKind.Text && sizeBytes > MAX_STRING_BYTES) refuseLong('a text', token.start, MAX_STRING_BYTES);
  }

  #extension(token: Token, sizeBytes: number): void {
    const type = this.view.getInt8(this.#take(1));
    if (type === TIMESTAMP_EXTENSION) return this.#span(token, TokenKind.Instant, sizeBytes);
    if (type !== TYPED_EXTENSION || sizeBytes === 0) return this.#span(token, TokenKind.Bytes, sizeBytes);
    const typedCode = this.#unsigned(1);
    this.#span(token, TokenKind.Bytes, sizeBytes - 1);
    token.typedCode = typedCode;
  }

  #number(token: Token, value: number): void {
    token.kind = TokenKind.Number;
    token.end = this.position;
    token.number = value;
    token.isExact = Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  }

  #wideNumber(token: Token, lead: number): void {
    const start = this.position - 1;
    this.#take(numberBytes(lead) - 1);
    this.#number(token, numberAt(this.view, start));
  }
}
