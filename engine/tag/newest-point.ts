// The newest point of a tag as an object.

import type { Instant, ValueType } from '../types.ts';

/** A value as a number, a bigint or a text, by its type's payload; null for null. */
export type StoredValue = number | bigint | string | null;

/** The newest point of a tag, and earlier ones of the same time. Immutable. */
export interface NewestPoint extends Instant {
  readonly value: StoredValue;
  readonly quality: number;
  /** The type it was stored with. */
  readonly type: ValueType;
  /** The previous point, if it has the same time. */
  readonly tie: NewestPoint | undefined;
}
