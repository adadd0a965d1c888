// What a tag may be called.

export const SYSTEM_TAG_PREFIX = '$System.';
export const MAX_TAG_NAME_BYTES = 1024;

/** Control characters, and halves of surrogate pairs that stand alone. */
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;

/** Why a user tag cannot have this name, or undefined when it can. */
export function tagNameFault(name: string): string | undefined {
  if (name === '') return 'a tag name must not be empty';
  if (name === '.' || name === '..') return `a tag cannot be called "${name}"`;
  if (name.startsWith(SYSTEM_TAG_PREFIX)) return `names beginning with ${SYSTEM_TAG_PREFIX} belong to the system tags`;
  if (FORBIDDEN.test(name)) return 'a tag name must not hold control characters or lone surrogates';
  const sizeBytes = Buffer.byteLength(name);
  if (sizeBytes > MAX_TAG_NAME_BYTES) return `got a tag name of ${sizeBytes} bytes; want at most ${MAX_TAG_NAME_BYTES}`;
  return undefined;
}
