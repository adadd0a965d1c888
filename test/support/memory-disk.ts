// Files and directories in memory, each as the program sees it now and as the disk would hold it after a power cut.
// What is not synced yet is kept as a list of operations, so that a cut can keep any part of it.

/** A change of a file's bytes that no sync has covered. */
export type FileChange =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly sizeBytes: number };

/** Bytes that grow. */
export class Image {
  #bytes: Uint8Array = new Uint8Array(0);
  #isLent = false;
  sizeBytes = 0;

  /** Over bytes that stay their owner's: what the owner changes shows, and the first change of the image copies them. */
  static over(bytes: Uint8Array): Image {
    const image = new Image();
    image.#bytes = bytes;
    image.#isLent = true;
    image.sizeBytes = bytes.length;
    return image;
  }

  /** A view, valid until the next change. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.sizeBytes);
  }

  apply(change: FileChange): void {
    if (change.kind === 'truncate') return this.resize(change.sizeBytes);
    this.resize(Math.max(this.sizeBytes, change.offset + change.bytes.length));
    this.#bytes.set(change.bytes, change.offset);
  }

  resize(sizeBytes: number): void {
    if (this.#isLent) this.#bytes = this.#bytes.slice();
    this.#isLent = false;
    if (sizeBytes < this.sizeBytes) this.#bytes.fill(0, sizeBytes, this.sizeBytes);
    if (sizeBytes > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(sizeBytes, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.sizeBytes = sizeBytes;
  }

  clone(): Image {
    if (this.#isLent) return Image.over(this.#bytes);
    const copy = new Image();
    copy.apply({ kind: 'write', offset: 0, bytes: this.bytes });
    return copy;
  }
}

export class FileNode {
  readonly kind = 'file';
  readonly current: Image;
  readonly durable: Image;
  /** Oldest first. */
  readonly unsynced: FileChange[] = [];
  modifiedMs: number;

  constructor(modifiedMs: number, content = new Image()) {
    this.modifiedMs = modifiedMs;
    this.current = content;
    this.durable = content.clone();
  }

  change(change: FileChange): void {
    this.current.apply(change);
    this.unsynced.push(change);
  }

  /** The newest change that a sync begun now covers. */
  get newestChange(): FileChange | undefined {
    return this.unsynced.at(-1);
  }

  /** Makes everything up to a change durable; it may be so already. */
  settle(newest: FileChange | undefined): void {
    for (const change of this.#takeUpTo(newest)) this.durable.apply(change);
  }

  /** After a failed sync: the cache still shows the changes, and no later sync ever writes them. */
  abandon(newest: FileChange | undefined): void {
    this.#takeUpTo(newest);
  }

  #takeUpTo(newest: FileChange | undefined): FileChange[] {
    return newest === undefined ? [] : this.unsynced.splice(0, this.unsynced.indexOf(newest) + 1);
  }
}

export type Node = FileNode | DirectoryNode;

/** A change of directory entries that no sync has covered. A rename is one change of one or two directories. */
export interface EntryChange {
  readonly removes: readonly { readonly directory: DirectoryNode; readonly name: string }[];
  readonly adds: readonly { readonly directory: DirectoryNode; readonly name: string; readonly node: Node }[];
}

export class DirectoryNode {
  readonly kind = 'directory';
  readonly current = new Map<string, Node>();
  readonly durable = new Map<string, Node>();
  /** Oldest first. A rename between two directories stands in both lists. */
  readonly unsynced: EntryChange[] = [];
  modifiedMs: number;

  constructor(modifiedMs: number) {
    this.modifiedMs = modifiedMs;
  }

  /** Makes every change up to `newest` durable; of a rename between directories, with all that went before it in the other. */
  settle(newest: EntryChange | undefined): void {
    const count = newest === undefined ? 0 : this.unsynced.indexOf(newest) + 1;
    for (let i = 0; i < count; i++) {
      const change = this.unsynced[0] as EntryChange;
      for (const other of directoriesOf(change)) {
        other.settle(before(other.unsynced, change));
        other.unsynced.shift();
      }
      applyEntryChange(change, (directory) => directory.durable);
    }
  }
}

function before(changes: readonly EntryChange[], change: EntryChange): EntryChange | undefined {
  return changes[changes.indexOf(change) - 1];
}

export function directoriesOf(change: EntryChange): Set<DirectoryNode> {
  return new Set([...change.removes, ...change.adds].map((part) => part.directory));
}

export function applyEntryChange(
  change: EntryChange,
  entriesOf: (directory: DirectoryNode) => Map<string, Node>,
): void {
  for (const { directory, name } of change.removes) entriesOf(directory).delete(name);
  for (const { directory, name, node } of change.adds) entriesOf(directory).set(name, node);
}

/** Changes what the program sees, and notes it as unsynced in the directories it touches. */
export function changeEntries(change: EntryChange): void {
  applyEntryChange(change, (directory) => directory.current);
  for (const directory of directoriesOf(change)) directory.unsynced.push(change);
}
