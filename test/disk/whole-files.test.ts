// Files that are replaced whole: what is there afterwards, and what a failure leaves.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { replaceFile, replaceFileSync, UNFINISHED } from '../../disk/whole-files.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

type Replace = (path: string, bytes: Uint8Array, mode?: number) => Promise<void>;

const WAYS: Readonly<Record<string, Replace>> = {
  'off the main thread': replaceFile,
  'at once': async (path, bytes, mode) => replaceFileSync(path, bytes, mode),
};

for (const [name, replace] of Object.entries(WAYS))
  describe(`a file replaced ${name}`, () => {
    test('holds the new bytes, with nothing beside it', async (context) => {
      const folder = makeTempFolder(context);
      writeFileSync(`${folder}/file`, 'an older text that is longer');
      // What a crash left beside it is overwritten.
      writeFileSync(`${folder}/file${UNFINISHED}`, 'torn');
      await replace(`${folder}/file`, Buffer.from('new'));
      assert.equal(readFileSync(`${folder}/file`, 'utf8'), 'new');
      assert.deepEqual(readdirSync(folder), ['file']);
    });

    test('is made with the mode asked for', async (context) => {
      const folder = makeTempFolder(context);
      await replace(`${folder}/file`, Buffer.from('secret'), 0o600);
      assert.equal(statSync(`${folder}/file`).mode & 0o777, 0o600);
    });

    test('leaves nothing beside it when it cannot take its place', async (context) => {
      const folder = makeTempFolder(context);
      mkdirSync(`${folder}/file/within`, { recursive: true });
      await assert.rejects(replace(`${folder}/file`, Buffer.from('new')), { syscall: 'rename' });
      assert.deepEqual(readdirSync(folder), ['file']);
    });

    test('in a folder that is missing is refused', async (context) => {
      const folder = makeTempFolder(context);
      await assert.rejects(replace(`${folder}/none/file`, Buffer.from('new')), { code: 'ENOENT' });
    });
  });
