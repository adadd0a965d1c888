// Reads a query. What PromQL has beyond these queries is refused with what is possible.

import { Pattern } from '../../../patterns/pattern.ts';
import { badQuery } from './bad-query.ts';
import {
  AGGREGATORS,
  type Aggregator,
  ARITHMETIC,
  type ArithmeticSign,
  calculate,
  type Matcher,
  type Operation,
  OVER_FUNCTIONS,
  type OverFunction,
  type Query,
} from './promql.ts';
import { parseNumber, type Token, type TokenKind, tokensOf } from './promql-tokens.ts';
import { parseDuration } from './steps.ts';

const MAX_DEPTH = 50;
const MAX_TOKENS = 2000;
/** How strongly signs hold together; `^` from the right. */
const STRENGTH: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2, '^': 3 };
const POSSIBLE = `Possible are selectors such as varve_value{dataset="plant",tag=~"Pump.*"}, ${OVER_FUNCTIONS.join(', ')} of one over a stretch such as [5m], ${AGGREGATORS.join(', ')} with by (...), and arithmetic with numbers`;

/** Throws a 400 that names what is not possible. */
export function parsePromql(text: string): Query {
  const parser = new PromqlParser(text);
  const query = parser.expression(0);
  parser.end();
  return query;
}

/** The matchers of a selector by itself, as `match[]` has it. */
export function parseSelector(text: string): readonly Matcher[] {
  const query = parsePromql(text);
  if (query.kind === 'series' && query.over === undefined && query.operations.length === 0) return query.matchers;
  throw badQuery(`'${text.slice(0, 100)}' is no selector; want one such as varve_value{dataset="plant"}.`);
}

