// The fast path accepts a request as a whole, or changes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatasetTags } from '../../../engine/dataset/dataset-tags.ts';
import { FRAME_HEADER } from '../../../engine/format/bytes/frame.ts';
import { decodeRecord } from '../../../engine/format/record/journal-record.ts';
import { wholeOf } from '../../../engine/ingest/batch.ts';
import { appendFast, type UsualTimes } from '../../../engine/ingest/fast-append.ts';
import { type FastRuns, releaseFastRuns } from '../../../engine/ingest/fast-runs.ts';
import type { NewestPoint } from '../../../engine/tag/newest-point.ts';
import { Tag } from '../../../engine/tag/tag.ts';
import { type PointBatch, PointColumns, type PointRun, ValueType } from '../../../engine/types.ts';

const BEFORE: NewestPoint = { ms: 1000, ticks: 0, value: 1.5, quality: 192, type: ValueType.Double, tie: undefined };

function newTag(id: number, newest: NewestPoint | undefined, type: ValueType = ValueType.Double): Tag {
  const tag = new Tag(id, { name: `T${id}`, type });
  tag.accepted = newest;
  tag.acceptedOrdinal = newest ? 7 : 0;
  return tag;
}

/** Two points a tag, the first at a time. */
function batchOf(tags: readonly Tag[], timeOf: (i: number) => number, quality = 192): PointBatch {
  const points = new PointColumns(2 * tags.length);
  points.count = 2 * tags.length;
  const runs = tags.map((tag, i): PointRun => {
    for (let k = 0; k < 2; k++) {
      points.timesMs[2 * i + k] = timeOf(i) + k;
      points.numbers[2 * i + k] = i + k / 10;
      points.qualities[2 * i + k] = quality;
    }
    return { name: tag.name, tag, type: tag.type, start: 2 * i, count: 2, rejected: 0, stamped: 0 };
  });
  return { points, runs };
}

function newTags(): Tag[] {
  const bad = { ...BEFORE, quality: 0 };
  return [newTag(100, BEFORE), newTag(101, undefined), newTag(102, bad), newTag(103, BEFORE)];
}

const limitedTo = (aheadMs: number, expiryMs = Number.NEGATIVE_INFINITY): UsualTimes => ({ aheadMs, expiryMs });

const appendTo = (known: DatasetTags, batch: PointBatch, limits: UsualTimes): FastRuns | undefined =>
  appendFast(known, wholeOf(batch), limits);
const append = (batch: PointBatch, limits: UsualTimes): FastRuns | undefined =>
  appendTo(new DatasetTags(() => 0), batch, limits);

const stateOf = (tags: readonly Tag[]): unknown =>
  tags.map(({ accepted, acceptedOrdinal }) => [accepted, acceptedOrdinal]);

for (const quality of [192, 0]) {
  test(`runs later than the newest points of their tags become the newest accepted ones, of quality ${quality}`, () => {
    const tags = newTags();
    const fastRuns = append(
      batchOf(tags, () => 2000, quality),
      limitedTo(1e6),
    );
    assert.ok(fastRuns);
    assert.equal(fastRuns.pointCount, 8);
    assert.deepEqual(
      tags.map(({ accepted }) => [accepted?.ms, accepted?.value, accepted?.quality]),
      [0.1, 1.1, 2.1, 3.1].map((value) => [2001, value, quality]),
    );
    assert.deepEqual(
      tags.map((tag) => tag.acceptedOrdinal),
      [9, 2, 9, 9],
    );
    const accepted = fastRuns.accepted();
    assert.deepEqual(
      accepted.map(({ tag, firstOrdinal, count, written }) => [tag, firstOrdinal, count, written]),
      tags.map((tag, i) => [tag, i === 1 ? 0 : 7, 2, 2]),
    );
    releaseFastRuns(fastRuns);
  });

  test(`a request of which the last run is late changes nothing, of quality ${quality}`, () => {
    const tags = newTags();
    const before = stateOf(tags);
    const late = batchOf(tags, (i) => (i === 3 ? 1000 : 2000), quality);
    assert.equal(append(late, limitedTo(1e6)), undefined);
    assert.deepEqual(stateOf(tags), before);
  });
}

