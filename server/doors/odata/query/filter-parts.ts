// Parts of a filter that say where to look: which names, and which times. The rest is asked of each row.

import {
  compareInstants,
  FIRST_INSTANT,
  type Instant,
  LAST_INSTANT,
  oneTickAfter,
  oneTickBefore,
} from '../../../../engine/index.ts';
import type { Row } from './cells.ts';
import type { Filter } from './filter-parser.ts';
import { evaluate, UNKNOWN } from './filter-value.ts';

export interface TimeBounds {
  /** Both ends belong to it. */
  readonly start: Instant;
  readonly end: Instant;
  /** The end as it was said, when what is meant ends just before it. */
  readonly openEnd: Instant | undefined;
  readonly hasStart: boolean;
  readonly hasEnd: boolean;
}

/** What is to be asked of rows of which some cells are known. */
export type RowTest = 'all' | 'none' | ((row: Readonly<Row>) => boolean);

export class FilterParts {
  readonly bounds: TimeBounds;
  /** Conditions that all hold, but for those on times that the bounds say already. */
  readonly #rest: readonly Filter[];

  constructor(filter: Filter | undefined) {
    const conditions = filter === undefined ? [] : conjuncts(filter);
    const bounds = new GrowingBounds();
    this.#rest = conditions.filter((condition) => !bounds.narrow(condition));
    this.bounds = bounds;
  }

  /** The values that a property must have one of; undefined: no such list is known. */
  namesOf(property: string): ReadonlySet<string> | undefined {
    const lists = this.#rest.map((condition) => valuesIn(condition, property)).filter((list) => list !== undefined);
    const [first, ...others] = lists;
    return first && new Set([...first].filter((name) => others.every((list) => list.has(name))));
  }

  /** What a property must begin with; an empty text when that is not known. */
  prefixOf(property: string): string {
    const prefixes = this.#rest.map((condition) => prefixIn(condition, property));
    return prefixes.reduce((longest, prefix) => (prefix.length > longest.length ? prefix : longest), '');
  }

  /** What is left to be asked, where some cells are known. */
  testFor(known: Readonly<Row>): RowTest {
    const open: Filter[] = [];
    for (const condition of this.#rest) {
      const value = evaluate(condition, known);
      if (value === UNKNOWN) open.push(condition);
      else if (value !== true) return 'none';
    }
    if (open.length === 0) return 'all';
    return (row) => open.every((condition) => evaluate(condition, row) === true);
  }
}

/** Bounds of the property `Time`. */
class GrowingBounds implements TimeBounds {
  start = FIRST_INSTANT;
  end = LAST_INSTANT;
  openEnd: Instant | undefined;
  hasStart = false;
  hasEnd = false;

  /** Whether the condition is one of the time, and is kept. */
  narrow(condition: Filter): boolean {
    if (!('left' in condition) || condition.op === 'in') return false;
    const { left, right } = condition;
    const isForth = left.op === 'property' && left.name === 'Time' && right.op === 'literal';
    const isBack = right.op === 'property' && right.name === 'Time' && left.op === 'literal';
    if (!isForth && !isBack) return false;
    const literal = isForth ? right : left;
    if (literal.kind !== 'time') return false;
    return this.#keep(isForth ? condition.op : (TURNED[condition.op] ?? 'ne'), (literal as { value: Instant }).value);
  }

  #keep(op: string, time: Instant): boolean {
    if (op === 'ne') return false;
    if (op === 'eq' || op === 'ge') this.#begin(time);
    if (op === 'gt') this.#begin(oneTickAfter(time));
    if (op === 'eq' || op === 'le') this.#finish(time, undefined);
    if (op === 'lt') this.#finish(oneTickBefore(time), time);
    return true;
  }

  #begin(time: Instant): void {
    this.hasStart = true;
    if (compareInstants(time, this.start) > 0) this.start = time;
  }

  #finish(time: Instant, said: Instant | undefined): void {
    this.hasEnd = true;
    if (compareInstants(time, this.end) >= 0) return;
    this.end = time;
    this.openEnd = said;
  }
}

const TURNED: Readonly<Record<string, string>> = { eq: 'eq', ge: 'le', gt: 'lt', le: 'ge', lt: 'gt' };

function conjuncts(filter: Filter): Filter[] {
  return filter.op === 'and' ? filter.inputs.flatMap(conjuncts) : [filter];
}

function valuesIn(condition: Filter, property: string): ReadonlySet<string> | undefined {
  switch (condition.op) {
    case 'eq': {
      const { left, right } = condition;
      const [named, literal] = left.op === 'property' ? [left, right] : [right, left];
      if (named.op !== 'property' || named.name !== property || literal.op !== 'literal') return undefined;
      return new Set(typeof literal.value === 'string' ? [literal.value] : []);
    }
    case 'in': {
      const { left, cells } = condition;
      if (left.op !== 'property' || left.name !== property) return undefined;
      return new Set(cells.filter((cell) => typeof cell === 'string'));
    }
    case 'or': {
      const lists = condition.inputs.map((input) => valuesIn(input, property));
      if (lists.includes(undefined)) return undefined;
      return new Set(lists.flatMap((list) => [...(list ?? [])]));
    }
    default:
      return undefined;
  }
}

function prefixIn(condition: Filter, property: string): string {
  if (condition.op !== 'call' || condition.name !== 'startswith') return '';
  const [of, text] = condition.inputs;
  if (of?.op !== 'property' || of.name !== property || text?.op !== 'literal') return '';
  return typeof text.value === 'string' ? text.value : '';
}
