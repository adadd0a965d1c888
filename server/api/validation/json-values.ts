// Parses a JSON text a few values at a time, so that a long one delays nobody, and refuses too much of anything before it is
// allocated. The values are those of `JSON.parse`; with `exact` numbers that a double does not hold are `LongNumber`s.

import { recentUtf8 } from '../../codec/body/recent-texts.ts';
import { JsonScanner } from '../../codec/read-json/json-scanner.ts';
import { Token, TokenKind } from '../../codec/scalars/token.ts';
import { ProblemError } from '../../problem.ts';
import { BODY_LIMITS, type JsonLimits } from './body-limits.ts';
import { pointerStep } from './faults.ts';
import type { JsonObject } from './json-schema.ts';
import { LongNumber } from './long-number.ts';

/** Some 50 µs, where texts are short. */
const VALUES_A_STEP = 256;
/** Bytes of texts after which a step is over, a millisecond at most. */
const TEXT_BYTES_A_STEP = 65_536;

/** Texts that all readers share. */
const recentTexts = recentUtf8();

/** What numbers become; with `written` long ones stay as they are written. */
export type NumberForm = 'doubles' | 'exact' | 'written';

/** An array or object that is being read. */
interface OpenValue {
  readonly kind: TokenKind;
  readonly value: unknown[] | JsonObject;
  /** Members that were read, also of equal keys. */
  memberCount: number;
  /** Key of the current member. */
  key: string;
}

export class JsonValues {
  readonly #scanner = new JsonScanner(recentTexts);
  readonly #token = new Token();
  readonly #numbers: NumberForm;
  readonly #limits: JsonLimits;
  readonly #open: OpenValue[] = [];
  #root: unknown;
  #valueCount = 0;
  /** Bytes of all texts read so far. */
  #textBytes = 0;

  /** The bytes must not change while they are read. Throws a 400 when they are not UTF-8, or nothing. */
  constructor(bytes: Uint8Array, numbers: NumberForm = 'doubles', limits: JsonLimits = BODY_LIMITS) {
    this.#numbers = numbers;
    this.#limits = limits;
    this.#scanner.load(bytes, 0);
    if (this.#scanner.peek() === -1) throw new ProblemError(400, 'The body is empty; want JSON.');
  }

  /** What was read; once `step` has said that it is whole. */
  get value(): unknown {
    return this.#root;
  }

  /** Reads on; true when all has been read. Throws a 400 for what is not JSON, and 413 for too much of anything. */
  step(): boolean {
    const lastByte = this.#textBytes + TEXT_BYTES_A_STEP;
    for (let i = 0; i < VALUES_A_STEP && this.#textBytes < lastByte; i++) {
      if (!this.#next()) continue;
      this.#scanner.expectEnd();
      return true;
    }
    return false;
  }

  /** Reads a value, or the beginning of an array or object; true after the last one. */
  #next(): boolean {
    const scanner = this.#scanner;
    const kind = scanner.kind();
    if (++this.#valueCount > this.#limits.values) this.#refuse(`more than ${this.#limits.values} values`);
    if (kind === TokenKind.Absent) {
      this.#put(this.#scalar());
      return this.#leave();
    }
    const value: unknown[] | JsonObject = kind === TokenKind.Array ? [] : {};
    this.#put(value);
    const { depth } = this.#limits;
    if (this.#open.length === depth) throw new ProblemError(400, `The body is nested more than ${depth} levels deep.`);
    if (!scanner.enter()) return this.#leave();
    this.#open.push({ kind, value, memberCount: 0, key: '' });
    if (kind === TokenKind.Object) this.#key();
    return false;
  }

  /** Goes on behind a value: out of the arrays and objects that end here, to the next value; true when there is none. */
  #leave(): boolean {
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      if (this.#scanner.more(top.kind)) {
        if (top.kind === TokenKind.Object) this.#key();
        return false;
      }
      this.#open.pop();
    }
    return true;
  }

  #key(): void {
    const top = this.#open.at(-1) as OpenValue;
    this.#scanner.key(this.#token);
    const { members } = this.#limits;
    if (++top.memberCount > members) this.#refuse(`an object of more than ${members} members`, this.#open.length - 1);
    top.key = this.#text('a key', this.#open.length - 1);
  }

  #put(value: unknown): void {
    const top = this.#open.at(-1);
    if (top === undefined) {
      this.#root = value;
    } else if (Array.isArray(top.value)) {
      const { entries } = this.#limits;
      if (top.value.length === entries) this.#refuse(`an array of more than ${entries} entries`, this.#open.length - 1);
      top.value.push(value);
    } else if (top.key === '__proto__') {
      Object.defineProperty(top.value, top.key, { value, enumerable: true, configurable: true, writable: true });
    } else {
      top.value[top.key] = value;
    }
  }

  #scalar(): unknown {
    const token = this.#token;
    this.#scanner.value(token);
    switch (token.kind) {
      case TokenKind.Text:
        return this.#text('a text');
      case TokenKind.Number:
        return this.#number();
      case TokenKind.Null:
        return null;
      default:
        return token.kind === TokenKind.True;
    }
  }

  #number(): number | LongNumber {
    const token = this.#token;
    if (this.#numbers === 'doubles') return token.number;
    const literal = this.#scanner.literal(token);
    return this.#numbers === 'exact'
      ? LongNumber.of(literal, token.number)
      : LongNumber.asWritten(literal, token.number);
  }

  #text(what: string, depth = this.#open.length): string {
    const { start, end } = this.#token;
    const { textBytes } = this.#limits;
    if (end - start > textBytes) this.#refuse(`${what} of more than ${textBytes} bytes`, depth);
    this.#textBytes += end - start;
    return this.#scanner.text(this.#token);
  }

  /** `depth` is how many of the open arrays and objects the fault lies in; what is read of the innermost is not in it yet. */
  #refuse(got: string, depth = this.#open.length): never {
    const steps = this.#open.slice(0, depth).map(({ value, key }, i) => {
      if (!Array.isArray(value)) return pointerStep(key);
      return pointerStep(i === this.#open.length - 1 ? value.length : value.length - 1);
    });
    const path = steps.join('');
    const where = path === '' ? 'The body' : `The body at ${path}`;
    const message = `Got ${got}, more than is taken in one request.`;
    throw new ProblemError(413, `${where}: ${message}`, { errors: [{ path, message }] });
  }
}
