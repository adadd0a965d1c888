// What a filter says of a row, also of one of which only some cells are known.

import { type Cell, compareCells, type Row } from './cells.ts';
import type { Comparison, Filter, FunctionName } from './filter-parser.ts';

/** What cannot be said while a cell is not known. */
export const UNKNOWN: unique symbol = Symbol('unknown');
export type Value = Cell | typeof UNKNOWN;

export function evaluate(filter: Filter, row: Readonly<Row>): Value {
  switch (filter.op) {
    case 'literal':
      return filter.value;
    case 'property': {
      const cell = row[filter.name];
      return cell === undefined ? UNKNOWN : cell;
    }
    case 'call':
      return called(filter.name, filter.inputs, row);
    case 'not': {
      const value = evaluate(filter.input, row);
      return typeof value === 'boolean' ? !value : value;
    }
    case 'and':
      return joined(filter.inputs, row, false);
    case 'or':
      return joined(filter.inputs, row, true);
    case 'in':
      return among(evaluate(filter.left, row), filter.cells);
    default:
      return compared(filter.op, evaluate(filter.left, row), evaluate(filter.right, row));
  }
}

/** `decisive`: the value that one input of it is enough for. */
function joined(inputs: readonly Filter[], row: Readonly<Row>, decisive: boolean): Value {
  let result: Value = !decisive;
  for (const input of inputs) {
    const value = evaluate(input, row);
    if (value === decisive) return decisive;
    if (value === UNKNOWN || (value === null && result !== UNKNOWN)) result = value;
  }
  return result;
}

function among(value: Value, cells: readonly Cell[]): Value {
  if (value === UNKNOWN) return UNKNOWN;
  return cells.some((cell) => compared('eq', value, cell) === true);
}

/** A null equals another one, and is neither smaller nor larger than anything; nor is what is no number. */
function compared(op: Comparison, left: Value, right: Value): Value {
  if (left === UNKNOWN || right === UNKNOWN) return UNKNOWN;
  if (left === null || right === null) {
    if (op === 'eq') return left === right;
    return op === 'ne' ? left !== right : false;
  }
  if (Number.isNaN(left) || Number.isNaN(right)) return op === 'ne';
  const order = compareCells(left, right);
  switch (op) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
  }
}

function called(name: FunctionName, inputs: readonly Filter[], row: Readonly<Row>): Value {
  const values = inputs.map((input) => evaluate(input, row));
  if (values.includes(UNKNOWN)) return UNKNOWN;
  const [text, part = ''] = values as (string | null)[];
  if (text === null || text === undefined || part === null) return null;
  switch (name) {
    case 'contains':
      return text.includes(part);
    case 'startswith':
      return text.startsWith(part);
    case 'endswith':
      return text.endsWith(part);
    case 'tolower':
      return text.toLowerCase();
    case 'toupper':
      return text.toUpperCase();
    case 'trim':
      return text.trim();
    case 'length':
      return text.length;
  }
}
