// What the system's errors mean to the engine: which of them pass by themselves.

/** The disk or a quota is full, or a file may not grow: nothing was broken, and it may work again later. */
export function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
}

/** Likewise, or the process has too many files open. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  return isDiskFull(error) || code === 'EMFILE' || code === 'ENFILE';
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
