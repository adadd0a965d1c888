// What reads the points of a file, in whatever form it is. What one pass over a file finds is what the
// next one goes by.

import type { CsvRecord } from '../recognise/csv-records.ts';
import type { StretchVerdict } from './local-clock.ts';

export interface CsvPoint {
  readonly tag: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** The value as JSON. */
  readonly value: string;
  /** Undefined where the file has none. */
  readonly quality: string | undefined;
  readonly line: number;
}

export interface UnknownQualities {
  readonly count: number;
  /** The first one and its line, in words. */
  readonly first: string | undefined;
}

export type ValueKind = 'number' | 'boolean' | 'text';

export interface KnownKind {
  readonly kind: ValueKind;
  /** The first line with a value that tells it. */
  readonly line: number;
}

/** What only the rows of a file tell, all of them. */
export interface Findings {
  readonly kinds: ReadonlyMap<string, KnownKind>;
  /** What the order of the rows tells of each stretch in an hour that clocks show twice; undefined where nothing was read yet. */
  readonly stretches: readonly StretchVerdict[] | undefined;
}

export interface StretchFindings extends Pick<Findings, 'stretches'> {
  /** False where another pass must go by them before what was read counts. */
  readonly isFinal: boolean;
}

export interface ReaderOptions {
  /** Whether points earlier than one before are given; a fault otherwise. */
  readonly takesUnsorted?: boolean;
  /** What a pass before found. */
  readonly findings?: Findings | undefined;
  /** True where rows come once and are sent at once: a row that only later ones explain is a fault. */
  readonly isOnePass?: boolean;
}

/** What is known of the values that were read. */
export interface ReadValues {
  readonly tagCount: number;
  readonly unknownQualities: UnknownQualities;
  /** True where a point was earlier than one before of its tag. */
  readonly isUnsorted: boolean;
  /** Points that a pass with the findings of this one gives besides. */
  readonly missedCount: number;
}

/** What reads the records of a file, one after the other. */
export interface PointReader {
  readonly values: ReadValues;
  /** True once rows can be understood. */
  readonly hasHeader: boolean;
  /** True where the rows are those of another form than the first ones seemed to have. */
  readonly isOtherForm: boolean;
  /** Sentences about what was read by a rule that the user may want otherwise. */
  readonly doubts: readonly string[];
  /** Throws a `CsvFault`. */
  read(record: CsvRecord): CsvPoint[];
  /** After the last record. */
  findings(): Findings & StretchFindings;
}
