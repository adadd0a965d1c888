// Calculated series: what a link may say of one, and how the page calls its line.

import type { CalculatedRef, TagDefinition } from '../tags/tag.ts';
import { type AggregateChoice, describeInterval } from './aggregate-choice.ts';

/** The server takes no more. */
export const MOST_EXPRESSION_CHARACTERS = 2000;
export const MOST_NAME_CHARACTERS = 200;
const MOST_UNIT_CHARACTERS = 40;

/** The expression is found of these results of its tags, whose intervals go by the window. */
export const CALCULATED_OF: AggregateChoice = { fn: 'TimeAverage2', intervalMs: undefined };

/** Undefined for what is none, or too long. Without a name of its own it is called by its expression. */
export function calculatedRef(
  dataset: string,
  expression: string,
  name = '',
  { unit = '', format = '' }: NumberStyle = {},
): CalculatedRef | undefined {
  if (!isText(expression, MOST_EXPRESSION_CHARACTERS)) return undefined;
  return {
    dataset,
    name: isText(name, MOST_NAME_CHARACTERS) ? name : expression,
    expression,
    ...(isText(unit, MOST_UNIT_CHARACTERS) ? { unit } : {}),
    ...(isText(format, MOST_UNIT_CHARACTERS) ? { format } : {}),
  };
}

/** How its numbers are shown. */
export interface NumberStyle {
  readonly unit?: string | undefined;
  readonly format?: string | undefined;
}

function isText(text: string, most: number): boolean {
  return text.trim() !== '' && text.length <= most;
}

/** The series as a tag would be defined; with what its line is made of when it has intervals. */
export function calculatedDefinition(ref: CalculatedRef, intervalMs?: number): TagDefinition {
  const { name, expression, unit, format } = ref;
  return {
    n: name,
    t: 'System.Double',
    ...(unit === undefined ? {} : { u: { 1: unit } }),
    ...(format === undefined ? {} : { f: format }),
    ...(name === expression ? {} : { d: expression }),
    ...(intervalMs === undefined ? {} : { aggregate: `expression of averages of ${describeInterval(intervalMs)}` }),
  };
}

const PLAIN_NAME = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;
/** Words that are no names in an expression. */
const RESERVED = /(^|\.)(true|false|null|this)(\.|$)/;

/** A tag as an expression names it: in quotes unless its name is words with dots between them. */
export function tagTerm(name: string): string {
  if (PLAIN_NAME.test(name) && !RESERVED.test(name)) return name;
  return `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

const TERM = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(?<![\w.])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(\s*\()?/g;

/** A span of time, as the last argument of a function. */
const SPAN = /,\s*(?:'(?:\d*[wdhms])+'|"(?:\d*[wdhms])+")\s*\)/g;

/** Whether an expression has functions that go by what was before: for those the server needs a start. */
export function goesBack(expression: string): boolean {
  return /\b(?:previous|rate|integral|movingAverage)\s*\(/.test(expression);
}

/** Whether it adds up from the start of what is read: then a part of the window does not do. */
export function addsUp(expression: string): boolean {
  return /\bintegral\s*\(/.test(expression);
}

/** The tags of an expression: its words and texts in quotes, but for functions and their spans. */
export function tagsOfExpression(expression: string): string[] {
  const names = [...expression.replace(SPAN, ')').matchAll(TERM)].flatMap(([, single, double, word, bracket]) => {
    const quoted = single ?? double;
    if (quoted !== undefined) return [quoted.replace(/\\(.)/g, '$1')];
    return word === undefined || bracket !== undefined ? [] : [word];
  });
  return [...new Set(names)];
}
