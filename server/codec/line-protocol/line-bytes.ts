// The bytes that mean something in line protocol, and where strings and lines end.

export const TAB = 0x09;
export const NEWLINE = 0x0a;
export const RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const COMMA = 0x2c;
export const EQUALS = 0x3d;
export const BACKSLASH = 0x5c;

/** A longer line is a bad one; every search for the end of something stops there. */
export const MAX_LINE_BYTES = 262_144;
export const NONE = -1;

/** Offset of the text: some programs write a mark in front of it. */
export function behindByteOrderMark(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Whether a backslash in front of this byte of a key, or of a tag's value, belongs to it. */
export function isEscapable(byte: number | undefined): boolean {
  return byte === COMMA || byte === EQUALS || byte === SPACE;
}

/** Whether a value can end before the byte at `at`. */
export function endsValue(bytes: Uint8Array, at: number, limit: number): boolean {
  if (at >= limit) return true;
  const byte = bytes[at];
  return byte === COMMA || byte === SPACE || byte === NEWLINE || byte === RETURN;
}

/**
 * Offset of the closing quote of the string whose text begins at `start`; NONE when there is none before `limit`, or a value
 * does not end behind it: then the quote in front of `start` is a byte like any other.
 */
export function stringEnd(bytes: Uint8Array, start: number, limit: number): number {
  for (let at = start; at < limit; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return endsValue(bytes, at + 1, limit) ? at : NONE;
    if (byte === BACKSLASH) at++;
  }
  return NONE;
}

/**
 * End of a line that cannot be read: the offset of its newline, or the end of the bytes. A newline inside a string
 * belongs to the line, so that no text of a bad line is taken for a line.
 * @param start of the line, behind white space
 */
export function lineEnd(bytes: Buffer, start: number): number {
  const limit = Math.min(bytes.length, start + MAX_LINE_BYTES);
  let isInFields = false;
  let at = start;
  while (at < limit) {
    const byte = bytes[at];
    if (byte === NEWLINE) return at;
    if (byte === BACKSLASH && isEscapable(bytes[at + 1])) at++;
    else if (byte === SPACE) isInFields = true;
    else if (byte === EQUALS && isInFields && bytes[at + 1] === QUOTE)
      at = Math.max(at, stringEnd(bytes, at + 2, limit));
    at++;
  }
  return newlineFrom(bytes, at);
}

/** The next newline, or the end of the bytes. */
export function newlineFrom(bytes: Buffer, at: number): number {
  const newline = bytes.indexOf(NEWLINE, at);
  return newline < 0 ? bytes.length : newline;
}
