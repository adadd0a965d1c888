// A checkpoint: heads are written into one spill, tag files are synced, the catalog is written, journals are retired.
// The order of the steps makes it crash-safe; docs/durability.md argues each crash point (D7).

import { CatalogNames } from '../dataset/catalog-names.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { isListed } from '../dataset/system-tags.ts';
import { poison } from '../dataset/write-failure.ts';
import { EngineError } from '../errors.ts';
import { formatFileNumber, JOURNAL_FOLDER } from '../filenames.ts';
import { CatalogWriter } from '../files/catalog-file.ts';
import type { Spill } from '../files/spill.ts';
import type { CatalogMeta, CatalogPoint, CatalogTag } from '../format/record/catalog-record.ts';
import { Slicer } from '../io/slicer.ts';
import { isPassing } from '../io/system-errors.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import type { Tag } from '../tag/tag.ts';
import { retireFile, retireSpill } from './file-removal.ts';
import { flushRecovered, flushTag } from './flush-tag.ts';
import { HeadSpiller } from './head-spiller.ts';
import { syncManyTagFiles, syncTagFiles } from './tag-file-sync.ts';

export interface CheckpointOptions {
  /** `spill` puts short heads into a spill; `absorb` also moves what spills hold into tag files. */
  readonly mode: 'spill' | 'absorb';
  /** Whether it is given up when the dataset ends: what was done until then counts, and the last checkpoint covers it. */
  readonly mayBeLeft?: boolean;
}

/** Run it within `dataset.maintain`. Rejects with POISONED, or the system's error of a full disk. */
export async function checkpoint(dataset: Dataset, { mode, mayBeLeft = false }: CheckpointOptions): Promise<void> {
  if (dataset.deleted) return;
  await dataset.writing.journal.roll();
  const sequence = dataset.progress.appliedSequence;
  await dataset.writing.journal.sync();
  const absorbed = mode === 'absorb' ? [...dataset.files.spills] : [];
  const pass = new CheckpointPass(dataset, new Set(absorbed));
  dataset.catalogNames = pass.names;
  const isLeft = (): boolean => mayBeLeft && dataset.isEnding;
  try {
    await pass.run(isLeft);
    if (isLeft()) return pass.abandon();
    await pass.finishSpill();
    // The catalog may contain requests that came while it was written, but none that the following sync does not cover.
    const meta = describeDataset(dataset, absorbed.filter(isSuperfluous));
    await syncTagFiles(dataset);
    // At `interval` and `os` these records are not synced yet.
    await dataset.writing.journal.sync();
    await pass.finishCatalog(meta, sequence);
  } catch (error) {
    const failure = asPoison(dataset, error); // before anything else can fail
    abandonQuietly(pass);
    throw failure;
  } finally {
    dataset.catalogNames = undefined;
  }
  for (const old of absorbed.filter(isSuperfluous)) retireSpill(dataset, old);
  dataset.progress.checkpointSequence = sequence;
  retireJournals(dataset, sequence);
}

/** If this fails too, the first error is the one to report; files left behind belong to nothing. */
function abandonQuietly(pass: CheckpointPass): void {
  try {
    pass.abandon();
  } catch {
    // The error of the checkpoint is reported instead.
  }
}

/** A spill with an unreadable block is kept: its other points are in tag files, those of that block are not. */
function isSuperfluous(spill: Spill): boolean {
  return !spill.unreadable;
}

/** One pass over the tags that writes both the spill and the catalog. */
class CheckpointPass {
  readonly #dataset: Dataset;
  readonly #absorbed: ReadonlySet<Spill>;
  readonly #catalog: CatalogWriter;
  readonly #spiller: HeadSpiller;
  readonly names = new CatalogNames();
  #open = true;

  constructor(dataset: Dataset, absorbed: ReadonlySet<Spill>) {
    this.#dataset = dataset;
    this.#absorbed = absorbed;
    this.#spiller = new HeadSpiller(dataset);
    this.#catalog = new CatalogWriter(dataset.context.vfs, dataset.files.folder, dataset.context.random.uint32());
  }

