// Repair after a clock that was far ahead: the points and the cutoff that it left would keep system tags from recording.
// Both are moved back once the clock can be trusted; call these functions only then.

import type { Dataset } from '../dataset/dataset.ts';
import { SystemTagId } from '../dataset/system-tags.ts';
import { HOUR_MS } from '../limits.ts';
import { storeRules } from '../retention/retention-cutoff.ts';
import type { Tag } from '../tag/tag.ts';
import { deletePoints } from './point-deletion.ts';

/** Up to this far ahead a system tag continues one tick after its newest point, until the clock has caught up. */
const BEARABLE_MS = HOUR_MS;

/**
 * Deletes the server's own points if they lie more than an hour ahead of the clock and of every user point; so a clock
 * that is behind deletes nothing that clients' points contradict. Statuses belong to the collectors, and stay, and so do corrections.
 */
export async function deleteFutureSystemPoints(dataset: Dataset): Promise<void> {
  const { health, disk } = dataset.context;
  if (dataset.deleted || health.poisoned || disk.full) return;
  const nowMs = presentMs(dataset);
  const isAhead = ({ id, accepted }: Tag): boolean =>
    id !== SystemTagId.Status &&
    id !== SystemTagId.Corrections &&
    accepted !== undefined &&
    accepted.ms > nowMs + BEARABLE_MS;
  const tags = [...dataset.tags.systemNames.values()].filter(isAhead);
  if (tags.length === 0) return;
  const removed = await deletePoints(dataset, tags, { ms: nowMs + 1, ticks: 0 });
  const from = new Date(nowMs).toISOString();
  const message = `System tags were written with a clock that was ahead; their points after ${from} are taken back.`;
  dataset.report('warn', 'system-tags.cut', message, { removed, tags: tags.length });
}

/** Moves the cutoff of system tags back: points purged with a wrong time stay hidden, new ones are readable. Rejects as `storeRules` does. */
export async function moveSystemCutoffBack(dataset: Dataset): Promise<void> {
  const nowMs = presentMs(dataset);
  if (dataset.cutoffs.systemMs <= nowMs + BEARABLE_MS) return;
  await storeRules(dataset, dataset.definition, { systemMs: nowMs });
}

/** The later of the clock and the newest user point. */
function presentMs(dataset: Dataset): number {
  return Math.max(dataset.context.clock.nowMs(), dataset.progress.newestMs);
}
