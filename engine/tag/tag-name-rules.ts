// What the name of a user tag may be.

import { EngineError } from '../errors.ts';
import { hasControlCharacter } from '../filenames.ts';
import { MAX_TAG_NAME_BYTES, SYSTEM_PREFIX } from '../limits.ts';

const encoder = new TextEncoder();

/** Throws BAD_NAME for an invalid name of a user tag. */
export function checkTagName(name: string): void {
  const why = tagNameFault(name);
  if (why)
    throw new EngineError('BAD_NAME', `${JSON.stringify(name.slice(0, 100))} cannot be a tag name: it ${why}.`, {
      name,
    });
}

/** What is wrong with a name, as the end of a sentence; undefined when nothing is. */
export function tagNameFault(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'is empty, "." or ".."';
  // A UTF-16 unit takes at most 3 bytes of UTF-8.
  const mayBeLong = name.length * 3 > MAX_TAG_NAME_BYTES;
  if (mayBeLong && encoder.encode(name).length > MAX_TAG_NAME_BYTES)
    return `is longer than ${MAX_TAG_NAME_BYTES} bytes`;
  if (hasControlCharacter(name)) return 'has a control character';
  if (!name.isWellFormed()) return 'has a lone surrogate';
  if (name.startsWith(SYSTEM_PREFIX)) return `begins with ${SYSTEM_PREFIX}, which is kept for system tags`;
  return undefined;
}
