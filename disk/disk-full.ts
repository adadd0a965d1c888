// What the system says when a disk takes no more.

const CODES: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The disk or a quota is full, or a file may not grow: nothing is damaged, and a retry may succeed later. */
export function isDiskFull(error: unknown): boolean {
  return CODES.has((error as NodeJS.ErrnoException | undefined)?.code);
}
