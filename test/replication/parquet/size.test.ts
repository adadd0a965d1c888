// How large the files are. The figures are printed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodePoints } from '../../../replication/parquet/points-file.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { batchOf, DATASET, plainPoints, type SamplePoint } from './sample-points.ts';

const TAGS = 10;
const SEED = 7;

/** 1 s apart; values of 2 decimals that go up and down. */
function wanderingPoints(random: SeededRandom, tag: number, count: number): SamplePoint[] {
  let hundredths = 2_000;
  return plainPoints(tag, 1_000_000, count).map((point) => {
    hundredths += random.below(41) - 20;
    return { ...point, value: hundredths / 100 };
  });
}

async function bytesOf(pointsPerTag: number): Promise<{ bytes: number; tookMs: number }> {
  const random = new SeededRandom(SEED);
  const points = Array.from({ length: TAGS }, (_, i) => wanderingPoints(random, 64 + i, pointsPerTag)).flat();
  const batch = batchOf(points);
  const began = performance.now();
  const file = await encodePoints(DATASET, batch, batch.runs);
  return { bytes: file.length, tookMs: performance.now() - began };
}

test('100,000 points of 10 tags at 1 s take less than 5 bytes a point', async (context) => {
  const { bytes, tookMs } = await bytesOf(10_000);
  const perPoint = bytes / 100_000;
  context.diagnostic(`${perPoint.toFixed(2)} bytes a point; ${tookMs.toFixed(0)} ms`);
  assert.ok(perPoint < 5, `${perPoint} bytes a point`);
});

test('files of few points are large for what they hold', async (context) => {
  for (const pointsPerTag of [1, 10, 60, 600]) {
    const { bytes } = await bytesOf(pointsPerTag);
    context.diagnostic(`${pointsPerTag * TAGS} points: ${(bytes / (pointsPerTag * TAGS)).toFixed(1)} bytes a point`);
    assert.ok(bytes < 3_000 + 8 * pointsPerTag * TAGS, `${bytes} bytes`);
  }
});
