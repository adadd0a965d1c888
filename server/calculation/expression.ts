// Expressions of tags and constants: from a text to a function of values. The grammar is jsep's, of which arithmetic and a few
// functions are taken; nothing is looked up but tags, and nothing is called but what is in the table here.

import jsep from 'jsep';
import { badParameter, quoted } from '../api/validation/bad-parameter.ts';
import {
  addedLead,
  HISTORY_FUNCTIONS,
  type HistoryFunction,
  type Lead,
  longerLead,
  type Moment,
  NO_LEAD,
  parseSpan,
  USUAL_SPAN_MS,
} from './history-functions.ts';

const MAX_CHARACTERS = 2000;
/** Constants, tags, operators and calls. */
const MAX_PARTS = 256;
const MAX_TAGS = 32;

/** Computes with the values of the expression's tags, in the order of `tags`; of one moment after the other. */
type Evaluate = (values: Float64Array, moment: Moment) => number;

export interface Expression {
  /** The expression as it was sent. */
  readonly text: string;
  /** What its entry is called; the text when absent. */
  readonly name?: string;
  /** Each tag once. */
  readonly tags: readonly string[];
  /** How far it goes back; undefined when it goes by the present values alone. */
  readonly lead: Lead | undefined;
  readonly evaluate: Evaluate;
}

const BINARY: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<': comparing((a, b) => a < b),
  '<=': comparing((a, b) => a <= b),
  '>': comparing((a, b) => a > b),
  '>=': comparing((a, b) => a >= b),
  '==': comparing((a, b) => a === b),
  '!=': comparing((a, b) => a !== b),
};

/** 1 or 0; of what cannot be computed neither. */
function comparing(holds: (a: number, b: number) => boolean): (a: number, b: number) => number {
  return (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Number(holds(a, b)));
}

/** The value that is not chosen may be one that cannot be computed, such as a division by zero. */
function choose(condition: number, chosen: number, other: number): number {
  if (Number.isNaN(condition)) return Number.NaN;
  return condition === 0 ? other : chosen;
}

interface CallableFunction {
  readonly compute: (...values: number[]) => number;
  /** How many arguments it takes; `any` is one or more. */
  readonly count: number | 'any';
}

const FUNCTIONS: ReadonlyMap<string, CallableFunction> = new Map([
  ['abs', { compute: Math.abs, count: 1 }],
  ['ceil', { compute: Math.ceil, count: 1 }],
  ['exp', { compute: Math.exp, count: 1 }],
  ['if', { compute: choose, count: 3 }],
  ['floor', { compute: Math.floor, count: 1 }],
  ['log', { compute: Math.log, count: 1 }],
  ['max', { compute: Math.max, count: 'any' }],
  ['min', { compute: Math.min, count: 'any' }],
  ['pow', { compute: Math.pow, count: 2 }],
  ['round', { compute: Math.round, count: 1 }],
  ['sqrt', { compute: Math.sqrt, count: 1 }],
] as const satisfies readonly (readonly [string, CallableFunction])[]);

export const EXPRESSION_FUNCTIONS: readonly string[] = [...FUNCTIONS.keys(), ...HISTORY_FUNCTIONS.keys()].sort();

/** Throws a 400 for what is no expression, and says where. */
export function parseExpression(text: string): Expression {
  if (text.length > MAX_CHARACTERS) throw badExpression(text, `has more than ${MAX_CHARACTERS} characters`);
  const reader = new TreeReader(text);
  const evaluate = reader.read(parseTree(text));
  const tags = reader.tags;
  if (tags.length === 0) throw badExpression(text, 'names no tag');
  return { text, tags, lead: reader.callCount === 0 ? undefined : reader.scope.lead, evaluate };
}

/** The moment before the first value. */
export function firstMoment({ tags }: Expression, fromMs: number): Moment {
  return { timeMs: 0, endMs: 0, fromMs, qualities: new Float64Array(tags.length), quality: 0, states: [] };
}

function parseTree(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    if (error instanceof RangeError) throw badExpression(text, 'is nested too deeply');
    throw badExpression(text, `cannot be read: ${(error as Error).message}`);
  }
}

function badExpression(text: string, fault: string): Error {
  return badParameter(
    `'expr' is ${quoted(text)}, which ${fault}; want numbers, names of tags (in quotes unless they are words with dots between them), + - * / %, < <= > >= == !=, brackets, and ${EXPRESSION_FUNCTIONS.join(', ')}.`,
  );
}

/** What is known of a part of a tree once it is read. */
interface Scope {
  /** Places of its tags. */
  readonly places: Set<number>;
  lead: Lead;
}

/** Makes functions of the parts of a tree. */
class TreeReader {
  readonly #text: string;
  readonly #places = new Map<string, number>();
  #partCount = 0;
  /** Calls of functions that have a state. */
  callCount = 0;
  scope: Scope = { places: new Set(), lead: NO_LEAD };

  constructor(text: string) {
    this.#text = text;
  }

