// What the form of a correction holds, and what is asked of the server for it.

import type { TagRef } from '../model/tags/tag.ts';
import { typedTime } from '../model/time/time-range.ts';
import type { CorrectionKind } from './correction.ts';
import type { CorrectionDraft, CorrectionEffect } from './corrections-api.ts';

export interface CorrectionForm {
  readonly kind: CorrectionKind;
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly reason: string;
}

/** By the types of tags; what has none yet takes what the text looks like. */
export type ValueForm = 'text' | 'boolean' | 'number';

export function valueFormOf(type: string | undefined): ValueForm {
  if (type === 'System.String' || type === 'System.DateTime' || type === 'System.Decimal') return 'text';
  return type === 'System.Boolean' ? 'boolean' : 'number';
}

/** In words what is missing or wrong. */
export function toDraft(tagRef: TagRef, form: CorrectionForm, valueForm: ValueForm): CorrectionDraft | string {
  const { kind, reason } = form;
  const startMs = typedTime(form.from, 'from');
  if (typeof startMs === 'object') return startMs.fault;
  const endMs = kind === 'insert' ? startMs : typedTime(form.to, 'to');
  if (typeof endMs === 'object') return endMs.fault;
  if (endMs < startMs) return 'The end must not lie before the start.';
  const value = kind === 'delete' ? undefined : parseValue(form.value, valueForm);
  if (kind !== 'delete' && value === undefined) return describeValue(valueForm);
  const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()];
  return { tagRef, kind, start, end, value, reason };
}

function parseValue(text: string, form: ValueForm): boolean | number | string | undefined {
  if (form === 'text') return text;
  const trimmed = text.trim().toLowerCase();
  if (form === 'boolean') return new Map([['true', true] as const, ['false', false] as const]).get(trimmed as 'true');
  const value = Number(trimmed);
  return trimmed === '' || !Number.isFinite(value) ? undefined : value;
}

function describeValue(form: ValueForm): string {
  return form === 'boolean' ? 'The value is true or false.' : 'The value is a number, such as 62.5.';
}

export function effectText({ hidden, added }: CorrectionEffect): string {
  const points = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'point' : 'points'}`;
  const goes = hidden === 0 ? 'No point is hidden' : `${points(hidden)} will no longer be shown`;
  return added === 0 ? `${goes}.` : `${goes}; ${points(added)} will be shown instead.`;
}
