// Checks one dataset folder: each file by itself, then whether all files together hold every point of every tag.

import { EngineError } from '../errors.ts';
import {
  ANNOTATIONS_FILE,
  CATALOG_FILE,
  DATASET_FILE,
  formatFileNumber,
  formatTagFile,
  HOLD_FILE,
  JOURNAL_FOLDER,
  parseFileNumber,
  parseTagFile,
  SPILL_FOLDER,
  TAGS_FOLDER,
  tagFolder,
  UNFINISHED,
} from '../filenames.ts';
import { type DatasetFile, readDatasetFile } from '../files/dataset-file.ts';
import type { CatalogFile } from '../format/record/catalog-record.ts';
import type { RecordVisitor } from '../format/record/journal-record.ts';
import type { Vfs } from '../io/vfs.ts';
import { ownerOfLate } from '../tag/late-tag.ts';
import { PointColumns } from '../types.ts';
import { checkAnnotations } from './check-annotations.ts';
import { type CheckedCatalog, checkCatalog } from './check-catalog.ts';
import { checkAgainstCatalog, checkSpill, checkTagFile, type FileCheck } from './check-files.ts';
import { checkJournals } from './check-journals.ts';
import { CheckedTag, type CheckLog, UNFINISHED_MESSAGE } from './check-log.ts';
import { checkTag } from './check-tags.ts';

const PARTS: readonly string[] = [JOURNAL_FOLDER, SPILL_FOLDER, TAGS_FOLDER];
const FILES: readonly string[] = [CATALOG_FILE, DATASET_FILE, ANNOTATIONS_FILE, HOLD_FILE];

/** Checks a dataset; `prefix` is put before every path in the findings. */
export function checkDataset(log: CheckLog, vfs: Vfs, folder: string, prefix: string): void {
  log.counts.datasets++;
  countFiles(log, vfs, folder);
  new DatasetCheck(log, vfs, folder, prefix).run();
}

function countFiles(log: CheckLog, vfs: Vfs, folder: string): void {
  for (const name of vfs.listSync(folder)) {
    const stat = vfs.statSync(`${folder}/${name}`);
    if (stat?.isDirectory) countFiles(log, vfs, `${folder}/${name}`);
    else if (stat) {
      log.counts.files++;
      log.counts.bytes += stat.sizeBytes;
    }
  }
}

class DatasetCheck {
  readonly #log: CheckLog;
  readonly #vfs: Vfs;
  readonly #folder: string;
  readonly #prefix: string;
  readonly #tags = new Map<number, CheckedTag>();
  readonly #deleted = new Set<number>();
  readonly #files: FileCheck;
  #definition: DatasetFile | undefined;
  #catalog: CheckedCatalog | undefined;

