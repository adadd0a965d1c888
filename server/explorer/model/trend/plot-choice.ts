// What the page of distributions shows: a histogram of one line of the trend, or two against each other. Pure.

import { type LineRef, tagKey } from '../tags/tag.ts';

/** Lines by `tagKey`. */
export interface PlotChoice {
  readonly across: string;
  /** Undefined: a histogram. */
  readonly up?: string | undefined;
  /** The states that colour the dots; undefined: they are the darker the later. */
  readonly colour?: string | undefined;
}

/** In a link: places of the lines, from 1 on, such as `1-2-4`; empty when the first of them is not there. */
export function formatPlot({ across, up, colour }: PlotChoice, tags: readonly LineRef[]): string {
  const keys = tags.map(tagKey);
  const places: number[] = [];
  for (const key of [across, up, colour]) {
    const at = key === undefined ? -1 : keys.indexOf(key);
    if (at < 0) break;
    places.push(at + 1);
  }
  return places.join('-');
}

/** Undefined for what is none. */
export function parsePlot(text: string | null, tags: readonly LineRef[]): PlotChoice | undefined {
  if (text === null || !/^\d{1,3}(-\d{1,3}){0,2}$/.test(text)) return undefined;
  const [across, up, colour] = text.split('-').map((place) => {
    const ref = tags[Number(place) - 1];
    return ref === undefined ? undefined : tagKey(ref);
  });
  return across === undefined ? undefined : { across, up, colour: up === undefined ? undefined : colour };
}
