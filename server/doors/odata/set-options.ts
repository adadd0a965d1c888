// The system query options of a request to an entity set.

import { badParameter } from '../../api/validation/bad-parameter.ts';
import { ProblemError } from '../../problem.ts';
import { type QueryParameters, single } from '../../routes/request/read-parameters.ts';
import { type EntitySet, kindsOf, type Property } from './model/entity-sets.ts';
import { type Filter, parseFilter } from './query/filter-parser.ts';
import { FilterParts } from './query/filter-parts.ts';
import { type Position, parsePosition } from './query/position.ts';

export interface SetOptions {
  readonly parts: FilterParts;
  readonly selected: readonly Property[];
  readonly top: number | undefined;
  readonly skip: number;
  /** Whether the answer says how many rows there are. */
  readonly hasCount: boolean;
  readonly from: Position | undefined;
}

const KNOWN: ReadonlySet<string> = new Set(
  ['filter', 'select', 'top', 'skip', 'count', 'orderby', 'format', 'skiptoken'].map((name) => `$${name}`),
);
const NOT_HERE: ReadonlySet<string> = new Set(
  ['expand', 'search', 'apply', 'compute', 'levels', 'deltatoken', 'index', 'schemaversion'].map((name) => `$${name}`),
);

/** Throws a 400 for what is wrong, and a 501 for what OData has and this feed has not. */
export function parseOptions(query: QueryParameters, set: EntitySet, key?: Filter): SetOptions {
  checkNames(query);
  const filterText = single(query, '$filter');
  const parsed = filterText === undefined ? undefined : parseFilter(filterText, kindsOf(set));
  const parts = new FilterParts(parsed ?? key);
  checkOrder(single(query, '$orderby'), set, parts);
  const token = single(query, '$skiptoken');
  return {
    parts,
    selected: parseSelect(single(query, '$select'), set),
    top: wholeNumber(query, '$top'),
    skip: wholeNumber(query, '$skip') ?? 0,
    hasCount: parseTruth(single(query, '$count')),
    from: token === undefined ? undefined : parsePosition(token),
  };
}

/** Names that begin otherwise are those of clients and proxies. */
export function checkNames(query: QueryParameters): void {
  for (const name of query.keys()) {
    if (!name.startsWith('$') || KNOWN.has(name)) continue;
    const shown = name.slice(0, 40);
    if (NOT_HERE.has(name))
      throw new ProblemError(501, `'${shown}' is not answered here; ${[...KNOWN].join(', ')} are.`);
    throw badParameter(`There is no option '${shown}'; want one of ${[...KNOWN].join(', ')}.`);
  }
}

function parseSelect(text: string | undefined, { properties }: EntitySet): readonly Property[] {
  if (text === undefined || text.trim() === '*' || text.trim() === '') return properties;
  const names = new Set(text.split(',').map((name) => name.trim()));
  for (const name of names) if (name !== '*') requireProperty(name, properties, '$select');
  return names.has('*') ? properties : properties.filter(({ name }) => names.has(name));
}

function requireProperty(name: string, properties: readonly Property[], option: string): void {
  if (properties.some((property) => property.name === name)) return;
  const known = properties.map((property) => property.name).join(', ');
  throw badParameter(`'${option}' has '${name.slice(0, 100)}'; want one of ${known}.`);
}

/** Rows come in the order of the key. A property that has one value only may stand anywhere. */
function checkOrder(text: string | undefined, { key, properties }: EntitySet, parts: FilterParts): void {
  if (text === undefined) return;
  const open = key.filter((name) => name === 'Time' || parts.namesOf(name)?.size !== 1);
  for (const item of text.split(',')) {
    const [name = '', direction = 'asc', more] = item.trim().split(/\s+/);
    requireProperty(name, properties, '$orderby');
    if (more !== undefined || (direction !== 'asc' && direction !== 'desc')) {
      throw badParameter(`'$orderby' has '${item.trim().slice(0, 100)}'; want a property, and asc or desc.`);
    }
    if (key.includes(name) && !open.includes(name)) continue;
    if (name === open[0] && direction === 'asc') open.shift();
    else
      throw new ProblemError(
        501,
        `Rows come by ${key.join(', ')}, smallest first; '$orderby=${text.slice(0, 100)}' is another order.`,
      );
  }
}

function wholeNumber(query: QueryParameters, name: string): number | undefined {
  const text = single(query, name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text.trim())) return Number(text);
  throw badParameter(`'${name}' is '${text.slice(0, 100)}'; want a whole number.`);
}

function parseTruth(text: string | undefined): boolean {
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  throw badParameter(`'$count' is '${text.slice(0, 100)}'; want true or false.`);
}
