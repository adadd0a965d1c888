// What a file with columns is: the guess, or what flags say. Pure data, so that a browser can use it.

import type { TimeForm } from './clock-times.ts';
import type { Decimal } from './value-forms.ts';

export interface ValueColumn {
  readonly column: number;
  /** The tag, or the last part of its name where columns have the others; undefined where columns have all of it. */
  readonly tag: string | undefined;
  readonly quality: number | undefined;
  /** The unit behind each value, which is left out. */
  readonly unit: string | undefined;
  /** Milliseconds of the clock since the day of the row began, for a column of a time of day. */
  readonly ofDayMs?: number | undefined;
}

export interface FileForm {
  /** The keys of JSON lines, which are its columns; undefined in a file with columns. */
  readonly keys?: readonly string[];
  readonly separator: string;
  /** Last line of the header, and of what is above it; 0 for none. */
  readonly lastLineBefore: number;
  /** The header's text, which files of several tables repeat. */
  readonly header: string | undefined;
  /** Fields of a row; more are taken when they are empty. */
  readonly width: number;
  readonly time: { readonly columns: readonly number[]; readonly form: TimeForm };
  /** Joined by points where there are several; undefined for a column for each tag. */
  readonly tagColumns: readonly number[] | undefined;
  readonly values: readonly ValueColumn[];
  readonly decimal: Decimal;
  /** False where no value of the first part has a decimal sign, so that it is the usual one. */
  readonly isDecimalTold: boolean;
  /** Words of column names, one for each column: a tag, `tag`, `time`, `value`, `quality`, or `-` for none of them. */
  readonly columnWords: readonly string[];
  readonly hasHeader: boolean;
  /** True where blanks around fields are no part of them. */
  readonly isSpaced: boolean;
  /** True where times have no offset, so that a zone must be given. */
  readonly isLocal: boolean;
  /** The zone of such times where the name of their column says it. */
  readonly zone?: string | undefined;
  /** True where qualities are 1 for good and 0 for bad. */
  readonly isFlagged?: boolean;
  /** True where times fall from row to row more often than they rise, so that the later of two equal clock times comes first. */
  readonly isNewestFirst: boolean;
  readonly doubts: readonly string[];
}

/** What was given by flags, in place of guesses. */
export interface FormWishes {
  readonly separator?: string | undefined;
  readonly time?: readonly string[] | undefined;
  readonly form?: TimeForm | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly isHeaderless?: boolean | undefined;
  readonly decimal?: Decimal | undefined;
  readonly nulls?: ReadonlySet<string> | undefined;
  readonly zone?: string | undefined;
  /** The name of the tag of a file that has a single one. */
  readonly tag?: string | undefined;
}

/** A row of the sample. */
export interface SampleRow {
  readonly line: number;
  readonly text: string;
  readonly fields: readonly string[];
}

/** The file cannot be told by itself; the flag says it. */
export class UnclearForm extends Error {
  override readonly name = 'UnclearForm';
  readonly flag: string;

  constructor(flag: string, message: string) {
    super(`${message} Say it with ${flag}.`);
    this.flag = flag;
  }
}
