// Opens a dataset's folder: catalog, tag files, spills, then the journals for points that those do not hold. The rebuilt state
// is in synced files before the dataset accepts writes, so that a repeated recovery gives the same result (D8): in the kept
// journals or, if anything had to be repaired, in the spill and catalog of a checkpoint, which the caller makes.

import type { Annotation } from '../annotations.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { findDatasetNewest } from '../dataset/dataset-newest.ts';
import type { DatasetTags } from '../dataset/dataset-tags.ts';
import type { LiftedCutoff } from '../dataset/retention-cutoffs.ts';
import { addSystemTags } from '../dataset/system-tags.ts';
import {
  ANNOTATIONS_FILE,
  CATALOG_FILE,
  DATASET_FILE,
  formatFileNumber,
  JOURNAL_FOLDER,
  parseFileNumber,
  SPILL_FOLDER,
  TAGS_FOLDER,
  UNFINISHED,
} from '../filenames.ts';
import { type CatalogRecords, openCatalog } from '../files/catalog-file.ts';
import { openSpill } from '../files/spill.ts';
import { TagFile } from '../files/tag-file.ts';
import { retireSpill, retireTagFile } from '../flush/file-removal.ts';
import type { CatalogTag } from '../format/record/catalog-record.ts';
import { Slicer } from '../io/slicer.ts';
import { isPassing } from '../io/system-errors.ts';
import { FIRST_USER_TAG_ID } from '../limits.ts';
import { Coverage } from '../read/coverage.ts';
import { hidePermanently } from '../retention/retention-cutoff.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import type { Tag } from '../tag/tag.ts';
import { rewriteLastJournal } from './journal-rewrite.ts';
import { openJournal, type ReplayResult, replayJournals } from './replay.ts';
import { adoptTagFiles, takeFiles, type UnlistedFile } from './tag-file-recovery.ts';
import { finishTag, rebuildSpilledTags, rebuildTags, reportUnknownFiles } from './tag-recovery.ts';

/** Most journals of earlier processes that a start keeps: repeated crashes must not pile them up. */
const MAX_KEPT_JOURNALS = 16;

/** Called with the progress of a recovery, for `/ready`. */
export type RecoveryProgress = (step: string) => void;

/**
 * Recovers a dataset. Throws only system errors; damage is reported and skipped. `unsaved`: the rebuilt state is in memory
 * only, so the dataset is readable, and must not be written to before a checkpoint has saved it (D8).
 */
