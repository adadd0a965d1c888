// The template that makes names of tags from lines of line protocol, as `--line-template` has it.

import { SettingFault, type SettingKind } from './setting-kinds.ts';

/** What a placeholder stands for; `tag` is the value of one tag of the line. */
export type LinePlace =
  | { readonly kind: 'measurement' | 'field' | 'tags' | 'values' }
  | { readonly kind: 'tag'; readonly key: string };

export interface LineTemplate {
  /** In front of the first placeholder. */
  readonly prefix: string;
  /** The placeholders, each with the text between it and the one before. */
  readonly places: readonly { readonly separator: string; readonly place: LinePlace }[];
  /** Behind the last placeholder. */
  readonly suffix: string;
}

export const DEFAULT_LINE_TEMPLATE = '{measurement}.{tags}.{field}';

const WANTED =
  "a template with {field} and any of {measurement}, {tags}, {values} and {tag:<key>}, such as '{measurement}.{tags}.{field}'";
const PLAIN_KINDS = ['measurement', 'field', 'tags', 'values'] as const;

export const lineTemplate: SettingKind<LineTemplate> = { placeholder: '<template>', parse: parseLineTemplate };

/** Throws a `SettingFault` for what is no template: without `{field}` all fields of a line would share a tag. */
export function parseLineTemplate(text: string): LineTemplate {
  // At odd indexes what was between braces.
  const parts = text.split(/\{([^{}]*)\}/);
  const texts = parts.filter((_, index) => index % 2 === 0);
  const kinds = parts.filter((_, index) => index % 2 === 1).map(parsePlace);
  if (texts.some((part) => /[{}]/.test(part))) throw new SettingFault(WANTED);
  if (!kinds.some(({ kind }) => kind === 'field')) throw new SettingFault(WANTED);
  return {
    prefix: texts[0] as string,
    places: kinds.map((place, index) => ({ separator: index === 0 ? '' : (texts[index] as string), place })),
    suffix: texts.at(-1) as string,
  };
}

function parsePlace(name: string): LinePlace {
  const kind = PLAIN_KINDS.find((candidate) => candidate === name);
  if (kind !== undefined) return { kind };
  if (name.startsWith('tag:') && name.length > 4) return { kind: 'tag', key: name.slice(4) };
  throw new SettingFault(WANTED);
}
