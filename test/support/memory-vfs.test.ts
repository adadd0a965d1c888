// The model that the crash campaigns stand on must itself be right: what a power cut keeps and loses, and how it fails.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryVfs } from './memory-vfs.ts';
import type { ContentMode, EntryMode } from './power-cut.ts';
import { SeededRandom } from './seeded-random.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array): string => new TextDecoder().decode(content);

function cut(content: ContentMode | 'any', entries: EntryMode | 'any', seed = 1) {
  return { content, entries, random: new SeededRandom(seed) };
}

/** A disk with the file `d/f` holding `base`, all of it durable. */
async function diskWith(base: string, options: ConstructorParameters<typeof MemoryVfs>[0] = {}): Promise<MemoryVfs> {
  const disk = new MemoryVfs(options);
  disk.makeDirectorySync('d');
  const file = disk.openSync('d/f', 'write');
  file.writeSync(bytes(base), 0);
  await file.sync();
  file.closeSync();
  await disk.syncDirectory('d');
  await disk.syncDirectory('.');
  return disk;
}

test('synced bytes behind synced entries survive every cut', async () => {
  const disk = await diskWith('hello');
  for (const content of ['nothing', 'everything', 'prefix', 'sectors', 'sizes', 'any'] as const) {
    for (const entries of ['nothing', 'everything', 'prefix', 'subset', 'any'] as const) {
      const clone = disk.crashClone(cut(content, entries));
      assert.deepEqual(clone.files(), ['d/f']);
      assert.equal(text(clone.content('d/f')), 'hello');
    }
  }
});

test('unsynced bytes are gone, there, or zeros, by the mode', async () => {
  const disk = await diskWith('hello');
  const file = disk.openSync('d/f', 'write');
  file.writeSync(bytes('HE'), 0);
  file.writeSync(bytes('!!'), 6);
  assert.equal(text(disk.content('d/f')), 'HEllo\0!!');
  assert.equal(text(disk.crashClone(cut('nothing', 'everything')).content('d/f')), 'hello');
  assert.equal(text(disk.crashClone(cut('everything', 'nothing')).content('d/f')), 'HEllo\0!!');
  assert.equal(text(disk.crashClone(cut('sizes', 'nothing')).content('d/f')), 'hello\0\0\0');
});

test('a prefix cut keeps whole first writes and tears the next one anywhere', async () => {
  const disk = await diskWith('');
  const file = disk.openSync('d/f', 'write');
  for (const part of ['aaaa', 'bbbb', 'cccc']) file.writeSync(bytes(part), file.sizeSync());
  const seen = new Set<string>();
  for (let seed = 0; seed < 300; seed++) seen.add(text(disk.crashClone(cut('prefix', 'nothing', seed)).content('d/f')));
  for (const content of seen) assert.ok('aaaabbbbcccc'.startsWith(content), content);
  assert.equal(seen.size, 13, 'every length from 0 to 12 occurs');
});

test('a sector cut keeps any 512-byte sectors and nothing smaller', async () => {
  const disk = await diskWith('');
  const file = disk.openSync('d/f', 'write');
  file.writeSync(new Uint8Array(512 * 4).fill(1), 100);
  const seen = new Set<string>();
  for (let seed = 0; seed < 300; seed++) {
    const content = disk.crashClone(cut('sectors', 'nothing', seed)).content('d/f');
    const kept = [100, 512, 1024, 1536, 2048].map((start, i, starts) => {
      const sector = content.subarray(start, Math.min(starts[i + 1] ?? 2148, content.length));
      assert.ok(
        sector.every((byte) => byte === sector[0]),
        'a sector is whole or absent',
      );
      return sector[0] ?? 0;
    });
    seen.add(kept.join(''));
  }
  assert.equal(seen.size, 32, 'every subset of the five sectors occurs');
});

test('a sector cut never keeps a later write of a sector without the earlier one', async () => {
  const disk = await diskWith('');
  const file = disk.openSync('d/f', 'write');
  file.writeSync(bytes('head'), 0);
  file.writeSync(bytes('tail'), 4);
  const seen = new Set<string>();
  for (let seed = 0; seed < 300; seed++)
    seen.add(text(disk.crashClone(cut('sectors', 'nothing', seed)).content('d/f')));
  assert.deepEqual([...seen].map((content) => content.replaceAll('\0', '.')).sort(), [
    '',
    '....',
    '........',
    'head',
    'head....',
    'headtail',
  ]);
});

