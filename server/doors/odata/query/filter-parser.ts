// Filters as trees. What is no filter of OData is answered 400; what is one, and is not looked at here, 501.

import { badParameter } from '../../../api/validation/bad-parameter.ts';
import { ProblemError } from '../../../problem.ts';
import type { Cell, CellKind } from './cells.ts';
import { readTokens, type Token } from './filter-tokens.ts';

export const COMPARISONS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Functions of texts, and what they give. */
export const FUNCTIONS = {
  contains: 'boolean',
  startswith: 'boolean',
  endswith: 'boolean',
  tolower: 'text',
  toupper: 'text',
  trim: 'text',
  length: 'number',
} as const satisfies Readonly<Record<string, CellKind>>;
export type FunctionName = keyof typeof FUNCTIONS;
const TWO_TEXTS: ReadonlySet<string> = new Set(['contains', 'startswith', 'endswith']);

export type Filter =
  | { readonly op: 'literal'; readonly kind: CellKind; readonly value: Cell }
  | { readonly op: 'property'; readonly kind: CellKind; readonly name: string }
  | { readonly op: 'call'; readonly kind: CellKind; readonly name: FunctionName; readonly inputs: readonly Filter[] }
  | { readonly op: 'not'; readonly kind: 'boolean'; readonly input: Filter }
  | { readonly op: 'and' | 'or'; readonly kind: 'boolean'; readonly inputs: readonly Filter[] }
  | { readonly op: Comparison; readonly kind: 'boolean'; readonly left: Filter; readonly right: Filter }
  | { readonly op: 'in'; readonly kind: 'boolean'; readonly left: Filter; readonly cells: readonly Cell[] };

/** Deepest nesting of brackets and functions. */
const MAX_DEPTH = 64;
const WORDS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['true', { op: 'literal', kind: 'boolean', value: true }],
  ['false', { op: 'literal', kind: 'boolean', value: false }],
  ['null', { op: 'literal', kind: 'null', value: null }],
]);

/** @param kinds of the properties that there are */
export function parseFilter(text: string, kinds: ReadonlyMap<string, CellKind>): Filter {
  const parser = new FilterParser(readTokens(text), kinds);
  const filter = parser.whole();
  if (filter.kind !== 'boolean') throw badParameter(`'$filter' is no condition; want such as Tag eq 'Flow'.`);
  return filter;
}

/** The key in brackets behind a set, `'Flow'` or `Dataset='Mill',Name='Flow'`, as a filter. */
export function parseKey(text: string, key: readonly string[], kinds: ReadonlyMap<string, CellKind>): Filter {
  return new FilterParser(readTokens(text), kinds).key(key);
}

