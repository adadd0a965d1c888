// Corrections as callers ask for them, and as they are told of.

import type { Instant, PointBatch } from './types.ts';

/**
 * - `delete`: the points of the range are not read any more;
 * - `replace`: other points are read instead of them;
 * - `insert`: points are read besides those that are there, and instead of those of exactly their times;
 * - `cut`: points were removed from a time on for good, and with them what corrections have put there.
 */
export type CorrectionKind = 'delete' | 'replace' | 'insert' | 'cut';

/** Who did something, when and why. */
export interface Signature {
  readonly at: Instant;
  /** Empty when nobody is known. */
  readonly by: string;
  readonly reason: string;
}

/** What a caller wants corrected. */
export interface CorrectionRequest {
  /** Name of a user tag. */
  readonly tag: string;
  readonly kind: Exclude<CorrectionKind, 'cut'>;
  /** Both belong to the range; of an `insert` absent: its points tell. */
  readonly range: { readonly start: Instant; readonly end: Instant } | undefined;
  /** Points of `replace` and `insert`: one run, of the tag; its columns are the engine's until the promise settles. */
  readonly batch: PointBatch | undefined;
  readonly by: string;
  readonly reason: string;
  /** True: only say what it would do. */
  readonly isPreview: boolean;
}

/** What a correction does, or would do. */
export interface CorrectionReceipt {
  /** Undefined of a preview. */
  readonly id: number | undefined;
  /** Points that are not read any more; counted up to a million. */
  readonly hidden: number;
  readonly added: number;
}

/** A correction as it is listed. */
export interface CorrectionInfo {
  readonly id: number;
  readonly tag: string;
  readonly kind: CorrectionKind;
  readonly start: Instant;
  readonly end: Instant;
  /** Points that it gives. */
  readonly points: number;
  readonly made: Signature;
  /** Undefined while it is in force. */
  readonly undone: Signature | undefined;
}

/** Which corrections are listed: newest first. */
export interface CorrectionFilter {
  /** Name of a tag. */
  readonly tag: string | undefined;
  /** Only those with a smaller id. */
  readonly before: number | undefined;
  /** Most of them. */
  readonly limit: number;
}