  constructor(log: CheckLog, vfs: Vfs, folder: string, prefix: string) {
    this.#log = log;
    this.#vfs = vfs;
    this.#folder = folder;
    this.#prefix = prefix;
    this.#files = {
      log,
      vfs,
      folder,
      prefix,
      scratch: new PointColumns(1024),
      visit: (path, header, points) => this.#tag(header.tagId).hold(path, header.firstOrdinal, header.type, points),
    };
  }

  run(): void {
    this.#checkNames();
    this.#definition = this.#readDefinition();
    this.#catalog = checkCatalog(this.#log, this.#vfs, this.#folder, this.#prefix);
    for (const tag of this.#catalog?.tags ?? []) this.#tags.set(tag.id, new CheckedTag(tag.id, tag));
    for (const id of this.#catalog?.meta?.tombstones ?? []) this.#deleted.add(id);
    this.#checkJournals();
    this.#checkSpills();
    this.#checkTagFiles();
    for (const tag of this.#tags.values()) this.#checkTag(tag);
    checkAnnotations(this.#log, this.#vfs, this.#folder, this.#prefix);
  }

  #tag(id: number): CheckedTag {
    const known = this.#tags.get(id);
    if (known) return known;
    const tag = new CheckedTag(id, undefined);
    this.#tags.set(id, tag);
    return tag;
  }

  /** Reports names that Varve does not write. */
  #checkNames(): void {
    for (const name of this.#vfs.listSync(this.#folder)) {
      if (!PARTS.includes(name) && !FILES.includes(name)) this.#reportUnknownName(name);
    }
    for (const part of [JOURNAL_FOLDER, SPILL_FOLDER]) {
      for (const name of this.#list(part))
        if (parseFileNumber(name) === undefined) this.#reportUnknownName(`${part}/${name}`);
    }
  }

  #reportUnknownName(path: string): void {
    const unfinished = path.endsWith(UNFINISHED);
    const message = unfinished ? UNFINISHED_MESSAGE : 'is not a file of Varve';
    this.#log.report(unfinished ? 'info' : 'warn', this.#prefix + path, message);
  }

  #list(part: string): string[] {
    return this.#vfs.listSync(`${this.#folder}/${part}`).sort();
  }

  #readDefinition(): DatasetFile | undefined {
    try {
      return readDatasetFile(this.#vfs, this.#folder);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
      this.#log.report('error', this.#prefix + DATASET_FILE, error.message);
      return undefined;
    }
  }

  #checkJournals(): void {
    const { log, vfs, folder, prefix, scratch } = this.#files;
    const checkpointSequence = this.#catalog?.sequence ?? 0;
    checkJournals({ log, vfs, folder, prefix, scratch, checkpointSequence }, (path) => this.#journalVisitor(path));
  }

  #journalVisitor(path: string): RecordVisitor {
    return {
      define: (id, { name }) => {
        const tag = this.#tag(id);
        tag.defined = true;
        if (ownerOfLate(name) !== undefined) tag.isLate = true;
      },
      delete: (ids) => {
        for (const id of ids) this.#deleted.add(id);
      },
      run: ({ tagId, firstOrdinal, count, type }, points) => {
        const tag = this.#tag(tagId);
        tag.hold(path, firstOrdinal, type, points);
        tag.nextOrdinal = Math.max(tag.nextOrdinal, firstOrdinal + count);
      },
      deletion: (deletedRanges) => {
        for (const { tagId, from, to } of deletedRanges) {
          const tag = this.#tag(tagId);
          tag.deletedRanges = [...tag.deletedRanges, { from, to }];
        }
      },
    };
  }

  #checkSpills(): void {
    const numbers = this.#list(SPILL_FOLDER)
      .map(parseFileNumber)
      .filter((n) => n !== undefined);
    const known = this.#catalog?.meta?.spills ?? [];
    for (const number of numbers) checkSpill(this.#files, number);
    for (const number of known) {
      if (!numbers.includes(number))
        this.#log.report(
          'error',
          `${this.#prefix}${SPILL_FOLDER}/${formatFileNumber(number)}`,
          'is in the catalog, but missing',
        );
    }
    if (!this.#catalog && numbers.length > 0) this.#log.report('error', this.#prefix + CATALOG_FILE, 'is missing');
  }

  #checkTagFiles(): void {
    const found = new Set<string>();
    for (const folder of this.#list(TAGS_FOLDER)) {
      for (const name of this.#list(`${TAGS_FOLDER}/${folder}`)) {
        const parsed = parseTagFile(name);
        if (!parsed || tagFolder(parsed.tagId) !== folder) {
          this.#reportUnknownName(`${TAGS_FOLDER}/${folder}/${name}`);
          continue;
        }
        found.add(name);
        this.#checkTagFile(parsed.tagId, parsed.n);
      }
    }
    for (const tag of this.#catalog?.tags ?? []) {
      for (const file of tag.files) if (!found.has(formatTagFile(tag.id, file.number))) this.#noteMissing(tag.id, file);
    }
  }

  #checkTagFile(tagId: number, number: number): void {
    const path = `${this.#prefix}${TAGS_FOLDER}/${tagFolder(tagId)}/${formatTagFile(tagId, number)}`;
    if (this.#deleted.has(tagId)) {
      this.#log.report('info', path, 'belongs to a deleted tag; the next start removes it');
      return;
    }
    const known = this.#tags.get(tagId)?.catalog?.files.find((other) => other.number === number);
    if (!known && this.#vfs.statSync(`${this.#folder}/${path.slice(this.#prefix.length)}`)?.sizeBytes === 0) {
      this.#log.report('info', path, 'is empty: the write that was to begin it has failed');
      return;
    }
    if (!this.#tags.get(tagId)?.defined)
      this.#log.report('warn', path, `belongs to tag id ${tagId}, which neither catalog nor journals define`);
    const file = checkTagFile(this.#files, tagId, number);
    if (known && !known.missing) checkAgainstCatalog(this.#log, path, file, known);
  }

  /** Files of a deleted tag go at once; the catalog lists them until the next checkpoint. */
  #noteMissing(tagId: number, file: CatalogFile): void {
    if (this.#deleted.has(tagId)) return;
    const path = `${this.#prefix}${TAGS_FOLDER}/${tagFolder(tagId)}/${formatTagFile(tagId, file.number)}`;
    const purgedBeforeMs = this.#cutoffMs(tagId);
    if (file.missing)
      this.#log.report(
        'warn',
        path,
        `stands for points ${file.firstOrdinal} to ${file.nextOrdinal - 1}, which were lost before`,
      );
    else if (file.lastMs < purgedBeforeMs || file.nextOrdinal <= (this.#tags.get(tagId)?.catalog?.purgedOrdinal ?? 0))
      this.#log.report('info', path, 'was purged');
    else this.#log.report('error', path, 'is in the catalog, but missing');
  }

  #cutoffMs(tagId: number): number {
    const { systemPurgedBeforeMs, purgedBeforeMs } = this.#definition ?? {};
    return (tagId < 64 ? systemPurgedBeforeMs : purgedBeforeMs) ?? Number.NEGATIVE_INFINITY;
  }

  #checkTag(tag: CheckedTag): void {
    if (this.#deleted.has(tag.id)) return;
    if (!tag.defined)
      this.#log.report(
        'error',
        this.#prefix + (tag.held[0]?.path ?? TAGS_FOLDER),
        `there are points of tag id ${tag.id}, which neither catalog nor journals define`,
      );
    checkTag(this.#log, this.#prefix, tag, {
      firstOrdinal: this.#firstOrdinal(tag),
      cutoffMs: this.#cutoffMs(tag.id),
    });
  }

  /** The first ordinal that must be present: earlier ones were purged. Undefined: unknown. */
  #firstOrdinal({ id, catalog }: CheckedTag): number | undefined {
    if (catalog)
      return catalog.files.length > 0
        ? Math.min(...catalog.files.map((file) => file.firstOrdinal))
        : catalog.flushedOrdinal;
    const purged = id < 64 ? this.#definition?.systemPurgedBeforeMs : this.#definition?.purgedBeforeMs;
    return purged === null || this.#catalog?.whole ? 0 : undefined;
  }
}
