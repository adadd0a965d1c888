// The trend as commands for a shell: the same points, every one of them.

import type { TagRef } from '../tags/tag.ts';
import type { Bound, TimeRange } from '../time/time-range.ts';

/** One command for each dataset. With `hasToken` they send the token in the variable `VARVE_TOKEN`. */
export function formatCurl(origin: string, tags: readonly TagRef[], range: TimeRange, hasToken = false): string {
  const byDataset = new Map<string, string[]>();
  for (const { dataset, name } of tags) byDataset.set(dataset, [...(byDataset.get(dataset) ?? []), name]);
  const token = hasToken ? '-H "Authorization: Bearer $VARVE_TOKEN" ' : '';
  return [...byDataset]
    .map(([dataset, names]) => `curl -s ${token}${quote(readUrl(origin, dataset, names, range))}`)
    .join('\n');
}

function readUrl(origin: string, dataset: string, names: readonly string[], { from, to }: TimeRange): string {
  const query = [
    ...names.map((name) => `tagname=${encodeURIComponent(name)}`),
    formatBound('start', from),
    ...(to === 'now' ? [] : [formatBound('end', to)]),
    'boundary=carry',
  ];
  return `${origin}/api/datasets/${encodeURIComponent(dataset)}/data?${query.join('&')}`;
}

function formatBound(side: 'start' | 'end', bound: Bound): string {
  if (typeof bound === 'number') return `${side}=${new Date(bound).toISOString()}`;
  return `${side === 'start' ? 'relativeStart' : 'relativeEnd'}=${bound}`;
}

/** For a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
