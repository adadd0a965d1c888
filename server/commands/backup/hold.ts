// The HOLD file of a dataset that is being copied: while it is there, the server removes nothing.
//
// One that somebody else has put there is used as it is, and left. One of a backup that was killed is taken over.

import { closeSync, existsSync, openSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { HOLD_FILE } from '../../../engine/index.ts';
import { ExitCode } from '../../exit-codes.ts';
import { BackupFailure } from './backup-failure.ts';

const OWN_FORM = /^varve backup, process (\d+) on (.*)\n$/;
const MODE = 0o640;

export interface Hold {
  /** It counts for a day from its last change: call this now and then. False when somebody has removed it. */
  renew(): boolean;
  release(): void;
}

/** Throws a `BackupFailure` when another backup of the dataset is under way. */
export function holdDataset(folder: string): Hold {
  const path = `${folder}/${HOLD_FILE}`;
  const isOwn = createHold(path) || takeOver(path);
  return {
    renew() {
      if (!existsSync(path)) return false;
      utimesSync(path, new Date(), new Date());
      return true;
    },
    release() {
      if (isOwn && existsSync(path)) unlinkSync(path);
    },
  };
}

function createHold(path: string): boolean {
  try {
    const descriptor = openSync(path, 'wx', MODE);
    writeFileSync(descriptor, formatOwn());
    closeSync(descriptor);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the file that is there is a dead backup's, and now ours. */
function takeOver(path: string): boolean {
  const [, pid, host] = OWN_FORM.exec(readFileSync(path, 'utf8')) ?? [];
  if (pid === undefined) return false;
  if (host !== hostname() || isAlive(Number(pid)))
    throw new BackupFailure(
      ExitCode.InUse,
      `Another backup is under way: process ${pid} on ${host} holds ${path}. Remove that file if it is not.`,
    );
  writeFileSync(path, formatOwn());
  return true;
}

function formatOwn(): string {
  return `varve backup, process ${process.pid} on ${hostname()}\n`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
