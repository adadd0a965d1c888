// Annotations: texts about times, of tags and of datasets.

import type { Instant } from './types.ts';

/** What the writer of an annotation says: a text about a time or a range, of one tag or of the whole dataset. */
export interface AnnotationContent {
  readonly start: Instant;
  /** Not before the start; undefined for one about a single time. */
  readonly end: Instant | undefined;
  /** Undefined for one about the whole dataset. */
  readonly tag: string | undefined;
  readonly text: string;
}

export interface Annotation extends AnnotationContent {
  /** Unique in the dataset, also among those that were deleted. */
  readonly id: number;
  /** Counts its versions, from 1. */
  readonly revision: number;
  /** Who has made it; undefined when that is not known. It stays when others change it. */
  readonly author: string | undefined;
  readonly createdMs: number;
  /** Who has changed it last; undefined when nobody has, or when that is not known. */
  readonly changedBy: string | undefined;
  /** Time of the last change; `createdMs` while nobody has changed it. */
  readonly changedMs: number;
}

/** Says whether an annotation may be changed as it is now, by throwing when not. */
export type AnnotationCheck = (annotation: Annotation) => void;

export interface AnnotationEdit {
  readonly content: AnnotationContent;
  /** Undefined when that is not known. */
  readonly by: string | undefined;
  readonly check: AnnotationCheck;
}
