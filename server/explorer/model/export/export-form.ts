// What is chosen in the export dialog, as the read of the server and the name of the file. Pure.

import { isCalculated, type LineRef } from '../tags/tag.ts';
import { intervalForServer } from '../time/interval-grid.ts';
import type { TimeWindow } from '../time/time-range.ts';
import { type AggregateChoice, intervalOf } from '../trend/aggregate-choice.ts';

/** Files that the server writes. */
export type ServedKind = 'csv' | 'parquet';

export interface ExportForm {
  /** Undefined: every point. */
  readonly aggregate: AggregateChoice | undefined;
  readonly shape: 'rows' | 'wide';
  readonly zone: 'utc' | 'shown';
  readonly separator: ',' | ';' | '\t';
  readonly decimal: '.' | ',';
}

/** The form that spreadsheets of a language take: where the comma is the decimal sign, it does not separate. */
export function usualForm(language: string | undefined): Pick<ExportForm, 'separator' | 'decimal'> {
  const decimal = new Intl.NumberFormat(language).format(1.5).includes(',') ? ',' : '.';
  return { decimal, separator: decimal === ',' ? ';' : ',' };
}

export function formFault({ separator, decimal }: ExportForm): string | undefined {
  return separator === decimal ? 'The comma cannot both separate columns and be the decimal sign.' : undefined;
}

interface Lines {
  readonly refs: readonly LineRef[];
  readonly range: TimeWindow;
  /** Zone of the days of averages, and of clocks. */
  readonly shownZone: string;
}

/** The body of the read of lines of one dataset. */
export function exportBody(
  kind: ServedKind,
  { refs, range: { startMs, endMs }, shownZone }: Lines,
  form: ExportForm,
): object {
  const { aggregate } = form;
  const tags = refs.filter((ref) => !isCalculated(ref)).map(({ name }) => name);
  const calculated = refs.filter(isCalculated);
  return {
    ...(tags.length === 0 ? {} : { tagname: tags }),
    ...(calculated.length === 0
      ? {}
      : { expr: calculated.map(({ expression }) => expression), exprName: calculated.map(({ name }) => name) }),
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    ...(aggregate === undefined
      ? { boundary: 'carry' }
      : { aggregate: [aggregate.fn], interval: exportInterval(aggregate, { startMs, endMs }), align: true }),
    tz: shownZone,
    ...(kind === 'parquet' ? { format: 'parquet' } : textForm(form)),
  };
}

/** Formulas are escaped: the file is for a spreadsheet. */
function textForm({ shape, zone, separator, decimal }: ExportForm): object {
  const timeFormat = zone === 'utc' ? 'utc' : 'local';
  return { timeFormat, format: shape, as: 'csv', separator, decimal, escapeFormulas: true };
}

function exportInterval(aggregate: AggregateChoice, { startMs, endMs }: TimeWindow): string {
  return intervalForServer(intervalOf(aggregate, endMs - startMs));
}

/** Says what the file holds: `Plant 2026-01-05T080000Z points.csv`, `… TimeAverage2 60000ms.csv`. */
export function exportName(
  dataset: string,
  window: TimeWindow,
  { aggregate }: ExportForm,
  kind: ServedKind | 'xlsx',
): string {
  const start = `${new Date(window.startMs).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  const content = aggregate === undefined ? 'points' : `${aggregate.fn} ${exportInterval(aggregate, window)}`;
  return `${dataset.replace(/[\\/:*?"<>|]/g, '_')} ${start} ${content}.${kind}`;
}
