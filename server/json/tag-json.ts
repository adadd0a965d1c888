// A tag's definition as it stands in answers. Fields never set are left out, and so is the type while it is open.

import { formatValueType, type TagDefinition } from '../../engine/index.ts';

/** A tag in answers: name, description, format, units by key, fields, .NET type. Keyed by user text: Maps, not objects. */
export interface TagMembers {
  readonly n: string;
  readonly d?: string;
  readonly f?: string;
  readonly u?: ReadonlyMap<string, string>;
  readonly fl?: ReadonlyMap<string, string>;
  readonly t?: string;
}

/** The members of a tag, in the order of the specification. */
export function tagMembers(tag: TagDefinition): TagMembers {
  const type = formatValueType(tag.type);
  return {
    n: tag.name,
    ...(tag.description !== undefined && { d: tag.description }),
    ...(tag.format !== undefined && { f: tag.format }),
    ...(tag.units !== undefined && { u: new Map([...tag.units].map(([key, text]) => [String(key), text])) }),
    ...(tag.fields !== undefined && { fl: tag.fields }),
    ...(type !== undefined && { t: type }),
  };
}

/** A tag as JSON. */
export function formatTag(tag: TagDefinition): string {
  const members = Object.entries(tagMembers(tag)).map(([key, value]) => `"${key}":${formatMember(value)}`);
  return `{${members.join(',')}}`;
}

/** What was formatted, by definition: those are replaced, never changed. Begun anew when it has grown much. */
let cache = new WeakMap<TagDefinition, string>();
let cachedCount = 0;
const MAX_CACHED = 16_384;

/** A tag as JSON, for answers that name the same tags again and again. */
export function cachedTag(tag: TagDefinition): string {
  const known = cache.get(tag);
  if (known !== undefined) return known;
  if (++cachedCount > MAX_CACHED) {
    cache = new WeakMap();
    cachedCount = 1;
  }
  const text = formatTag(tag);
  cache.set(tag, text);
  return text;
}

/** Written by hand, because an object would reorder keys that are numbers, and lose `__proto__`. */
function formatMember(value: string | ReadonlyMap<string, string>): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const entries = [...value].map(([key, text]) => `${JSON.stringify(key)}:${JSON.stringify(text)}`);
  return `{${entries.join(',')}}`;
}
