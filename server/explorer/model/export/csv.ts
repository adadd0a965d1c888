// What is shown, as CSV (RFC 4180): one line a point, times in UTC.

import type { TimeWindow } from '../time/time-range.ts';
import { firstAfter, type Series } from '../trend/series.ts';
import { unitOf } from '../values/value-kind.ts';
import { type PointValue, stateTextOf } from '../values/value-text.ts';

const HEAD = ['Dataset', 'Tag', 'Time', 'Value', 'State', 'Unit', 'Quality'];
/** A spreadsheet takes a text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The points of the series in a window, and the one in force at its start. */
export function formatCsv(seriesList: readonly Series[], { startMs, endMs }: TimeWindow): string {
  const lines = [HEAD.join(',')];
  for (const series of seriesList) {
    for (let index = Math.max(0, firstAfter(series.timesMs, startMs) - 1); index < series.timesMs.length; index++) {
      if ((series.timesMs[index] as number) > endMs) break;
      lines.push(formatLine(series, index));
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}

function formatLine({ ref, tag, timesMs, values, qualities }: Series, index: number): string {
  const value = values[index] as PointValue;
  const isNumberText = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
  const cells = [
    quote(guard(ref.dataset)),
    quote(guard(ref.name)),
    new Date(timesMs[index] as number).toISOString(),
    // Nothing for null, which an empty text in quotes is not.
    value === '' ? '""' : quote(typeof value === 'string' && !isNumberText ? guard(value) : String(value ?? '')),
    quote(guard(stateTextOf(tag, value) ?? '')),
    quote(guard(unitOf(tag)?.text ?? '')),
    String(qualities[index]),
  ];
  return cells.join(',');
}

function guard(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function quote(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
