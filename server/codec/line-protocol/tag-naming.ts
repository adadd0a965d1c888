// Names of tags made of measurement, tags and field, by the template.

import type { LineTemplate, TemplatePlace } from '../../settings/line-template.ts';

/** The tags of a line by key, in the order of the keys. */
export type LineTags = readonly (readonly [key: string, value: string])[];

/** Makes the names of the tags of one series. */
export interface SeriesNaming {
  nameOf(field: string): string;
}

/**
 * What is the same for all fields is made once. The text between two placeholders is there when something is on both sides
 * of it.
 */
export function nameSeries(
  { prefix, places, suffix }: LineTemplate,
  measurement: string,
  tags: LineTags,
): SeriesNaming {
  const named = new Set(places.flatMap(({ place }) => (place.kind === 'tag' ? [place.key] : [])));
  const others = tags.filter(([key]) => !named.has(key));
  const texts = places.map((one) => (one.place.kind === 'field' ? undefined : textOf(one, measurement, tags, others)));
  return {
    nameOf(field) {
      let name = '';
      for (let i = 0; i < places.length; i++) {
        const { separator, escaped } = places[i] as TemplatePlace;
        const text = texts[i] ?? withBackslashes(field, escaped);
        if (text !== '') name += name === '' ? text : separator + text;
      }
      return prefix + name + suffix;
    },
  };
}

function textOf({ place, escaped }: TemplatePlace, measurement: string, tags: LineTags, others: LineTags): string {
  switch (place.kind) {
    case 'measurement':
      return withBackslashes(measurement, escaped);
    case 'tags':
      return others.map(([key, value]) => `${withBackslashes(key, escaped)}=${withBackslashes(value, ',=')}`).join(',');
    case 'values':
      return others.map(([, value]) => value).join('.');
    case 'tag':
      return withBackslashes(tags.find(([key]) => key === place.key)?.[1] ?? '', escaped);
    case 'field':
      return '';
  }
}

/** Puts a backslash in front of each of the signs. Backslashes that would be taken for one are doubled: those in front of a sign, and at the end. */
function withBackslashes(text: string, signs: string): string {
  if (signs === '' || !needsBackslashes(text, signs)) return text;
  let escaped = '';
  let backslashes = 0;
  for (const char of text) {
    if (signs.includes(char)) escaped += `${'\\'.repeat(backslashes)}\\`;
    escaped += char;
    backslashes = char === '\\' ? backslashes + 1 : 0;
  }
  return escaped + '\\'.repeat(backslashes);
}

function needsBackslashes(text: string, signs: string): boolean {
  if (text.endsWith('\\')) return true;
  for (let i = 0; i < signs.length; i++) if (text.includes(signs[i] as string)) return true;
  return false;
}
