// The limits of a tag as a form has them: apart from its other fields. Pure.

import { LIMIT_FIELDS, LIMIT_KINDS, type LimitKind, limitKindOf } from './limits.ts';
import { parseNumber } from './typed-number.ts';

type Field = readonly [name: string, text: string];

export type LimitTexts = Readonly<Record<LimitKind, string>>;

export interface SplitFields {
  readonly limits: LimitTexts;
  readonly others: readonly Field[];
}

export function splitLimits(fields: Readonly<Record<string, string>>): SplitFields {
  const limits = { 'low-low': '', low: '', high: '', 'high-high': '' };
  const others: Field[] = [];
  for (const [name, text] of Object.entries(fields)) {
    const kind = limitKindOf(name);
    // What is no number is a field that only has the name of a limit.
    if (kind === undefined || parseNumber(text) === undefined || limits[kind] !== '') others.push([name, text]);
    else limits[kind] = text;
  }
  return { limits, others };
}

/** The fields with the limits that have a text, by the names that this page gives them. */
export function joinLimits(others: readonly Field[], limits: LimitTexts): Field[] {
  const set = LIMIT_KINDS.filter((kind) => limits[kind].trim() !== '');
  return [...others, ...set.map((kind) => [LIMIT_FIELDS[kind], limits[kind].trim()] as const)];
}

/** What is wrong with them; undefined when nothing is. */
export function limitsFault(limits: LimitTexts): string | undefined {
  const set = LIMIT_KINDS.filter((kind) => limits[kind].trim() !== '');
  const values = set.map((kind) => parseNumber(limits[kind]));
  const wrong = values.indexOf(undefined);
  if (wrong >= 0) return `The limit ${LIMIT_FIELDS[set[wrong] as LimitKind]} is a number, such as 62.5.`;
  const fallsAt = values.findIndex((value, at) => at > 0 && (value as number) < (values[at - 1] as number));
  if (fallsAt < 0) return undefined;
  const [upper, lower] = [set[fallsAt] as LimitKind, set[fallsAt - 1] as LimitKind];
  return `The limit ${LIMIT_FIELDS[upper]} must not lie below ${LIMIT_FIELDS[lower]}.`;
}
