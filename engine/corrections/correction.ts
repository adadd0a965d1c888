// What a correction is: a change to points of the past that lies over them, and can be taken back.

import type { CorrectionKind, Signature } from '../corrections.ts';
import type { Instant, PointColumns, ValueType } from '../types.ts';

export interface Correction {
  /** Counts from 1 in each dataset. */
  readonly id: number;
  readonly tagId: number;
  readonly kind: CorrectionKind;
  /** Both belong to the range. */
  readonly start: Instant;
  readonly end: Instant;
  /** Stored points below are corrected; those that came later are not. */
  readonly endOrdinal: number;
  /** Late points of at least this ordinal came later, too. */
  readonly endLate: number;
  readonly type: ValueType;
  /** In time order. */
  readonly points: PointColumns;
  /** The number of its first point among all points that corrections have given to the tag. */
  readonly firstPoint: number;
  readonly made: Signature;
  /** Undefined while it is in force. */
  readonly undone: Signature | undefined;
}

/** A correction as the log has it, which is told of its undoing by another entry. */
export type LoggedCorrection = Omit<Correction, 'undone'>;

export interface LoggedUndo {
  /** Number of the correction. */
  readonly id: number;
  readonly undone: Signature;
}
