// A filter in its tokens, as the grammar of OData has them.

import type { Instant } from '../../../../engine/index.ts';
import { badParameter } from '../../../api/validation/bad-parameter.ts';
import { parseInstant } from '../../../codec/scalars/timestamp.ts';

export type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'time'; readonly value: Instant }
  | { readonly kind: 'sign'; readonly text: '(' | ')' | ',' | '=' };

/** Longest filter, in characters. */
const MAX_FILTER = 16_384;
/** A zone with a blank in front had a plus, which was not encoded. */
const TIME = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?(?:Z|[+ -]\d\d:\d\d)?)?(?![\w:.])/iy;
const NUMBER = /-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|INF|NaN)(?![\w.])/iy;
const WORD = /[A-Za-z_]\w*/y;
const TEXT = /'(?:[^']|'')*'/y;
const SIGN = /[(),=]/y;
const BLANK = /[ \t]*/y;

/** Throws a 400 that shows where a filter cannot be read. */
export function readTokens(filter: string): Token[] {
  if (filter.length > MAX_FILTER) throw badParameter(`'$filter' has more than ${MAX_FILTER} characters.`);
  const tokens: Token[] = [];
  let at = 0;
  const take = (form: RegExp): string | undefined => {
    form.lastIndex = at;
    const text = form.exec(filter)?.[0];
    at += text?.length ?? 0;
    return text;
  };
  for (take(BLANK); at < filter.length; take(BLANK)) tokens.push(nextToken(take) ?? fail(filter, at));
  return tokens;
}

function nextToken(take: (form: RegExp) => string | undefined): Token | undefined {
  const time = take(TIME);
  if (time !== undefined) return { kind: 'time', value: timeOf(time) };
  const number = take(NUMBER);
  if (number !== undefined) return { kind: 'number', value: Number(number.replace(/inf/i, 'Infinity')) };
  const word = take(WORD);
  if (word !== undefined) return { kind: 'word', text: word };
  const text = take(TEXT);
  if (text !== undefined) return { kind: 'text', value: text.slice(1, -1).replaceAll("''", "'") };
  const sign = take(SIGN);
  return sign === undefined ? undefined : { kind: 'sign', text: sign as '(' };
}

/** Digits behind the seventh of a second are dropped. */
function timeOf(text: string): Instant {
  const instant = parseInstant(text.replace(' ', '+').replace(/(\.\d{9})\d+/, '$1'));
  if (instant !== undefined) return instant;
  throw badParameter(`'$filter' has '${text}'; want a time such as 2026-03-01T08:00:00Z.`);
}

function fail(filter: string, at: number): never {
  throw badParameter(
    `'$filter' cannot be read from '${filter.slice(at, at + 30)}' on; want such as Tag eq 'Flow' and Time ge 2026-03-01T08:00:00Z, texts in single quotes.`,
  );
}
