// What the API answers about one state of a tag.

import type { TagDefinition } from '../model/tags/tag.ts';
import type { PointValue } from '../model/values/value-text.ts';

export const STATE_FUNCTIONS = ['StateDuration', 'StatePercent', 'StateCount'] as const;

/** Result of one function for one state; the whole range is one interval. */
export interface StateEntry {
  readonly t: TagDefinition;
  readonly a: (typeof STATE_FUNCTIONS)[number];
  readonly state?: PointValue;
  /** By the states of the tag. */
  readonly stateName?: string;
  readonly d: readonly { readonly v: number | null }[];
}
