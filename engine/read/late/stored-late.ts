// Whether a late point is stored already.

import type { Dataset } from '../../dataset/dataset.ts';
import { valueAt } from '../../tag/stored-value.ts';
import { sameValue, type Tag } from '../../tag/tag.ts';
import type { PointColumns, ValueType } from '../../types.ts';
import { LateSpans } from './late-spans.ts';

/** Whether point `i` of the columns is among the late points of a tag, with the same time, value and quality. */
export function isStoredLate(
  dataset: Dataset,
  late: Tag,
  points: PointColumns,
  { index, type }: { readonly index: number; readonly type: ValueType },
): boolean {
  const time = { ms: points.timesMs[index] as number, ticks: points.ticks[index] as number };
  const value = valueAt(points, index, type);
  const spans = new LateSpans(dataset, late, { start: time, end: time });
  try {
    while (spans.next !== undefined) {
      const span = spans.take();
      for (let i = span?.from ?? 0; span && i < span.to; i++) {
        const { points: stored } = span;
        if (stored.timesMs[i] !== time.ms || stored.ticks[i] !== time.ticks) continue;
        if (stored.qualities[i] === points.qualities[index] && sameValue(valueAt(stored, i, span.type), value))
          return true;
      }
    }
    return false;
  } finally {
    spans.close();
  }
}
