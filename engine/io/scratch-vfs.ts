// A Vfs in memory, for work that is thrown away: no disk is touched, and syncs do nothing.

import type { FileStat, OpenMode, Vfs, VfsFile } from './vfs.ts';

const FIRST_BYTES = 65_536;
const FREE_BYTES = 2 ** 40;

/** What a file holds; its handles share it. */
class Content {
  bytes = new Uint8Array(FIRST_BYTES);
  sizeBytes = 0;

  resize(sizeBytes: number): void {
    if (sizeBytes > this.bytes.length) {
      const grown = new Uint8Array(Math.max(sizeBytes, 2 * this.bytes.length));
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.bytes.fill(0, sizeBytes, this.sizeBytes);
    this.sizeBytes = sizeBytes;
  }
}

class ScratchFile implements VfsFile {
  readonly path: string;
  readonly #content: Content;

  constructor(path: string, content: Content) {
    this.path = path;
    this.#content = content;
  }

  readSync(target: Uint8Array, offset: number, length: number, position: number): number {
    const end = Math.min(position + length, this.#content.sizeBytes);
    if (end <= position) return 0;
    target.set(this.#content.bytes.subarray(position, end), offset);
    return end - position;
  }

  writeSync(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (end > this.#content.sizeBytes) this.#content.resize(end);
    this.#content.bytes.set(bytes, position);
  }

  write(bytes: Uint8Array, position: number): Promise<void> {
    this.writeSync(bytes, position);
    return Promise.resolve();
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  truncateSync(sizeBytes: number): void {
    this.#content.resize(sizeBytes);
  }

  sizeSync(): number {
    return this.#content.sizeBytes;
  }

  closeSync(): void {
    // The content is the folder's.
  }
}

/** What is at a path. */
type Entry = Content | 'folder';

class ScratchVfs implements Vfs {
  readonly #entries = new Map<string, Entry>();

  openSync(path: string, mode: OpenMode): VfsFile {
    let content = this.#entries.get(path);
    if (!(content instanceof Content)) {
      if (mode === 'read') throw missing(path);
      content = new Content();
      this.#entries.set(path, content);
    }
    return new ScratchFile(path, content);
  }

  createFile(path: string): Promise<void> {
    this.openSync(path, 'write');
    return Promise.resolve();
  }

  statSync(path: string): FileStat | undefined {
    const entry = this.#entries.get(path);
    if (entry === undefined) return undefined;
    const sizeBytes = entry === 'folder' ? 0 : entry.sizeBytes;
    return { sizeBytes, allocatedBytes: sizeBytes, isDirectory: entry === 'folder', modifiedMs: 0 };
  }

  listSync(path: string): string[] {
    const front = `${path}/`;
    const inside = [...this.#entries.keys()].filter((other) => other.startsWith(front));
    return inside.map((other) => other.slice(front.length)).filter((name) => !name.includes('/'));
  }

  makeDirectorySync(path: string): void {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      this.#entries.set(path.slice(0, end), 'folder');
  }

  renameSync(from: string, to: string): void {
    for (const [path, entry] of [...this.#entries]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#entries.delete(path);
      this.#entries.set(to + path.slice(from.length), entry);
    }
  }

  removeSync(path: string): void {
    this.#entries.delete(path);
  }

  removeDirectorySync(path: string): void {
    this.#entries.delete(path);
  }

  syncDirectory(): Promise<void> {
    return Promise.resolve();
  }

  freeBytesSync(): number {
    return FREE_BYTES;
  }
}

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' });
}

/** An empty one. */
export function createScratchVfs(): Vfs {
  return new ScratchVfs();
}