test('truncation is durable only with the next sync', async () => {
  const disk = await diskWith('hello');
  const file = disk.openSync('d/f', 'write');
  file.truncateSync(2);
  assert.equal(text(disk.crashClone(cut('nothing', 'everything')).content('d/f')), 'hello');
  await file.sync();
  assert.equal(text(disk.crashClone(cut('nothing', 'everything')).content('d/f')), 'he');
  file.truncateSync(4);
  assert.equal(text(disk.content('d/f')), 'he\0\0', 'cut bytes do not come back');
});

test('a sync covers what was written before it began, and only once it has ended', async () => {
  const disk = await diskWith('');
  const file = disk.openSync('d/f', 'write');
  file.writeSync(bytes('a'), 0);
  const syncing = file.sync();
  file.writeSync(bytes('b'), 1);
  assert.equal(text(disk.crashClone(cut('nothing', 'everything')).content('d/f')), '');
  await syncing;
  assert.equal(text(disk.crashClone(cut('nothing', 'everything')).content('d/f')), 'a');
});

test('write-through bytes are durable when the write returns, the file itself only with its directory', async () => {
  const disk = await diskWith('');
  const file = disk.openSync('d/new', 'write-through');
  file.writeSync(bytes('one'), 0);
  const writing = file.write(bytes('two'), 3);
  assert.equal(text(disk.crashClone(cut('nothing', 'everything')).content('d/new')), 'one');
  await writing;
  assert.equal(text(disk.crashClone(cut('nothing', 'everything')).content('d/new')), 'onetwo');
  assert.deepEqual(disk.crashClone(cut('everything', 'nothing')).files(), ['d/f']);
  await disk.syncDirectory('d');
  assert.equal(text(disk.crashClone(cut('nothing', 'nothing')).content('d/new')), 'onetwo');
});

test('a new file whose bytes were synced is absent after a cut until its directory is synced', async () => {
  const disk = await diskWith('');
  const file = disk.openSync('d/new', 'write');
  file.writeSync(bytes('x'), 0);
  await file.sync();
  assert.deepEqual(disk.crashClone(cut('everything', 'nothing')).files(), ['d/f']);
  assert.deepEqual(disk.crashClone(cut('nothing', 'everything')).files(), ['d/f', 'd/new']);
});

test('a new directory is absent with all it holds until its parent is synced', async () => {
  const disk = await diskWith('');
  disk.makeDirectorySync('d/e/g');
  disk.openSync('d/e/g/x', 'write').closeSync();
  await disk.syncDirectory('d/e/g');
  await disk.syncDirectory('d/e');
  assert.deepEqual(disk.crashClone(cut('everything', 'nothing')).files(), ['d/f']);
  await disk.syncDirectory('d');
  assert.deepEqual(disk.crashClone(cut('nothing', 'nothing')).files(), ['d/e/g/x', 'd/f']);
});

test('a removed file is back after a cut until the directory is synced', async () => {
  const disk = await diskWith('hello');
  disk.removeSync('d/f');
  assert.deepEqual(disk.files(), []);
  assert.equal(text(disk.crashClone(cut('nothing', 'nothing')).content('d/f')), 'hello');
  await disk.syncDirectory('d');
  assert.deepEqual(disk.crashClone(cut('everything', 'nothing')).files(), []);
});

test('a rename over a file without a sync of the new bytes leaves an empty file, as on XFS', async () => {
  const disk = await diskWith('old');
  const file = disk.openSync('d/tmp', 'write');
  file.writeSync(bytes('new'), 0);
  disk.renameSync('d/tmp', 'd/f');
  const clone = disk.crashClone(cut('nothing', 'everything'));
  assert.deepEqual(clone.files(), ['d/f']);
  assert.equal(text(clone.content('d/f')), '');
  assert.equal(text(disk.crashClone(cut('everything', 'nothing')).content('d/f')), 'old');
});

