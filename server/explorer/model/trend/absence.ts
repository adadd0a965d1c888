// Why a tag of the trend shows nothing in the window.

import type { TagRef } from '../tags/tag.ts';
import { formatTime } from '../time/axis-labels.ts';
import type { TimeWindow } from '../time/time-range.ts';
import { firstAfter, type Series } from './series.ts';

export type Absence =
  | { readonly kind: 'elsewhere'; readonly newestMs: number }
  | { readonly kind: 'never written' }
  | { readonly kind: 'no tag' }
  | { readonly kind: 'no dataset' };

/** Whole seconds. */
const SPAN_MS = 3_600_000;

export function describeAbsence(absence: Absence, { dataset }: TagRef): string {
  switch (absence.kind) {
    case 'elsewhere':
      return `No data here; the newest point is from ${formatTime(absence.newestMs, SPAN_MS)}.`;
    case 'never written':
      return 'Never written: this tag has no points yet.';
    case 'no tag':
      return `Deleted, or never there: ${dataset} has no tag of this name.`;
    case 'no dataset':
      return `There is no dataset ${dataset} here, or you may not read it.`;
  }
}

/** Whether a point of the tag is in the window itself; the one carried in is not. */
export function hasPointIn({ timesMs }: Series, { startMs, endMs }: TimeWindow): boolean {
  const next = timesMs[firstAfter(timesMs, startMs - 1)];
  return next !== undefined && next <= endMs;
}
