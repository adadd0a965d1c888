// The newest times in batches that an earlier run left on disk: what came after the file of newest times was written last.

import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { StoredBatch } from '../forward/batch-store.ts';
import { withFiles } from '../forward/errors.ts';
import type { NewestTimes } from './newest-times.ts';
import { parseInstant } from './point.ts';

/** The file is written every second; its time may be that of a coarse clock. */
const SLACK_MS = 5000;

export async function advanceByLeft(newest: NewestTimes, left: readonly StoredBatch[]): Promise<void> {
  for (const { path, encoding, storedMs } of left) {
    if (storedMs < newest.savedMs - SLACK_MS) continue;
    // A batch may have been sent meanwhile: the historian tells its times.
    const bytes = await withFiles(`read ${path}`, () => readFile(path)).catch(() => Buffer.from('{}'));
    const body = JSON.parse((encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()) as Record<string, unknown>;
    for (const [tag, points] of Object.entries(body)) {
      for (const point of Array.isArray(points) ? (points as { t?: unknown }[]) : []) {
        const instant = parseInstant(String(point?.t ?? ''));
        if (instant !== undefined) newest.advanceBy(tag, instant);
      }
    }
  }
}