  get tags(): string[] {
    return [...this.#places.keys()];
  }

  read(part: jsep.Expression): Evaluate {
    if (++this.#partCount > MAX_PARTS) throw this.#fault(`has more than ${MAX_PARTS} parts`);
    switch (part.type) {
      case 'Literal':
        return this.#literal((part as jsep.Literal).value);
      case 'Identifier':
      case 'MemberExpression':
        return this.#tag(this.#nameOf(part));
      case 'UnaryExpression':
        return this.#unary(part as jsep.UnaryExpression);
      case 'BinaryExpression':
        return this.#binary(part as jsep.BinaryExpression);
      case 'CallExpression':
        return this.#call(part as jsep.CallExpression);
      default:
        throw this.#fault('is not one piece of arithmetic');
    }
  }

  #literal(value: jsep.Literal['value']): Evaluate {
    if (typeof value === 'string') return this.#tag(value);
    if (typeof value === 'number') return () => value;
    throw this.#fault(`has ${String(value)}, which is no number; a tag of that name goes in quotes`);
  }

  #tag(name: string): Evaluate {
    const place = this.#places.get(name) ?? this.#places.size;
    if (place >= MAX_TAGS) throw this.#fault(`has more than ${MAX_TAGS} tags`);
    this.#places.set(name, place);
    this.scope.places.add(place);
    return (values) => values[place] as number;
  }

  /** Words with dots between them. */
  #nameOf(part: jsep.Expression): string {
    if (part.type === 'Identifier') return (part as jsep.Identifier).name;
    const { object, property, computed, optional } = part as jsep.MemberExpression;
    if (part.type !== 'MemberExpression' || computed || optional) {
      throw this.#fault('has a name that goes in quotes');
    }
    return `${this.#nameOf(object)}.${this.#nameOf(property)}`;
  }

  #unary({ operator, argument }: jsep.UnaryExpression): Evaluate {
    const value = this.read(argument);
    if (operator === '-') return (values, moment) => -value(values, moment);
    if (operator === '+') return value;
    throw this.#fault(`has ${operator}`);
  }

  #binary({ operator, left, right }: jsep.BinaryExpression): Evaluate {
    const compute = BINARY[operator];
    if (compute === undefined)
      throw this.#fault(`has ${operator}${operator.includes('^') ? ', for which there is pow' : ''}`);
    const [a, b] = [this.read(left), this.read(right)];
    return (values, moment) => compute(a(values, moment), b(values, moment));
  }

  #call(call: jsep.CallExpression): Evaluate {
    const name = this.#nameOf(call.callee);
    const ofHistory = HISTORY_FUNCTIONS.get(name);
    if (ofHistory !== undefined) return this.#callHistory(name, ofHistory, call.arguments);
    const known = FUNCTIONS.get(name);
    if (known === undefined) throw this.#fault(`calls ${name}`);
    const { compute, count } = known;
    const given = call.arguments.map((argument) => this.read(argument));
    if (count === 'any' ? given.length === 0 : given.length !== count) {
      throw this.#fault(`gives ${name} ${given.length} values instead of ${count === 'any' ? 'one or more' : count}`);
    }
    return (values, moment) => compute(...given.map((value) => value(values, moment)));
  }

  #callHistory(name: string, fn: HistoryFunction, given: readonly jsep.Expression[]): Evaluate {
    const spanMs = this.#spanOf(name, fn, given);
    const outer = this.scope;
    this.scope = { places: new Set(), lead: NO_LEAD };
    const value = this.read(given[0] as jsep.Expression);
    const { places, lead } = this.scope;
    const own = [...places];
    this.scope = {
      places: new Set([...outer.places, ...places]),
      lead: longerLead(outer.lead, addedLead(lead, fn.leadOf(spanMs))),
    };
    const index = this.callCount++;
    return (values, moment) => {
      let state = moment.states[index];
      if (state === undefined) {
        state = fn.start(spanMs);
        moment.states[index] = state;
      }
      const worst = own.reduce((least, place) => Math.min(least, moment.qualities[place] as number), 255);
      return state.next(value(values, moment), worst, moment);
    };
  }

  #spanOf(name: string, { span }: HistoryFunction, given: readonly jsep.Expression[]): number {
    const most = span === 'none' ? 1 : 2;
    const least = span === 'required' ? 2 : 1;
    const want = most === least ? String(most) : `${least} or ${most}`;
    if (given.length < least || given.length > most)
      throw this.#fault(`gives ${name} ${given.length} values instead of ${want}`);
    const second = given[1];
    if (second === undefined) return USUAL_SPAN_MS;
    this.#partCount++;
    const text = second.type === 'Literal' ? (second as jsep.Literal).value : undefined;
    const spanMs = typeof text === 'string' ? parseSpan(text) : undefined;
    if (spanMs !== undefined) return spanMs;
    throw this.#fault(`gives ${name} no span of time behind the comma, such as '10m' or 'h', in quotes`);
  }

  #fault(fault: string): Error {
    return badExpression(this.#text, fault);
  }
}
