// The ids of live events: what a client sends back to go on where it was. Both forms begin with an epoch, the time for which
// what is remembered of a dataset holds: another one after a new start of the server, and where the dataset was made again.
// `3.<epoch>.<tag id>.<ordinal>.<check>…` has the next ordinal of each tag and a checksum of the point before it, in base 36: in
// another epoch it holds where that point is still there, as it is not after a restore. `2.<epoch>.<number>` is a sequence
// number among the runs that are remembered, for subscriptions to more tags than fit an id, and holds in its epoch only.

/** Subscriptions to more tags get markers of the second form. */
export const MAX_MARKED_TAGS = 64;

export interface MarkedTag {
  readonly ordinal: number;
  /** The check of the point before; undefined where the client was given none. */
  readonly check: string | undefined;
}

export type LiveMarker =
  | { readonly kind: 'ordinals'; readonly epoch: string; readonly tags: ReadonlyMap<number, MarkedTag> }
  | { readonly kind: 'sequence'; readonly epoch: string; readonly sequence: number };

const NO_CHECK = '-';

export function formatOrdinals(epoch: string, tags: Iterable<readonly [tagId: number, marked: MarkedTag]>): string {
  let text = `3.${epoch}`;
  for (const [tagId, { ordinal, check }] of tags)
    text += `.${tagId.toString(36)}.${ordinal.toString(36)}.${check ?? NO_CHECK}`;
  return text;
}

export function formatSequence(epoch: string, sequence: number): string {
  return `2.${epoch}.${sequence.toString(36)}`;
}

/** Undefined for a text that no event carries; markers of the first form, which had no epoch, are such. */
export function parseLiveMarker(text: string): LiveMarker | undefined {
  if (!/^[23](?:\.(?:[0-9a-z]{1,11}|-))+$/.test(text)) return undefined;
  const [form, epoch = '', ...parts] = text.split('.');
  if (form === '2') {
    const [sequence = ''] = parts;
    return parts.length === 1 ? { kind: 'sequence', epoch, sequence: Number.parseInt(sequence, 36) } : undefined;
  }
  if (parts.length % 3 !== 0 || parts.length > 3 * MAX_MARKED_TAGS) return undefined;
  const tags = new Map<number, MarkedTag>();
  for (let i = 0; i < parts.length; i += 3) {
    const [tagId, ordinal, check] = parts.slice(i, i + 3) as [string, string, string];
    const marked = { ordinal: Number.parseInt(ordinal, 36), check: check === NO_CHECK ? undefined : check };
    tags.set(Number.parseInt(tagId, 36), marked);
  }
  return { kind: 'ordinals', epoch, tags };
}

/** The check of the last of some points as JSON, separated by commas: `{"t":` begins each, and no text in them has it, escaped as they are. */
export function checkOf(points: string): string {
  let hash = 0x811c9dc5;
  for (let i = Math.max(0, points.lastIndexOf('{"t":')); i < points.length; i++)
    hash = Math.imul(hash ^ points.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}
