// What leaves the page: files and the clipboard.

import { formatCsv } from '../model/export/csv.ts';
import { tagKey } from '../model/tags/tag.ts';
import { notify } from '../state/actions.ts';
import { app } from '../state/app-state.ts';

/** Saves the points that are shown as a file. */
export function downloadCsv(): void {
  const { view, series, window, nowMs } = app.get();
  const shown = view.tags.flatMap((ref) => series.get(tagKey(ref)) ?? []).filter(({ fault }) => fault === undefined);
  if (shown.length === 0) {
    notify('There is nothing to export yet.');
    return;
  }
  const endMs = typeof view.range.to === 'string' ? Math.min(window.endMs, nowMs) : window.endMs;
  const file = new Blob([formatCsv(shown, { ...window, endMs })], { type: 'text/csv' });
  saveFile(file, 'csv');
  const isReduced = shown.some((one) => (one.reducedFrom ?? 0) > one.timesMs.length);
  if (isReduced) notify('Saved as shown: reduced to the width of the chart. Export… gets every point.');
}

/** Under a name with the start of the window. */
export function saveFile(file: Blob, ending: 'csv' | 'png'): void {
  const start = new Date(app.get().window.startMs).toISOString().slice(0, 19).replaceAll(':', '');
  saveAs(file, `varve ${start}.${ending}`);
}

export function saveAs(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(done);
  } catch {
    notify('The browser does not let the page copy here.', 'fault');
  }
}
