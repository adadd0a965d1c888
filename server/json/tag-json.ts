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

/** Written by hand, because an object would reorder keys that are numbers, and lose `__proto__`. */
function formatMember(value: string | ReadonlyMap<string, string>): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const entries = [...value].map(([key, text]) => `${JSON.stringify(key)}:${JSON.stringify(text)}`);
  return `{${entries.join(',')}}`;
}
