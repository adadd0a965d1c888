// Names of tags made of measurement, tags and field, by the template.

import type { LinePlace, LineTemplate } from '../../settings/line-template.ts';

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
  const texts = places.map(({ place }) =>
    place.kind === 'field' ? undefined : textOf(place, measurement, tags, others),
  );
  return {
    nameOf(field) {
      let name = '';
      for (let i = 0; i < places.length; i++) {
        const text = texts[i] ?? (places[i]?.place.kind === 'field' ? field : '');
        if (text !== '') name += name === '' ? text : (places[i]?.separator ?? '') + text;
      }
      return prefix + name + suffix;
    },
  };
}

function textOf(place: LinePlace, measurement: string, tags: LineTags, others: LineTags): string {
  switch (place.kind) {
    case 'measurement':
      return measurement;
    case 'tags':
      return others.map(([key, value]) => `${key}=${value}`).join(',');
    case 'values':
      return others.map(([, value]) => value).join('.');
    case 'tag':
      return tags.find(([key]) => key === place.key)?.[1] ?? '';
    case 'field':
      return '';
  }
}
