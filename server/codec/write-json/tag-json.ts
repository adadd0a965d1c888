// A tag's definition as it stands in answers. Fields never set are left out, and so is the type while it is open.

import { type FormerName, formatValueType, type TagDefinition } from '../../../engine/index.ts';

/** A tag in answers: name, description, format, units by key, fields, .NET type. Keyed by user text: Maps, not objects. */
export interface TagMembers {
  readonly n: string;
  readonly d?: string;
  readonly f?: string;
  readonly u?: ReadonlyMap<string, string>;
  readonly fl?: ReadonlyMap<string, string>;
  readonly t?: string;
}

/** The members of a tag, in the order that docs/api.md gives them. */
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

/** Characters of its texts, without its name: a tag as JSON has no fewer bytes. */
export function charsOfTag({ description = '', format = '', units, fields }: Omit<TagDefinition, 'type'>): number {
  let chars = description.length + format.length;
  for (const [key, text] of units ?? []) chars += String(key).length + text.length;
  for (const [key, text] of fields ?? []) chars += key.length + text.length;
  return chars;
}

/** A tag as JSON. */
export function formatTag(tag: TagDefinition): string {
  const members = Object.entries(tagMembers(tag)).map(([key, value]) => `"${key}":${formatMember(value)}`);
  return `{${members.join(',')}}`;
}

/** A tag as JSON with its former names, where there are some. */
export function formatListedTag(tag: TagDefinition): string {
  const { former } = tag;
  if (former === undefined) return formatTag(tag);
  return `${formatTag(tag).slice(0, -1)},"former":${JSON.stringify(former.names.map(formerMembers))}}`;
}

function formerMembers({ name, renamedMs, untilMs, forwards }: FormerName): object {
  const at = (ms: number): string => new Date(ms).toISOString();
  return { n: name, at: at(renamedMs), ...(untilMs !== undefined && { until: at(untilMs) }), forward: forwards };
}

const MAX_CACHED = 16_384;

/** Tags in one form, for answers that name the same tags again and again. Begun anew when it has grown much. */
export class TagBytes {
  readonly #format: (tag: TagDefinition) => Uint8Array;
  /** By definition: those are replaced, never changed. */
  #known = new WeakMap<TagDefinition, Uint8Array>();
  #count = 0;

  constructor(format: (tag: TagDefinition) => Uint8Array) {
    this.#format = format;
  }

  /** Not to be changed. */
  get(tag: TagDefinition): Uint8Array {
    const known = this.#known.get(tag);
    if (known !== undefined) return known;
    if (++this.#count > MAX_CACHED) {
      this.#known = new WeakMap();
      this.#count = 1;
    }
    const bytes = this.#format(tag);
    this.#known.set(tag, bytes);
    return bytes;
  }
}

const jsonTags = new TagBytes((tag) => Buffer.from(formatTag(tag)));

/** A tag as JSON in UTF-8. Not to be changed. */
export function cachedTag(tag: TagDefinition): Uint8Array {
  return jsonTags.get(tag);
}

/** Written by hand, because an object would reorder keys that are numbers, and lose `__proto__`. */
function formatMember(value: string | ReadonlyMap<string, string>): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const entries = [...value].map(([key, text]) => `${JSON.stringify(key)}:${JSON.stringify(text)}`);
  return `{${entries.join(',')}}`;
}
