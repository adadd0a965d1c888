// Reading and replacing the token file.
//
// It is replaced as a whole: written beside under the name `<file>.new`, synced, renamed. That name is made exclusively
// before the old content is read, so two commands at once cannot undo each other's work.

import {
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolders, syncFolderSync } from '../../../disk/folders.ts';
import { formatTokenFile, parseTokenFile, type TokenEntry, TokenFileError } from './token-file.ts';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const FOR_OTHERS_TO_WRITE = 0o022;

/** Undefined when there is no such file. Throws a `TokenFileError`. */
export function readTokenFile(path: string): TokenEntry[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unusable('read', path, error);
  }
  return parseTokenFile(text, path);
}

/** True when others than its owner may change the file, and so make tokens of their own. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & FOR_OTHERS_TO_WRITE) !== 0;
}

/**
 * Replaces the file by what `change` makes of its entries; the file and its folder are made when missing. Nothing is
 * changed when `change` throws. Throws a `TokenFileError`.
 */
export function changeTokenFile(path: string, change: (tokens: readonly TokenEntry[]) => readonly TokenEntry[]): void {
  const newPath = `${path}.new`;
  const file = openExclusively(path, newPath);
  try {
    writeSynced(file, path, formatTokenFile(change(readTokenFile(path) ?? [])));
    renameSync(newPath, path);
  } catch (error) {
    unlinkSync(newPath);
    throw isSystemError(error) ? unusable('written', path, error) : error;
  }
  try {
    syncFolderSync(dirname(path));
  } catch (error) {
    throw unusable('written', path, error);
  }
}

function openExclusively(path: string, newPath: string): number {
  try {
    makeFolder(dirname(path));
    return openSync(newPath, 'wx', OWNER_ONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable('written', path, error);
    throw new TokenFileError(
      `Another command is changing the token file, or was cut off while it did: remove ${newPath} when none is running.`,
    );
  }
}

function writeSynced(file: number, path: string, text: string): void {
  try {
    writeFileSync(file, text);
    keepOwner(file, path);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** With its parents; what root makes goes to the owner of the folder around it, as the file does. */
function makeFolder(path: string): void {
  const folder = resolve(path);
  const first = makeFolders(folder, OWNER_ONLY_FOLDER);
  if (first === undefined || !isRoot()) return;
  const { uid, gid } = statSync(dirname(first));
  for (let made = folder; made.startsWith(first); made = dirname(made)) chownSync(made, uid, gid);
}

/** What root writes must stay readable for the account that the server runs as: the owner of the file or its folder. */
function keepOwner(file: number, path: string): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(existsSync(path) ? path : dirname(path));
  fchownSync(file, uid, gid);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;
}

function unusable(verb: 'read' | 'written', path: string, error: unknown): TokenFileError {
  const reason = error instanceof Error ? error.message : String(error);
  return new TokenFileError(`The token file ${path} cannot be ${verb}: ${reason}.`, { cause: error });
}
