// The newest point of a tag, as memory keeps it outside of columns.

import type { Instant, ValueType } from '../types.ts';

/** A value outside the columns: by payload a number, a bigint or a text; null for null. */
export type StoredValue = number | bigint | string | null;

/** The newest point of a tag, and the ones stored at the same time before it. Never changed, only replaced. */
export interface NewestPoint extends Instant {
  readonly value: StoredValue;
  readonly quality: number;
  /** The type it was stored with. */
  readonly type: ValueType;
  /** The point before, when it has the same time. */
  readonly tie: NewestPoint | undefined;
}
