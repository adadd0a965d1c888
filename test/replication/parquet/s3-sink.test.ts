// Copies in a bucket: of a look-alike of S3, with its pages, failures and refusals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openParquetSink } from '../../../replication/parquet/open-parquet-sink.ts';
import { PassingFailure, type Sink } from '../../../replication/sink.ts';
import { pointFiles, readPoints } from './read-rows.ts';
import { type S3Fault, S3LookAlike } from './s3-look-alike.ts';
import { batchOf, DATASET, datasetDocument, KEPT, plainPoints, rowOf, tagDocument } from './sample-points.ts';
import { testSinkFacts } from './sink-facts.ts';

interface Context {
  after(callback: () => unknown): void;
}

/** More than the tries of one request. */
const ALWAYS = 1_000;

async function startS3(context: Context): Promise<S3LookAlike> {
  const s3 = new S3LookAlike();
  await s3.start();
  context.after(() => s3.stop());
  return s3;
}

function sinkAt(context: Context, s3: S3LookAlike, bucket = s3.bucket): Sink {
  const { endpoint, credentials } = s3;
  const sink = openParquetSink(`s3://${bucket}/copies/all`, {
    credentials,
    environment: { AWS_ENDPOINT_URL: endpoint },
  });
  context.after(() => sink.close());
  return sink;
}

async function openAt(context: Context, s3: S3LookAlike): Promise<Sink> {
  const sink = sinkAt(context, s3);
  await sink.open();
  return sink;
}

function filesOf(s3: S3LookAlike): Map<string, Uint8Array> {
  const prefix = 'copies/all/';
  for (const key of s3.objects.keys()) assert.ok(key.startsWith(prefix), key);
  return new Map([...s3.objects].map(([key, bytes]) => [key.slice(prefix.length), bytes]));
}

function fault(method: string, status: number, code: string, rest: Partial<S3Fault> = {}): S3Fault {
  return { method, part: '', status, code, times: ALWAYS, ...rest };
}

testSinkFacts('S3', async (context) => {
  const s3 = await startS3(context);
  return { openSink: () => openAt(context, s3), files: () => filesOf(s3) };
});

test('the name of the sink is its address', () => {
  assert.equal(openParquetSink('s3://bucket/a/b/').name, 's3://bucket/a/b');
  assert.equal(openParquetSink('s3://bucket').name, 's3://bucket');
});

test('an address with keys or a query is refused, without printing the keys', () => {
  assert.throws(
    () => openParquetSink('s3://key:hidden@bucket/a'),
    (error: Error) => {
      return error.message.includes('want s3://bucket/prefix') && !error.message.includes('hidden');
    },
  );
  assert.throws(() => openParquetSink('s3://bucket/a?region=x'), /want s3:\/\/bucket\/prefix/);
  assert.throws(() => openParquetSink('s3:///a'), /want s3:\/\/bucket\/prefix/);
});

test('listings of several pages are read to the end', async (context) => {
  const s3 = await startS3(context);
  const sink = await openAt(context, s3);
  const tags = Array.from({ length: 7 }, (_, i) => tagDocument(i * 1_000 + 64, i + 1));
  await sink.putTags(DATASET, tags, KEPT);
  for (const { id } of tags) await sink.putPoints(DATASET, batchOf(plainPoints(id, 0, id)));
  for (const digit of '12345') await sink.putDataset({ name: digit, identity: digit.repeat(32) }, datasetDocument(1));
  const { revision, ordinals } = await sink.stateOf(DATASET);
  assert.equal(revision, 7);
  assert.deepEqual(
    [...ordinals].sort(([a], [b]) => a - b),
    tags.map(({ id }) => [id, id]),
  );
  assert.equal((await sink.datasets()).length, 5);
});

test('one 503 is ridden out', async (context) => {
  const s3 = await startS3(context);
  const sink = await openAt(context, s3);
  s3.faults.push(fault('PUT', 503, 'SlowDown', { times: 1 }));
  const points = plainPoints(64, 0, 10);
  await sink.putPoints(DATASET, batchOf(points));
  assert.equal(s3.faults[0]?.times, 0);
  assert.deepStrictEqual(await readPoints(filesOf(s3)), points.map(rowOf));
});

