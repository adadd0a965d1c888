// The trend as commands for a shell: the same points, every one of them; calculated series at each time of a point.

import { isCalculated, type LineRef, tagsOnly } from '../tags/tag.ts';
import { isRelative, needsZone, relativeForServer } from '../time/relative-time.ts';
import { resolveBound, type TimeRange } from '../time/time-range.ts';
import { zoneForServer } from '../time/time-zone.ts';

/** One command for each dataset. With `hasToken` they send the token in the variable `VARVE_TOKEN`. */
export function formatCurl(origin: string, refs: readonly LineRef[], range: TimeRange, hasToken = false): string {
  const byDataset = new Map<string, LineRef[]>();
  for (const ref of refs) byDataset.set(ref.dataset, [...(byDataset.get(ref.dataset) ?? []), ref]);
  const token = hasToken ? '-H "Authorization: Bearer $VARVE_TOKEN" ' : '';
  return [...byDataset]
    .map(([dataset, own]) => `curl -s ${token}${quote(readUrl(origin, dataset, own, range))}`)
    .join('\n');
}

function readUrl(origin: string, dataset: string, refs: readonly LineRef[], range: TimeRange): string {
  const query = [
    ...tagsOnly(refs).map(({ name }) => `tagname=${encodeURIComponent(name)}`),
    ...refs.filter(isCalculated).map(({ expression }) => `expr=${encodeURIComponent(expression)}`),
    ...timesOf(range),
    'boundary=carry',
  ];
  return `${origin}/api/datasets/${encodeURIComponent(dataset)}/data?${query.join('&')}`;
}

/** Relative times stay it where the server has the form; what it does not know is the time that it means now. */
function timesOf(range: TimeRange): string[] {
  const bounds = [
    ['from', 'start', 'relativeStart'],
    ['to', 'end', 'relativeEnd'],
  ] as const;
  const zoned = [range.from, range.to].some((bound) => typeof bound === 'string' && needsZone(bound));
  const times = bounds.flatMap(([side, absolute, relative]) => {
    const bound = range[side];
    const form = typeof bound === 'string' && isRelative(bound) ? relativeForServer(bound) : undefined;
    if (side === 'to' && form === 'now') return [];
    if (form !== undefined) return [`${relative}=${encodeURIComponent(form)}`];
    return [`${absolute}=${new Date(resolveBound(bound, side, Date.now())).toISOString()}`];
  });
  return [...times, ...(zoned ? [`tz=${encodeURIComponent(zoneForServer())}`] : [])];
}

/** For a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
