// Markers of limited reads as clients see them: opaque texts, base64url of `<tag id>.<ordinal>`.

import type { ReadMarker } from '../../../engine/index.ts';

export function formatMarker(marker: ReadMarker): string {
  return Buffer.from(`${marker.tagId}.${marker.ordinal}`, 'latin1').toString('base64url');
}

/** Undefined for a text that no answer ever carried. */
export function parseMarker(text: string): ReadMarker | undefined {
  const [, tagId, ordinal] = /^(\d{1,10})\.(\d{1,16})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (tagId === undefined || ordinal === undefined) return undefined;
  const marker = { tagId: Number(tagId), ordinal: Number(ordinal) };
  return Number.isSafeInteger(marker.ordinal) && formatMarker(marker) === text ? marker : undefined;
}
