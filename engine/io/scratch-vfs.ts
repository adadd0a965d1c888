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

class ScratchVfs implements Vfs {
  readonly #files = new Map<string, Content>();
  readonly #folders = new Set<string>();

  openSync(path: string, mode: OpenMode): VfsFile {
    let content = this.#files.get(path);
    if (content === undefined) {
      if (mode === 'read') throw missing(path);
      content = new Content();
      this.#files.set(path, content);
    }
    return new ScratchFile(path, content);
  }

  statSync(path: string): FileStat | undefined {
    const sizeBytes = this.#files.get(path)?.sizeBytes ?? 0;
    if (this.#folders.has(path)) return { sizeBytes: 0, allocatedBytes: 0, isDirectory: true, modifiedMs: 0 };
    if (!this.#files.has(path)) return undefined;
    return { sizeBytes, allocatedBytes: sizeBytes, isDirectory: false, modifiedMs: 0 };
  }

  listSync(path: string): string[] {
    const front = `${path}/`;
    const inside = [...this.#files.keys(), ...this.#folders].filter((other) => other.startsWith(front));
    return inside.map((other) => other.slice(front.length)).filter((name) => !name.includes('/'));
  }

  makeDirectorySync(path: string): void {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) this.#folders.add(path.slice(0, end));
  }

  renameSync(from: string, to: string): void {
    for (const [path, content] of [...this.#files]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#files.delete(path);
      this.#files.set(to + path.slice(from.length), content);
    }
    for (const path of [...this.#folders]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      this.#folders.delete(path);
      this.#folders.add(to + path.slice(from.length));
    }
  }

  removeSync(path: string): void {
    this.#files.delete(path);
  }

  removeDirectorySync(path: string): void {
    this.#folders.delete(path);
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
