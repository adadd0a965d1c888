// In which order a file gets to the disk: a power cut must never leave a part of it under its name, nor take it away once it
// was acknowledged.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readlinkSync } from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { DiskStore } from '../../../replication/parquet/stores/disk-store.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

/** Tells which file a descriptor is of. */
const DESCRIPTORS = '/proc/self/fd';

interface Context {
  after(callback: () => void): void;
}

/** Notes syncs and renames, by paths below the folder, from now on. */
async function watch(context: Context, folder: string): Promise<string[]> {
  const seen: string[] = [];
  const place = (path: string): string => path.slice(folder.length + 1) || '.';
  const anyFile = await promises.open(folder, 'r');
  const handle = Object.getPrototypeOf(anyFile) as FileHandle;
  await anyFile.close();
  const { sync } = handle;
  const { rename } = promises;
  handle.sync = function (this: FileHandle): Promise<void> {
    seen.push(`sync ${place(readlinkSync(join(DESCRIPTORS, String(this.fd))))}`);
    return sync.call(this);
  };
  promises.rename = (from, to) => {
    seen.push(`rename to ${place(String(to))}`);
    return rename(from, to);
  };
  syncBuiltinESMExports();
  context.after(() => {
    handle.sync = sync;
    promises.rename = rename;
    syncBuiltinESMExports();
  });
  return seen;
}

test('file, name and folders are synced before a write is acknowledged', {
  skip: !existsSync(DESCRIPTORS),
}, async (context) => {
  const folder = makeTempFolder(context);
  const store = new DiskStore(folder);
  await store.open();
  // Made by a process that has ended before it synced them.
  mkdirSync(join(folder, 'a'));
  const seen = await watch(context, folder);
  await store.put('a/b/file', Buffer.from('1'));
  assert.deepEqual(seen.splice(0), ['sync a', 'sync .', 'sync a/b/file.new', 'rename to a/b/file', 'sync a/b']);
  await store.put('a/b/other', Buffer.from('2'));
  assert.deepEqual(seen.splice(0), ['sync a/b/other.new', 'rename to a/b/other', 'sync a/b']);
  promises.rename = () => Promise.reject(new Error('no'));
  syncBuiltinESMExports();
  await assert.rejects(store.put('a/b/file', Buffer.from('3')));
  assert.equal(Buffer.from((await store.get('a/b/file')) ?? []).toString(), '1');
});
