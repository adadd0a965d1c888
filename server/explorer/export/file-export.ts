// The files of the export dialog that the server writes: read in the form that was chosen, and saved, one for each dataset.

import { datasetPath } from '../api/historian.ts';
import { send } from '../api/http.ts';
import { type ExportForm, exportBody, exportName, type ServedKind } from '../model/export/export-form.ts';
import type { LineRef } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { zoneForServer } from '../model/time/time-zone.ts';
import { saveAs } from './export.ts';
import { exportScope } from './export-scope.ts';

export interface ExportResult {
  readonly files: number;
  readonly bytes: number;
  /** Lines of texts, which have no averages. */
  readonly leftOut: readonly string[];
}

/** `onBytes` is told how much has come. */
export async function exportFiles(
  kind: ServedKind,
  form: ExportForm,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<ExportResult> {
  const { range, byDataset, leftOut } = exportScope(form);
  let bytes = 0;
  for (const [dataset, refs] of byDataset) {
    const file = await readFile({ kind, dataset, refs, range, form }, (count) => onBytes(bytes + count), signal);
    bytes += file.size;
    saveAs(file, exportName(dataset, range, form, kind));
  }
  return { files: byDataset.size, bytes, leftOut };
}

const MEDIA: Readonly<Record<ServedKind, string>> = {
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
};

interface WantedFile {
  readonly kind: ServedKind;
  readonly dataset: string;
  readonly refs: readonly LineRef[];
  readonly range: TimeWindow;
  readonly form: ExportForm;
}

async function readFile(
  { kind, dataset, refs, range, form }: WantedFile,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const body = exportBody(kind, { refs, range, shownZone: zoneForServer() }, form);
  const response = await send(`${datasetPath(dataset)}/read`, { method: 'POST', body, signal });
  // Excel takes a file without the mark for one in the code page of the computer.
  const parts: BlobPart[] = kind === 'csv' ? ['\ufeff'] : [];
  const reader = response.body?.getReader();
  let count = 0;
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    parts.push(read.value as Uint8Array<ArrayBuffer>);
    count += read.value.length;
    onBytes(count);
  }
  return new Blob(parts, { type: MEDIA[kind] });
}
