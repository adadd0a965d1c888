// In which form files of rows tell their times, and how that is asked for.

import { badParameter, oneOf } from '../../api/validation/bad-parameter.ts';
import { parseZone } from './time-range.ts';
import type { TimeZone } from './time-zone.ts';

const FORMS = ['utc', 'offset', 'local'] as const;

export interface TimeStyle {
  /** In UTC; by the clocks of a zone with their offset; or as these clocks show it, which spreadsheets take for a time. */
  readonly form: (typeof FORMS)[number];
  readonly zone: TimeZone;
  readonly zoneName: string;
}

/** `file`: undefined for answers that are no file of rows, or not asked for by name. Throws a 400. */
export function resolveTimeStyle(
  text: string | undefined,
  tz: string | undefined,
  file: 'csv' | 'jsonl' | undefined,
): TimeStyle {
  const asked = oneOf('timeFormat', text, FORMS);
  if (asked !== undefined && file === undefined)
    throw badParameter(`'timeFormat' needs format=csv or format=jsonl, or as=csv or as=jsonl.`);
  if (asked === 'local' && file === 'jsonl')
    throw badParameter(`'timeFormat=local' is for CSV; JSON lines have times in UTC or with an offset.`);
  const usual = tz !== undefined && file !== undefined ? 'offset' : 'utc';
  return { form: asked ?? usual, zone: parseZone(tz), zoneName: tz ?? 'UTC' };
}
