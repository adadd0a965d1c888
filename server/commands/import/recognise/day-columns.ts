// Files of meters with a row for each day and a column for each time of day: `00:15`, `00:30`, or `00:00-00:15`, which is stamped
// with its beginning. In the words of `--columns` such a column is `<tag>@00:15`. Pure, so that a browser can use it.

import { UnclearForm } from './file-form.ts';

const CLOCK_NAME = /^(\d{1,2})[:.](\d\d)(?:[:.]00)?(?:\s*[-–]\s*\d{1,2}[:.]\d\d(?:[:.]00)?)?$/;
const DAY_WORD = /^(.+)@(\d\d):(\d\d)$/;
/** Fewer columns of times of day may be anything. */
const LEAST_COLUMNS = 4;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** `00:15` for the name of a column of that time of day; undefined for other names. The end of a day is `24:00`. */
function clockOf(name: string): string | undefined {
  const [, hour = '', minute = ''] = CLOCK_NAME.exec(name.trim()) ?? [];
  if (hour === '' || Number(minute) > 59 || Number(hour) * 60 + Number(minute) > DAY_MINUTES) return undefined;
  return `${hour.padStart(2, '0')}:${minute}`;
}

/** Whether most columns besides those of times are named by times of day. */
export function areDayColumns(names: readonly string[], timeColumns: readonly number[]): boolean {
  const others = names.filter((_, column) => !timeColumns.includes(column));
  const clocks = others.filter((name) => clockOf(name) !== undefined);
  return clocks.length >= LEAST_COLUMNS && clocks.length * 2 > others.length;
}

/**
 * The words of `--columns` for such a file. `textColumns`: those besides with a text in each row, of which one names the tag where
 * `tag` does not. Throws an `UnclearForm` where neither does.
 */
export function dayColumnWords(
  names: readonly string[],
  timeColumns: readonly number[],
  textColumns: readonly number[],
  tag: string | undefined,
): string[] {
  const [tagColumn] = textColumns;
  if (tag === undefined && (tagColumn === undefined || textColumns.length > 1))
    throw new UnclearForm('--tag <name>', 'The columns are times of day, and no single column names the tag.');
  return names.map((name, column) => {
    if (timeColumns.includes(column)) return 'time';
    const clock = clockOf(name);
    if (clock !== undefined) return `${tag ?? 'value'}@${clock}`;
    return tag === undefined && column === tagColumn ? 'tag' : '-';
  });
}

/** What such a word says; undefined for other words. `ofDayMs`: milliseconds of the clock since the day began. */
export function readDayWord(word: string): { readonly tag: string; readonly ofDayMs: number } | undefined {
  const [, tag, hour, minute] = DAY_WORD.exec(word) ?? [];
  if (tag === undefined) return undefined;
  return { tag, ofDayMs: (Number(hour) * 60 + Number(minute)) * MINUTE_MS };
}
