// Percent-decoding of paths and queries, strict: what is not UTF-8 is a fault, never a replacement character.

import { ProblemError } from '../../problem.ts';

/** Decodes the escapes. Throws a `ProblemError` (400) for a broken escape or bytes that are not UTF-8. */
export function decodePercent(encoded: string): string {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    throw new ProblemError(400, `${JSON.stringify(shortened(encoded))} is not percent-encoded UTF-8.`, { cause });
  }
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}
