// Finds out why tags of the trend show nothing.

import { readTags } from '../api/historian.ts';
import { type TagRef, tagKey } from '../model/tags/tag.ts';
import { LATEST_MS } from '../model/time/calendar.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { type Absence, hasPointIn } from '../model/trend/absence.ts';
import type { Series } from '../model/trend/series.ts';
import { app } from '../state/app-state.ts';

/** By `tagKey`, of the tags without a point in the window. */
export async function findAbsences(
  tags: readonly TagRef[],
  series: ReadonlyMap<string, Series>,
  window: TimeWindow,
  signal: AbortSignal,
): Promise<Map<string, Absence>> {
  const absences = new Map<string, Absence>();
  const empty: TagRef[] = [];
  for (const ref of tags) {
    const one = series.get(tagKey(ref));
    if (one === undefined) absences.set(tagKey(ref), missing(ref));
    else if (!hasPointIn(one, window)) empty.push(ref);
  }
  const found = await Promise.all(empty.map((ref) => newestOf(ref, signal)));
  found.forEach((absence, index) => {
    const ref = empty[index];
    if (ref !== undefined) absences.set(tagKey(ref), absence);
  });
  return absences;
}

function missing({ dataset }: TagRef): Absence {
  const isKnown = app.get().datasets?.some(({ n }) => n === dataset) ?? true;
  return { kind: isKnown ? 'no tag' : 'no dataset' };
}

async function newestOf({ dataset, name }: TagRef, signal: AbortSignal): Promise<Absence> {
  const [newest] = await readTags(dataset, [name], { endMs: LATEST_MS, signal });
  const newestMs = newest?.timesMs.at(-1);
  return newestMs === undefined ? { kind: 'never written' } : { kind: 'elsewhere', newestMs };
}
