// Opens one file of a dataset by the readers of the engine and reads all of it.

import { CATALOG_FILE, DATASET_FILE, parseFileNumber, parseTagFile } from '../../engine/filenames.ts';
import { readCatalog } from '../../engine/files/catalog-file.ts';
import { readDatasetFile } from '../../engine/files/dataset-file.ts';
import { openSpill } from '../../engine/files/spill.ts';
import { loadTagFileIndex, readBlock } from '../../engine/files/tag-file-reader.ts';
import type { BlockHeader } from '../../engine/format/block/block-header.ts';
import type { BlockEntry } from '../../engine/format/block/block-index.ts';
import { FRAME_HEADER } from '../../engine/format/bytes/frame.ts';
import { EngineError, PointColumns } from '../../engine/index.ts';
import type { ReadableFile, Vfs } from '../../engine/io/vfs.ts';
import { readJournal } from '../../engine/journal/journal-reader.ts';

/** What a file gives: a block of points, a record of a journal, or a definition as text. */
export interface Piece {
  /** Tag and first ordinal of a block, sequence number of a record; a definition is its own key. */
  readonly key: number | string;
  /** The block or record as it was read; lent. */
  readonly bytes: Uint8Array;
  /** Header of a block, with its points decoded; lent. */
  readonly block: { readonly header: BlockHeader; readonly points: PointColumns } | undefined;
}

type PieceListener = (piece: Piece) => void;
type IsDamageSaid = boolean;

const NO_BYTES = new Uint8Array();
const KEYS_A_TAG = 2 ** 32;

/** Tells `found` every piece; returns whether the readers say that something could not be read. */
export function openFile(vfs: Vfs, folder: string, path: string, found: PieceListener): IsDamageSaid {
  const [part, ...rest] = path.slice(folder.length + 1).split('/');
  const name = rest.at(-1) ?? '';
  if (part === DATASET_FILE) return openRules(vfs, folder, found);
  if (part === CATALOG_FILE) return openCatalog(vfs, folder, found);
  if (part === 'journal') return openJournal(vfs, folder, parseFileNumber(name) as number, found);
  if (part === 'spill') {
    const spill = openSpill(vfs, folder, parseFileNumber(name) as number);
    const entries = Array.from({ length: spill.index.count }, (_, i) => spill.index.entry(i));
    return readBlocks(spill.open(vfs, folder), entries, found) || spill.damages.length > 0;
  }
  const tagId = parseTagFile(name)?.tagId as number;
  const { entries, damages } = loadTagFileIndex(vfs, path, tagId, vfs.statSync(path)?.sizeBytes as number);
  return readBlocks(vfs.openSync(path, 'read'), entries, found) || damages.length > 0;
}

function tellText(found: PieceListener, text: string): void {
  found({ key: text, bytes: NO_BYTES, block: undefined });
}

function openRules(vfs: Vfs, folder: string, found: PieceListener): IsDamageSaid {
  try {
    tellText(found, JSON.stringify(readDatasetFile(vfs, folder)));
    return false;
  } catch (error) {
    expectDamage(error);
    return true;
  }
}

function openCatalog(vfs: Vfs, folder: string, found: PieceListener): IsDamageSaid {
  const content = readCatalog(vfs, folder);
  if (content === undefined) return true;
  for (const tag of content.tags) tellText(found, `${tag.id} ${JSON.stringify(tag, replaceBigInt)}`);
  if (content.meta !== undefined) tellText(found, `meta ${JSON.stringify(content.meta)}`);
  return content.damage !== undefined;
}

function openJournal(vfs: Vfs, folder: string, number: number, found: PieceListener): IsDamageSaid {
  const { frames, bytes, damages } = readJournal(vfs, `${folder}/journal`, number);
  for (const { sequence, payloadStart, payloadEnd } of frames) {
    const record = bytes.subarray(payloadStart - FRAME_HEADER.sizeBytes, payloadEnd);
    found({ key: sequence, bytes: record, block: undefined });
  }
  return damages.length > 0;
}

const points = new PointColumns(8192);

/** Closes the file. */
function readBlocks(file: ReadableFile, entries: readonly BlockEntry[], found: PieceListener): IsDamageSaid {
  let isDamageSaid = false;
  try {
    for (const entry of entries) {
      try {
        const { bytes, header } = readBlock(file, entry, points);
        found({ key: header.tagId * KEYS_A_TAG + header.firstOrdinal, bytes, block: { header, points } });
      } catch (error) {
        expectDamage(error);
        isDamageSaid = true;
      }
    }
  } finally {
    file.closeSync();
  }
  return isDamageSaid;
}

function expectDamage(error: unknown): void {
  if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
}

function replaceBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
