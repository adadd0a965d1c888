// The encoding of a file by its first bytes. Without imports, so that a browser can use it.

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** By the mark in front, by the zero bytes that UTF-16 has, and by whether the bytes are UTF-8. */
export function guessEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  bytes.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) > bytes.length / 4) return odd > even ? 'utf-16le' : 'utf-16be';
  return isUtf8(bytes) || !isWindows(bytes) ? 'utf-8' : 'windows-1252';
}

/** The last character may be cut. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Bytes that no text in Windows-1252 has. */
const UNUSED = [0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d];

function isWindows(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && !UNUSED.includes(byte)));
}
