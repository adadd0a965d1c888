// The trend as commands for a shell: the same points, every one of them; calculated series at each time of a point.

import { isCalculated, type LineRef, tagsOnly } from '../tags/tag.ts';
import type { Bound, TimeRange } from '../time/time-range.ts';

/** One command for each dataset. With `hasToken` they send the token in the variable `VARVE_TOKEN`. */
export function formatCurl(origin: string, refs: readonly LineRef[], range: TimeRange, hasToken = false): string {
  const byDataset = new Map<string, LineRef[]>();
  for (const ref of refs) byDataset.set(ref.dataset, [...(byDataset.get(ref.dataset) ?? []), ref]);
  const token = hasToken ? '-H "Authorization: Bearer $VARVE_TOKEN" ' : '';
  return [...byDataset]
    .map(([dataset, own]) => `curl -s ${token}${quote(readUrl(origin, dataset, own, range))}`)
    .join('\n');
}

function readUrl(origin: string, dataset: string, refs: readonly LineRef[], { from, to }: TimeRange): string {
  const query = [
    ...tagsOnly(refs).map(({ name }) => `tagname=${encodeURIComponent(name)}`),
    ...refs.filter(isCalculated).map(({ expression }) => `expr=${encodeURIComponent(expression)}`),
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
