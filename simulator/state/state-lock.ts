// Keeps two simulators off one state folder. The lock is a listening socket, so that the system frees it when its holder
// is killed.

import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, RunError } from '../../forward/errors.ts';

export interface StateLock {
  release(): Promise<void>;
}

/** Throws when another simulator runs on the folder. */
export async function lockStateFolder(folder: string): Promise<StateLock> {
  const { dev, ino } = await stat(folder);
  const id = createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 24);
  const address = lockAddress(id);
  const server = (await listen(address)) ?? (await listenAgain(address));
  if (server === undefined) {
    throw new RunError(EXIT.inUse, `the state folder ${folder} is in use by another simulator`);
  }
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function lockAddress(id: string): string {
  if (process.platform === 'linux') return `\0varve-simulator-${id}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\varve-simulator-${id}`;
  return join(tmpdir(), `varve-simulator-${id}`);
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
