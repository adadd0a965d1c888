// Store in which a sink keeps files: whole ones, by paths with `/` below the target. A folder of a disk, or a bucket.

export interface ObjectStore {
  /** Name in messages, e.g. `s3://bucket/prefix`. */
  readonly name: string;
  /** Connects, and makes what is missing; may be called again. All calls reject with PassingFailure, or an error that says what to do. */
  open(): Promise<void>;
  /** Replaces a file as a whole: at no time is there a part of it under its name. It survives a power cut once this has resolved. */
  put(path: string, bytes: Uint8Array): Promise<void>;
  /** Undefined: there is no such file. */
  get(path: string): Promise<Uint8Array | undefined>;
  has(path: string): Promise<boolean>;
  /** Names in a folder, in no order; those of folders end with `/`. None when there is no such folder. */
  names(folder: string): AsyncIterable<string>;
  close(): Promise<void>;
}
