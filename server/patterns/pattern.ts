// Regular expressions of clients, matched in time linear in the text, so that none can hold the server up: the syntax of
// RE2, which is that of Prometheus, by the library re2js. A pattern is for a whole text, as there.

import { RE2JS } from 're2js';
import { patternSize } from './pattern-size.ts';

/** Most steps of a compiled pattern: what a text costs at most grows with them. */
export const MAX_STEPS = 1500;
/**
 * Most steps of a pattern that is compiled at all: what compiling costs grows with them. Five times as many, for fewer are
 * made of a text whose alternatives begin alike: some 300 names with `.*` behind each are still taken.
 */
const MAX_SIZE = 8192;
/** A character that means itself: any that is not of the syntax, or one of the syntax behind a backslash. */
const PLAIN_TEXT = /^(?:[^\\.*+?()[\]{}|^$]|\\[^\p{L}\p{N}])*$/u;
const ESCAPE = /\\(.)/gu;
const GROUP = /^\((?:\?:)?(.*)\)$/su;
const ENDS_AT = /^\^|(?<!\\)\$$/g;

export class Pattern {
  /** The pattern's text as it was sent. */
  readonly text: string;
  /** The texts that match, when the pattern is a choice among texts as they are, however many; undefined for all others. */
  readonly texts: readonly string[] | undefined;
  readonly #textSet: ReadonlySet<string> | undefined;
  #compiled: RE2JS | undefined;

  /** Compiles nothing yet, so that many can be read in one turn. Throws an `Error` for a pattern that is far too long. */
  constructor(text: string) {
    this.text = text;
    this.texts = textsOf(text);
    this.#textSet = this.texts && new Set(this.texts);
    if (this.texts !== undefined) return;
    // A text that is longer by itself is not even gone through.
    if (text.length <= MAX_SIZE && patternSize(text) <= MAX_SIZE) return;
    throw new Error(`it comes to far more than ${MAX_STEPS} steps; at most ${MAX_STEPS} are taken`);
  }

  /**
   * Before it is matched: the steps that it comes to, 0 of a choice among texts. Takes some milliseconds the first time. Throws
   * an `Error` that says what is wrong with the pattern, or that it is too long.
   */
  prepare(): number {
    if (this.texts !== undefined) return 0;
    this.#compiled ??= compile(this.text);
    return this.#compiled.programSize();
  }

  /** Whether the whole text is one of the pattern. */
  matches(text: string): boolean {
    if (this.#textSet !== undefined) return this.#textSet.has(text);
    this.#compiled ??= compile(this.text);
    return this.#compiled.testExact(text);
  }
}

function compile(text: string): RE2JS {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(text, RE2JS.DOTALL);
  } catch (error) {
    throw new Error((error as Error).message.replace(/^error parsing regexp: /, '').replace('`(?s)', '`'));
  }
  const steps = compiled.programSize();
  if (steps > MAX_STEPS) throw new Error(`it comes to ${steps} steps; at most ${MAX_STEPS} are taken`);
  return compiled;
}

/** Texts of a list that was chosen from, as `(a|b|c)` or `a`. */
function textsOf(pattern: string): readonly string[] | undefined {
  const whole = pattern.replace(ENDS_AT, '');
  const texts = (GROUP.exec(whole)?.[1] ?? whole).split('|');
  if (!texts.every((text) => PLAIN_TEXT.test(text))) return undefined;
  return texts.map((text) => text.replace(ESCAPE, '$1'));
}
