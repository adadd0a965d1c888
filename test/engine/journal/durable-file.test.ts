// A journal at `group`: its writes are durable when they end, go where zeros were, and leave nothing of a refused request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DurableFile } from '../../../engine/journal/durable-file.ts';
import { MemoryVfs, systemError } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const PATH = 'journal';
const HEADER = new Uint8Array(28).fill(1);
const STEP_BYTES = 64 * 1024;

async function begin(vfs: MemoryVfs): Promise<DurableFile> {
  const file = new DurableFile(vfs.openSync(PATH, 'write-through'));
  await file.begin(HEADER);
  await vfs.syncDirectory('.');
  return file;
}

function bytesOf(fill: number, sizeBytes: number): Uint8Array {
  return new Uint8Array(sizeBytes).fill(fill);
}

/** What is left after a power cut that takes all that is not synced. */
function afterCut(vfs: MemoryVfs): Uint8Array {
  return vfs.crashClone({ content: 'nothing', entries: 'nothing', random: new SeededRandom(1) }).content(PATH);
}

/** The values that follow each other in it, with their counts; zeros at the end are room. */
function runsOf(bytes: Uint8Array): string {
  const runs: string[] = [];
  for (let i = 0, start = 0; i < bytes.length; i++) {
    if (bytes[i + 1] === bytes[i]) continue;
    runs.push(`${i + 1 - start} x ${bytes[i]}`);
    start = i + 1;
  }
  return runs.filter((run) => !run.endsWith(' x 0')).join(', ');
}

test('what was appended survives a power cut, without a sync (D1)', async () => {
  const vfs = new MemoryVfs();
  const file = await begin(vfs);
  await file.append(bytesOf(2, 100));
  await file.append(bytesOf(3, 50));
  assert.equal(runsOf(afterCut(vfs)), '28 x 1, 100 x 2, 50 x 3');
});

test('room is made in steps: most appends are one write that leaves the size of the file as it is', async () => {
  const vfs = new MemoryVfs();
  const file = await begin(vfs);
  let writes = 0;
  vfs.watch(({ kind }) => {
    if (kind === 'write') writes++;
  });
  const sizes = new Set<number>();
  for (let i = 0; i < 100; i++) {
    await file.append(bytesOf(2, 1000));
    sizes.add(vfs.content(PATH).length);
  }
  assert.deepEqual([...sizes], [28 + STEP_BYTES, 28 + STEP_BYTES + 28 + STEP_BYTES]);
  assert.equal(writes, 102);
});

test('a long record makes its own room, in one write', async () => {
  const vfs = new MemoryVfs();
  const file = await begin(vfs);
  let writes = 0;
  vfs.watch(({ kind }) => {
    if (kind === 'write') writes++;
  });
  await file.append(bytesOf(2, 600_000));
  assert.equal(writes, 1);
  await file.append(bytesOf(3, 10));
  assert.equal(runsOf(afterCut(vfs)), '28 x 1, 600000 x 2, 10 x 3');
});

test('room that is left goes back when the file is closed', async () => {
  const vfs = new MemoryVfs();
  const file = await begin(vfs);
  await file.append(bytesOf(2, 100));
  file.close();
  assert.equal(vfs.content(PATH).length, 128);
});

test('the last bytes of a disk are used, and a refused record is not there after a power cut (D10)', async () => {
  const vfs = new MemoryVfs({ capacityBytes: 1000 });
  const file = await begin(vfs);
  await file.append(bytesOf(2, 800));
  await assert.rejects(file.append(bytesOf(3, 400)), { code: 'ENOSPC' });
  await file.cut();
  assert.equal(runsOf(afterCut(vfs)), '28 x 1, 800 x 2');
  await file.append(bytesOf(4, 100));
  assert.equal(runsOf(afterCut(vfs)), '28 x 1, 800 x 2, 100 x 4');
});

test('after a write that failed the file is closed as it is: nobody knows what is behind its last record (D11)', async () => {
  const vfs = new MemoryVfs();
  const file = await begin(vfs);
  await file.append(bytesOf(2, 100));
  const cancel = vfs.watch(({ kind, path }) => {
    if (kind === 'write-done') throw systemError('EIO', 'write', path);
  });
  await assert.rejects(file.append(bytesOf(3, 100)), { code: 'EIO' });
  cancel();
  file.close();
  assert.ok(vfs.content(PATH).length > 128);
  assert.equal(runsOf(afterCut(vfs)), '28 x 1, 100 x 2');
});

test('the negative control: where a write does not end on the disk, a power cut takes what was appended', async () => {
  const vfs = new MemoryVfs({ syncIsNoop: true });
  const file = await begin(vfs);
  await file.append(bytesOf(2, 100));
  assert.throws(() => afterCut(vfs));
});
