// What a copy of a dataset's folder needs while the server goes on writing: the files that the catalog refers to, and the
// journal records after its checkpoint. Points only move from journals to spills to tag files, so no order of copying loses
// any; this order also leaves out files that are half written. Nothing may be removed meanwhile: put a HOLD file there first.

import { wholeAnnotationBytes } from '../annotations/annotation-reader.ts';
import {
  ANNOTATIONS_FILE,
  CATALOG_FILE,
  DATASET_FILE,
  formatFileNumber,
  formatTagFile,
  JOURNAL_FOLDER,
  parseFileNumber,
  SPILL_FOLDER,
  TAGS_FOLDER,
  tagFolder,
} from '../filenames.ts';
import { type CatalogContent, readCatalog } from '../files/catalog-file.ts';
import { JOURNAL_HEADER } from '../format/bytes/file-headers.ts';
import type { Vfs } from '../io/vfs.ts';
import { readWholeFile } from '../io/whole-file.ts';
import { journalsAfterSequence, listJournals, readFirstSequence, readJournal } from '../journal/journal-reader.ts';
import { tagsDeletedAfter } from '../journal/later-deletions.ts';

/** A file that is only ever appended to, and how much of it belongs to the copy. */
export interface GrowingFile {
  /** Inside the dataset's folder. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** A file that is replaced as a whole, as it was when the plan was made. */
export interface ReplacedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface CopyPlan {
  readonly growing: readonly GrowingFile[];
  readonly replaced: readonly ReplacedFile[];
}

/** The catalog may be replaced while it is read; at most this often, because a checkpoint takes longer than a read. */
const MOST_LOOKS = 10;

/** Throws the system's error when a file of the copy cannot be read, ENOENT when one was removed meanwhile. */
export function planCopy(vfs: Vfs, folder: string): CopyPlan {
  const replaced: ReplacedFile[] = [];
  if (vfs.statSync(`${folder}/${DATASET_FILE}`))
    replaced.push({ path: DATASET_FILE, bytes: readWholeFile(vfs, `${folder}/${DATASET_FILE}`) });
  if (vfs.statSync(`${folder}/${ANNOTATIONS_FILE}`)) {
    const annotations = readWholeFile(vfs, `${folder}/${ANNOTATIONS_FILE}`);
    replaced.push({ path: ANNOTATIONS_FILE, bytes: annotations.subarray(0, wholeAnnotationBytes(annotations)) });
  }
  const { bytes, content } = lookAtCatalog(vfs, folder);
  if (bytes) replaced.push({ path: CATALOG_FILE, bytes });
  const covered = coveredFiles(vfs, folder, content);
  const growing = covered
    ? [...covered.files, ...journalsAfter(vfs, folder, covered.sequence)]
    : [...everyBlockFile(vfs, folder), ...journalsAfter(vfs, folder, 0)];
  return { growing, replaced };
}

interface SeenCatalog {
  readonly bytes: Uint8Array | undefined;
  readonly content: CatalogContent | undefined;
}

function lookAtCatalog(vfs: Vfs, folder: string): SeenCatalog {
  const path = `${folder}/${CATALOG_FILE}`;
  const read = (): Uint8Array | undefined => (vfs.statSync(path) ? readWholeFile(vfs, path) : undefined);
  let bytes = read();
  for (let look = 1; ; look++) {
    const content = readCatalog(vfs, folder);
    const again = read();
    const isSame = bytes === again || (bytes && again && Buffer.compare(bytes, again) === 0);
    if (isSame || look === MOST_LOOKS) return { bytes, content };
    bytes = again;
  }
}

interface CoveredFiles {
  /** The points of records up to this one are in the files. */
  readonly sequence: number;
  readonly files: readonly GrowingFile[];
}

/** The files that the catalog covers; undefined when it is not reliable, and everything must be copied. */
function coveredFiles(vfs: Vfs, folder: string, catalog: CatalogContent | undefined): CoveredFiles | undefined {
  if (catalog === undefined) return isComplete(vfs, folder) ? { sequence: 0, files: [] } : undefined;
  if (catalog.damage !== undefined || catalog.meta === undefined) return undefined;
  const listed = catalog.tags.flatMap(({ id, files }) =>
    files
      .filter(({ missing }) => !missing)
      .map(({ number, sizeBytes }) => ({
        tagId: id,
        path: `${TAGS_FOLDER}/${tagFolder(id)}/${formatTagFile(id, number)}`,
        sizeBytes,
      })),
  );
  const gone = listed.filter(({ path }) => !vfs.statSync(`${folder}/${path}`));
  const deleted =
    gone.length > 0 ? tagsDeletedAfter(vfs, `${folder}/${JOURNAL_FOLDER}`, catalog.sequence) : new Set<number>();
  const tagFiles = listed.filter((file) => !(deleted.has(file.tagId) && gone.includes(file)));
  const spills = catalog.meta.spills.map((number) => sizedFile(vfs, folder, SPILL_FOLDER, formatFileNumber(number)));
  return { sequence: catalog.sequence, files: [...tagFiles, ...spills] };
}

/** Before the first checkpoint the journals hold everything. */
function isComplete(vfs: Vfs, folder: string): boolean {
  const journals = `${folder}/${JOURNAL_FOLDER}`;
  const [first] = listJournals(vfs, journals);
  return first === undefined || readFirstSequence(vfs, journals, first) === 1;
}

/** The journals with records after `sequence`; the last one ends with its last whole record. */
function journalsAfter(vfs: Vfs, folder: string, sequence: number): GrowingFile[] {
  const journals = `${folder}/${JOURNAL_FOLDER}`;
  const needed = journalsAfterSequence(vfs, journals, sequence);
  return needed.map((number) => {
    const file = sizedFile(vfs, folder, JOURNAL_FOLDER, formatFileNumber(number));
    return number === needed.at(-1) ? { ...file, sizeBytes: wholeRecordsOf(vfs, journals, number) } : file;
  });
}

/** Bytes of whole records before the first that is not: another one may be being written right now, and more while it is read. */
function wholeRecordsOf(vfs: Vfs, journals: string, number: number): number {
  const { frames, sizeBytes, damages } = readJournal(vfs, journals, number);
  const firstFaulty = damages[0]?.offset ?? sizeBytes;
  const last = frames.findLast(({ payloadStart }) => payloadStart < firstFaulty);
  return last?.payloadEnd ?? Math.min(sizeBytes, JOURNAL_HEADER.sizeBytes);
}

function everyBlockFile(vfs: Vfs, folder: string): GrowingFile[] {
  const spills = vfs.listSync(`${folder}/${SPILL_FOLDER}`).filter((name) => parseFileNumber(name) !== undefined);
  const tagFolders = vfs.listSync(`${folder}/${TAGS_FOLDER}`).map((name) => `${TAGS_FOLDER}/${name}`);
  return [
    ...spills.map((name) => sizedFile(vfs, folder, SPILL_FOLDER, name)),
    ...tagFolders.flatMap((part) =>
      vfs.listSync(`${folder}/${part}`).map((name) => sizedFile(vfs, folder, part, name)),
    ),
  ];
}

function sizedFile(vfs: Vfs, folder: string, part: string, name: string): GrowingFile {
  const path = `${part}/${name}`;
  const stat = vfs.statSync(`${folder}/${path}`);
  if (stat) return { path, sizeBytes: stat.sizeBytes };
  throw Object.assign(new Error(`${folder}/${path} has gone`), { code: 'ENOENT', path: `${folder}/${path}` });
}