export async function recover(dataset: Dataset, progress: RecoveryProgress): Promise<'ready' | 'unsaved'> {
  const { vfs } = dataset.context;
  const slicer = new Slicer(dataset.context);
  removeUnfinished(dataset);
  await makeFolders(dataset);
  requireAccess(dataset);
  progress('catalog');
  const catalog = openCatalog(vfs, dataset.files.folder);
  restoreMeta(dataset, catalog);
  for (const tag of catalog?.tags ?? []) {
    // Deleted while the catalog was written.
    if (!dataset.tags.tombstones.has(tag.id)) restoreTag(dataset, tag);
    const turn = slicer.pause();
    if (turn) await turn;
  }
  reportCatalog(dataset, catalog);
  addSystemTags(dataset.tags);
  progress('tag files');
  const trusted = catalog !== undefined && catalog.damage === undefined;
  const files = await adoptTagFiles(dataset, { trusted, sequence: catalog?.sequence ?? 0 });
  progress('spills');
  const lacksSpills = openSpills(dataset, catalog);
  // Files shorter than in the catalog, as in a copy taken while they grew: retired journals may have the rest.
  const whole = trusted && !files.incomplete && !lacksSpills;
  if (whole) retireSuperfluous(dataset, catalog, files.unlisted);
  progress('journal');
  const checkpointSequence = catalog?.sequence ?? 0;
  const replay = await replayJournals(dataset, {
    afterSequence: whole ? checkpointSequence : 0,
    checkpointSequence,
    catalogSequence: trusted ? checkpointSequence : 0,
    unknownFiles: files.unknown,
    coverage: whole ? 'summary' : 'exact',
  });
  // Files of ids that a sound catalog would list but does not are not ours.
  const rebuilt = rebuildTags(dataset, files.unknown, trusted ? (catalog.meta?.nextTagId ?? 0) : 0);
  rebuilt.push(...rebuildSpilledTags(dataset));
  const grown = tagsWithGrownFiles(dataset.tags);
  const spilledAhead = await tagsSpilledAhead(dataset, catalog);
  const isUnrecorded = spilledAhead.size > 0 || grown.some(isAheadOfRecords);
  const { fillsGaps } = await finishTags(
    dataset,
    whole ? eachOnce(replay.touched, [...rebuilt, ...grown, ...spilledAhead]) : dataset.tags.byId.values(),
    whole ? 'summary' : 'exact',
  );
  // Some replayed points may have been deleted by a later record.
  if (replay.records > 0) findDatasetNewest(dataset);
  if (replay.records > 0) dataset.cutoffs.noteOldest(Number.NEGATIVE_INFINITY);
  const isLifted = trusted && isLiftedLater(dataset, checkpointSequence, replay);
  const hides = isLifted && (await hidePermanently(dataset, (dataset.cutoffs.lifted as LiftedCutoff).beforeMs));
  reportUnknownFiles(dataset, files.unknown);
  await dataset.annotations.load((annotation, tagId) => presentNameOf(dataset, annotation, tagId));
  openJournal(dataset, replay, checkpointSequence);
  dataset.progress.checkpointSequence = checkpointSequence;
  const isUntouched = replay.records === 0 && rebuilt.length === 0 && grown.length === 0;
  if (isUntouched && !isUnrecorded && !hides && whole) return 'ready';
  const isAsItWas = whole && !hides && rebuilt.length === 0 && dataset.errorCount === 0 && !isUnrecorded && !fillsGaps;
  const isSound = isAsItWas && replay.needed.length <= MAX_KEPT_JOURNALS;
  // Then journals, files and heads are as they were when the process ended.
  return isSound && (await rewriteLastJournal(dataset, replay)) ? 'ready' : 'unsaved';
}

/** What the tag of an annotation is called now, where no tag has that name. */
function presentNameOf(dataset: Dataset, { tag, changedMs }: Annotation, tagId?: number): string | undefined {
  if (tag === undefined || dataset.tags.names.findPresent(tag)) return undefined;
  const former = dataset.tags.former.lastOf(tag);
  if (former !== undefined) return changedMs <= former.renamedMs ? former.tag.name : undefined;
  return tagId === undefined ? undefined : dataset.tags.byId.get(tagId)?.name;
}

/**
 * Whether the catalog may not know the points that a lifted cutoff hid: that of a copy made while the cutoff was lifted. If
 * its journals have later requests nothing is hidden: these may have brought points of earlier times.
 */
function isLiftedLater({ cutoffs }: Dataset, checkpointSequence: number, { lastSequence }: ReplayResult): boolean {
  const { lifted } = cutoffs;
  return lifted !== undefined && checkpointSequence <= lifted.sequence && lastSequence <= lifted.sequence;
}

/** Tags with files that hold more points than in the catalog. */
function tagsWithGrownFiles(tags: DatasetTags): Tag[] {
  const grown: Tag[] = [];
  for (const tag of tags.byId.values()) if (isAhead(tag, tag.flushedOrdinal)) grown.push(tag);
  return grown;
}

/** In a copy whose files were read after its catalog and journals, files hold points that those do not have. */
function isAheadOfRecords(tag: Tag): boolean {
  return isAhead(tag, tag.nextOrdinal);
}

/**
 * Tags with points in spills after everything in catalog and journals: in a copy, as above, or because a power failure lost
 * the journal that an earlier start had written to a spill. New points must not get their ordinals.
 */
