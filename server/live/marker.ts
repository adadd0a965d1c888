// The ids of live events: what a client sends back to go on where it was. Two forms: `1.<tag id>.<ordinal>…` has the next
// ordinal of each tag, in base 36, and holds for ever; `2.<run>.<number>` is a sequence
// number among the runs that this run of the server remembers, for subscriptions to more tags than fit an id.

import type { ReadMarker } from '../../engine/index.ts';

/** Subscriptions to more tags get markers of the second form. */
export const MAX_MARKED_TAGS = 64;

export type LiveMarker =
  | { readonly kind: 'ordinals'; readonly ordinals: ReadonlyMap<number, number> }
  | { readonly kind: 'sequence'; readonly run: string; readonly sequence: number };

export function formatOrdinals(positions: Iterable<ReadMarker>): string {
  let text = '1';
  for (const { tagId, ordinal } of positions) text += `.${tagId.toString(36)}.${ordinal.toString(36)}`;
  return text;
}

export function formatSequence(run: string, sequence: number): string {
  return `2.${run}.${sequence.toString(36)}`;
}

/** Undefined for a text that no event ever carried. */
export function parseLiveMarker(text: string): LiveMarker | undefined {
  if (!/^[12](?:\.[0-9a-z]{1,11})+$/.test(text)) return undefined;
  const [form, ...parts] = text.split('.');
  if (form === '2') {
    const [run = '', sequence = ''] = parts;
    return parts.length === 2 ? { kind: 'sequence', run, sequence: Number.parseInt(sequence, 36) } : undefined;
  }
  if (parts.length % 2 !== 0 || parts.length > 2 * MAX_MARKED_TAGS) return undefined;
  const ordinals = new Map<number, number>();
  for (let i = 0; i < parts.length; i += 2) {
    ordinals.set(Number.parseInt(parts[i] as string, 36), Number.parseInt(parts[i + 1] as string, 36));
  }
  return { kind: 'ordinals', ordinals };
}
