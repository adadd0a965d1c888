// What became of the points of a write, in headers.

import type { WriteCounts } from '../engine/index.ts';

type Headers = readonly (readonly [name: string, value: string])[];

const COUNT_HEADERS = [
  'Historian-Written',
  'Historian-Ignored',
  'Historian-Repeated',
  'Historian-Rejected',
  'Historian-Ahead',
  'Historian-Expired',
] as const;

let lastCounts: readonly number[] = [];
let lastHeaders: Headers = [];

/** The very list of the write before it where that was the same. */
export function countHeaders(
  { written, ignored, repeated, ahead, expired }: WriteCounts,
  rejectedCount: number,
): Headers {
  const counts = [written, ignored, repeated, rejectedCount, ahead, expired];
  if (COUNT_HEADERS.every((_, i) => counts[i] === lastCounts[i])) return lastHeaders;
  lastCounts = counts;
  lastHeaders = COUNT_HEADERS.map((name, i) => [name, String(counts[i])] as const);
  return lastHeaders;
}
