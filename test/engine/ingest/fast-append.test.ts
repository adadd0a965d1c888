// The fast path accepts a request as a whole, or changes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendFast, type TimeLimits } from '../../../engine/ingest/fast-append.ts';
import { releaseFastRuns } from '../../../engine/ingest/fast-runs.ts';
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

const limitedTo = (aheadMs: number, expiryMs = Number.NEGATIVE_INFINITY): TimeLimits => ({ aheadMs, expiryMs });

const stateOf = (tags: readonly Tag[]): unknown =>
  tags.map(({ accepted, acceptedOrdinal }) => [accepted, acceptedOrdinal]);

for (const quality of [192, 0]) {
  test(`runs later than the newest points of their tags become the newest accepted ones, of quality ${quality}`, () => {
    const tags = newTags();
    const fastRuns = appendFast(
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
    const accepted = fastRuns.accepted(0, fastRuns.runs.length);
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
    assert.equal(appendFast(late, limitedTo(1e6)), undefined);
    assert.deepEqual(stateOf(tags), before);
  });
}

test('a request with a tag twice, with points ahead of time or expired, or with one of another type changes nothing', () => {
  const tags = newTags();
  const before = stateOf(tags);
  const common = batchOf(tags, () => 2000);
  const again: PointRun = { ...(common.runs[0] as PointRun), start: 2, count: 1 };
  const other: PointRun = { ...(common.runs[3] as PointRun), type: ValueType.Single };
  assert.equal(appendFast({ points: common.points, runs: [...common.runs, again] }, limitedTo(1e6)), undefined);
  assert.equal(
    appendFast({ points: common.points, runs: [...common.runs.slice(0, 3), other] }, limitedTo(1e6)),
    undefined,
  );
  assert.equal(
    appendFast(
      batchOf(tags, (i) => 2000 + i),
      limitedTo(2003),
    ),
    undefined,
  );
  assert.equal(appendFast(common, limitedTo(1e6, 2000)), undefined);
  assert.deepEqual(stateOf(tags), before);
});
