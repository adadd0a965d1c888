// Classifies system errors: those that pass by themselves.

/** The disk or a quota is full, or a file may not grow: nothing is damaged, and a retry may succeed later. */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
}

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