async function tagsSpilledAhead(dataset: Dataset, catalog: CatalogRecords | undefined): Promise<ReadonlySet<Tag>> {
  const slicer = new Slicer(dataset.context);
  const named = new Set(catalog?.meta?.spills ?? []);
  const tags = new Set<Tag>();
  for (const { number, index } of dataset.files.spills) {
    if (named.has(number)) continue; // its points are in the catalog
    for (let i = 0; i < index.count; i++) {
      const { tagId, firstOrdinal, ordinalCount } = index.entry(i);
      const tag = dataset.tags.byId.get(tagId);
      if (tag && firstOrdinal + ordinalCount > tag.nextOrdinal) tags.add(tag);
      const turn = slicer.pause();
      if (turn) await turn;
    }
  }
  return tags;
}

function isAhead({ files }: Tag, ordinal: number): boolean {
  return files.length > 0 && files.some((file) => !file.missing && file.nextOrdinal > ordinal);
}

/** The set may have a million tags: it is not copied to add a few. */
function* eachOnce(tags: ReadonlySet<Tag>, others: readonly Tag[]): Generator<Tag> {
  yield* tags;
  for (const tag of new Set(others)) if (!tags.has(tag)) yield tag;
}

async function finishTags(
  dataset: Dataset,
  tags: Iterable<Tag>,
  detail: 'summary' | 'exact',
): Promise<{ readonly fillsGaps: boolean }> {
  const slicer = new Slicer(dataset.context);
  let fillsGaps = false;
  for (const tag of tags) {
    // A head must follow all files of its tag: earlier points go to a spill.
    if (!tag.deleted && finishTag(dataset, tag, detail).fillsGap) fillsGaps = true;
    const turn = slicer.pause();
    if (turn) await turn;
  }
  return { fillsGaps };
}

/** A copy may lack empty folders. */
async function makeFolders({ context: { vfs }, files: { folder } }: Dataset): Promise<void> {
  const missing = [JOURNAL_FOLDER, SPILL_FOLDER, TAGS_FOLDER].filter((part) => !vfs.statSync(`${folder}/${part}`));
  for (const part of missing) vfs.makeDirectorySync(`${folder}/${part}`);
  if (missing.length > 0) await vfs.syncDirectory(folder);
}

/**
 * Throws the system's error when the folder is not writable: discovered later, that would stop the whole server. A full disk
 * is discovered when there is something to write. `removeUnfinished` removes the file that this creates.
 */
