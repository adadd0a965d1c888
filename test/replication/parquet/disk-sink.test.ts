// Copies in a folder of a disk, and what is left when it is full, read-only or cut off.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openParquetSink } from '../../../replication/parquet/open-parquet-sink.ts';
import { toDiskFailure } from '../../../replication/parquet/stores/disk-faults.ts';
import { PassingFailure, type Sink } from '../../../replication/sink.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { filesIn, pointFiles, readPoints } from './read-rows.ts';
import { batchOf, DATASET, datasetDocument, KEPT, plainPoints, rowOf, tagDocument } from './sample-points.ts';
import { testSinkFacts } from './sink-facts.ts';

/** Writes to it fail as on a full disk. */
const FULL_DISK = '/dev/full';

async function openAt(folder: string): Promise<Sink> {
  const sink = openParquetSink(`parquet://${folder}`);
  await sink.open();
  return sink;
}

testSinkFacts('disk', async (context) => {
  const folder = join(makeTempFolder(context), 'copies');
  return { openSink: () => openAt(folder), files: () => filesIn(folder) };
});

test('the name of the sink is its address', () => {
  assert.equal(openParquetSink('parquet:///data/copies/').name, 'parquet:///data/copies');
});

test('an address that is not absolute is refused', () => {
  assert.throws(
    () => openParquetSink('parquet://copies'),
    /want an absolute folder, such as parquet:\/\/\/data\/copies/,
  );
});

test('what a broken write has left is not read, and is replaced when the batch is given again', async (context) => {
  const folder = makeTempFolder(context);
  const points = plainPoints(64, 0, 100);
  await (await openAt(folder)).putPoints(DATASET, batchOf(points));
  const [file] = pointFiles(filesIn(folder));
  const path = join(folder, file as string);
  // A process that ended while it wrote leaves this: the document tells of a file that is not there.
  renameSync(path, `${path}.new`);
  truncateSync(`${path}.new`, 50);
  const sink = await openAt(folder);
  assert.deepEqual((await sink.stateOf(DATASET)).ordinals, new Map());
  assert.deepEqual(await readPoints(filesIn(folder)), []);
  await sink.putPoints(DATASET, batchOf(points));
  assert.deepEqual((await sink.stateOf(DATASET)).ordinals, new Map([[64, 100]]));
  assert.deepStrictEqual(await readPoints(filesIn(folder)), points.map(rowOf));
  assert.equal(existsSync(`${path}.new`), false);
});

test('unfinished documents are not read', async (context) => {
  const folder = makeTempFolder(context);
  const sink = await openAt(folder);
  await sink.putTags(DATASET, [tagDocument(64, 5)], KEPT);
  await sink.putDataset(DATASET, datasetDocument(6));
  for (const path of filesIn(folder).keys()) writeFileSync(join(folder, `${path}.new`), '{"tags":[{"id"');
  const state = await (await openAt(folder)).stateOf(DATASET);
  assert.deepEqual(state, { revision: 6, ordinals: new Map([[64, 0]]) });
});

test('a full disk passes, and nothing is left of the file', { skip: !existsSync(FULL_DISK) }, async (context) => {
  const folder = makeTempFolder(context);
  const sink = await openAt(folder);
  const place = join(folder, 'north.plant%201', DATASET.identity);
  mkdirSync(place, { recursive: true });
  symlinkSync(FULL_DISK, join(place, 'dataset.json.new'));
  await assert.rejects(sink.putDataset(DATASET, datasetDocument(1)), (error: Error) => {
    return error instanceof PassingFailure && /^parquet:.*ENOSPC/.test(error.message);
  });
  assert.equal(filesIn(folder).size, 0);
  await sink.putDataset(DATASET, datasetDocument(1));
  assert.equal((await sink.stateOf(DATASET)).revision, 1);
});

test('a file in the place of a folder is told, with what to do', async (context) => {
  const folder = makeTempFolder(context);
  writeFileSync(join(folder, 'file'), '');
  const sink = openParquetSink(`parquet://${join(folder, 'file')}`);
  await assert.rejects(sink.open(), (error: Error) => {
    return !(error instanceof PassingFailure) && error.message.includes('move it away, or choose another folder');
  });
});

test('missing rights are told with what to do; a full disk and an absent network disk pass', () => {
  const failureOf = (code: string) => toDiskFailure(Object.assign(new Error(code), { code }), 'parquet:///copies');
  for (const code of ['EACCES', 'EPERM'])
    assert.match(failureOf(code).message, /let the user of this process read and write/);
  assert.match(failureOf('EROFS').message, /mount it for writing/);
  for (const code of ['EACCES', 'EROFS', 'ENOTDIR', 'EINVAL']) assert.ok(!(failureOf(code) instanceof PassingFailure));
  for (const code of ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ESTALE'])
    assert.ok(failureOf(code) instanceof PassingFailure);
});

test('folders of others beside the datasets are left alone', async (context) => {
  const folder = makeTempFolder(context);
  const sink = await openAt(folder);
  await sink.putDataset(DATASET, datasetDocument(1));
  for (const name of ['lost+found', '%zz', '.snapshots', join('north.plant%201', 'notes')])
    mkdirSync(join(folder, name, 'x'.repeat(32)), { recursive: true });
  assert.equal((await sink.datasets()).length, 1);
});

test('a damaged document is told by its name', async (context) => {
  const folder = makeTempFolder(context);
  const sink = await openAt(folder);
  await sink.putTags(DATASET, [tagDocument(64)], KEPT);
  const [path] = filesIn(folder).keys();
  writeFileSync(join(folder, path as string), '{"tags":');
  await assert.rejects(sink.stateOf(DATASET), /tags\/0-999\.json is damaged: restore it/);
});
