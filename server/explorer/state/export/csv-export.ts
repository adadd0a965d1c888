// The files of the export dialog: read from the server in the form that was chosen, and saved, one for each dataset.

import { datasetPath } from '../../api/historian.ts';
import { send } from '../../api/http.ts';
import { type ExportForm, exportBody, exportName } from '../../model/export/export-form.ts';
import { type LineRef, tagKey } from '../../model/tags/tag.ts';
import type { TimeWindow } from '../../model/time/time-range.ts';
import { zoneForServer } from '../../model/time/time-zone.ts';
import { valueKind } from '../../model/values/value-kind.ts';
import { app } from '../app/app-state.ts';
import { saveAs } from './export.ts';

export interface ExportResult {
  readonly files: number;
  readonly bytes: number;
  /** Lines of texts, which have no averages. */
  readonly leftOut: readonly string[];
}

/** `onBytes` is told how much has come. */
export async function exportCsv(
  form: ExportForm,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<ExportResult> {
  const { view, window, nowMs } = app.get();
  const endMs = typeof view.range.to === 'string' ? Math.min(window.endMs, nowMs) : window.endMs;
  const range = { startMs: window.startMs, endMs };
  const leftOut = form.aggregate === undefined ? [] : view.tags.filter(isTextLine);
  const taken = view.tags.filter((ref) => !leftOut.includes(ref));
  const datasets = [...new Set(taken.map(({ dataset }) => dataset))];
  let bytes = 0;
  for (const dataset of datasets) {
    const refs = taken.filter((ref) => ref.dataset === dataset);
    const file = await readFile({ dataset, refs, range, form }, (count) => onBytes(bytes + count), signal);
    bytes += file.size;
    saveAs(file, exportName(dataset, range, form));
  }
  return { files: datasets.length, bytes, leftOut: leftOut.map(({ name }) => name) };
}

function isTextLine(ref: LineRef): boolean {
  const tag = app.get().series.get(tagKey(ref))?.tag;
  return tag !== undefined && valueKind(tag) === 'text';
}

interface WantedFile {
  readonly dataset: string;
  readonly refs: readonly LineRef[];
  readonly range: TimeWindow;
  readonly form: ExportForm;
}

async function readFile(
  { dataset, refs, range, form }: WantedFile,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const body = exportBody(refs, range, form, zoneForServer());
  const response = await send(`${datasetPath(dataset)}/read`, { method: 'POST', body, signal });
  // Excel takes a file without the mark for one in the code page of the computer.
  const parts: BlobPart[] = ['\ufeff'];
  const reader = response.body?.getReader();
  let count = 0;
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    parts.push(read.value as Uint8Array<ArrayBuffer>);
    count += read.value.length;
    onBytes(count);
  }
  return new Blob(parts, { type: 'text/csv' });
}
