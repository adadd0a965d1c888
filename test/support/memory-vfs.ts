// A Vfs in memory for tests: it knows what is synced and what is not, takes power cuts, and fails where it is told to.
//
// Stricter than most file systems: the sync of a new file does not make its directory entry durable; only the sync of
// the directory does. A rename is one change, whole or absent. A failed sync drops what it should have written from the
// disk for good, while reads still show it and the next sync succeeds.

import { posix } from 'node:path';
import type { FileStat, OpenMode, Vfs, VfsFile } from '../../engine/io/vfs.ts';
import { changeEntries, DirectoryNode, type FileChange, FileNode, type Node } from './memory-disk.ts';
import { cutPower, type PowerCut } from './power-cut.ts';
import type { SeededRandom } from './seeded-random.ts';

/** What is about to happen. `write-done` and `sync-done` are the ends of asynchronous operations, in between which anything may happen. */
export type OperationKind =
  | 'open'
  | 'read'
  | 'write'
  | 'write-done'
  | 'sync'
  | 'sync-done'
  | 'truncate'
  | 'stat'
  | 'list'
  | 'make-directory'
  | 'rename'
  | 'remove'
  | 'sync-directory'
  | 'sync-directory-done';

export interface Operation {
  /** Counts all operations of the disk from 1. */
  readonly index: number;
  readonly kind: OperationKind;
  readonly path: string;
}

export interface MemoryVfsOptions {
  /** Lets asynchronous operations on different files, and the names in a directory, come in any order. */
  readonly random?: SeededRandom;
  /** The negative control: every sync succeeds and nothing becomes durable by it. */
  readonly syncIsNoop?: boolean;
  /** Writes beyond it go as far as they can and fail with ENOSPC. */
  readonly capacityBytes?: number;
  /** For the times in `statSync`. */
  readonly nowMs?: () => number;
}

const BLOCK_BYTES = 4096;
const UNLIMITED_FREE_BYTES = 2 ** 40;

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  EBADF: 'bad file descriptor',
  EEXIST: 'file already exists',
  EHALTED: 'the machine is off',
  EINVAL: 'invalid argument',
  EIO: 'i/o error',
  EISDIR: 'illegal operation on a directory',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  EROFS: 'read-only file system',
};

