// The seam to files and directories: the engine does all disk I/O through a Vfs, so that tests can inject faults and
// crashes. Paths are absolute or relative to the process, with `/`.

export interface FileStat {
  readonly sizeBytes: number;
  /** Bytes allocated on disk. */
  readonly allocatedBytes: number;
  readonly isDirectory: boolean;
  readonly modifiedMs: number;
}

/** How a file is opened. All but `read` create a missing file. */
export type OpenMode =
  /** Must exist. */
  | 'read'
  /** Reads and writes anywhere; creates when missing. */
  | 'write'
  /** Like `write`; every write is on stable storage when it returns (O_DSYNC). */
  | 'write-through';

/** What a reader needs of an open file. */
export type ReadableFile = Pick<VfsFile, 'path' | 'readSync' | 'sizeSync' | 'closeSync'>;

/**
 * One open file. The synchronous calls are for short, cached work (microseconds); whatever waits for the disk is
 * asynchronous. Errors are Node's own system errors (`code` ENOSPC, EIO, …).
 */
export interface VfsFile {
  readonly path: string;
  /** Reads at most `length` bytes at `position` into `target` at `offset`; returns the bytes read, 0 at the end. */
  readSync(target: Uint8Array, offset: number, length: number, position: number): number;
  /** Writes all of `bytes` at `position`, continuing after short writes. */
  writeSync(bytes: Uint8Array, position: number): void;
  /** Writes as `writeSync` does, off the main thread. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Forces data and size to stable storage, off the main thread (fdatasync). */
  sync(): Promise<void>;
  truncateSync(sizeBytes: number): void;
  sizeSync(): number;
  closeSync(): void;
}

export interface Vfs {
  openSync(path: string, mode: OpenMode): VfsFile;
  /** Undefined when nothing is there. */
  statSync(path: string): FileStat | undefined;
  /** Names in a directory, unordered; empty when the directory is missing. */
  listSync(path: string): string[];
  /** Creates the directory, and its parents. */
  makeDirectorySync(path: string): void;
  /** Replaces the target. */
  renameSync(from: string, to: string): void;
  /** Ignores a missing file. */
  removeSync(path: string): void;
  /** Removes an empty directory; ignores a missing one. */
  removeDirectorySync(path: string): void;
  /** Forces a directory's entries to stable storage, off the main thread: needed for names that an acknowledgement depends on (D13). */
  syncDirectory(path: string): Promise<void>;
  /** Bytes free for us on the file system that holds the path. */
  freeBytesSync(path: string): number;
}
