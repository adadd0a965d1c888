// Tags and datasets as the API answers them, and how a trend names a tag.

export interface FormerName {
  readonly n: string;
  /** ISO 8601: when the tag was renamed. */
  readonly at: string;
  /** ISO 8601: until when the name leads to the tag; absent: for good. */
  readonly until?: string;
  /** Whether what is written under the name goes to the tag. */
  readonly forward: boolean;
}

export interface TagDefinition {
  readonly n: string;
  readonly d?: string;
  readonly f?: string;
  readonly u?: Readonly<Record<string, string>>;
  readonly fl?: Readonly<Record<string, string>>;
  readonly t?: string;
  /** Names that it had before, the last one at the end; absent: it was never renamed. */
  readonly former?: readonly FormerName[];
  /** Set by the page: what the line is made of instead of points, such as `average of 30 s`. */
  readonly aggregate?: string;
}

export interface DatasetInfo {
  readonly n: string;
  /** Purge age in days; 0 is no limit. */
  readonly pa: number;
  /** Purge size in gigabytes; 0 is no limit. */
  readonly ps: number;
  /** What becomes of points that are earlier than the newest of their tag; absent: they are ignored. */
  readonly late?: 'ignore' | 'accept';
  /** How many ms earlier they may be; 0 is no limit. */
  readonly ldt?: number;
  /** How many days before now they may be; 0 is no limit. */
  readonly lda?: number;
  /** Gigabytes on disk. */
  readonly s: number;
  /** Number of user tags. */
  readonly c: number;
  /** Age of the oldest user point in days; 0 when there is none. */
  readonly a: number;
  /** Why it cannot be used in full; absent while it is well. */
  readonly state?: string;
}

export interface TagRef {
  readonly dataset: string;
  /** Name in requests: system tags with `$System.` in front. */
  readonly name: string;
  readonly expression?: never;
}

/** A series that the server calculates from tags of a dataset; nothing of it is stored. */
export interface CalculatedRef {
  readonly dataset: string;
  /** Name that the user gave it, else its expression. */
  readonly name: string;
  readonly expression: string;
  /** What its numbers are in; absent: they have none. */
  readonly unit?: string;
  /** Form of its numbers, in the words of tags; absent: the usual one. */
  readonly format?: string;
}

/** What a line of a trend is of. */
export type LineRef = TagRef | CalculatedRef;

export const SYSTEM_PREFIX = '$System.';

export const STATUS_TAG = `${SYSTEM_PREFIX}Status`;

export function isSystemName(name: string): boolean {
  return name.startsWith(SYSTEM_PREFIX);
}

export function isCalculated(ref: LineRef): ref is CalculatedRef {
  return ref.expression !== undefined;
}

/** Tags with stored points, without calculated series. */
export function tagsOnly(refs: readonly LineRef[]): TagRef[] {
  return refs.filter((ref) => ref.expression === undefined);
}

/** One text for a line, for maps. */
export function tagKey({ dataset, name, expression }: LineRef): string {
  return expression === undefined ? `${dataset}\n${name}` : `${dataset}\n${name}\n${expression}`;
}

export function isSameTag(a: LineRef, b: LineRef): boolean {
  return a.dataset === b.dataset && a.name === b.name && a.expression === b.expression;
}
