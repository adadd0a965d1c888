// The files of the export dialog: read from the server, put into the form that was chosen, and saved, one for each dataset.

import { datasetPath } from '../../api/historian.ts';
import { send } from '../../api/http.ts';
import { type CsvForm, createCsvRewriter } from '../../model/export/csv-rewrite.ts';
import { clockTime, type ExportForm, exportBody, exportName } from '../../model/export/export-form.ts';
import { isCalculated, type LineRef, tagKey } from '../../model/tags/tag.ts';
import { formatTime } from '../../model/time/axis-labels.ts';
import type { TimeWindow } from '../../model/time/time-range.ts';
import { zoneForServer } from '../../model/time/time-zone.ts';
import { valueKind } from '../../model/values/value-kind.ts';
import { app } from '../app/app-state.ts';
import { saveAs } from './export.ts';

/** For labels with seconds and no part of one. */
const TOLD_SPAN_MS = 3_600_000;

export interface ExportResult {
  readonly files: number;
  readonly records: number;
  /** Lines of texts, which have no averages. */
  readonly leftOut: readonly string[];
}

/** `onRecords` is told how many lines have come. */
export async function exportCsv(
  form: ExportForm,
  onRecords: (count: number) => void,
  signal: AbortSignal,
): Promise<ExportResult> {
  const { view, window, nowMs } = app.get();
  const endMs = typeof view.range.to === 'string' ? Math.min(window.endMs, nowMs) : window.endMs;
  const range = { startMs: window.startMs, endMs };
  const leftOut = form.aggregate === undefined ? [] : view.tags.filter(isTextLine);
  const taken = view.tags.filter((ref) => !leftOut.includes(ref));
  const datasets = [...new Set(taken.map(({ dataset }) => dataset))];
  let records = 0;
  for (const dataset of datasets) {
    const refs = taken.filter((ref) => ref.dataset === dataset);
    const file = await readFile({ dataset, refs, range, form }, (count) => onRecords(records + count), signal);
    records += file.records;
    saveAs(file.blob, exportName(dataset, range, form));
  }
  return { files: datasets.length, records, leftOut: leftOut.map(({ name }) => name) };
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
  onRecords: (count: number) => void,
  signal: AbortSignal,
): Promise<{ readonly blob: Blob; readonly records: number }> {
  const body = exportBody(refs, range, form, zoneForServer());
  const response = await send(`${datasetPath(dataset)}/read`, { method: 'POST', body, signal });
  const rewriter = createCsvRewriter(csvForm(refs, form));
  // Excel takes a file without the mark for one in the code page of the computer.
  const parts = ['\ufeff'];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    parts.push(rewriter.write(read.value));
    onRecords(rewriter.count());
  }
  parts.push(rewriter.end());
  return { blob: new Blob(parts, { type: 'text/csv' }), records: rewriter.count() };
}

function csvForm(refs: readonly LineRef[], { separator, decimal, zone }: ExportForm): CsvForm {
  const common = {
    separator,
    decimal,
    names: new Map(refs.filter(isCalculated).map(({ expression, name }) => [expression, name])),
    texts: new Set(refs.filter(isTextLine).map(({ name }) => name)),
  };
  if (zone === 'utc') return { ...common, zone: 'UTC' };
  const formatSecond = (timeMs: number): string => formatTime(timeMs, TOLD_SPAN_MS);
  return { ...common, zone: zoneForServer(), formatTime: (iso) => clockTime(iso, formatSecond) };
}
