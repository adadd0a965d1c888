// Every limit of JSON bodies that are not points, and its reason. They are checked while the body is read, before anything is
// allocated for it. The table in docs/api.md says the same.

/** Takes some 0.2 s to read, in slices; 100,000 tags with all they can have. */
export const METADATA_BODY_LIMIT_BYTES = 16 * 1024 * 1024;
/** Longer bodies are read one at a time, so that their memory does not add up. */
export const LONG_METADATA_BODY_BYTES = 65_536;
/** Arrays and objects inside one another. What is wanted has four levels. */
export const MAX_DEPTH = 32;
/** Members of one object: the units of a tag, its fields, and keys that nobody knows. */
export const MAX_MEMBERS = 1000;
/** Entries of one array: tags and markers of a read, tags to create or to delete. */
export const MAX_ENTRIES = 500_000;
/** Statuses in one request. */
export const MAX_STATUSES = 10_000;
/** Values of all kinds in one body: an object takes up to 100 bytes of memory. */
export const MAX_VALUES = 2_000_000;
/** Bytes of one text as written in the body; no name or description needs so many. */
export const MAX_TEXT_BYTES = 65_536;
/** Characters of all texts of one tag, without its name: a tag is written in one go wherever it stands in an answer. */
export const MAX_TAG_CHARS = 1_048_576;

/** What is too much for a JSON text that is read in steps. */
export interface JsonLimits {
  /** Arrays and objects inside one another. */
  readonly depth: number;
  /** Members of one object. */
  readonly members: number;
  /** Entries of one array. */
  readonly entries: number;
  /** Values of all kinds. */
  readonly values: number;
  /** Bytes of one text, as written. */
  readonly textBytes: number;
}

export const BODY_LIMITS: JsonLimits = {
  depth: MAX_DEPTH,
  members: MAX_MEMBERS,
  entries: MAX_ENTRIES,
  values: MAX_VALUES,
  textBytes: MAX_TEXT_BYTES,
};
