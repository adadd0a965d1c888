// What holds for a copy wherever its files are: run over a folder and over a bucket.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTag } from '../../../replication/documents.ts';
import type { Sink } from '../../../replication/sink.ts';
import { type Files, pointFiles, readPoints, rowsOf } from './read-rows.ts';
import {
  batchOf,
  DATASET,
  datasetDocument,
  KEPT,
  plainPoints,
  pointsOfAllTypes,
  rowOf,
  tagDocument,
} from './sample-points.ts';

/** A place for one test. */
export interface Place {
  /** A sink of its own with each call, opened. */
  openSink(): Promise<Sink>;
  files(): Files;
}

type MakePlace = (context: { after(callback: () => unknown): void }) => Promise<Place>;

interface WrittenTags {
  readonly tags: readonly { readonly id: number; readonly revision: number }[];
}

const OTHER = { name: 'south', identity: 'f'.repeat(32) };

export function testSinkFacts(title: string, makePlace: MakePlace): void {
  test(`${title}: points of all types and several tags are read back one by one`, async (context) => {
    const place = await makePlace(context);
    const sink = await place.openSink();
    const points = [64, 65, 999, 1000, 5_000_123].flatMap((tag) => pointsOfAllTypes(tag, tag));
    await sink.putPoints(DATASET, batchOf(points));
    assert.deepStrictEqual(await readPoints(place.files()), points.map(rowOf));
    const folders = pointFiles(place.files()).map((path) => path.split('/').slice(0, 4).join('/'));
    const folder = `north.plant%201/${DATASET.identity}/points`;
    assert.deepEqual(folders, [`${folder}/0-999`, `${folder}/1000-1999`, `${folder}/5000000-5000999`]);
  });

  test(`${title}: the same batch twice makes the same files, also from another process`, async (context) => {
    const place = await makePlace(context);
    const points = [...pointsOfAllTypes(64), ...plainPoints(2_000, 5, 20)];
    await (await place.openSink()).putPoints(DATASET, batchOf(points));
    const before = place.files();
    const again = await place.openSink();
    await again.putPoints(DATASET, batchOf(points));
    await again.putPoints(DATASET, batchOf(points));
    assert.deepEqual(pointFiles(place.files()), pointFiles(before));
    assert.deepStrictEqual(await readPoints(place.files()), points.map(rowOf));
  });

  test(`${title}: a batch that is cut differently the second time doubles no point and loses none`, async (context) => {
    const place = await makePlace(context);
    const sink = await place.openSink();
    const points = [...plainPoints(64, 0, 300), ...plainPoints(65, 7, 300)];
    await sink.putPoints(DATASET, batchOf(points.filter(({ ordinal }) => ordinal < 100)));
    await sink.putPoints(DATASET, batchOf(points.filter(({ ordinal }) => ordinal < 250)));
    await sink.putPoints(DATASET, batchOf(points.filter(({ ordinal }) => ordinal >= 200)));
    assert.deepStrictEqual(await readPoints(place.files()), points.map(rowOf));
  });

  test(`${title}: batches with equal first and last tags and ordinals do not replace each other`, async (context) => {
    const place = await makePlace(context);
    const sink = await place.openSink();
    const first = [...plainPoints(64, 0, 10), ...plainPoints(66, 0, 3)];
    const second = [...plainPoints(64, 0, 1), ...plainPoints(65, 0, 10), ...plainPoints(66, 3, 1)];
    await sink.putPoints(DATASET, batchOf(first));
    await sink.putPoints(DATASET, batchOf(second));
    assert.equal((await readPoints(place.files())).length, 10 + 10 + 4);
  });

  test(`${title}: runs in any order of tags make files in the order of tags and ordinals`, async (context) => {
    const place = await makePlace(context);
    const points = [...plainPoints(70, 0, 5), ...plainPoints(64, 10, 5), ...plainPoints(70, 5, 5)];
    await (await place.openSink()).putPoints(DATASET, batchOf(points));
    const files = place.files();
    const rows = await rowsOf(files.get(pointFiles(files)[0] as string) as Uint8Array);
    assert.deepEqual(rows, await readPoints(files));
  });

  test(`${title}: a batch without points writes nothing`, async (context) => {
    const place = await makePlace(context);
    await (await place.openSink()).putPoints(DATASET, batchOf([]));
    assert.equal(place.files().size, 0);
  });

  test(`${title}: a sink that is opened again knows revisions, tags and ordinals`, async (context) => {
    const place = await makePlace(context);
    const sink = await place.openSink();
    assert.deepEqual(await sink.stateOf(DATASET), { revision: 0, ordinals: new Map() });
    await sink.putTags(DATASET, [tagDocument(64, 3), tagDocument(65, 9), tagDocument(4_000, 4)], KEPT);
    await sink.putDataset(DATASET, datasetDocument(7));
    await sink.putPoints(DATASET, batchOf([...plainPoints(64, 0, 10), ...plainPoints(4_001, 50, 5)]));
    await sink.putPoints(DATASET, batchOf(plainPoints(64, 10, 2)));
    const expected = {
      revision: 9,
      ordinals: new Map([
        [64, 12],
        [65, 0],
        [4_000, 0],
        [4_001, 55],
      ]),
    };
    assert.deepEqual(sorted(await sink.stateOf(DATASET)), expected);
    assert.deepEqual(sorted(await (await place.openSink()).stateOf(DATASET)), expected);
    assert.deepEqual(await sink.stateOf(OTHER), { revision: 0, ordinals: new Map() });
  });

  test(`${title}: an opened sink goes on where the one before it has ended`, async (context) => {
    const place = await makePlace(context);
    await (await place.openSink()).putPoints(DATASET, batchOf(plainPoints(64, 0, 10)));
    const next = await place.openSink();
    await next.putPoints(DATASET, batchOf(plainPoints(65, 0, 4)));
    assert.deepEqual((await next.stateOf(DATASET)).ordinals, new Map([[64, 10]]).set(65, 4));
  });

  test(`${title}: the newest document of a dataset stays, and all datasets are found`, async (context) => {
    const place = await makePlace(context);
    const sink = await place.openSink();
    assert.deepEqual(await sink.datasets(), []);
    await sink.putDataset(DATASET, datasetDocument(7));
    await sink.putDataset(DATASET, { ...datasetDocument(6), isDeleted: true });
    await (await place.openSink()).putDataset(DATASET, { ...datasetDocument(5), isDeleted: true });
    await sink.putDataset(OTHER, { ...datasetDocument(9), isDeleted: true });
    await sink.putDataset({ ...OTHER, identity: 'a'.repeat(32) }, datasetDocument(10));
    const edge = 'e'.repeat(32);
    assert.deepEqual([...(await sink.datasets())].sort(byIdentity), [
      { ...DATASET, edge, isDeleted: false },
      { name: 'south', identity: 'a'.repeat(32), edge, isDeleted: false },
      { ...OTHER, edge, isDeleted: true },
    ]);
    assert.equal((await sink.stateOf(DATASET)).revision, 7);
  });

  test(`${title}: names of datasets with anything in them are folders of their own`, async (context) => {
    const place = await makePlace(context);
    const sink = await place.openSink();
    const names = ['.', '..', '.hidden', 'end.', 'a/b', 'a%2Fb', 'Ä ö', "it's (1)*!~", 'plant', 'Plant', '温度'];
    for (const [i, name] of names.entries())
      await sink.putDataset({ name, identity: i.toString(16).padStart(32, '0') }, datasetDocument(1));
    assert.deepEqual((await sink.datasets()).map(({ name }) => name).sort(), names.toSorted());
    for (const path of place.files().keys())
      assert.match(path, /^[A-Za-z0-9_%-][A-Za-z0-9_.%-]*\/[0-9a-f]{32}\/dataset\.json$/);
  });

  test(`${title}: the newest document of a tag stays, with those of its range`, async (context) => {
    const place = await makePlace(context);
    const sink = await place.openSink();
    await sink.putTags(DATASET, [tagDocument(64, 3), tagDocument(65, 4), tagDocument(1_064, 5)], KEPT);
    const renamed = { ...tagDocument(64, 6), deleted: [{ from: 2, to: 5 }], lateOf: 65, isSystem: true };
    await sink.putTags(DATASET, [renamed, tagDocument(65, 2)], KEPT);
    const text = Buffer.from(place.files().get(`north.plant%201/${DATASET.identity}/tags/0-999.json`) ?? []).toString();
    const { tags } = JSON.parse(text) as WrittenTags;
    const read = tags.map((tag) => parseTag(tag.id, tag.revision, JSON.stringify(tag)));
    assert.deepEqual(read, [renamed, tagDocument(65, 4)]);
    assert.equal([...place.files().keys()].length, 2);
  });
}

function sorted({ revision, ordinals }: Awaited<ReturnType<Sink['stateOf']>>) {
  return { revision, ordinals: new Map([...ordinals].sort(([a], [b]) => a - b)) };
}

function byIdentity(a: { identity: string }, b: { identity: string }): number {
  return a.identity < b.identity ? -1 : 1;
}
