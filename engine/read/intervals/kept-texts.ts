// The different texts of a tag, as numbers that calculators can compare.

import type { TextCodes } from '../../aggregates/input/point-window.ts';
import { EngineError } from '../../errors.ts';
import { MAX_KEPT_CHARACTERS, MAX_KEPT_TEXTS } from '../../limits.ts';

export class KeptTexts implements TextCodes {
  readonly #tagName: string;
  readonly #codes = new Map<string, number>();
  readonly #texts: string[] = [];
  #characters = 0;

  constructor(tagName: string) {
    this.#tagName = tagName;
  }

  codeOf(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    this.#characters += text.length;
    if (this.#texts.length >= MAX_KEPT_TEXTS || this.#characters > MAX_KEPT_CHARACTERS) {
      const message = `Tag '${this.#tagName}' has too many different texts for aggregates in this range; ask for a shorter one.`;
      throw new EngineError('BAD_REQUEST', message, { name: this.#tagName });
    }
    const code = this.#texts.push(text) - 1;
    this.#codes.set(text, code);
    return code;
  }

  textOf(code: number): string {
    return this.#texts[code] as string;
  }
}