class FilterParser {
  readonly #tokens: readonly Token[];
  readonly #kinds: ReadonlyMap<string, CellKind>;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], kinds: ReadonlyMap<string, CellKind>) {
    this.#tokens = tokens;
    this.#kinds = kinds;
  }

  whole(): Filter {
    const filter = this.#or();
    if (this.#at < this.#tokens.length) throw this.#unexpected('and, or, or the end');
    return filter;
  }

  key(names: readonly string[]): Filter {
    const [only] = names;
    const inputs: Filter[] = [];
    if (names.length === 1 && only !== undefined && this.#tokens.length === 1) {
      inputs.push(compared('eq', this.#property(only), this.#value()));
      return { op: 'and', kind: 'boolean', inputs };
    }
    const given = new Set<string>();
    do {
      const name = this.#word() ?? '';
      this.#want('=');
      inputs.push(compared('eq', this.#property(name), this.#value()));
      given.add(name);
    } while (this.#takeSign(','));
    if (this.#at === this.#tokens.length && given.size === names.length && names.every((name) => given.has(name)))
      return { op: 'and', kind: 'boolean', inputs };
    throw badParameter(`The key of an entity is (${names.map((name) => `${name}=…`).join(',')}).`);
  }

  #or(): Filter {
    return this.#joined('or', () => this.#joined('and', () => this.#compared()));
  }

  #joined(op: 'and' | 'or', next: () => Filter): Filter {
    const first = next();
    const inputs = [first];
    while (this.#takeWord(op)) inputs.push(next());
    if (inputs.length === 1) return first;
    for (const input of inputs) wantKind(input, 'boolean', op);
    return { op, kind: 'boolean', inputs };
  }

  #compared(): Filter {
    const left = this.#value();
    const op = this.#peekWord();
    if (op === 'in') return this.#in(left);
    if (!isComparison(op)) return left;
    this.#at++;
    return compared(op, left, this.#value());
  }

  #in(left: Filter): Filter {
    this.#at++;
    this.#want('(');
    const cells: Cell[] = [];
    do {
      const value = this.#value();
      if (value.op !== 'literal') throw badParameter(`'in' takes a list of values, such as Tag in ('A','B').`);
      compared('eq', left, value);
      cells.push(value.value);
    } while (this.#takeSign(','));
    this.#want(')');
    return { op: 'in', kind: 'boolean', left, cells };
  }

  #value(): Filter {
    if (this.#depth >= MAX_DEPTH) throw badParameter(`'$filter' is nested more than ${MAX_DEPTH} deep.`);
    this.#depth++;
    const value = this.#single();
    this.#depth--;
    return value;
  }

  #single(): Filter {
    if (this.#takeSign('(')) {
      const inner = this.#or();
      this.#want(')');
      return inner;
    }
    const token = this.#tokens[this.#at];
    if (token !== undefined && token.kind !== 'word' && token.kind !== 'sign') {
      this.#at++;
      return { op: 'literal', kind: token.kind, value: token.value };
    }
    const word = this.#word();
    if (word === undefined) throw this.#unexpected('a property, a value, or a function');
    if (word === 'not') {
      const input = this.#value();
      wantKind(input, 'boolean', word);
      return { op: 'not', kind: 'boolean', input };
    }
    const known = WORDS.get(word);
    if (known !== undefined) return known;
    return this.#takeSign('(') ? this.#call(word) : this.#property(word);
  }

  #call(name: string): Filter {
    if (!isFunction(name)) {
      throw new ProblemError(
        501,
        `'$filter' has the function '${name}'; here are ${Object.keys(FUNCTIONS).join(', ')}.`,
      );
    }
    const inputs = [this.#or()];
    while (this.#takeSign(',')) inputs.push(this.#or());
    this.#want(')');
    const count = TWO_TEXTS.has(name) ? 2 : 1;
    if (inputs.length !== count) throw badParameter(`'${name}' takes ${count === 1 ? 'one text' : 'two texts'}.`);
    for (const input of inputs) wantKind(input, 'text', name);
    return { op: 'call', kind: FUNCTIONS[name], name, inputs };
  }

  #property(name: string): Filter {
    const kind = this.#kinds.get(name);
    if (kind !== undefined) return { op: 'property', kind, name };
    throw badParameter(
      `There is no property '${name.slice(0, 100)}' here; want one of ${[...this.#kinds.keys()].join(', ')}.`,
    );
  }

  #peekWord(): string | undefined {
    const token = this.#tokens[this.#at];
    return token?.kind === 'word' ? token.text : undefined;
  }

  #word(): string | undefined {
    const word = this.#peekWord();
    if (word !== undefined) this.#at++;
    return word;
  }

  #takeWord(word: string): boolean {
    if (this.#peekWord() !== word) return false;
    this.#at++;
    return true;
  }

  #takeSign(text: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #want(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#unexpected(`'${sign}'`);
  }

  #unexpected(wanted: string): ProblemError {
    const token = this.#tokens[this.#at];
    const met = token === undefined ? 'ends' : `has '${String('text' in token ? token.text : token.value)}'`;
    return badParameter(`The filter ${met} where it wants ${wanted}.`);
  }
}

function compared(op: Comparison, left: Filter, right: Filter): Filter {
  if (left.kind !== right.kind && left.kind !== 'null' && right.kind !== 'null') {
    throw badParameter(`'${op}' compares a ${left.kind} with a ${right.kind}; want two of one kind.`);
  }
  return { op, kind: 'boolean', left, right };
}

function wantKind(filter: Filter, kind: CellKind, of: string): void {
  if (filter.kind === kind || filter.kind === 'null') return;
  throw badParameter(`'${of}' got a ${filter.kind}; want a ${kind}.`);
}

function isComparison(word: string | undefined): word is Comparison {
  return COMPARISONS.includes(word as Comparison);
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}
