// The lock on a data folder: at most one process has it open.
//
// On Linux the lock is an abstract Unix socket named after the folder's device and inode; the kernel frees it when the
// process ends in any way. It is effective among processes of one network namespace. The file LOCK is only information
// about the holder and locks nothing. On other systems LOCK itself is the lock, with the holder's pid.

import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { isDiskFull } from './system-errors.ts';

/** Name of the file with the holder of the folder. */
export const LOCK_FILE_NAME = 'LOCK';

export interface FolderLock {
  /** Frees the folder for others. Calling it again does nothing. */
  release(): Promise<void>;
}

interface LockHolder {
  readonly pid?: number;
  readonly host?: string;
  readonly since?: string;
}

/**
 * Takes the lock on an existing folder. Throws `LOCKED` when another process (or this one) has it;
 * `details` then holds `path`, and `pid`, `host` and `since` as far as they are known.
 */
export function lockFolder(folder: string): Promise<FolderLock> {
  return process.platform === 'linux' ? lockFolderBySocket(folder) : lockFolderByFile(folder);
}

/**
 * Keeps others from opening a folder while it is read; writes nothing to it. Throws `LOCKED` as above.
 * A lock that is a file is not taken: it is only checked that no other process has the folder open now.
 */
export async function lockForReading(folder: string): Promise<FolderLock> {
  if (process.platform === 'linux') {
    const server = await takeSocket(folder);
    return releaseOnce(() => closeServer(server));
  }
  const text = readText(join(folder, LOCK_FILE_NAME));
  const holder = parseHolder(text ?? '');
  if (text !== undefined && isAlive(holder)) throw lockedError(folder, holder);
  return releaseOnce(() => Promise.resolve());
}

function takeSocket(folder: string): Promise<Server> {
  const { dev, ino } = statSync(folder, { bigint: true });
  return listenOn(`\0varve-${dev}-${ino}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw lockedError(folder, readHolder(folder));
    throw error;
  });
}

async function lockFolderBySocket(folder: string): Promise<FolderLock> {
  const server = await takeSocket(folder);
  noteHolder(folder);
  return releaseOnce(async () => {
    removeLockFile(folder);
    await closeServer(server);
  });
}

/** Who has the folder is only for messages: a full disk must not keep a server from reading what is there (D10). */
function noteHolder(folder: string): void {
  try {
    writeFileSync(join(folder, LOCK_FILE_NAME), formatHolder());
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

function listenOn(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ path, exclusive: true }, () => {
      server.unref();
      resolve(server);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** The lock for systems without abstract sockets; exported so that it can be tested on all systems. */
export async function lockFolderByFile(folder: string): Promise<FolderLock> {
  const path = join(folder, LOCK_FILE_NAME);
  if (!createLockFile(path)) {
    removeStaleLockFile(folder, path);
    if (!createLockFile(path)) throw lockedError(folder, readHolder(folder));
  }
  return releaseOnce(async () => removeLockFile(folder));
}

function createLockFile(path: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', 0o640);
    try {
      writeSync(descriptor, formatHolder());
    } catch (error) {
      unlinkSync(path); // without its holder it would never be taken for stale
      throw error;
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the file of a dead holder aside. Two processes may try at once: one that moved a file it did not check restores it. */
function removeStaleLockFile(folder: string, path: string): void {
  const judged = readText(path);
  if (judged === undefined) return;
  const holder = parseHolder(judged);
  if (isAlive(holder)) throw lockedError(folder, holder);
  const aside = `${path}.stale-${process.pid}`;
  renameSync(path, aside);
  if (readText(aside) !== judged) linkSync(aside, path);
  unlinkSync(aside);
}

/** A holder on another machine, or an unknown one, counts as alive. */
function isAlive(holder: LockHolder): boolean {
  if (holder.pid === undefined || holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function formatHolder(): string {
  return `pid ${process.pid}\nhost ${hostname()}\nsince ${new Date().toISOString()}\n`;
}

function parseHolder(text: string): LockHolder {
  const fields = new Map(text.split('\n').map((line) => [line.split(' ')[0], line.slice(line.indexOf(' ') + 1)]));
  const pid = Number(fields.get('pid'));
  const host = fields.get('host');
  const since = fields.get('since');
  return {
    ...(Number.isSafeInteger(pid) && pid > 0 ? { pid } : {}),
    ...(host === undefined ? {} : { host }),
    ...(since === undefined ? {} : { since }),
  };
}

function readHolder(folder: string): LockHolder {
  return parseHolder(readText(join(folder, LOCK_FILE_NAME)) ?? '');
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // needed for the message only, or just removed
  }
}

function removeLockFile(folder: string): void {
  try {
    unlinkSync(join(folder, LOCK_FILE_NAME));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function releaseOnce(free: () => Promise<void>): FolderLock {
  let released: Promise<void> | undefined;
  return {
    release() {
      released ??= free();
      return released;
    },
  };
}

function lockedError(folder: string, holder: LockHolder): EngineError {
  const who = holder.pid === undefined ? 'another process' : `process ${holder.pid}`;
  const where = holder.host === undefined ? '' : ` on ${holder.host}`;
  const since = holder.since === undefined ? '' : ` since ${holder.since}`;
  return new EngineError('LOCKED', `the data folder '${folder}' is in use by ${who}${where}${since}`, {
    path: folder,
    ...holder,
  });
}