/** An error as Node's file functions throw it. */
export function systemError(code: string, syscall = 'write', path = ''): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${ERROR_TEXTS[code] ?? 'error'}, ${syscall} '${path}'`), {
    code,
    syscall,
    path,
  });
}

interface Deferred {
  readonly queue: object;
  readonly finish: () => void;
}

export class MemoryVfs implements Vfs {
  /** What `freeBytesSync` answers; undefined: what the capacity leaves. */
  freeBytes: number | undefined;
  operationCount = 0;
  /** Syncs that failed and dropped bytes for good. */
  abandonedCount = 0;
  readonly options: MemoryVfsOptions;
  readonly #root: DirectoryNode;
  readonly #hooks = new Set<(operation: Operation) => void>();
  readonly #openFiles = new Set<MemoryFile>();
  readonly #deferred: Deferred[] = [];
  #halted = false;
  #held = false;

  constructor(options: MemoryVfsOptions = {}, root = new DirectoryNode(0)) {
    this.options = options;
    this.#root = root;
  }

  /** The disk after a power cut at this moment, as a new machine; this one goes on. */
  crashClone(cut: PowerCut, options: MemoryVfsOptions = this.options): MemoryVfs {
    return new MemoryVfs(options, cutPower(this.#root, cut));
  }

  /** Turns this machine off: what runs never ends, what begins fails. */
  halt(): void {
    this.#halted = true;
    this.#deferred.length = 0;
  }

  /** Lets asynchronous operations begin and none end, until `resume`. */
  hold(): void {
    this.#held = true;
  }

  resume(): void {
    this.#held = false;
    for (let i = 0; i < this.#deferred.length; i++) setImmediate(() => this.#finishOne());
  }

  /** Calls back before every operation, until the returned function is called. A throw makes the operation fail. */
  watch(callback: (operation: Operation) => void): () => void {
    this.#hooks.add(callback);
    return () => this.#hooks.delete(callback);
  }

  /** Calls back before the `count`-th operation from now. */
  atOperation(count: number, callback: (operation: Operation) => void): () => void {
    const index = this.operationCount + count;
    const cancel = this.watch((operation) => {
      if (operation.index < index) return;
      cancel();
      callback(operation);
    });
    return cancel;
  }

  /** Makes the `count`-th operation of a kind from now fail. */
  failAt(count: number, kind: OperationKind, code: string): () => void {
    let left = count;
    const cancel = this.watch((operation) => {
      if (operation.kind !== kind || --left > 0) return;
      cancel();
      throw systemError(code, kind, operation.path);
    });
    return cancel;
  }

  /** Paths of open files: none may be left by who closed everything. */
  openPaths(): string[] {
    return [...this.#openFiles].map((file) => file.path);
  }

  /** Paths of all files, sorted. */
  files(): string[] {
    const paths: string[] = [];
    const visit = (directory: DirectoryNode, prefix: string): void => {
      for (const [name, node] of directory.current) {
        if (node.kind === 'file') paths.push(prefix + name);
        else visit(node, `${prefix}${name}/`);
      }
    };
    visit(this.#root, '');
    return paths.sort();
  }

  /** A copy of a file's bytes, as a read would show them. */
  content(path: string): Uint8Array {
    const node = this.#find(path);
    if (node?.kind !== 'file') throw systemError('ENOENT', 'open', path);
    return node.current.bytes.slice();
  }

  get usedBytes(): number {
    let used = 0;
    const files = new Set<FileNode>([...this.#openFiles].map((file) => file.node));
    for (const path of this.files()) files.add(this.#find(path) as FileNode);
    for (const file of files) used += file.current.sizeBytes;
    return used;
  }

  openSync(path: string, mode: OpenMode): VfsFile {
    this.begin('open', path);
    let node = this.#find(path);
    if (node?.kind === 'directory') throw systemError('EISDIR', 'open', path);
    if (node === undefined) {
      if (mode === 'read') throw systemError('ENOENT', 'open', path);
      node = new FileNode(this.#nowMs());
      this.#addEntry(path, node);
    }
    const file = new MemoryFile(this, path, mode, node, () => this.#openFiles.delete(file));
    this.#openFiles.add(file);
    return file;
  }

  statSync(path: string): FileStat | undefined {
    this.begin('stat', path);
    const node = this.#find(path);
    if (node === undefined) return undefined;
    const sizeBytes = node.kind === 'file' ? node.current.sizeBytes : BLOCK_BYTES;
    return {
      sizeBytes,
      allocatedBytes: Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES,
      isDirectory: node.kind === 'directory',
      modifiedMs: node.modifiedMs,
    };
  }

  listSync(path: string): string[] {
    this.begin('list', path);
    const node = this.#find(path);
    if (node === undefined) return [];
    if (node.kind === 'file') throw systemError('ENOTDIR', 'scandir', path);
    const names = [...node.current.keys()];
    return this.options.random?.shuffled(names) ?? names;
  }

  makeDirectorySync(path: string): void {
    this.begin('make-directory', path);
    let made = '';
    for (const part of partsOf(path)) {
      made = made === '' ? part : `${made}/${part}`;
      const node = this.#find(made);
      if (node?.kind === 'file') throw systemError(made === path ? 'EEXIST' : 'ENOTDIR', 'mkdir', path);
      if (node === undefined) this.#addEntry(made, new DirectoryNode(this.#nowMs()));
    }
  }

  renameSync(from: string, to: string): void {
    this.begin('rename', from);
    const node = this.#find(from);
    const source = this.#parent(from);
    const target = this.#parent(to);
    if (node === undefined || source === undefined || target === undefined) throw systemError('ENOENT', 'rename', from);
    const replaced = this.#find(to);
    if (replaced === node) return;
    if (replaced !== undefined) checkReplaceable(node, replaced, to);
    changeEntries({
      removes: [{ directory: source, name: posix.basename(from) }],
      adds: [{ directory: target, name: posix.basename(to), node }],
    });
  }

  removeSync(path: string): void {
    this.begin('remove', path);
    const node = this.#find(path);
    if (node?.kind === 'directory') throw systemError('EISDIR', 'unlink', path);
    if (node !== undefined) this.#removeEntry(path);
  }

  removeDirectorySync(path: string): void {
    this.begin('remove', path);
    const node = this.#find(path);
    if (node === undefined) return;
    if (node.kind === 'file') throw systemError('ENOTDIR', 'rmdir', path);
    if (node.current.size > 0) throw systemError('ENOTEMPTY', 'rmdir', path);
    this.#removeEntry(path);
  }

  async syncDirectory(path: string): Promise<void> {
    this.begin('sync-directory', path);
    const node = this.#find(path);
    if (node === undefined) throw systemError('ENOENT', 'open', path);
    if (node.kind === 'file') throw systemError('ENOTDIR', 'open', path);
    const newest = node.unsynced.at(-1);
    await this.later(node, 'sync-directory-done', path);
    if (!this.options.syncIsNoop) node.settle(newest);
  }

  freeBytesSync(_path: string): number {
    if (this.freeBytes !== undefined) return this.freeBytes;
    const { capacityBytes } = this.options;
    return capacityBytes === undefined ? UNLIMITED_FREE_BYTES : Math.max(0, capacityBytes - this.usedBytes);
  }

  /** Counts an operation and lets the hook see it first. For `MemoryFile`. */
  begin(kind: OperationKind, path: string): void {
    if (this.#halted) throw systemError('EHALTED', kind, path);
    this.operationCount++;
    for (const hook of this.#hooks) hook({ index: this.operationCount, kind, path });
    if (this.#halted) throw systemError('EHALTED', kind, path);
  }

  /** Resolves in a later turn of the event loop, behind what was begun before on the same queue. For `MemoryFile`. */
  later(queue: object, kind: OperationKind, path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#deferred.push({
        queue,
        finish: () => {
          try {
            this.begin(kind, path);
            resolve();
          } catch (error) {
            if (!this.#halted) reject(error as Error);
          }
        },
      });
      setImmediate(() => this.#finishOne());
    });
  }

  /** How many of `wanted` further bytes the disk takes. For `MemoryFile`. */
  roomFor(wanted: number): number {
    const { capacityBytes } = this.options;
    return capacityBytes === undefined ? wanted : Math.max(0, Math.min(wanted, capacityBytes - this.usedBytes));
  }

  touch(node: Node): void {
    node.modifiedMs = this.#nowMs();
  }

  #finishOne(): void {
    if (this.#held) return;
    const queues = [...new Set(this.#deferred.map((operation) => operation.queue))];
    if (queues.length === 0) return;
    const queue = this.options.random?.pick(queues) ?? queues[0];
    const index = this.#deferred.findIndex((operation) => operation.queue === queue);
    const [operation] = this.#deferred.splice(index, 1);
    operation?.finish();
  }

  #nowMs(): number {
    return this.options.nowMs?.() ?? Date.now();
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const part of partsOf(path)) {
      if (node?.kind !== 'directory') return undefined;
      node = node.current.get(part);
    }
    return node;
  }

  #parent(path: string): DirectoryNode | undefined {
    const node = this.#find(posix.dirname(path));
    return node?.kind === 'directory' ? node : undefined;
  }

  #addEntry(path: string, node: Node): void {
    const directory = this.#parent(path);
    if (directory === undefined) throw systemError('ENOENT', 'open', path);
    changeEntries({ removes: [], adds: [{ directory, name: posix.basename(path), node }] });
    this.touch(directory);
  }

  #removeEntry(path: string): void {
    const directory = this.#parent(path) as DirectoryNode;
    changeEntries({ removes: [{ directory, name: posix.basename(path) }], adds: [] });
    this.touch(directory);
  }
}

class MemoryFile implements VfsFile {
  readonly path: string;
  readonly node: FileNode;
  readonly #disk: MemoryVfs;
  readonly #mode: OpenMode;
  readonly #onClose: () => void;
  #closed = false;

  constructor(disk: MemoryVfs, path: string, mode: OpenMode, node: FileNode, onClose: () => void) {
    this.path = path;
    this.node = node;
    this.#disk = disk;
    this.#mode = mode;
    this.#onClose = onClose;
  }

  readSync(target: Uint8Array, offset: number, length: number, position: number): number {
    this.#begin('read');
    if (offset + length > target.length) throw new RangeError(`BUG: ${length} bytes at ${offset} of ${target.length}`);
    const bytes = this.node.current.bytes.subarray(position, position + length);
    target.set(bytes, offset);
    return bytes.length;
  }

  writeSync(bytes: Uint8Array, position: number): void {
    this.#beginWrite(bytes, position);
    this.#settleWrite(this.#change(bytes, position));
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    this.#beginWrite(bytes, position);
    const change = this.#change(bytes, position);
    await this.#finishWrite(change);
    if (Buffer.compare(change.bytes, bytes) !== 0) throw new Error(`BUG: bytes changed while written to ${this.path}`);
    this.#settleWrite(change);
  }

  /** A write-through that fails has lost its bytes, as a failed sync has. */
  async #finishWrite(change: FileChange): Promise<void> {
    try {
      await this.#disk.later(this.node, 'write-done', this.path);
    } catch (error) {
      if (this.#mode === 'write-through') {
        this.node.abandon(change);
        this.#disk.abandonedCount++;
      }
      throw error;
    }
  }

  /** A write that is made to fail for want of space leaves some of its bytes behind, as a real one does. */
  #beginWrite(bytes: Uint8Array, position: number): void {
    try {
      this.#begin('write');
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
      if (isFull) this.#change(bytes.subarray(0, this.#disk.options.random?.between(0, bytes.length - 1)), position);
      throw error;
    }
  }

  /** Takes the bytes into the cache, as many as the disk has room for. */
  #change(bytes: Uint8Array, position: number): FileChange & { kind: 'write' } {
    if (this.#mode === 'read') throw systemError('EBADF', 'write', this.path);
    const growth = Math.max(0, position + bytes.length - this.node.current.sizeBytes);
    const missing = growth - this.#disk.roomFor(growth);
    const change = {
      kind: 'write',
      offset: position,
      bytes: bytes.slice(0, Math.max(0, bytes.length - missing)),
    } as const;
    if (change.bytes.length > 0) this.node.change(change);
    this.#disk.touch(this.node);
    if (missing > 0) throw systemError('ENOSPC', 'write', this.path);
    return change;
  }

  #settleWrite(change: FileChange): void {
    if (this.#mode === 'write-through' && !this.#disk.options.syncIsNoop) this.node.settle(change);
  }

  async sync(): Promise<void> {
    this.#checkOpen('sync');
    const newest = this.node.newestChange;
    try {
      this.#disk.begin('sync', this.path);
      await this.#disk.later(this.node, 'sync-done', this.path);
    } catch (error) {
      this.node.abandon(newest);
      this.#disk.abandonedCount++;
      throw error;
    }
    if (!this.#disk.options.syncIsNoop) this.node.settle(newest);
  }

  truncateSync(sizeBytes: number): void {
    this.#begin('truncate');
    if (this.#mode === 'read') throw systemError('EINVAL', 'ftruncate', this.path);
    this.node.change({ kind: 'truncate', sizeBytes });
    this.#disk.touch(this.node);
  }

  sizeSync(): number {
    this.#begin('stat');
    return this.node.current.sizeBytes;
  }

  closeSync(): void {
    this.#checkOpen('close');
    this.#closed = true;
    this.#onClose();
  }

  #begin(kind: OperationKind): void {
    this.#checkOpen(kind);
    this.#disk.begin(kind, this.path);
  }

  #checkOpen(syscall: string): void {
    if (this.#closed) throw systemError('EBADF', syscall, this.path);
  }
}

function partsOf(path: string): string[] {
  return posix
    .normalize(path)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
}

function checkReplaceable(node: Node, replaced: Node, path: string): void {
  if (replaced.kind === 'directory' && node.kind === 'file') throw systemError('EISDIR', 'rename', path);
  if (replaced.kind === 'file' && node.kind === 'directory') throw systemError('ENOTDIR', 'rename', path);
  if (replaced.kind === 'directory' && replaced.current.size > 0) throw systemError('ENOTEMPTY', 'rename', path);
}