  /** Ends early, with files that are not complete, once it is left. */
  async run(isLeft: () => boolean): Promise<void> {
    const dataset = this.#dataset;
    const slicer = new Slicer(dataset.context);
    for (const tag of dataset.tags.byId.values(dataset.tags.nextId)) {
      if (tag.deleted || !tag.visible || !isListed(tag, false)) continue;
      // More points may come while a sync runs, and at `interval` and `os` they are in the head at once (D5).
      while (tag.headSequence > dataset.writing.journal.syncedSequence) await dataset.writing.journal.sync();
      const definition = this.names.definitionOf(tag);
      if (definition === undefined) continue;
      if (!this.#absorb(tag)) this.#spiller.add(tag);
      this.#catalog.add(describeTag(tag, definition));
      const flushed = this.#spiller.flushWhenFull();
      if (flushed) await flushed;
      if (this.#catalog.full) await this.#catalog.flush();
      const synced = syncManyTagFiles(dataset);
      if (synced) await synced;
      const turn = slicer.pause();
      if (turn) await turn;
      if (isLeft()) return;
    }
  }

  finishSpill(): Promise<void> {
    return this.#spiller.finish();
  }

  async finishCatalog(meta: CatalogMeta, sequence: number): Promise<void> {
    this.#dataset.context.bytesWritten.catalog += await this.#catalog.finish(meta, sequence);
    this.#open = false;
  }

  abandon(): void {
    if (this.#open) this.#catalog.abandon();
    this.#spiller.abandon();
  }

  /** Flushes a tag, head included, if the absorbed spills hold points of it that its tag files lack; false if not. */
  #absorb(tag: Tag): boolean {
    if (this.#absorbed.size === 0) return false;
    const dataset = this.#dataset;
    const spilled = [...this.#absorbed].flatMap((spill) => [...spill.index.ofTag(tag.id)]);
    if (spilled.length === 0) return false;
    const isRecovered = flushRecovered(dataset, tag);
    const isUnflushed = spilled.some((entry) => entry.firstOrdinal + entry.ordinalCount > tag.flushedOrdinal);
    if (isRecovered || isUnflushed) flushTag(dataset, tag);
    return isRecovered || isUnflushed;
  }
}

/** The catalog's fields of the dataset, without the absorbed spills. */
function describeDataset(dataset: Dataset, absorbed: readonly Spill[]): CatalogMeta {
  return {
    nextTagId: dataset.tags.nextId,
    nextSpillNumber: dataset.files.nextSpillNumber,
    newestMs: dataset.progress.newestMs,
    newestClientMs: dataset.progress.newestClientMs,
    tombstones: [...dataset.tags.tombstones],
    oldestCutoffMs: dataset.cutoffs.oldestMs,
    spills: dataset.files.spills.filter((spill) => !absorbed.includes(spill)).map((spill) => spill.number),
  };
}

/** A tag's catalog entry: every point below `nextOrdinal` is in files that are synced before the catalog. */
export function describeTag(tag: Tag, definition = tag.durableDefinition): CatalogTag {
  const { newest } = tag;
  return {
    id: tag.id,
    definition,
    nextOrdinal: tag.nextOrdinal,
    flushedOrdinal: tag.flushedOrdinal,
    purgedOrdinal: tag.purgedOrdinal,
    purgedTime: tag.purgedTime,
    oldestMs: tag.oldestMs,
    newest: pointsOf(newest),
    newestMs: newest?.ms ?? Number.NaN,
    newestTicks: newest?.ticks ?? 0,
    deletedRanges: tag.deletedRanges,
    // Copies: the catalog is encoded a few tags later, and blocks appended until then are not synced by this checkpoint.
    files: tag.files.map((file) => ({ ...file })),
  };
}

function pointsOf(newest: NewestPoint | undefined): CatalogPoint[] {
  const points: CatalogPoint[] = [];
  for (let point = newest; point; point = point.tie)
    points.push({ type: point.type, quality: point.quality, value: point.value });
  return points.reverse();
}

/** A full disk is retried; after any other error the state of the files is unknown, and nothing more is written. */
function asPoison(dataset: Dataset, error: unknown): unknown {
  if (error instanceof EngineError && error.code === 'POISONED') return error;
  if (isPassing(error)) {
    dataset.context.disk.noteFull();
    return error;
  }
  return poison(dataset, 'A checkpoint', error);
}

/** Retires the files that a checkpoint up to `sequence` has made superfluous. */
export function retireJournals(dataset: Dataset, sequence: number): void {
  const closed = dataset.writing.journal.files.slice(0, -1).filter((file) => file.lastSequence <= sequence);
  const last = dataset.writing.journal.files.at(-1);
  // Also the last one, if a roll has closed it for further records.
  if (last && last.lastSequence <= sequence && dataset.writing.journal.rolling) closed.push(last);
  for (const { number, sizeBytes } of closed) {
    dataset.writing.journal.forget(number);
    retireFile(dataset, `${JOURNAL_FOLDER}/${formatFileNumber(number)}`, sizeBytes, undefined);
  }
}
