// Regular expressions of clients, matched in time linear in the text, so that none can hold the server up: the syntax of
// RE2, which is that of Prometheus, by the library re2js. A pattern is for a whole text, as there.

import { RE2JS } from 're2js';

/** Of a compiled pattern: what a text costs at most grows with it. */
const MAX_STEPS = 1500;
/** A character that means itself: any that is not of the syntax, or one of the syntax behind a backslash. */
const PLAIN_TEXT = /^(?:[^\\.*+?()[\]{}|^$]|\\[^\p{L}\p{N}])*$/u;
const ESCAPE = /\\(.)/gu;
const GROUP = /^\((?:\?:)?(.*)\)$/su;
const ENDS_AT = /^\^|(?<!\\)\$$/g;

export class Pattern {
  /** The texts that match, when the pattern is a choice among texts as they are, however many; undefined for all others. */
  readonly texts: readonly string[] | undefined;
  readonly #textSet: ReadonlySet<string> | undefined;
  readonly #compiled: RE2JS | undefined;

  /** Throws an `Error` that says what is wrong with the pattern, or that it is too long. */
  constructor(text: string) {
    this.texts = textsOf(text);
    this.#textSet = this.texts && new Set(this.texts);
    if (this.texts === undefined) this.#compiled = compile(text);
  }

  /** Whether the whole text is one of the pattern. */
  matches(text: string): boolean {
    return this.#textSet?.has(text) ?? (this.#compiled as RE2JS).testExact(text);
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

/** Of a list that was chosen from, as `(a|b|c)` or `a`. */
function textsOf(pattern: string): readonly string[] | undefined {
  const whole = pattern.replace(ENDS_AT, '');
  const texts = (GROUP.exec(whole)?.[1] ?? whole).split('|');
  if (!texts.every((text) => PLAIN_TEXT.test(text))) return undefined;
  return texts.map((text) => text.replace(ESCAPE, '$1'));
}
