// Purge: one cut time per dataset (rule 9). Points before it are not read, except each tag's newest at or before it;
// files wholly before it go, files mostly before it are rewritten. Nothing goes before the cut itself is durable.

import { EngineError } from '../errors.ts';
import { isPassing } from '../io/system-errors.ts';
import { DAY_MS } from '../limits.ts';
import type { DatasetDefinition } from '../types.ts';
import { blocksOf } from './block-sources.ts';
import { checkpoint } from './checkpoint.ts';
import type { Dataset } from './dataset.ts';
import { writeDatasetFile } from './dataset-file.ts';
import { isHeld, removeRetiredFiles, removeTagFile, retireTagFile } from './file-removal.ts';
import type { FolderSize } from './folder-size.ts';
import { poison } from './poison.ts';
import { Slicer } from './slicer.ts';
import { moveSystemCutBack } from './system-tag-repair.ts';
import { SystemTagId } from './system-tags.ts';
import type { Tag } from './tag.ts';
import type { TagFile } from './tag-file.ts';
import { rewriteTagFile } from './tag-file-rewrite.ts';
import { syncTagFiles } from './tag-file-sync.ts';
import { newestPlaceUpTo, purgeCutMs } from './visible-range.ts';

/** What is known of the wall clock. */
export interface ClockTrust {
  readonly steady: boolean;
  readonly trusted: boolean;
}

export interface PurgeOptions {
  /** Users' points are purged by age when the wall clock is steady, system tags when it is trusted. */
  readonly clock: ClockTrust;
  readonly size: FolderSize;
}

type PurgeRules = Pick<DatasetDefinition, 'purgeAgeDays' | 'purgeSizeGb'>;

/** Applies a dataset's purge rules; run it within `dataset.maintain`. */
export async function purge(dataset: Dataset, options: PurgeOptions): Promise<void> {
  if (dataset.deleted || isHeld(dataset)) return;
  removeRetiredFiles(dataset, 'due');
  const before = dataset.purgedBeforeMs;
  const systemBefore = dataset.systemPurgedBeforeMs;
  if (options.clock.steady) moveAgeCut(dataset);
  if (options.clock.trusted) {
    if (moveSystemCutBack(dataset)) await storeRules(dataset, dataset.definition);
    moveSystemCut(dataset);
  }
  await moveSizeCut(dataset, options.size);
  if (dataset.purgedBeforeMs > before || dataset.systemPurgedBeforeMs > systemBefore) await removePurged(dataset);
  await freeRetired(dataset, options.size);
  await noteUnmet(dataset, options.size);
}

/** What purge has rewritten is retired, too; it goes now when the size limit asks for it. */
async function freeRetired(dataset: Dataset, size: FolderSize): Promise<void> {
  removeRetiredFiles(dataset, 'due');
  const limit = limitBytes(dataset);
  if (limit === Number.POSITIVE_INFINITY || dataset.retired.length === 0) return;
  await size.measure();
  if (size.sizeBytes > limit) removeRetiredFiles(dataset, 'all');
}

/** By age: `min(now, newest point with its client's time) - pa`. */
function moveAgeCut(dataset: Dataset): void {
  const { purgeAgeDays } = dataset.definition;
  if (purgeAgeDays <= 0) return;
  dataset.purgedBeforeMs = Math.max(
    dataset.purgedBeforeMs,
    Math.min(dataset.context.clock.nowMs(), dataset.newestClientMs) - purgeAgeDays * DAY_MS,
  );
}

function moveSystemCut(dataset: Dataset): void {
  const { clock, tunables } = dataset.context;
  const systemNewestMs = (dataset.byId.get(SystemTagId.Second) as Tag).newest?.ms ?? Number.NEGATIVE_INFINITY;
  dataset.systemPurgedBeforeMs = Math.max(
    dataset.systemPurgedBeforeMs,
    Math.min(clock.nowMs(), systemNewestMs) - tunables.systemTagDays * DAY_MS,
  );
}

function limitBytes(dataset: Dataset): number {
  return dataset.definition.purgeSizeGb > 0 ? dataset.definition.purgeSizeGb * 1e9 : Number.POSITIVE_INFINITY;
}

/** By size: retired journals go first; then the time is found before which enough bytes lie. */
async function moveSizeCut(dataset: Dataset, size: FolderSize): Promise<void> {
  const limit = limitBytes(dataset);
  if (limit === Number.POSITIVE_INFINITY) return;
  await size.measure();
  if (size.sizeBytes <= limit) return;
  removeRetiredFiles(dataset, 'all');
  await size.measure();
  if (size.sizeBytes <= limit) return;
  // What is in journals and spills can only be purged by tag once it is in tag files.
  await checkpoint(dataset, { mode: 'absorb' });
  removeRetiredFiles(dataset, 'all');
  await size.measure();
  if (size.sizeBytes <= limit) return;
  const cutMs = await cutThatFrees(dataset, size.sizeBytes - limit);
  if (cutMs !== undefined) dataset.purgedBeforeMs = Math.max(dataset.purgedBeforeMs, cutMs);
}