function requireAccess({ context: { vfs }, files: { folder } }: Dataset): void {
  const names = [CATALOG_FILE, ...[JOURNAL_FOLDER, SPILL_FOLDER].map((part) => `${part}/${formatFileNumber(0)}`)];
  for (const path of names.map((name) => `${folder}/${name}${UNFINISHED}`)) {
    try {
      vfs.openSync(path, 'write').closeSync();
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    vfs.removeSync(path);
  }
}

/** Removes half-written files with temporary names that a crash has left; they were never in use. */
function removeUnfinished(dataset: Dataset): void {
  const { vfs } = dataset.context;
  for (const name of [CATALOG_FILE, ANNOTATIONS_FILE, DATASET_FILE])
    vfs.removeSync(`${dataset.files.folder}/${name}${UNFINISHED}`);
  for (const folder of [JOURNAL_FOLDER, SPILL_FOLDER]) {
    for (const name of vfs.listSync(`${dataset.files.folder}/${folder}`)) {
      if (name.endsWith(UNFINISHED)) vfs.removeSync(`${dataset.files.folder}/${folder}/${name}`);
    }
  }
}

function reportCatalog(dataset: Dataset, catalog: CatalogRecords | undefined): void {
  if (catalog?.damage !== undefined) {
    const message = `The catalog is damaged (${catalog.damage}); what it lacks is rebuilt from tag files and journals.`;
    dataset.report('error', 'catalog.damaged', message, { path: CATALOG_FILE });
  }
  // A dataset has a catalog before it accepts its first request.
  const parts = [JOURNAL_FOLDER, SPILL_FOLDER, TAGS_FOLDER];
  const hasFiles = parts.some((part) => dataset.context.vfs.listSync(`${dataset.files.folder}/${part}`).length > 0);
  if (!catalog && hasFiles) {
    dataset.report('error', 'catalog.missing', 'The catalog is missing; it is rebuilt from tag files and journals.', {
      path: CATALOG_FILE,
    });
  }
}

function restoreMeta(dataset: Dataset, catalog: CatalogRecords | undefined): void {
  const meta = catalog?.meta;
  if (!meta) return;
  dataset.tags.nextId = Math.max(dataset.tags.nextId, meta.nextTagId);
  dataset.files.nextSpillNumber = Math.max(dataset.files.nextSpillNumber, meta.nextSpillNumber);
  dataset.progress.newestMs = meta.newestMs;
  dataset.progress.newestClientMs = meta.newestClientMs;
  dataset.cutoffs.noteOldest(meta.oldestCutoffMs);
  for (const id of meta.tombstones) dataset.tags.tombstones.add(id);
}

function restoreTag(dataset: Dataset, stored: CatalogTag): void {
  if (stored.id >= FIRST_USER_TAG_ID && dataset.tags.names.findPresent(stored.definition.name)) {
    dataset.report(
      'error',
      'catalog.double-name',
      `Two tags of the catalog are called '${stored.definition.name}'; the second is left alone.`,
      { path: CATALOG_FILE },
    );
    return;
  }
  const tag = dataset.tags.add(stored.definition, stored.id);
  tag.restore(stored, restoreNewest(stored));
  const holding = stored.files.filter((file) => file.nextOrdinal > 0);
  tag.firstOrdinal = holding.reduce((first, file) => Math.min(first, file.firstOrdinal), stored.flushedOrdinal);
  takeFiles(
    tag,
    stored.files.map((file) => Object.assign(new TagFile(stored.id, file.number), file)),
  );
}

function restoreNewest(stored: CatalogTag): NewestPoint | undefined {
  let newest: NewestPoint | undefined;
  for (const { type, quality, value } of stored.newest) {
    newest = { ms: stored.newestMs, ticks: stored.newestTicks, type, quality, value, tie: newest };
  }
  return newest;
}

/** Files that a sound catalog no longer lists were waiting for removal when the server ended. */
function retireSuperfluous(dataset: Dataset, { meta }: CatalogRecords, unlisted: readonly UnlistedFile[]): void {
  if (!meta) return;
  for (const spill of dataset.files.spills) {
    if (spill.number < meta.nextSpillNumber && !meta.spills.includes(spill.number)) retireSpill(dataset, spill);
  }
  for (const { tag, file } of unlisted) {
    const others = new Coverage();
    others.add(0, tag.firstOrdinal ?? 0);
    for (const other of tag.files) {
      if (other !== file && !other.missing) others.add(other.firstOrdinal, other.nextOrdinal);
    }
    if (others.missing(file.firstOrdinal, file.nextOrdinal).length === 0) retireTagFile(dataset, tag, file);
  }
}

/** Opens all spills; returns whether one that the catalog lists is missing. */
function openSpills(dataset: Dataset, catalog: CatalogRecords | undefined): boolean {
  const { vfs } = dataset.context;
  const folder = `${dataset.files.folder}/${SPILL_FOLDER}`;
  const numbers = vfs
    .listSync(folder)
    .map(parseFileNumber)
    .filter((n) => n !== undefined);
  for (const number of numbers.sort((a, b) => a - b)) {
    const spill = openSpill(vfs, dataset.files.folder, number);
    for (const damage of spill.damages) {
      dataset.report(
        'error',
        'spill.damaged',
        `${damage.sizeBytes} bytes of a spill cannot be read: ${damage.reason}.`,
        { path: spill.path, ...damage },
      );
    }
    dataset.files.spills.push(spill);
    dataset.files.nextSpillNumber = Math.max(dataset.files.nextSpillNumber, number + 1);
  }
  const missing = (catalog?.meta?.spills ?? []).filter((number) => !numbers.includes(number));
  for (const number of missing) {
    dataset.report(
      'warn',
      'spill.missing',
      `Spill ${number} is in the catalog but not in the folder; its points are looked for in the journals.`,
      { path: SPILL_FOLDER },
    );
  }
  return missing.length > 0 || dataset.files.spills.some((spill) => spill.damages.length > 0);
}
