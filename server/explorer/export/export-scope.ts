// What an export of the window takes in: up to now where the window goes on, and no averages of texts.

import type { ExportForm } from '../model/export/export-form.ts';
import { type LineRef, tagKey } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { valueKind } from '../model/values/value-kind.ts';
import { app } from '../state/app-state.ts';

export interface ExportScope {
  readonly range: TimeWindow;
  readonly taken: readonly LineRef[];
  /** Lines that are taken, by their datasets. */
  readonly byDataset: ReadonlyMap<string, readonly LineRef[]>;
  /** Names of lines of texts, which have no averages. */
  readonly leftOut: readonly string[];
}

export function exportScope({ aggregate }: ExportForm): ExportScope {
  const { view, window, nowMs } = app.get();
  const endMs = typeof view.range.to === 'string' ? Math.min(window.endMs, nowMs) : window.endMs;
  const isTaken = (ref: LineRef): boolean => aggregate === undefined || !isTextLine(ref);
  const taken = view.tags.filter(isTaken);
  const datasets = [...new Set(taken.map(({ dataset }) => dataset))];
  return {
    range: { startMs: window.startMs, endMs },
    taken,
    byDataset: new Map(datasets.map((dataset) => [dataset, taken.filter((ref) => ref.dataset === dataset)])),
    leftOut: view.tags.filter((ref) => !isTaken(ref)).map(({ name }) => name),
  };
}

export function isTextLine(ref: LineRef): boolean {
  const tag = app.get().series.get(tagKey(ref))?.tag;
  return tag !== undefined && valueKind(tag) === 'text';
}
