// The operations of the API on corrections.

import { send, sendForJson } from '../api/http.ts';
import type { TagRef } from '../model/tags/tag.ts';
import type { CorrectionAnswer, CorrectionKind } from './correction.ts';
import { pointsOf } from './correction-points.ts';

/** What is asked for; both times belong to the range. */
export interface CorrectionDraft {
  readonly tagRef: TagRef;
  readonly kind: CorrectionKind;
  readonly start: string;
  readonly end: string;
  /** Value of the points that `replace` puts at both ends of the range, and `insert` at its start. */
  readonly value: boolean | number | string | undefined;
  readonly reason: string;
}

export interface CorrectionEffect {
  /** Points that are not read any more, and points that are read instead or besides. */
  readonly hidden: number;
  readonly added: number;
}

const MOST_LISTED = 50;
/** Corrections that the server gives at once. */
export const MOST_IN_ANSWER = 1000;

export function previewCorrection(draft: CorrectionDraft, signal: AbortSignal): Promise<CorrectionEffect> {
  return sendForJson(`${pathOf(draft)}&preview=true`, { method: 'POST', signal, ...bodyOf(draft) });
}

export async function makeCorrection(draft: CorrectionDraft): Promise<void> {
  await send(pathOf(draft), { method: 'POST', ...bodyOf(draft) });
}

/** Corrections of a tag, newest first. */
export function listCorrections({ dataset, name }: TagRef): Promise<CorrectionAnswer[]> {
  return sendForJson(`${listPath(dataset)}?tagname=${encodeURIComponent(name)}&limit=${MOST_LISTED}`);
}

/** Newest first, of a dataset or of one tag. */
export function readCorrections(
  { dataset, name }: { readonly dataset: string; readonly name?: string },
  signal: AbortSignal,
): Promise<CorrectionAnswer[]> {
  const tag = name === undefined ? '' : `&tagname=${encodeURIComponent(name)}`;
  return sendForJson(`${listPath(dataset)}?limit=${MOST_IN_ANSWER}${tag}`, { signal });
}

export async function undoCorrection({ dataset }: TagRef, id: number): Promise<void> {
  await send(`${listPath(dataset)}/${id}/undo`, { method: 'POST' });
}

function pathOf({ tagRef, kind, start, end, reason }: CorrectionDraft): string {
  const query = new URLSearchParams({ tagname: tagRef.name, kind, reason });
  if (kind !== 'insert') for (const [name, time] of Object.entries({ start, end })) query.set(name, time);
  return `${listPath(tagRef.dataset)}?${query}`;
}

function bodyOf(draft: CorrectionDraft): { body?: unknown } {
  return draft.kind === 'delete' ? {} : { body: pointsOf(draft) };
}

function listPath(dataset: string): string {
  return `/api/datasets/${encodeURIComponent(dataset)}/corrections`;
}
