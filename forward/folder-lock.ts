// Keeps two programs of one kind off one folder. The lock is a listening socket, so that the system frees it when its holder
// is killed.

import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, RunError } from './errors.ts';

export interface FolderLock {
  release(): Promise<void>;
}

export interface LockedFolder {
  readonly path: string;
  /** What it is to the program, such as `state folder`. */
  readonly name: string;
  readonly program: 'simulator' | 'collector';
}

/** Throws when another such program runs on the folder. */
export async function lockFolder({ path, name, program }: LockedFolder): Promise<FolderLock> {
  const { dev, ino } = await stat(path);
  const id = createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 24);
  const address = lockAddress(`varve-${program}-${id}`);
  const server = (await listen(address)) ?? (await listenAgain(address));
  if (server === undefined) {
    throw new RunError(EXIT.inUse, `the ${name} ${path} is in use by another ${program}`);
  }
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function lockAddress(name: string): string {
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), name);
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => resolve(server));
  });
}

/** Listens again when sockets are files and a killed holder has left its file: nobody answers there. */
async function listenAgain(address: string): Promise<Server | undefined> {
  if (process.platform === 'linux' || process.platform === 'win32' || (await answers(address))) return undefined;
  await rm(address, { force: true });
  return listen(address);
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
