// Folders with their parents.

import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeFolders } from '../../disk/folders.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

test('folders are made with their parents, and the first that was made is told', (context) => {
  const folder = makeTempFolder(context);
  assert.equal(makeFolders(`${folder}/a/b/c`), `${folder}/a`);
  assert.ok(statSync(`${folder}/a/b/c`).isDirectory());
  assert.equal(makeFolders(`${folder}/a/b/c`), undefined);
});

test('a file in the place of a folder is refused', (context) => {
  const folder = makeTempFolder(context);
  writeFileSync(`${folder}/file`, '');
  assert.throws(() => makeFolders(`${folder}/file`), { code: 'EEXIST' });
});

test('a folder that takes no others and says that it is not there is refused', {
  skip: !existsSync('/proc/self'),
}, () => {
  assert.throws(() => makeFolders('/proc/none/of/these'), { code: 'ENOENT' });
});
