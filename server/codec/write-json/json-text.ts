// Texts as JSON, in UTF-8.

import type { OutputBytes } from './output-bytes.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Longer texts gain nothing from a loop over their characters. */
const SHORT_LENGTH = 48;

/** Appends a text in quotes, escaped where JSON needs it. */
export function writeJsonText(out: OutputBytes, text: string): void {
  if (text.length <= SHORT_LENGTH && writeUnescaped(out, text)) return;
  out.utf8(JSON.stringify(text));
}

/** Writes a text of printable ASCII without quotes and backslashes; false, and nothing written, when it is not one. */
function writeUnescaped(out: OutputBytes, text: string): boolean {
  out.reserve(text.length + 2);
  const { bytes } = out;
  let offset = out.length;
  bytes[offset++] = QUOTE;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) return false;
    bytes[offset++] = code;
  }
  bytes[offset++] = QUOTE;
  out.length = offset;
  return true;
}
