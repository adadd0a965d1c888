// The real Vfs, over node:fs.

import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  ftruncateSync,
  open,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  statfsSync,
  statSync,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolders } from '../../disk/folders.ts';
import { isTooManyFiles } from './system-errors.ts';
import type { FileStat, OpenMode, Vfs, VfsFile } from './vfs.ts';

const BLOCK_BYTES = 512;

/** Windows has no O_DSYNC; there a write is followed by a sync of its own. */
const HAS_WRITE_THROUGH = typeof constants.O_DSYNC === 'number';
const CAN_SYNC_DIRECTORIES = process.platform !== 'win32';

/** How long a sync of a folder waits for a free descriptor: until then the disk was not involved. */
const DESCRIPTOR_WAIT_MS = 30_000;
const DESCRIPTOR_LOOK_MS = 50;

const OPEN_FLAGS: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY,
  write: constants.O_RDWR | constants.O_CREAT,
  'write-through': constants.O_RDWR | constants.O_CREAT | (HAS_WRITE_THROUGH ? constants.O_DSYNC : 0),
};

class NodeFile implements VfsFile {
  readonly path: string;
  readonly #descriptor: number;
  readonly #syncsEachWrite: boolean;

  constructor(path: string, mode: OpenMode) {
    this.path = path;
    this.#descriptor = openSync(path, OPEN_FLAGS[mode], 0o640);
    this.#syncsEachWrite = mode === 'write-through' && !HAS_WRITE_THROUGH;
  }

  readSync(target: Uint8Array, offset: number, length: number, position: number): number {
    return readSync(this.#descriptor, target, offset, length, position);
  }

  writeSync(bytes: Uint8Array, position: number): void {
    let done = 0;
    while (done < bytes.length) {
      const written = writeSync(this.#descriptor, bytes, done, bytes.length - done, position + done);
      if (written === 0) throw wroteNothing(this.path);
      done += written;
    }
    if (this.#syncsEachWrite) fdatasyncSync(this.#descriptor);
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const written = await this.#writeSome(bytes, done, position + done);
      if (written === 0) throw wroteNothing(this.path);
      done += written;
    }
    if (this.#syncsEachWrite) await this.sync();
  }

  #writeSome(bytes: Uint8Array, offset: number, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      write(this.#descriptor, bytes, offset, bytes.length - offset, position, (error, written) => {
        if (error) reject(error);
        else resolve(written);
      });
    });
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#descriptor, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  truncateSync(sizeBytes: number): void {
    ftruncateSync(this.#descriptor, sizeBytes);
  }

  sizeSync(): number {
    return fstatSync(this.#descriptor).size;
  }

  closeSync(): void {
    closeSync(this.#descriptor);
  }
}

/** The file system of this machine. */
export const nodeVfs: Vfs = {
  openSync: (path, mode) => new NodeFile(path, mode),

  statSync(path): FileStat | undefined {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    return {
      sizeBytes: stat.size,
      allocatedBytes: (stat.blocks ?? Math.ceil(stat.size / BLOCK_BYTES)) * BLOCK_BYTES,
      isDirectory: stat.isDirectory(),
      modifiedMs: stat.mtimeMs,
    };
  },

  listSync: (path) => unlessMissing(() => readdirSync(path)) ?? [],

  makeDirectorySync(path) {
    makeFolders(path, 0o750);
  },

  renameSync,

  removeSync(path) {
    unlessMissing(() => unlinkSync(path));
  },

  removeDirectorySync(path) {
    unlessMissing(() => rmdirSync(path));
  },

  async syncDirectory(path) {
    if (!CAN_SYNC_DIRECTORIES) return;
    const descriptor = await openDirectoryWhenPossible(path);
    try {
      await syncDescriptor(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },

  freeBytesSync(path) {
    const stat = statfsSync(path);
    return stat.bavail * stat.bsize;
  },
};

async function openDirectoryWhenPossible(path: string): Promise<number> {
  for (let waitedMs = 0; ; waitedMs += DESCRIPTOR_LOOK_MS) {
    try {
      return await openDirectory(path);
    } catch (error) {
      if (!isTooManyFiles(error) || waitedMs >= DESCRIPTOR_WAIT_MS) throw error;
    }
    await delay(DESCRIPTOR_LOOK_MS);
  }
}

function openDirectory(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, constants.O_RDONLY, (error, descriptor) => {
      if (error) reject(error);
      else resolve(descriptor);
    });
  });
}

/** fsync, because a directory's entries are metadata, which fdatasync may leave out. */
function syncDescriptor(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(descriptor, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function unlessMissing<T>(operation: () => T): T | undefined {
  try {
    return operation();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Error for a write of 0 bytes: retrying it could loop for ever. */
function wroteNothing(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`a write of '${path}' wrote nothing`), { code: 'EIO', path });
}
