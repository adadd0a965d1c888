// The part of uWebSockets.js that the package carries: its loader, and the binaries that are pinned, of some seventy.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FILES = ['package.json', 'uws.js', 'LICENSE'];

/**
 * Throws when a binary is not the pinned one.
 * @param pinModule path of the built module that has the pins
 */
export async function copyUwsPackage(source, target, pinModule) {
  const { uwsBinaryPins } = await import(pathToFileURL(pinModule).href);
  mkdirSync(target, { recursive: true });
  for (const name of FILES) writeFileSync(join(target, name), readFileSync(join(source, name)));
  for (const [name, pin] of uwsBinaryPins) {
    const bytes = readFileSync(join(source, name));
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (hash !== pin) throw new Error(`${join(source, name)} has the SHA-256 ${hash}; want ${pin}`);
    writeFileSync(join(target, name), bytes);
  }
}
