// Rows in no order: the points that go out are in that of time, whether they fit in memory or go through files.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CsvPoint } from '../../../../server/commands/import/points/point-reader.ts';
import { SortedPoints } from '../../../../server/commands/import/sorted-points.ts';

const COUNT = 1000;

/** Times in no order, some of them twice, with digits below the millisecond, texts with line ends, and without a quality. */
function point(index: number): CsvPoint {
  const ms = Date.UTC(2024, 0, 1) + ((index * 379) % 500);
  const time = new Date(ms).toISOString();
  const isFine = index % 3 === 0;
  return {
    tag: `T\u2028 ${index % 5}`,
    time: isFine ? time.replace('Z', '5000Z') : time,
    value: JSON.stringify(`a\n\u2028${index}`),
    quality: index % 2 === 0 ? '64' : undefined,
    line: index + 1,
  };
}

async function sorted(runPoints: number): Promise<{ points: CsvPoint[]; runCount: number }> {
  const points = new SortedPoints(runPoints);
  try {
    for (let index = 0; index < COUNT; index++) points.add(point(index));
    const all: CsvPoint[] = [];
    for await (const one of points.inOrder()) all.push(one);
    return { points: all, runCount: points.runCount };
  } finally {
    points.close();
  }
}

test('points through files are those in memory: by time, then by line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'varve-sorted-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const inMemory = await sorted(COUNT + 1);
    assert.equal(inMemory.runCount, 0);
    const key = ({ time, line }: CsvPoint): string => `${time.slice(0, -1)} ${String(line).padStart(5, '0')}`;
    const wanted = Array.from({ length: COUNT }, (_, index) => point(index)).sort((a, b) => (key(a) < key(b) ? -1 : 1));
    assert.deepEqual(inMemory.points, wanted);
    for (const runPoints of [1, 7, 250, COUNT]) {
      const merged = await sorted(runPoints);
      assert.equal(merged.runCount, Math.ceil(COUNT / runPoints));
      assert.deepEqual(merged.points, wanted, `${runPoints} points a run`);
    }
    assert.deepEqual(readdirSync(folder), [], 'its files are gone');
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true });
  }
});