for (const [status, code] of [
  [503, 'SlowDown'],
  [500, 'InternalError'],
  [429, 'TooManyRequests'],
  [400, 'RequestTimeout'],
] as const) {
  test(`${status} ${code} passes when it lasts, and the batch can be given again`, async (context) => {
    const s3 = await startS3(context);
    const sink = await openAt(context, s3);
    s3.faults.push(fault('PUT', status, code, { part: '.parquet' }));
    const points = plainPoints(64, 0, 10);
    await assert.rejects(sink.putPoints(DATASET, batchOf(points)), (error: Error) => {
      return error instanceof PassingFailure && error.message.startsWith(`s3://${s3.bucket}/copies/all: ${status}`);
    });
    assert.deepEqual((await sink.stateOf(DATASET)).ordinals, new Map());
    s3.faults.length = 0;
    await sink.putPoints(DATASET, batchOf(points));
    assert.deepStrictEqual(await readPoints(filesOf(s3)), points.map(rowOf));
  });
}

test('a file that was stored though the answer was a failure counts as there', async (context) => {
  const s3 = await startS3(context);
  const sink = await openAt(context, s3);
  s3.faults.push(fault('PUT', 500, 'InternalError', { part: '.parquet', isStored: true }));
  await assert.rejects(sink.putPoints(DATASET, batchOf(plainPoints(64, 0, 10))), PassingFailure);
  s3.faults.length = 0;
  assert.deepEqual((await sink.stateOf(DATASET)).ordinals, new Map([[64, 10]]));
  await sink.putPoints(DATASET, batchOf(plainPoints(65, 0, 3)));
  assert.deepEqual((await sink.stateOf(DATASET)).ordinals, new Map([[64, 10]]).set(65, 3));
});

test('denied access is told with the rights that are needed', async (context) => {
  const s3 = await startS3(context);
  const sink = await openAt(context, s3);
  s3.faults.push(fault('PUT', 403, 'AccessDenied'));
  await assert.rejects(
    sink.putDataset(DATASET, datasetDocument(1)),
    lasting(/needs s3:ListBucket, s3:GetObject and s3:PutObject/),
  );
  s3.faults.push(fault('HEAD', 403, ''), fault('GET', 403, 'AccessDenied', { part: 'list-type' }));
  await assert.rejects(sink.open(), lasting(/access is denied/));
});

test('denied access to a single file is no missing file', async (context) => {
  const s3 = await startS3(context);
  const sink = await openAt(context, s3);
  await sink.putPoints(DATASET, batchOf(plainPoints(64, 0, 10)));
  s3.faults.push(fault('HEAD', 403, ''));
  await assert.rejects(sink.stateOf(DATASET), lasting(/access is denied/));
});

test('a missing bucket is told at once', async (context) => {
  const s3 = await startS3(context);
  const sink = sinkAt(context, s3, 'no-such-bucket');
  await assert.rejects(sink.open(), lasting(/there is no such bucket: create it/));
  await assert.rejects(sink.stateOf(DATASET), lasting(/there is no such bucket/));
  await assert.rejects(sink.putDataset(DATASET, datasetDocument(1)), lasting(/there is no such bucket/));
});

test('a write that is answered with 404 has failed', async (context) => {
  const s3 = await startS3(context);
  const sink = await openAt(context, s3);
  s3.faults.push(fault('PUT', 404, 'NotFound'));
  await assert.rejects(sink.putTags(DATASET, [tagDocument(64)], KEPT));
});

test('a key that is not known there is told', async (context) => {
  const s3 = await startS3(context);
  const credentials = { accessKeyId: 'wrong', secretAccessKey: 'secret' };
  const sink = openParquetSink(`s3://${s3.bucket}`, { credentials, endpoint: s3.endpoint });
  context.after(() => sink.close());
  await assert.rejects(sink.open(), lasting(/the access key is not known there/));
});

test('a store that is not there passes', async (context) => {
  const s3 = new S3LookAlike();
  await s3.start();
  const sink = sinkAt(context, s3);
  await s3.stop();
  await assert.rejects(
    sink.open(),
    (error: Error) => error instanceof PassingFailure && /ECONNREFUSED/.test(error.message),
  );
});

test('points need two writes for each thousand tags, and nothing is read once that is known', async (context) => {
  const s3 = await startS3(context);
  const sink = await openAt(context, s3);
  await sink.putPoints(DATASET, batchOf([...plainPoints(64, 0, 10), ...plainPoints(1_064, 0, 10)]));
  s3.requests.length = 0;
  await sink.putPoints(DATASET, batchOf([...plainPoints(64, 10, 10), ...plainPoints(1_064, 10, 10)]));
  assert.deepEqual(
    s3.requests.map((request) => request.split(' ')[0]),
    ['PUT', 'PUT', 'PUT', 'PUT'],
  );
  assert.equal(pointFiles(filesOf(s3)).length, 4);
});

function lasting(message: RegExp): (error: Error) => boolean {
  return (error) => {
    assert.match(error.message, message);
    return !(error instanceof PassingFailure);
  };
}
