// Which failures of a disk go away by themselves, and what to do about the others.

import { PassingFailure } from '../../sink.ts';

/** A full disk, too many open files, a disk on the network that does not answer. */
const PASSING = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EAGAIN',
  'EBUSY',
  'ESTALE',
  'ETIMEDOUT',
  'ENOTCONN',
  'EHOSTDOWN',
  'EHOSTUNREACH',
]);

const ADVICE = new Map([
  ['EACCES', 'let the user of this process read and write there'],
  ['EPERM', 'let the user of this process read and write there'],
  ['EROFS', 'the file system is read-only: mount it for writing, or choose another folder'],
  ['ENOTDIR', 'a part of the path is a file: move it away, or choose another folder'],
  ['EEXIST', 'a part of the path is a file: move it away, or choose another folder'],
  ['ENAMETOOLONG', 'the file system does not take names that long: choose a shorter site or folder'],
]);

/** The error with its place, as one that passes or one that lasts. */
export function toDiskFailure(error: unknown, name: string): Error {
  const fault: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  const { code = '', message } = fault;
  if (PASSING.has(code)) return new PassingFailure(`${name}: ${message}`, { cause: error });
  const advice = ADVICE.get(code);
  return new Error(`${name}: ${message}${advice === undefined ? '' : `; ${advice}`}.`, { cause: error });
}
