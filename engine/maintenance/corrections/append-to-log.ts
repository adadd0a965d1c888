// Stores the entries of the log of corrections, as points of a system tag: one record of the journal for each request.

import type { Dataset } from '../../dataset/dataset.ts';
import type { DatasetTags } from '../../dataset/dataset-tags.ts';
import { SystemTagId } from '../../dataset/system-tags.ts';
import { appendSystemPoints } from '../../ingest/append-batch.ts';
import type { OperationBeside } from '../../ingest/pending-append.ts';
import type { Tag } from '../../tag/tag.ts';
import { GOOD_QUALITY, type Instant, PointColumns, type PointRun, TICKS_PER_MS } from '../../types.ts';

/** The tag that holds the log. */
export function logOfCorrections(tags: DatasetTags): Tag {
  return tags.byId.get(SystemTagId.Corrections) as Tag;
}

/**
 * Stores texts one tick after another, whole or not at all; resolves with their times when they are durable. Nothing may have
 * been accepted since the call, which appends at once.
 * @param beside accepted already, and stored with them
 */
export async function appendToLog(
  dataset: Dataset,
  texts: readonly string[],
  beside?: OperationBeside,
): Promise<readonly Instant[]> {
  const tag = logOfCorrections(dataset.tags);
  const points = new PointColumns(texts.length);
  const times: Instant[] = [];
  let time = timeOfNext(dataset, tag);
  for (const text of texts) {
    const i = points.count++;
    times.push(time);
    points.timesMs[i] = time.ms;
    points.ticks[i] = time.ticks;
    points.qualities[i] = GOOD_QUALITY;
    points.numbers[i] = points.texts.push(text);
    time = nextTick(time);
  }
  const run: PointRun = {
    name: tag.name,
    tag,
    type: tag.type,
    start: 0,
    count: points.count,
    rejected: 0,
    stamped: points.count,
  };
  await appendSystemPoints(dataset, { points, runs: [run] }, 'sync', beside);
  return times;
}

/** Now; or one tick after its newest point, when the clock was set back, and behind what was purged by a clock that was ahead. */
function timeOfNext({ context, cutoffs }: Dataset, { accepted }: Tag): Instant {
  const now = { ms: Math.max(Math.floor(context.clock.nowMs()), cutoffs.systemMs + 1), ticks: 0 };
  return accepted !== undefined && accepted.ms >= now.ms ? nextTick(accepted) : now;
}

function nextTick({ ms, ticks }: Instant): Instant {
  return ticks + 1 < TICKS_PER_MS ? { ms, ticks: ticks + 1 } : { ms: ms + 1, ticks: 0 };
}
