// After a clock that was far ahead: behind the points and the purge cut that it left, system tags would stand still. Both
// come back to the clock once it can be trusted; call these only then.

import type { Dataset } from '../dataset/dataset.ts';
import { SystemTagId } from '../dataset/system-tags.ts';
import { HOUR_MS } from '../limits.ts';
import type { Tag } from '../tag/tag.ts';
import { deletePoints } from './point-deletion.ts';

/** So far ahead a system tag goes on a tick behind its newest point, until the clock has come there. */
const BEARABLE_MS = HOUR_MS;

/**
 * Cuts the server's own points when they lie more than an hour ahead of the clock and of every user point: so a clock
 * that is behind takes nothing that clients speak against. Statuses are the collectors', and stay.
 */
export async function takeBackSystemPoints(dataset: Dataset): Promise<void> {
  const { health, disk } = dataset.context;
  if (dataset.deleted || health.poisoned || disk.full) return;
  const nowMs = presentMs(dataset);
  const isAhead = ({ id, accepted }: Tag): boolean =>
    id !== SystemTagId.Status && accepted !== undefined && accepted.ms > nowMs + BEARABLE_MS;
  const tags = [...dataset.systemNames.values()].filter(isAhead);
  if (tags.length === 0) return;
  const removed = await deletePoints(dataset, tags, { ms: nowMs + 1, ticks: 0 });
  const from = new Date(nowMs).toISOString();
  const message = `System tags were written with a clock that was ahead; their points after ${from} are taken back.`;
  dataset.report('warn', 'system-tags.cut', message, { removed, tags: tags.length });
}

/**
 * What a wrong time has purged stays hidden; what is recorded from now on is not. Returns whether the purge cut of
 * system tags was moved, and is to be stored.
 */
export function moveSystemCutoffBack(dataset: Dataset): boolean {
  const nowMs = presentMs(dataset);
  if (dataset.cutoffs.systemMs <= nowMs + BEARABLE_MS) return false;
  dataset.cutoffs.moveSystemBack(nowMs);
  return true;
}

/** The later of the clock and the newest user point. */
function presentMs(dataset: Dataset): number {
  return Math.max(dataset.context.clock.nowMs(), dataset.newestMs);
}
