// The Vfs over the real file system: what its contract says, on a temporary folder.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeVfs } from '../../../engine/io/node-vfs.ts';
import type { OpenMode } from '../../../engine/io/vfs.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

for (const mode of ['write', 'write-through'] satisfies OpenMode[]) {
  test(`mode ${mode}: what is written anywhere is read back, and gaps are zeros`, async (context) => {
    const path = join(makeTempFolder(context), 'file');
    const file = nodeVfs.openSync(path, mode);
    file.writeSync(bytes('hello'), 0);
    await file.write(bytes('world'), 8);
    await file.sync();
    assert.equal(file.path, path);
    assert.equal(file.sizeSync(), 13);
    const target = new Uint8Array(20).fill(255);
    assert.equal(file.readSync(target, 2, 18, 3), 10);
    assert.deepEqual([...target.subarray(2, 12)], [...bytes('lo\0\0\0world')]);
    assert.equal(target[12], 255);
    assert.equal(file.readSync(target, 0, 20, 13), 0);
    file.truncateSync(4);
    assert.equal(file.sizeSync(), 4);
    file.closeSync();
    assert.equal(readFileSync(path, 'utf8'), 'hell');
  });

  test(`mode ${mode}: an existing file keeps its content when opened`, (context) => {
    const path = join(makeTempFolder(context), 'file');
    writeFileSync(path, 'abc');
    const file = nodeVfs.openSync(path, mode);
    file.writeSync(bytes('X'), 1);
    file.closeSync();
    assert.equal(readFileSync(path, 'utf8'), 'aXc');
  });
}

test('a view into a larger buffer is written as that view', async (context) => {
  const path = join(makeTempFolder(context), 'file');
  const file = nodeVfs.openSync(path, 'write');
  const whole = bytes('0123456789');
  file.writeSync(whole.subarray(2, 5), 0);
  await file.write(whole.subarray(7, 10), 3);
  file.closeSync();
  assert.equal(readFileSync(path, 'utf8'), '234789');
});

test('mode read refuses a missing file and refuses writes', (context) => {
  const path = join(makeTempFolder(context), 'file');
  assert.throws(() => nodeVfs.openSync(path, 'read'), { code: 'ENOENT' });
  writeFileSync(path, 'abc');
  const file = nodeVfs.openSync(path, 'read');
  assert.throws(() => file.writeSync(bytes('x'), 0), { code: 'EBADF' });
  file.closeSync();
});

test('errors of asynchronous calls reject with the system error', async (context) => {
  const path = join(makeTempFolder(context), 'file');
  writeFileSync(path, 'abc');
  const file = nodeVfs.openSync(path, 'read');
  await assert.rejects(file.write(bytes('x'), 0), { code: 'EBADF' });
  file.closeSync();
  await assert.rejects(nodeVfs.syncDirectory(join(path, 'none')), { code: 'ENOTDIR' });
});

test('directories are made with their parents, listed, renamed and removed', async (context) => {
  const folder = makeTempFolder(context);
  const inner = join(folder, 'a', 'b');
  nodeVfs.makeDirectorySync(inner);
  nodeVfs.makeDirectorySync(inner);
  writeFileSync(join(inner, 'one'), '1');
  writeFileSync(join(inner, 'two'), '22');
  await nodeVfs.syncDirectory(inner);
  assert.deepEqual(nodeVfs.listSync(inner).sort(), ['one', 'two']);
  nodeVfs.renameSync(join(inner, 'one'), join(inner, 'two'));
  assert.deepEqual(nodeVfs.listSync(inner), ['two']);
  assert.equal(readFileSync(join(inner, 'two'), 'utf8'), '1');
  assert.throws(() => nodeVfs.removeDirectorySync(inner), { code: 'ENOTEMPTY' });
  nodeVfs.removeSync(join(inner, 'two'));
  nodeVfs.removeSync(join(inner, 'two'));
  nodeVfs.removeDirectorySync(inner);
  nodeVfs.removeDirectorySync(inner);
  assert.deepEqual(nodeVfs.listSync(inner), []);
});

test('stat tells size, allocation, kind and time, and undefined when nothing is there', (context) => {
  const folder = makeTempFolder(context);
  writeFileSync(join(folder, 'file'), Buffer.alloc(10_000, 1));
  mkdirSync(join(folder, 'directory'));
  const file = nodeVfs.statSync(join(folder, 'file'));
  assert.equal(file?.sizeBytes, 10_000);
  assert.equal(file?.isDirectory, false);
  assert.ok((file?.modifiedMs ?? 0) > Date.UTC(2020, 0, 1));
  assert.equal((file?.allocatedBytes ?? -1) % 512, 0);
  assert.equal(nodeVfs.statSync(join(folder, 'directory'))?.isDirectory, true);
  assert.equal(nodeVfs.statSync(join(folder, 'missing')), undefined);
});

test('free bytes are those that an ordinary user may take', (context) => {
  const folder = makeTempFolder(context);
  const stat = statfsSync(folder);
  const difference = Math.abs(nodeVfs.freeBytesSync(folder) - stat.bavail * stat.bsize);
  assert.ok(difference < 2 ** 30, `off by ${difference} bytes`);
});
