// Which columns hold the times of rows: found by their values, whatever their names are. Pure, so that a browser can use it.

import { CLOCK_ALONE, formsOf, readClockTime, type TimeForm } from './clock-times.ts';
import { UnclearForm } from './file-form.ts';

/** Share of the rows that have a time, so that preambles and faulty rows do not hide it. */
const LEAST_SHARE = 0.5;
const TIME_NAME = /time|zeit|date|datum|stamp|data|hora|fecha|heure|when|changed|updated|^_?ts$|^t$/i;
/** Names of the time of a point, before others such as the range of a query. */
const POINT_TIME_NAMES = ['time', '_time', 'timestamp', 't_stamp', 'last_changed', 'zeit', 'zeitstempel', 'datetime'];

interface Candidate {
  readonly column: number;
  readonly isText: boolean;
  readonly isExcel: boolean;
  readonly isDateOnly: boolean;
}

/** Rest of a time behind a decimal comma that was taken for a separator. */
const FRACTION = /^\d{1,9}(?:Z|[+-]\d\d:?\d\d)?$/;

/** The time of a row whose parts are in these columns. */
export function joinTime(fields: readonly string[], columns: readonly number[]): string {
  const [first = '', ...rest] = columns.map((column) => (fields[column] ?? '').trim());
  return rest.reduce((time, part) => time + (FRACTION.test(part) ? ',' : ' ') + part, first);
}

/** Whether the field behind a time is the rest of it. */
export function isFraction(field: string): boolean {
  return FRACTION.test(field.trim());
}

/** The columns in each of which at least half of the rows have a time. */
function candidatesOf(rows: readonly (readonly string[])[]): Candidate[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, column) => {
    const cells = rows.map((row) => (row[column] ?? '').trim()).filter((cell) => cell !== '');
    const times = cells.map((cell) => ({ cell, forms: formsOf(cell) })).filter(({ forms }) => forms.length > 0);
    const isText = times.some(({ forms }) => !['s', 'ms', 'us', 'ns', 'excel'].includes(forms[0] as string));
    const isExcel = times.length > 0 && times.every(({ forms }) => forms[0] === 'excel');
    const isDateOnly = isText && times.every(({ cell, forms }) => readClockTime(cell, forms[0] as TimeForm)?.isDate);
    return { column, isText, isExcel, isDateOnly, count: times.length };
  }).filter(({ count }) => count > 0 && count >= rows.length * LEAST_SHARE);
}

/**
 * Empty where no column has times; `namesAbove` gives the header above rows that have times in these columns. Throws an
 * `UnclearForm` where several have, and none has the name of a time.
 */
export function findTimeColumns(
  rows: readonly (readonly string[])[],
  namesAbove: (columns: readonly number[]) => readonly string[],
): readonly number[] {
  const all = candidatesOf(rows);
  const names = namesAbove(all.map(({ column }) => column));
  const nameOf = ({ column }: Candidate): string => (names[column] ?? '').trim().toLowerCase();
  const texts = all.filter(({ isText }) => isText);
  // Numbers may be values as well: a name says more, and those of Excel need one.
  const isCounted = (one: Candidate): boolean => TIME_NAME.test(nameOf(one)) || (one.column === 0 && !one.isExcel);
  const counted = all.filter((one) => !one.isText && isCounted(one));
  const found = texts.length > 0 ? texts : counted;
  const [first] = found;
  if (first === undefined) return [];
  const named = POINT_TIME_NAMES.flatMap((name) => found.filter((one) => nameOf(one) === name));
  const likely = found.filter((one) => TIME_NAME.test(nameOf(one)));
  const chosen = named[0] ?? (likely.length === 1 ? likely[0] : undefined) ?? (found.length === 1 ? first : undefined);
  if (chosen === undefined) {
    const shown = found.map(({ column }) => names[column] ?? String(column + 1)).join(', ');
    throw new UnclearForm('--time <column>', `Several columns hold times: ${shown}.`);
  }
  const next = chosen.column + 1;
  const clocks = rows.filter((row) => CLOCK_ALONE.test((row[next] ?? '').trim())).length;
  const isSplit = chosen.isDateOnly && clocks > 0 && clocks >= rows.length * LEAST_SHARE;
  return isSplit ? [chosen.column, next] : [chosen.column];
}

/** The one form that all times can have. Throws an `UnclearForm` where days and months can be either way. */
export function timeFormOf(times: readonly string[]): TimeForm | undefined {
  const possible = times.map((time) => formsOf(time)).filter((forms) => forms.length > 0);
  const counts = new Map<TimeForm, number>();
  for (const form of possible.flat()) counts.set(form, (counts.get(form) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const best = [...counts].filter(([, count]) => count === most).map(([form]) => form);
  if (best.length < 2) return best[0];
  const sample = times.find((time) => formsOf(time).length > 1) ?? '';
  // Points between the parts of a date are written where the day comes first.
  if (/^\d+\.\d+\./.test(sample)) return 'dmy';
  throw new UnclearForm(
    '--format dmy (day first) or --format mdy (month first)',
    `Times such as ${sample} can have the day or the month first, and no row tells which.`,
  );
}