test('a rename is whole or absent, within a directory and between two', async () => {
  for (const target of ['d/moved', 'e/moved']) {
    const disk = await diskWith('x');
    disk.makeDirectorySync('e');
    await disk.syncDirectory('.');
    disk.renameSync('d/f', target);
    const seen = new Set<string>();
    for (let seed = 0; seed < 60; seed++)
      seen.add(
        disk
          .crashClone(cut('nothing', 'any', seed))
          .files()
          .join(),
      );
    assert.deepEqual([...seen].sort(), ['d/f', target]);
    await disk.syncDirectory(target.slice(0, 1));
    assert.deepEqual(disk.crashClone(cut('nothing', 'nothing')).files(), [target]);
  }
});

test('entry changes are lost independently of each other in mode subset, from the end in mode prefix', async () => {
  const disk = await diskWith('');
  for (const name of ['a', 'b']) disk.openSync(`d/${name}`, 'write').closeSync();
  const outcomes = (entries: EntryMode): string[] => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 200; seed++)
      seen.add(
        disk
          .crashClone(cut('nothing', entries, seed))
          .files()
          .join(' '),
      );
    return [...seen].sort();
  };
  assert.deepEqual(outcomes('subset'), ['d/a d/b d/f', 'd/a d/f', 'd/b d/f', 'd/f']);
  assert.deepEqual(outcomes('prefix'), ['d/a d/b d/f', 'd/a d/f', 'd/f']);
});

test('with syncs as no-ops nothing becomes durable, and the program does not notice', async () => {
  const disk = await diskWith('hello', { syncIsNoop: true });
  assert.equal(text(disk.content('d/f')), 'hello');
  assert.deepEqual(disk.crashClone(cut('nothing', 'nothing')).files(), []);
});

test('a clone is a machine of its own', async () => {
  const disk = await diskWith('hello');
  const clone = disk.crashClone(cut('nothing', 'nothing'));
  clone.openSync('d/f', 'write').writeSync(bytes('J'), 0);
  clone.openSync('d/other', 'write').closeSync();
  assert.equal(text(disk.content('d/f')), 'hello');
  assert.deepEqual(disk.files(), ['d/f']);
});

test('a failed sync drops its bytes from the disk for good; reads and the next sync tell nothing', async () => {
  const disk = await diskWith('');
  const file = disk.openSync('d/f', 'write');
  file.writeSync(bytes('lost'), 0);
  disk.failAt(1, 'sync', 'EIO');
  await assert.rejects(file.sync(), { code: 'EIO' });
  file.writeSync(bytes('kept'), 4);
  await file.sync();
  assert.equal(text(disk.content('d/f')), 'lostkept');
  assert.equal(text(disk.crashClone(cut('everything', 'nothing')).content('d/f')), '\0\0\0\0kept');
});

test('a full disk takes what fits and fails with ENOSPC; removing makes room', () => {
  const disk = new MemoryVfs({ capacityBytes: 6 });
  const file = disk.openSync('f', 'write');
  file.writeSync(bytes('abcd'), 0);
  assert.equal(disk.freeBytesSync(''), 2);
  assert.throws(() => file.writeSync(bytes('efgh'), 4), { code: 'ENOSPC' });
  assert.equal(text(disk.content('f')), 'abcdef');
  file.writeSync(bytes('ABCDEF'), 0);
  file.truncateSync(1);
  file.writeSync(bytes('efgh'), 1);
  file.closeSync();
  disk.removeSync('f');
  assert.equal(disk.freeBytesSync(''), 6);
  disk.freeBytes = 123;
  assert.equal(disk.freeBytesSync(''), 123);
});

test('a write that is made to fail with ENOSPC leaves a part of its bytes behind', async () => {
  const disk = await diskWith('', { random: new SeededRandom(1) });
  const file = disk.openSync('d/f', 'write');
  const lengths = new Set<number>();
  for (let i = 0; i < 60; i++) {
    file.truncateSync(0);
    disk.failAt(1, 'write', 'ENOSPC');
    assert.throws(() => file.writeSync(bytes('abc'), 0), { code: 'ENOSPC' });
    assert.ok('abc'.startsWith(text(disk.content('d/f'))));
    lengths.add(file.sizeSync());
  }
  assert.deepEqual([...lengths].sort(), [0, 1, 2]);
});

