// How long a single value of a body may be, in any format: longer ones have only attacks.

import { ProblemError } from '../../problem.ts';

/** Bytes of a text: a text value may have 64 KiB, six times that when it is escaped. */
export const MAX_STRING_BYTES = 4 * 2 ** 20;

/** Bytes of points, and of arrays and objects where none are allowed. */
export const MAX_SKIPPED_BYTES = 2 ** 20;

export function refuseLong(what: string, offset: number, limitBytes: number): never {
  throw new ProblemError(400, `The body has ${what} of more than ${limitBytes} bytes at byte ${offset}.`);
}
