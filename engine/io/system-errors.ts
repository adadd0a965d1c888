// Classifies system errors: those that pass by themselves.

import { isDiskFull } from '../../disk/disk-full.ts';

export { isDiskFull };

/** The process, or the machine, has too many files open: the disk was not involved. */
export function isTooManyFiles(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EMFILE' || code === 'ENFILE';
}

/** A full disk, or too many open files. */
export function isPassing(error: unknown): boolean {
  return isDiskFull(error) || isTooManyFiles(error);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