test('the hook sees every operation before it happens and can make it fail', async () => {
  const disk = await diskWith('');
  const kinds: string[] = [];
  const stopWatching = disk.watch((operation) => kinds.push(operation.kind));
  const file = disk.openSync('d/f', 'write');
  await file.write(bytes('x'), 0);
  await file.sync();
  assert.deepEqual(kinds, ['open', 'write', 'write-done', 'sync', 'sync-done']);
  stopWatching();
  let contentBefore = '';
  disk.atOperation(2, () => {
    contentBefore = text(disk.content('d/f'));
  });
  file.writeSync(bytes('1'), 0);
  file.writeSync(bytes('2'), 0);
  assert.equal(contentBefore, '1');
  disk.failAt(1, 'rename', 'EROFS');
  assert.throws(() => disk.renameSync('d/f', 'd/g'), { code: 'EROFS' });
  assert.deepEqual(disk.files(), ['d/f']);
});

test('a machine that is off answers nothing any more', async () => {
  const disk = await diskWith('');
  const file = disk.openSync('d/f', 'write');
  let ended = false;
  void file.write(bytes('x'), 0).finally(() => {
    ended = true;
  });
  disk.halt();
  assert.throws(() => disk.listSync('d'), { code: 'EHALTED' });
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(ended, false);
});

test('a held disk ends nothing until it is resumed', async () => {
  const disk = await diskWith('');
  const file = disk.openSync('d/f', 'write-through');
  disk.hold();
  let ended = false;
  const writing = file.write(bytes('x'), 0).then(() => {
    ended = true;
  });
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(ended, false);
  assert.equal(text(disk.crashClone(cut('nothing', 'nothing')).content('d/f')), '');
  disk.resume();
  await writing;
  assert.equal(text(disk.crashClone(cut('nothing', 'nothing')).content('d/f')), 'x');
});

test('asynchronous operations of different files end in any order, of one file in theirs', async () => {
  const orders = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const disk = new MemoryVfs({ random: new SeededRandom(seed) });
    const order: string[] = [];
    const writes = ['a1', 'a2', 'b1', 'b2'].map(async (label) => {
      await disk.openSync(label.slice(0, 1), 'write').write(bytes(label), 0);
      order.push(label);
    });
    await Promise.all(writes);
    assert.ok(order.indexOf('a1') < order.indexOf('a2') && order.indexOf('b1') < order.indexOf('b2'), order.join());
    orders.add(order.join());
  }
  assert.equal(orders.size, 6, 'every interleaving occurs');
});

test('bytes that change while an asynchronous write runs are a bug of the caller, and said so', async () => {
  const disk = await diskWith('');
  const buffer = bytes('abc');
  const writing = disk.openSync('d/f', 'write').write(buffer, 0);
  buffer[0] = 0;
  await assert.rejects(writing, /BUG/);
});

test('files and directories fail as on a real system', async () => {
  const disk = await diskWith('x');
  assert.throws(() => disk.openSync('d/none', 'read'), { code: 'ENOENT' });
  assert.throws(() => disk.openSync('none/x', 'write'), { code: 'ENOENT' });
  assert.throws(() => disk.openSync('d', 'read'), { code: 'EISDIR' });
  assert.throws(() => disk.openSync('d/f', 'read').writeSync(bytes('x'), 0), { code: 'EBADF' });
  assert.throws(() => disk.removeDirectorySync('d'), { code: 'ENOTEMPTY' });
  assert.throws(() => disk.removeSync('d'), { code: 'EISDIR' });
  assert.throws(() => disk.renameSync('none', 'd/x'), { code: 'ENOENT' });
  await assert.rejects(disk.syncDirectory('none'), { code: 'ENOENT' });
  disk.removeSync('none');
  disk.removeDirectorySync('none');
  assert.deepEqual(disk.listSync('none'), []);
  assert.equal(disk.statSync('none'), undefined);
  const file = disk.openSync('d/f', 'read');
  disk.removeSync('d/f');
  assert.equal(file.readSync(new Uint8Array(4), 0, 4, 0), 1, 'an open file outlives its name');
  assert.deepEqual(disk.openPaths().length, 2);
  file.closeSync();
  assert.throws(() => file.closeSync(), { code: 'EBADF' });
});
