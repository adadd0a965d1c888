// The points of W1, all in memory: every peer gets the same ones, and its answers are compared with them.

import type { RequestPoints } from '../../workloads/bodies.ts';
import { W1Data } from '../../workloads/w1-data.ts';
import { START_MS, STEP_MS } from '../../workloads/write-load.ts';

export const QUALITY = 192;

export interface W1Size {
  readonly tagCount: number;
  readonly pointsATag: number;
  readonly seed: number;
}

export interface W1Points {
  readonly names: readonly string[];
  readonly pointsATag: number;
  readonly startMs: number;
  /** Time behind the last point. */
  readonly endMs: number;
  /** Point i of a tag is at `tag * pointsATag + i`; ascending within a tag. */
  readonly timesMs: Float64Array;
  /** The values times 100. */
  readonly hundredths: Float64Array;
}

export function makeW1Points({ tagCount, pointsATag, seed }: W1Size): W1Points {
  const data = new W1Data(tagCount, START_MS, seed);
  const timesMs = new Float64Array(tagCount * pointsATag);
  const hundredths = new Float64Array(tagCount * pointsATag);
  for (let tag = 0; tag < tagCount; tag++) {
    const from = tag * pointsATag;
    const to = from + pointsATag;
    data.fill(tag, 0, pointsATag, timesMs.subarray(from, to), hundredths.subarray(from, to));
  }
  const endMs = START_MS + pointsATag * STEP_MS;
  return { names: data.names, pointsATag, startMs: START_MS, endMs, timesMs, hundredths };
}

/** Points `[n, n + count)` of the tags `[fromTag, toTag)`. */
export function requestPoints(
  points: W1Points,
  fromTag: number,
  toTag: number,
  n: number,
  count: number,
): RequestPoints {
  const timesMs = new Float64Array((toTag - fromTag) * count);
  const numbers = new Float64Array((toTag - fromTag) * count);
  for (let tag = fromTag; tag < toTag; tag++) {
    const from = tag * points.pointsATag + n;
    timesMs.set(points.timesMs.subarray(from, from + count), (tag - fromTag) * count);
    numbers.set(points.hundredths.subarray(from, from + count), (tag - fromTag) * count);
  }
  return { names: points.names.slice(fromTag, toTag), count, timesMs, numbers, kind: 'decimal' };
}

/** Number of points of a tag before a time. */
export function pointsBefore({ timesMs, pointsATag }: W1Points, tag: number, timeMs: number): number {
  const first = tag * pointsATag;
  let low = first;
  let high = first + pointsATag;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timesMs[middle] as number) < timeMs) low = middle + 1;
    else high = middle;
  }
  return low - first;
}