/** The time before which at least so many bytes of blocks lie; each tag's newest block does not count. */
async function cutThatFrees(dataset: Dataset, bytes: number): Promise<number | undefined> {
  const slicer = new Slicer(dataset.context);
  const blocks: { lastMs: number; sizeBytes: number }[] = [];
  for (const tag of dataset.byId.values()) {
    if (tag.isSystem) continue;
    const own = blocksOf(dataset, tag);
    for (const { entry } of own.slice(0, -1)) blocks.push({ lastMs: entry.lastMs, sizeBytes: entry.sizeBytes });
    await slicer.pause();
  }
  blocks.sort((a, b) => a.lastMs - b.lastMs);
  let freed = 0;
  for (const block of blocks) {
    freed += block.sizeBytes;
    // One tick of a millisecond behind the block, so that all of it lies before the cut.
    if (freed >= bytes) return block.lastMs + 1;
  }
  const last = blocks.at(-1);
  return last ? last.lastMs + 1 : undefined;
}

/** Makes the cut durable, then frees what lies before it. */
async function removePurged(dataset: Dataset): Promise<void> {
  await storeRules(dataset, dataset.definition);
  const slicer = new Slicer(dataset.context);
  const superfluous: SuperfluousFile[] = [];
  for (const tag of [...dataset.byId.values()]) {
    if (!tag.deleted) superfluous.push(...purgeTag(dataset, tag));
    await slicer.pause();
  }
  if (superfluous.length === 0) return;
  // The catalog first: it must not promise files that are gone.
  await syncTagFiles(dataset);
  const gone = new Set(superfluous.map(({ file }) => file));
  for (const { tag } of superfluous) tag.files = tag.files.filter((file) => !gone.has(file));
  await checkpoint(dataset, { mode: 'spill' });
  for (const { tag, file, rewritten } of superfluous) {
    if (rewritten) retireTagFile(dataset, tag, file);
    else removeTagFile(dataset, tag, file);
  }
}

interface SuperfluousFile {
  readonly tag: Tag;
  readonly file: TagFile;
  /** Another file holds the points of it that stay. */
  readonly rewritten: boolean;
}

/** The tag's files that are not needed any more; those of which a part is needed are rewritten. */
function purgeTag(dataset: Dataset, tag: Tag): SuperfluousFile[] {
  const cutMs = purgeCutMs(dataset, tag);
  if (!(tag.oldestMs <= cutMs)) return [];
  const kept = newestPlaceUpTo(dataset, tag, { ms: cutMs, ticks: 0 });
  if (!kept) return [];
  tag.oldestMs = kept.ms;
  const superfluous: SuperfluousFile[] = [];
  for (const file of [...tag.files]) {
    if (file.nextOrdinal <= kept.ordinal) {
      file.sealed = true; // nothing more is appended to it
      superfluous.push({ tag, file, rewritten: false });
    }
    const divided = file.firstOrdinal < kept.ordinal && kept.ordinal < file.nextOrdinal && !file.missing;
    if (divided && rewriteTagFile(dataset, tag, file, kept.ordinal)) superfluous.push({ tag, file, rewritten: true });
  }
  return superfluous;
}

/**
 * Makes rules and the cut in force durable. Requests that came before are synced first: a power cut at `interval` and
 * `os` must not lose them and keep what they led to (rule 1).
 */
export async function storeRules(dataset: Dataset, rules: PurgeRules): Promise<void> {
  const { purgeAgeDays, purgeSizeGb } = rules;
  const { purgedBeforeMs, systemPurgedBeforeMs } = dataset;
  try {
    await dataset.journal.sync();
    await writeDatasetFile(dataset.context.vfs, dataset.folder, {
      purgeAgeDays,
      purgeSizeGb,
      purgedBeforeMs: finiteOrNull(purgedBeforeMs),
      systemPurgedBeforeMs: finiteOrNull(systemPurgedBeforeMs),
    });
  } catch (error) {
    throw asPoison(dataset, error);
  }
}

/** A full disk passes; after any other fault it is in doubt which rules are on disk, and nothing more is written (rule 4). */
function asPoison(dataset: Dataset, error: unknown): unknown {
  if (error instanceof EngineError || isPassing(error)) return error;
  return poison(dataset, 'Writing the rules', error);
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

async function noteUnmet(dataset: Dataset, size: FolderSize): Promise<void> {
  const limit = limitBytes(dataset);
  if (limit === Number.POSITIVE_INFINITY) {
    dataset.purgeUnmet = undefined;
    return;
  }
  await size.measure();
  const overBytes = size.sizeBytes - limit;
  const unmet =
    overBytes > 0
      ? `The folder takes ${Math.ceil(overBytes / 1e6)} MB more than its purge size allows; what is left is each tag's newest block, and not purged.`
      : undefined;
  if (unmet && !dataset.purgeUnmet) dataset.report('warn', 'purge.unmet', unmet, { overBytes });
  dataset.purgeUnmet = unmet;
}
