// What the system's errors mean to the engine: which of them pass by themselves.

/** The disk or a quota is full, or a file may not grow: nothing was broken, and it may work again later. */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
}

/** The process, or the machine, has too many files open: nothing was asked of the disk. */
export function isTooManyFiles(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EMFILE' || code === 'ENFILE';
}

/** One of the two. */
export function isPassing(error: unknown): boolean {
  return isDiskFull(error) || isTooManyFiles(error);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
