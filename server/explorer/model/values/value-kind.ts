// How the values of a tag are drawn and read, told by its type and its units.

import type { TagDefinition } from '../tags/tag.ts';

/** `line`: numbers, joined; `step`: whole numbers, held; `state`: numbers with texts; `text`: labelled spans. */
export type ValueKind = 'line' | 'step' | 'state' | 'text';

const TEXT_TYPES = new Set(['System.String', 'System.DateTime']);
const LINE_TYPES = new Set(['System.Double', 'System.Single', 'System.Decimal']);

export function valueKind(tag: TagDefinition): ValueKind {
  const { t } = tag;
  if (t !== undefined && TEXT_TYPES.has(t)) return 'text';
  if (t === 'System.Boolean') return 'state';
  if (t === undefined || LINE_TYPES.has(t)) return 'line';
  return stateTexts(tag) === undefined ? 'step' : 'state';
}

/** The texts of an enumeration by number; undefined when `u` is a unit. */
export function stateTexts({ u, t }: Pick<TagDefinition, 'u' | 't'>): ReadonlyMap<number, string> | undefined {
  const entries = Object.entries(u ?? {}).map(([key, text]) => [Number(key), text] as const);
  if (t === 'System.Boolean') return new Map([[0, 'False'], [1, 'True'], ...entries]);
  return entries.length > 1 ? new Map(entries.sort(([a], [b]) => a - b)) : undefined;
}

export interface Unit {
  readonly text: string;
  /** A negative key puts the unit before the number. */
  readonly place: 'before' | 'after';
}

export function unitOf(tag: TagDefinition): Unit | undefined {
  const entries = Object.entries(tag.u ?? {});
  const [only] = entries;
  if (entries.length !== 1 || only === undefined || tag.t === 'System.Boolean') return undefined;
  const [key, text] = only;
  return { text, place: Number(key) < 0 ? 'before' : 'after' };
}
