// A workbook for Excel: a sheet for each dataset of the trend, and one that says what the file is.

import { datasetPath } from '../api/historian.ts';
import { send } from '../api/http.ts';
import { type ExportForm, exportBody, exportName } from '../model/export/export-form.ts';
import { createXlsxFile, type XlsxFile } from '../model/export/xlsx-file.ts';
import { type SheetLine, sheetRows } from '../model/export/xlsx-rows.ts';
import { isCalculated, type LineRef, tagKey } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { zoneForServer, zoneOffsetMs } from '../model/time/time-zone.ts';
import { describeInterval, intervalOf } from '../model/trend/aggregate-choice.ts';
import { stateTexts, valueKind } from '../model/values/value-kind.ts';
import { app } from '../state/app-state.ts';
import { saveAs } from './export.ts';
import { exportScope, isTextLine } from './export-scope.ts';

export interface WorkbookResult {
  readonly rows: number;
  /** Lines of texts, which have no averages. */
  readonly leftOut: readonly string[];
}

/** `onRows` is told how many have come. */
export async function exportXlsx(
  form: ExportForm,
  onRows: (count: number) => void,
  signal: AbortSignal,
): Promise<WorkbookResult> {
  const { range, taken, byDataset, leftOut } = exportScope(form);
  const file = createXlsxFile();
  let rows = 0;
  for (const [dataset, refs] of byDataset)
    rows += await addDataset(file, { dataset, refs, range, form }, (count) => onRows(rows + count), signal);
  addAbout(file, form, range, taken);
  saveAs(file.end(), exportName([...byDataset.keys()].join(', '), range, form, 'xlsx'));
  return { rows, leftOut };
}

interface WantedSheet {
  readonly dataset: string;
  readonly refs: readonly LineRef[];
  readonly range: TimeWindow;
  readonly form: ExportForm;
}

async function addDataset(
  file: XlsxFile,
  { dataset, refs, range, form }: WantedSheet,
  onRows: (count: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const body = linesBody(exportBody('csv', { refs, range, shownZone: zoneForServer() }, form));
  const ordered = [...refs.filter((ref) => !isCalculated(ref)), ...refs.filter(isCalculated)];
  const { head, widths, rowOf } = sheetRows({
    shape: form.shape,
    lines: ordered.map(lineOf),
    offsetMs: form.zone === 'utc' || zoneForServer() === 'UTC' ? undefined : zoneOffsetMs,
    zone: zoneForServer(),
    fn: form.aggregate?.fn,
  });
  file.begin({ name: sheetName(dataset), head, widths });
  const response = await send(`${datasetPath(dataset)}/read`, { method: 'POST', body, signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let count = 0;
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    const lines = `${rest}${read.value}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) file.add(rowOf(line));
    count += lines.length;
    onRows(count);
  }
  return count;
}

/** What is read; all else that a read of the dialog says is of its text. */
const READ_PARTS = ['tagname', 'expr', 'start', 'end', 'boundary', 'aggregate', 'interval', 'align', 'tz', 'format'];

/** Exact digits as texts: what Excel cannot keep stays one. */
function linesBody(body: object): object {
  const parts = Object.entries(body).filter(([name]) => READ_PARTS.includes(name));
  return { ...Object.fromEntries(parts), as: 'jsonl', timeFormat: 'utc', exact: 'string' };
}

function lineOf(ref: LineRef): SheetLine {
  const tag = app.get().series.get(tagKey(ref))?.tag;
  const isState = tag !== undefined && tag.aggregate === undefined && valueKind(tag) === 'state';
  return {
    name: isCalculated(ref) ? ref.expression : ref.name,
    shown: ref.name,
    states: isState && tag.t !== 'System.Boolean' ? stateTexts(tag) : undefined,
    isText: isTextLine(ref),
  };
}

/** What Excel takes for a name. */
function sheetName(dataset: string): string {
  return (
    dataset
      .replace(/[[\]:*?/\\]/g, '_')
      .replace(/^'|'$/g, '_')
      .slice(0, 27) || 'Points'
  );
}

function addAbout(file: XlsxFile, form: ExportForm, range: TimeWindow, refs: readonly LineRef[]): void {
  const { aggregate, zone } = form;
  const lengthMs = range.endMs - range.startMs;
  const values =
    aggregate === undefined
      ? 'every point of the window, and the one in force at its start'
      : `${aggregate.fn} of intervals of ${describeInterval(intervalOf(aggregate, lengthMs))}`;
  file.begin({ name: 'About', head: ['What', 'Is'], widths: [22, 80] });
  const facts: readonly (readonly [string, string])[] = [
    ['From', new Date(range.startMs).toISOString()],
    ['To', new Date(range.endMs).toISOString()],
    ['Values', values],
    ['Times', zone === 'utc' ? 'UTC' : `by the clocks of ${zoneForServer()}, and UTC beside them`],
    ['Quality', form.shape === 'rows' ? '192 is good, below 64 bad' : 'bad values are left out'],
    ['Server', `${location.origin}, Varve ${VARVE_VERSION}`],
    ['Saved at', new Date(app.get().nowMs).toISOString()],
    ...refs.map(
      (ref) => [`Line of ${ref.dataset}`, isCalculated(ref) ? `${ref.name} = ${ref.expression}` : ref.name] as const,
    ),
  ];
  for (const fact of facts) file.add(fact);
}
