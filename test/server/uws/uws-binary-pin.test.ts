// The uWebSockets.js binaries are the ones that were looked at.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { uwsBinaryName, uwsBinaryPins } from '../../../server/uws/uws-binary-pin.ts';

const folder = dirname(createRequire(import.meta.url).resolve('uWebSockets.js'));

test('the binary of this process is pinned, or there is none', () => {
  assert.equal(uwsBinaryPins.has(uwsBinaryName()), existsSync(join(folder, uwsBinaryName())));
});

test('every pinned binary is there, unchanged', () => {
  assert.ok(uwsBinaryPins.size > 0);
  for (const [name, pin] of uwsBinaryPins) {
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    assert.equal(hash, pin, name);
  }
});