class PromqlParser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
    if (this.#tokens.length > MAX_TOKENS) throw badQuery(`The query has more than ${MAX_TOKENS} words and signs.`);
  }

  end(): void {
    if (this.#token.kind !== 'end') throw this.#impossible();
  }

  expression(leastStrength: number): Query {
    if (++this.#depth > MAX_DEPTH) throw badQuery(`The query is nested deeper than ${MAX_DEPTH} levels.`);
    let left = this.#signed();
    for (;;) {
      const sign = ARITHMETIC.find((known) => this.#token.kind === 'sign' && known === this.#token.text);
      const strength = sign === undefined ? 0 : (STRENGTH[sign] as number);
      if (sign === undefined || strength <= leastStrength) break;
      this.#next++;
      left = joined(left, sign, this.expression(sign === '^' ? strength - 1 : strength));
    }
    this.#depth--;
    return left;
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #signed(): Query {
    if (this.#takes('-')) return joined({ kind: 'number', value: -1 }, '*', this.expression(2));
    if (this.#takes('+')) return this.expression(2);
    return this.#operand();
  }

  #operand(): Query {
    const { kind, text } = this.#token;
    if (kind === 'number') {
      this.#next++;
      const value = parseNumber(text);
      if (Number.isNaN(value)) throw badQuery(`'${text}' is no number of 64 bits.`);
      return { kind: 'number', value };
    }
    if (this.#takes('(')) {
      const inner = this.expression(0);
      this.#expect(')');
      return inner;
    }
    const following = this.#tokens[this.#next + 1]?.text;
    if (kind === 'name') {
      const lower = text.toLowerCase();
      if (lower === 'nan' || lower === 'inf') {
        this.#next++;
        return { kind: 'number', value: lower === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY };
      }
      const aggregator = AGGREGATORS.find((name) => name === lower);
      if (aggregator !== undefined && (following === '(' || following?.toLowerCase() === 'by'))
        return this.#aggregate(aggregator);
      const over = OVER_FUNCTIONS.find((name) => name === text);
      if (over !== undefined && following === '(') return this.#over(over);
      if (following === '(') throw badQuery(`The function '${text}' is not possible here. ${POSSIBLE}.`);
    }
    if (kind === 'name' || text === '{') return this.#series();
    throw this.#impossible();
  }

  #series(): Query {
    return { kind: 'series', matchers: this.#matchers(), over: undefined, operations: [] };
  }

  #matchers(): Matcher[] {
    const matchers: Matcher[] = [];
    if (this.#token.kind === 'name') {
      matchers.push({ label: '__name__', isNot: false, wanted: this.#take('name').text });
      if (!this.#takes('{')) return matchers;
    } else this.#expect('{');
    const hasName = matchers.length > 0;
    while (!this.#takes('}')) {
      const matcher = this.#matcher();
      if (hasName && matcher.label === '__name__') throw badQuery('The selector has the name of its metric twice.');
      matchers.push(matcher);
      if (this.#token.text !== '}') this.#expect(',');
    }
    if (matchers.length === 0) throw badQuery(`The selector '{}' has nothing to select by; name a dataset or a tag.`);
    return matchers;
  }

  #label(): string {
    const { text } = this.#token;
    if (text.includes(':')) throw this.#impossible();
    return this.#take('name').text;
  }

  #matcher(): Matcher {
    const label = this.#label();
    const sign = this.#token;
    if (!['=', '!=', '=~', '!~'].includes(sign.text)) throw this.#impossible();
    this.#next++;
    const { text } = this.#take('text');
    return { label, isNot: sign.text.startsWith('!'), wanted: sign.text.endsWith('~') ? patternOf(text) : text };
  }

  #over(fn: OverFunction): Query {
    this.#next++;
    this.#expect('(');
    if (this.#token.kind !== 'name' && this.#token.text !== '{') throw this.#impossible();
    const matchers = this.#matchers();
    if (!this.#takes('[')) throw badQuery(`'${fn}' needs a stretch behind the selector, such as [5m].`);
    const windowMs = parseDuration('A stretch', this.#take('duration').text);
    this.#expect(']');
    this.#expect(')');
    return { kind: 'series', matchers, over: { fn, windowMs }, operations: [] };
  }

  #aggregate(aggregator: Aggregator): Query {
    this.#next++;
    let by = this.#by();
    this.#expect('(');
    const inner = this.expression(0);
    this.#expect(')');
    by ??= this.#by();
    if (inner.kind === 'number') throw badQuery(`'${aggregator}' needs series, and got a number.`);
    return { ...inner, operations: [...inner.operations, { kind: 'aggregate', aggregator, by: by ?? [] }] };
  }

  #by(): string[] | undefined {
    const { kind, text } = this.#token;
    if (kind !== 'name' || text.toLowerCase() !== 'by') return undefined;
    this.#next++;
    this.#expect('(');
    const labels: string[] = [];
    while (!this.#takes(')')) {
      labels.push(this.#label());
      if (this.#token.text !== ')') this.#expect(',');
    }
    return labels;
  }

  #take(kind: TokenKind): Token {
    const token = this.#token;
    if (token.kind !== kind) throw this.#impossible();
    this.#next++;
    return token;
  }

  #takes(sign: string): boolean {
    if (this.#token.kind !== 'sign' || this.#token.text !== sign) return false;
    this.#next++;
    return true;
  }

  #expect(sign: string): void {
    const { text, at } = this.#token;
    if (!this.#takes(sign)) throw badQuery(`Got '${shortened(text)}' at character ${at} where '${sign}' should be.`);
  }

  #impossible(): Error {
    const { text, at } = this.#token;
    return badQuery(`'${shortened(text)}' at character ${at} is not possible there. ${POSSIBLE}.`);
  }
}

function joined(left: Query, sign: ArithmeticSign, right: Query): Query {
  if (left.kind === 'number' && right.kind === 'number') {
    return { kind: 'number', value: calculate(sign, left.value, right.value) };
  }
  if (left.kind === 'series' && right.kind === 'series') {
    throw badQuery(`'${sign}' between two selections is not possible. ${POSSIBLE}.`);
  }
  const isLeft = left.kind === 'number';
  const series = (isLeft ? right : left) as Query & { kind: 'series' };
  const number = ((isLeft ? left : right) as Query & { kind: 'number' }).value;
  const operation: Operation = { kind: 'number', sign, number, isLeft };
  return { ...series, operations: [...series.operations, operation] };
}

function patternOf(text: string): Pattern {
  try {
    return new Pattern(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw badQuery(`The pattern '${shortened(text)}' is not possible: ${error.message}.`);
  }
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
