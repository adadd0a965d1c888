// Reads a regular expression into a tree: characters, classes, groups, choices and repetitions.

/** Whether a character, by its code point, is one of a class. */
export type CharTest = (code: number) => boolean;

export type PatternNode =
  | { readonly kind: 'char'; readonly test: CharTest; readonly char?: string }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number | undefined };

const MAX_DEPTH = 50;
const MAX_REPEATS = 1000;
const EMPTY: PatternNode = { kind: 'sequence', parts: [] };
const COUNT_FORM = /^\{(\d{1,4})(,(\d{1,4})?)?\}/;
const NEW_LINE = 10;

const isDigit: CharTest = (code) => code >= 0x30 && code <= 0x39;
const isWord: CharTest = (code) =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f;
const isSpace: CharTest = (code) => code === 0x20 || (code >= 9 && code <= 13 && code !== 11);
const not =
  (test: CharTest): CharTest =>
  (code) =>
    !test(code);

const CLASSES: Readonly<Record<string, CharTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };

export class PatternParser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Throws an `Error` that says what is wrong. */
  parse(): PatternNode {
    const tree = this.#choice();
    if (this.#at < this.#text.length) throw this.#fault(`')' without '('`);
    return tree;
  }

  #choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#takes('|')) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined || next === '|' || next === ')') return { kind: 'sequence', parts };
      parts.push(this.#repeated());
    }
  }

  #repeated(): PatternNode {
    let part = this.#atom();
    for (;;) {
      const counts = this.#counts();
      if (counts === undefined) return part;
      this.#takes('?'); // a lazy repetition matches the same texts
      const [least, most] = counts;
      part = { kind: 'repeat', part, least, most };
      if (++this.#depth > MAX_DEPTH) throw this.#fault('is nested too deep');
    }
  }

  #counts(): readonly [least: number, most: number | undefined] | undefined {
    if (this.#takes('*')) return [0, undefined];
    if (this.#takes('+')) return [1, undefined];
    if (this.#takes('?')) return [0, 1];
    const form = COUNT_FORM.exec(this.#text.slice(this.#at, this.#at + 12));
    if (form === null) return undefined;
    const [all, first, comma, second] = form;
    const least = Number(first);
    const last = second === undefined ? undefined : Number(second);
    const most = comma === undefined ? least : last;
    if (least > MAX_REPEATS || (most ?? 0) > MAX_REPEATS) throw this.#fault(`repeats more than ${MAX_REPEATS} times`);
    if (most !== undefined && most < least) throw this.#fault(`'${all}' ends below its beginning`);
    this.#at += all.length;
    return [least, most];
  }

  #atom(): PatternNode {
    if (this.#takes('(')) return this.#group();
    if (this.#takes('[')) return { kind: 'char', test: this.#class() };
    if (this.#takes('.')) return { kind: 'char', test: (code) => code !== NEW_LINE };
    // The whole text is matched anyhow.
    if (this.#at === 0 && this.#takes('^')) return EMPTY;
    if (this.#at === this.#text.length - 1 && this.#takes('$')) return EMPTY;
    if (this.#takes('\\')) return this.#escaped();
    const char = this.#char();
    if ('*+?'.includes(char)) throw this.#fault(`'${char}' has nothing to repeat`);
    if ('^$'.includes(char)) throw this.#fault(`'${char}' stands neither at the beginning nor at the end`);
    return { kind: 'char', test: isChar(char), char };
  }

  #group(): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw this.#fault('is nested too deep');
    if (this.#takes('?') && !this.#takes(':')) throw this.#fault(`'(?' is followed by something else than ':'`);
    const tree = this.#choice();
    if (!this.#takes(')')) throw this.#fault(`'(' without ')'`);
    this.#depth--;
    return tree;
  }

  #class(): CharTest {
    const isNot = this.#takes('^');
    const tests: CharTest[] = [];
    for (let isFirst = true; isFirst || !this.#takes(']'); isFirst = false) tests.push(this.#range());
    return (code) => tests.some((test) => test(code)) !== isNot;
  }

  #range(): CharTest {
    if (this.#takes('\\')) {
      const name = this.#text[this.#at] ?? '';
      const known = CLASSES[name];
      if (known !== undefined) {
        this.#at++;
        return known;
      }
      return this.#rangeFrom(this.#escapedChar());
    }
    return this.#rangeFrom(this.#char());
  }

  #rangeFrom(low: string): CharTest {
    const isRange = this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']';
    if (!isRange) return isChar(low);
    this.#at++;
    const high = this.#takes('\\') ? this.#escapedChar() : this.#char();
    const [from, to] = [codeOf(low), codeOf(high)];
    if (to < from) throw this.#fault(`the range '${low}-${high}' ends below its beginning`);
    return (code) => code >= from && code <= to;
  }

  #escaped(): PatternNode {
    const known = CLASSES[this.#text[this.#at] ?? ''];
    if (known !== undefined) {
      this.#at++;
      return { kind: 'char', test: known };
    }
    const char = this.#escapedChar();
    return { kind: 'char', test: isChar(char), char };
  }

  #escapedChar(): string {
    const char = this.#char();
    const control = CONTROLS[char];
    if (control !== undefined) return control;
    if (isWord(codeOf(char))) throw this.#fault(`'\\${char}' is not known`);
    return char;
  }

  #char(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) throw this.#fault('ends too early');
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    return char;
  }

  #takes(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #fault(what: string): Error {
    return new Error(`${what} (at character ${this.#at + 1})`);
  }
}

function isChar(char: string): CharTest {
  const own = codeOf(char);
  return (code) => code === own;
}

function codeOf(char: string): number {
  return char.codePointAt(0) as number;
}
