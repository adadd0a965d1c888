// Purge: one retention cutoff per dataset (D9). Earlier points are not read, except each tag's newest at or before it; none
// of them is removed before the cutoff itself is durable.

import type { Dataset } from '../dataset/dataset.ts';
import type { StoredCutoffs } from '../dataset/retention-cutoffs.ts';
import { SystemTagId } from '../dataset/system-tags.ts';
import { checkpoint } from '../flush/checkpoint.ts';
import { isHeld, removeRetiredFiles } from '../flush/file-removal.ts';
import { DAY_MS } from '../limits.ts';
import { freeHidden } from '../retention/purge-removal.ts';
import { ageCutoffMs, liftStaleCutoff, storeRules } from '../retention/retention-cutoff.ts';
import { planSizeCutoff } from '../retention/size-cutoff.ts';
import type { Tag } from '../tag/tag.ts';
import type { FolderSize } from './folder-size.ts';
import { moveSystemCutoffBack } from './system-tag-repair.ts';

/** Whether the wall clock can be relied on. */
export interface ClockTrust {
  readonly steady: boolean;
  readonly trusted: boolean;
}

export interface PurgeOptions {
  /** Users' points are purged by age when the wall clock is steady, system tags when it is trusted. */
  readonly clock: ClockTrust;
  readonly size: FolderSize;
}

/** Most rounds of shrinking a folder that is too large: each one starts from the tag files that the previous one wrote. */
const MOST_ROUNDS = 3;
/** A copy that has come this far is up to date: nothing that is purged is as new. */
const FRESH_COPY_MS = 5 * 60_000;

/** Applies a dataset's purge rules; run it within `dataset.maintain`. */
export async function purge(dataset: Dataset, { clock, size }: PurgeOptions): Promise<void> {
  if (dataset.deleted || isHeld(dataset)) return;
  await removeRetired(dataset, 'due');
  if (waitsForCopy(dataset)) return;
  await liftStaleCutoff(dataset);
  const { cutoffs } = dataset;
  if (clock.trusted) await moveSystemCutoffBack(dataset);
  const hasMoved = await moveOn(dataset, cutoffsByAge(dataset, clock));
  if (hasMoved || cutoffs.oldestMs < cutoffs.userMs) await freeHidden(dataset, 'most-of-a-file');
  if (dataset.isEnding) return;
  await purgeBySize(dataset, size);
}

/** Moves cutoffs on, and tells whether it did; a removal that runs puts it off to the next purge. */
async function moveOn(dataset: Dataset, further: Partial<StoredCutoffs> | undefined): Promise<boolean> {
  if (further === undefined) return false;
  return dataset.cutoffs.moveOn(() => storeRules(dataset, dataset.definition, further));
}

/** Undefined where they are as far as that. */
function cutoffsByAge(dataset: Dataset, clock: ClockTrust): Partial<StoredCutoffs> | undefined {
  const { cutoffs } = dataset;
  const userMs = clock.steady ? Math.max(cutoffs.userMs, ageCutoffMs(dataset)) : cutoffs.userMs;
  const systemMs = clock.trusted ? Math.max(cutoffs.systemMs, systemCutoffMs(dataset)) : cutoffs.systemMs;
  return userMs > cutoffs.userMs || systemMs > cutoffs.systemMs ? { userMs, systemMs } : undefined;
}

/** Points that are in no copy yet are not purged, up to a limit. */
function waitsForCopy(dataset: Dataset): boolean {
  const { clock, tunables } = dataset.context;
  const nowMs = clock.nowMs();
  const followers = [...dataset.audience.followers];
  const behindMs = Math.max(...followers.map(({ copiedUntilMs, sinceMs }) => nowMs - (copiedUntilMs ?? sinceMs)));
  const isBehind = followers.some(({ copiedUntilMs }) => !(nowMs - (copiedUntilMs ?? Number.NaN) < FRESH_COPY_MS));
  if (!isBehind) dataset.isPurgingUncopied = false;
  if (!isBehind || behindMs <= tunables.copyWaitMs) return isBehind;
  if (!dataset.isPurgingUncopied) {
    const days = (behindMs / DAY_MS).toFixed(1);
    const message = `Purge has waited for the copy, which is ${days} days behind, and goes on: points that it takes may never come to the centre.`;
    dataset.report('warn', 'purge.uncopied', message, { behindMs });
  }
  dataset.isPurgingUncopied = true;
  return false;
}

function systemCutoffMs(dataset: Dataset): number {
  const { clock, tunables } = dataset.context;
  const systemNewestMs = (dataset.tags.byId.get(SystemTagId.Second) as Tag).newest?.ms ?? Number.NEGATIVE_INFINITY;
  return Math.min(clock.nowMs(), systemNewestMs) - tunables.systemTagDays * DAY_MS;
}

/** Brings the folder below its size limit; reports when that is not possible. */
async function purgeBySize(dataset: Dataset, size: FolderSize): Promise<void> {
  const { purgeSizeGb } = dataset.definition;
  if (purgeSizeGb <= 0) {
    dataset.purgeUnmet = undefined;
    return;
  }
  const limitBytes = purgeSizeGb * 1e9;
  let overBytes = await excessOf(size, limitBytes);
  for (let round = 0; round < MOST_ROUNDS && overBytes > 0; round++) {
    const before = overBytes;
    if (dataset.isEnding) return;
    await shrink(dataset, size, limitBytes);
    overBytes = await excessOf(size, limitBytes);
    if (overBytes >= before) break;
  }
  noteUnmet(dataset, overBytes);
}

async function excessOf(size: FolderSize, limitBytes: number): Promise<number> {
  await size.measure();
  return size.sizeBytes - limitBytes;
}

/** Takes these steps until one suffices: remove retired files; flush journals and spills to tag files; advance the cutoff. */
async function shrink(dataset: Dataset, size: FolderSize, limitBytes: number): Promise<void> {
  await removeRetired(dataset, 'all');
  if ((await excessOf(size, limitBytes)) <= 0) return;
  // Points of journals and spills can be purged by tag only once they are in tag files.
  await checkpoint(dataset, { mode: 'absorb', mayBeLeft: true });
  if (dataset.isEnding) return;
  await removeRetired(dataset, 'all');
  if ((await excessOf(size, limitBytes)) <= 0) return;
  const { cutoffMs } = await planSizeCutoff(dataset, size.sizeBytes, limitBytes);
  const { userMs, sizeMs } = dataset.cutoffs;
  if (cutoffMs !== undefined && cutoffMs > sizeMs)
    await moveOn(dataset, { userMs: Math.max(userMs, cutoffMs), sizeMs: cutoffMs });
  await freeHidden(dataset, 'a-page');
  await removeRetired(dataset, 'all');
}

async function removeRetired(dataset: Dataset, which: 'due' | 'all'): Promise<void> {
  while (removeRetiredFiles(dataset, which)) await new Promise<void>((resolve) => void setImmediate(resolve));
}

function noteUnmet(dataset: Dataset, overBytes: number): void {
  const unmet =
    overBytes > 0
      ? `The folder takes ${Math.ceil(overBytes / 1e6)} MB more than its purge size allows; what is left is a few kilobytes of each tag, and not purged.`
      : undefined;
  if (unmet && !dataset.purgeUnmet) dataset.report('warn', 'purge.unmet', unmet, { overBytes });
  dataset.purgeUnmet = unmet;
}
