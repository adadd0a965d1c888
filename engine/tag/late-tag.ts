// The late points of a tag are those of a tag of its own, which only the engine knows. Its name tells whose they are; names of
// clients have no control characters.

import type { TagDefinition, ValueType } from '../types.ts';

const PREFIX = '\u0001late ';

/** @param type of its first points: the fast path takes points of this type only */
export function lateDefinition(ownerId: number, type: ValueType): TagDefinition {
  return { name: `${PREFIX}${ownerId}`, type };
}

/** The id of the tag whose late points a tag of this name has; undefined for all others. */
export function ownerOfLate(name: string): number | undefined {
  if (!name.startsWith(PREFIX)) return undefined;
  const id = Number(name.slice(PREFIX.length));
  return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
}

/**
 * Late points of a tag have ordinals from here on, in markers and for whoever follows the dataset: a count of their own, behind
 * those of points that corrections give, so that points of one time are in the order of their ordinals.
 */
export const FIRST_LATE_ORDINAL = 2 ** 52;
