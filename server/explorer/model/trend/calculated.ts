// Calculated series: what a link may say of one, and how the page calls its line.

import type { CalculatedRef, TagDefinition } from '../tags/tag.ts';
import { type AggregateChoice, describeInterval } from './aggregate-choice.ts';

/** The server takes no more. */
export const MOST_EXPRESSION_CHARACTERS = 2000;
export const MOST_NAME_CHARACTERS = 200;

/** The expression is found of these results of its tags, whose intervals go by the window. */
export const CALCULATED_OF: AggregateChoice = { fn: 'TimeAverage2', intervalMs: undefined };

/** Undefined for what is none, or too long. Without a name of its own it is called by its expression. */
export function calculatedRef(dataset: string, expression: string, name = ''): CalculatedRef | undefined {
  if (!isText(expression, MOST_EXPRESSION_CHARACTERS)) return undefined;
  return { dataset, name: isText(name, MOST_NAME_CHARACTERS) ? name : expression, expression };
}

function isText(text: string, most: number): boolean {
  return text.trim() !== '' && text.length <= most;
}

/** The series as a tag would be defined; with what its line is made of when it has intervals. */
export function calculatedDefinition({ name, expression }: CalculatedRef, intervalMs?: number): TagDefinition {
  return {
    n: name,
    t: 'System.Double',
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

const TERM = /'((?:[^'\\]|\\.)*)'|(?<![\w.])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(\s*\()?/g;

/** The tags of an expression: its words and texts in quotes, but for functions. */
export function tagsOfExpression(expression: string): string[] {
  const names = [...expression.matchAll(TERM)].flatMap(([, quoted, word, bracket]) => {
    if (quoted !== undefined) return [quoted.replace(/\\(.)/g, '$1')];
    return word === undefined || bracket !== undefined ? [] : [word];
  });
  return [...new Set(names)];
}
