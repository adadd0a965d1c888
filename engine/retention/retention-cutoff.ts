// The retention cutoff that the purge rules in force set, and how a cutoff that they no longer set is lifted (D9): the points
// it hid stay hidden, tag by tag, and points accepted from then on are readable.

import type { Dataset } from '../dataset/dataset.ts';
import type { StoredCutoffs } from '../dataset/retention-cutoffs.ts';
import { poison } from '../dataset/write-failure.ts';
import { EngineError } from '../errors.ts';
import { rulesOf, writeDatasetFile } from '../files/dataset-file.ts';
import { checkpoint } from '../flush/checkpoint.ts';
import { Slicer } from '../io/slicer.ts';
import { isPassing } from '../io/system-errors.ts';
import { DAY_MS } from '../limits.ts';
import { firstRemainingOrdinal, locateKept } from '../read/visible-range.ts';
import type { Tag } from '../tag/tag.ts';
import type { DatasetDefinition, DatasetRules } from '../types.ts';

/** By age: `min(now, newest point with its client's time) - pa`; -Infinity without a rule, or without points. */
export function ageCutoffMs(dataset: Dataset): number {
  const { purgeAgeDays } = dataset.definition;
  if (purgeAgeDays <= 0) return Number.NEGATIVE_INFINITY;
  return Math.min(dataset.context.clock.nowMs(), dataset.progress.newestClientMs) - purgeAgeDays * DAY_MS;
}

/** Points at or before this time would be purged at once by the rules in force, and are not stored. */
export function expiryCutoffMs(dataset: Dataset): number {
  const { cutoffs, context, definition } = dataset;
  if (definition.purgeAgeDays <= 0 || !context.clockWatch.steady) return cutoffs.userMs;
  return Math.max(cutoffs.userMs, ageCutoffMs(dataset));
}

/**
 * Changes the rules, durable once resolved. A cutoff that the new rules do not set is lifted. Run it within
 * `dataset.maintain`. Rejects with POISONED, or the system's error of a full disk; the rules are then unchanged.
 */
export async function changeRules(dataset: Dataset, definition: DatasetDefinition): Promise<void> {
  const before = dataset.definition;
  const isSizeLaxer = isLaxer(before.purgeSizeGb, definition.purgeSizeGb);
  if (isSizeLaxer) await liftCutoff(dataset, Number.NEGATIVE_INFINITY, definition);
  else if (isLaxer(before.purgeAgeDays, definition.purgeAgeDays))
    await liftCutoff(dataset, dataset.cutoffs.sizeMs, definition);
  else await storeRules(dataset, definition);
  dataset.definition = definition;
  for (const notes of dataset.audience.followers) notes.noteRules();
}

/** 0 is no limit. */
function isLaxer(before: number, after: number): boolean {
  return before > 0 && (after === 0 || after > before);
}

/** Lifts a cutoff that was set from newer points than exist now, or by rules of an earlier version. */
export async function liftStaleCutoff(dataset: Dataset): Promise<void> {
  if (!isCutoffStale(dataset) || dataset.context.disk.full) return;
  await liftCutoff(dataset, dataset.cutoffs.sizeMs, dataset.definition);
}

/** Independent of the clock: a cutoff is not lifted because the clock was set back. */
export function isCutoffStale({ cutoffs, definition, progress: { newestClientMs } }: Dataset): boolean {
  const { purgeAgeDays } = definition;
  const ageMs = purgeAgeDays > 0 ? newestClientMs - purgeAgeDays * DAY_MS : Number.NEGATIVE_INFINITY;
  return cutoffs.userMs > Math.max(ageMs, cutoffs.sizeMs);
}

/**
 * Moves the cutoff back to a time and stores rules. The catalog gets the first remaining ordinal of each tag before that:
 * a crash between the two leaves both in force.
 */
async function liftCutoff(dataset: Dataset, loweredMs: number, rules: DatasetRules): Promise<void> {
  const { userMs } = dataset.cutoffs;
  if (userMs <= loweredMs) return storeRules(dataset, rules);
  await hidePermanently(dataset, userMs);
  try {
    await checkpoint(dataset, { mode: 'spill' });
  } catch (error) {
    throw asPoison(dataset, error);
  }
  const lifted = { beforeMs: userMs, sequence: dataset.progress.checkpointSequence };
  const sizeMs = Math.min(loweredMs, dataset.cutoffs.sizeMs);
  // In force once stored: a point accepted with the new cutoff must not meet the old one again after a crash.
  await storeRules(dataset, rules, { userMs: loweredMs, sizeMs, lifted });
}

/** Hides permanently, in memory, the points of user tags that a cutoff hides; returns whether some were not hidden so before. */
export async function hidePermanently(dataset: Dataset, cutoffMs: number): Promise<boolean> {
  const slicer = new Slicer(dataset.context);
  let hides = false;
  for (const tag of dataset.tags.byId.values(dataset.tags.nextId)) {
    if (!tag.isSystem && !tag.deleted && hideBefore(dataset, tag, cutoffMs)) hides = true;
    const turn = slicer.pause();
    if (turn) await turn;
  }
  return hides;
}

/** The time of the first point left is kept beside its ordinal: the point itself may be purged or removed later. */
function hideBefore(dataset: Dataset, tag: Tag, cutoffMs: number): boolean {
  const kept = tag.isLate ? undefined : locateKept(dataset, tag, cutoffMs);
  const ordinal = tag.isLate ? firstRemainingOrdinal(dataset, tag, cutoffMs) : (kept?.ordinal ?? 0);
  const isKnown = tag.isLate || tag.purgedTime !== undefined;
  if (ordinal < tag.purgedOrdinal || (ordinal === tag.purgedOrdinal && (isKnown || kept === undefined))) return false;
  tag.purgedOrdinal = ordinal;
  tag.purgedTime = kept && { ms: kept.ms, ticks: kept.ticks };
  return true;
}

/**
 * Makes rules and cutoffs durable, and puts the cutoffs in force then. Earlier requests are synced first: at `interval` and
 * `os` a power failure must not lose them and keep the cutoff that they led to (D9).
 */
export async function storeRules(
  dataset: Dataset,
  rules: DatasetRules,
  moved: Partial<StoredCutoffs> = {},
): Promise<void> {
  const cutoffs = { ...dataset.cutoffs.stored, ...moved };
  const { userMs, systemMs, sizeMs, lifted } = cutoffs;
  try {
    await dataset.writing.journal.sync();
    await writeDatasetFile(dataset.context.vfs, dataset.files.folder, {
      ...rulesOf(rules),
      ...(dataset.identity === undefined ? {} : { identity: dataset.identity }),
      purgedBeforeMs: finiteOrNull(userMs),
      systemPurgedBeforeMs: finiteOrNull(systemMs),
      sizePurgedBeforeMs: finiteOrNull(sizeMs),
      ...(lifted === undefined ? {} : { liftedBeforeMs: lifted.beforeMs, liftedSequence: lifted.sequence }),
    });
  } catch (error) {
    throw asPoison(dataset, error);
  }
  dataset.cutoffs.putInForce(cutoffs);
}

/** A full disk is retried; after any other fault it is unknown which rules are on disk, and nothing more is written (D11). */
function asPoison(dataset: Dataset, error: unknown): unknown {
  if (error instanceof EngineError || isPassing(error)) return error;
  return poison(dataset, 'Writing the rules', error);
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