test('a request with a tag twice, with points ahead of time or expired, or with one of another type changes nothing', () => {
  const tags = newTags();
  const before = stateOf(tags);
  const common = batchOf(tags, () => 2000);
  const again: PointRun = { ...(common.runs[0] as PointRun), start: 2, count: 1 };
  const other: PointRun = { ...(common.runs[3] as PointRun), type: ValueType.Single };
  assert.equal(append({ points: common.points, runs: [...common.runs, again] }, limitedTo(1e6)), undefined);
  assert.equal(append({ points: common.points, runs: [...common.runs.slice(0, 3), other] }, limitedTo(1e6)), undefined);
  assert.equal(
    append(
      batchOf(tags, (i) => 2000 + i),
      limitedTo(2003),
    ),
    undefined,
  );
  assert.equal(append(common, limitedTo(1e6, 2000)), undefined);
  assert.deepEqual(stateOf(tags), before);
});

/** The same runs with their tags unknown, as a parser leaves them. */
const unknown = ({ points, runs }: PointBatch): PointBatch => ({
  points,
  runs: runs.map((run) => ({ ...run, tag: undefined })),
});

test('unknown tags are created, and defined in the record before their points', () => {
  const known = new DatasetTags(() => 0);
  const batch = unknown(batchOf(newTags(), () => 2000));
  const fastRuns = appendTo(known, batch, limitedTo(1e6));
  assert.ok(fastRuns);
  assert.equal(known.names.size, 4);
  assert.deepEqual(
    batch.runs.map(({ tag }) => tag),
    ['T100', 'T101', 'T102', 'T103'].map((name) => known.names.find(name)),
  );
  const told: string[] = [];
  const { bytes, length } = fastRuns.record;
  decodeRecord(bytes, FRAME_HEADER.sizeBytes, length, new PointColumns(0), {
    define: (id, { name }) => told.push(`${id} ${name}`),
    run: ({ tagId, count }) => told.push(`${tagId} ${count} points`),
    delete: () => assert.fail(),
    deletion: () => assert.fail(),
  });
  const defined = ['64 T100', '65 T101', '66 T102', '67 T103'];
  assert.deepEqual(told, [...defined, ...defined.map((text) => `${text.slice(0, 2)} 2 points`)]);
  releaseFastRuns(fastRuns);
});

for (const [why, change] of [
  ['late', { start: 0 }],
  ['without values', { type: ValueType.Open }],
  ['without times', { stamped: 2 }],
  ['of an impossible name', { name: '$System.Mine' }],
] as const) {
  test(`no tag is created where a later run is ${why}`, () => {
    const known = new DatasetTags(() => 0);
    const { points, runs } = unknown(batchOf(newTags(), () => 2000));
    const refused = { ...(runs[3] as PointRun), ...change };
    if (why === 'late') Object.assign(points.timesMs, { 1: 1000 });
    const batch = { points, runs: [...runs.slice(1, 3), refused] };
    assert.equal(appendTo(known, batch, limitedTo(1e6)), undefined);
    assert.equal(known.names.size, 0);
    assert.ok(batch.runs.every(({ tag }) => tag === undefined));
  });
}

for (const [which, stamped, limits] of [
  ['no times', 2, limitedTo(1e6)],
  ['points ahead of time', 0, limitedTo(2000)],
  ['expired points', 0, limitedTo(1e6, 2000)],
] as const) {
  test(`no tag is created for nothing where the first run has ${which}`, () => {
    const { points, runs } = unknown(batchOf(newTags(), () => 2000));
    const batch = { points, runs: runs.map((run) => ({ ...run, stamped })) };
    const known = Object.assign(new DatasetTags(() => 0), { add: () => assert.fail('created a tag') });
    assert.equal(appendTo(known, batch, limits), undefined);
  });
}

test('a tag that was created since the body was read is found', () => {
  const known = new DatasetTags(() => 0);
  const tag = known.add({ name: 'T101', type: ValueType.Double }, undefined);
  const batch = unknown(batchOf([newTag(101, undefined)], () => 2000));
  const fastRuns = appendTo(known, batch, limitedTo(1e6));
  assert.ok(fastRuns);
  assert.equal(batch.runs[0]?.tag, tag);
  assert.deepEqual(fastRuns.created, []);
  releaseFastRuns(fastRuns);
});
