// The template that makes names of tags from lines of line protocol, as `--line-template` has it.

import { SettingFault, type SettingKind } from './setting-kinds.ts';

/** What a placeholder stands for; `tag` is the value of one tag of the line. */
export type LinePlace =
  | { readonly kind: 'measurement' | 'field' | 'tags' | 'values' }
  | { readonly kind: 'tag'; readonly key: string };

export interface TemplatePlace {
  readonly separator: string;
  readonly place: LinePlace;
  /** Signs that get a backslash where the text has them, so that no two series come out alike. */
  readonly escaped: string;
}

export interface LineTemplate {
  /** In front of the first placeholder. */
  readonly prefix: string;
  /** The placeholders, each with the text between it and the one before. */
  readonly places: readonly TemplatePlace[];
  /** Text behind the last placeholder. */
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
  const separators = kinds.map((_, index) => (index === 0 ? '' : (texts[index] as string)));
  if (texts.some((part) => /[{}]/.test(part))) throw new SettingFault(WANTED);
  if (!kinds.some(({ kind }) => kind === 'field')) throw new SettingFault(WANTED);
  return {
    prefix: texts[0] as string,
    places: kinds.map((place, index) => ({
      separator: separators[index] as string,
      place,
      escaped: escapedSigns(kinds, separators, index),
    })),
    suffix: texts.at(-1) as string,
  };
}

/** Separators that divide names wherever tags have them; another one, such as `_`, is a part of most keys. */
const DIVIDING = new Set(['.', '/', ':', '|']);

/**
 * What a name with `{tags}` is taken apart by: the separator in front of a placeholder, and the equals signs and commas of
 * the tags. The text of a placeholder has none of those, but behind a backslash. Values of tags have dots all the time:
 * what follows them does not, and where they begin the equals sign tells.
 */
function escapedSigns(kinds: readonly LinePlace[], separators: readonly string[], index: number): string {
  const tagsAt = kinds.findIndex(({ kind }) => kind === 'tags');
  if (tagsAt < 0) return '';
  const separator = separators[index]?.[0] ?? '';
  const own = DIVIDING.has(separator) ? separator : '';
  if (index === tagsAt) return `${own},=`;
  return index < tagsAt ? `${own}=` : own;
}

function parsePlace(name: string): LinePlace {
  const kind = PLAIN_KINDS.find((candidate) => candidate === name);
  if (kind !== undefined) return { kind };
  if (name.startsWith('tag:') && name.length > 4) return { kind: 'tag', key: name.slice(4) };
  throw new SettingFault(WANTED);
}
