// The Vfs for work that is thrown away behaves as the real one where the engine would notice.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { nodeVfs } from '../../../engine/io/node-vfs.ts';
import { createScratchVfs } from '../../../engine/io/scratch-vfs.ts';

const folder = mkdtempSync(join(tmpdir(), 'varve-scratch-'));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [name, vfs, root] of [
  ['scratch', createScratchVfs(), 'scratch'],
  ['real', nodeVfs, folder],
] as const) {
  describe(`${name} Vfs`, () => {
    test('a file keeps what was written, with zeros where nothing was', () => {
      vfs.makeDirectorySync(`${root}/a/b`);
      const file = vfs.openSync(`${root}/a/b/file`, 'write');
      file.writeSync(new Uint8Array([1, 2, 3]), 100_000);
      file.truncateSync(100_002);
      file.writeSync(new Uint8Array([9]), 100_004);
      const bytes = new Uint8Array(8).fill(7);
      assert.equal(file.readSync(bytes, 1, 7, 99_999), 6);
      assert.deepEqual([...bytes], [7, 0, 1, 2, 0, 0, 9, 7]);
      assert.equal(file.readSync(bytes, 0, 1, 100_005), 0);
      assert.equal(file.sizeSync(), 100_005);
      file.closeSync();
      assert.equal(vfs.statSync(`${root}/a/b/file`)?.sizeBytes, 100_005);
    });

    test('folders list what is in them, move with their files, and go', () => {
      vfs.makeDirectorySync(`${root}/c/d`);
      vfs.openSync(`${root}/c/d/file`, 'write').closeSync();
      assert.deepEqual(vfs.listSync(`${root}/c`), ['d']);
      assert.equal(vfs.statSync(`${root}/c`)?.isDirectory, true);
      vfs.renameSync(`${root}/c`, `${root}/e`);
      assert.deepEqual(vfs.listSync(`${root}/e/d`), ['file']);
      assert.deepEqual(vfs.listSync(`${root}/c`), []);
      vfs.removeSync(`${root}/e/d/file`);
      vfs.removeDirectorySync(`${root}/e/d`);
      assert.equal(vfs.statSync(`${root}/e/d`), undefined);
    });

    test('reading a file that is not there fails with ENOENT; removing it does not', () => {
      assert.throws(() => vfs.openSync(`${root}/none`, 'read'), { code: 'ENOENT' });
      vfs.removeSync(`${root}/none`);
      vfs.removeDirectorySync(`${root}/none`);
      assert.equal(vfs.statSync(`${root}/none`), undefined);
    });
  });
}
