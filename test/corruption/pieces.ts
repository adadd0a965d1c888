// What lies where in the files of a sound dataset: which bytes hold which points and which definitions. From this follows
// exactly what a damage may take away: points of which every copy lies in damaged bytes.

import { CATALOG_FILE, parseFileNumber, parseTagFile } from '../../engine/filenames.ts';
import { decodeBlockHeader } from '../../engine/format/block/block-header.ts';
import { type BlockEntry, BlockIndex, decodeIndexFooter, INDEX_FOOTER } from '../../engine/format/block/block-index.ts';
import { ByteReader } from '../../engine/format/bytes/byte-cursors.ts';
import {
  CATALOG_HEADER,
  JOURNAL_HEADER,
  SPILL_HEADER,
  TAG_FILE_HEADER,
} from '../../engine/format/bytes/file-headers.ts';
import { FRAME_HEADER, type Frame } from '../../engine/format/bytes/frame.ts';
import { decodePage, findPages, type PageEntry } from '../../engine/format/bytes/page.ts';
import { decodeCatalogRecord } from '../../engine/format/record/catalog-record.ts';
import { decodeRecord } from '../../engine/format/record/journal-record.ts';
import { PointColumns } from '../../engine/index.ts';
import { readJournal } from '../../engine/journal/journal-reader.ts';
import type { DiskImage } from './disk-image.ts';
import { diskOf } from './disk-image.ts';
import { FOLDER } from './plant.ts';

export interface Piece {
  readonly path: string;
  /** Bytes `[from, to)` of the file. */
  readonly from: number;
  readonly to: number;
  /** Without it nothing else in the file can be read. */
  readonly isKey: boolean;
  readonly points: readonly { readonly tagId: number; readonly from: number; readonly to: number }[];
  readonly defines: readonly number[];
}

/** The pieces of every file but dataset.json. */
export function piecesOf(image: DiskImage): Piece[] {
  return [...image].flatMap(([path, bytes]) => {
    const [part, ...rest] = path.slice(FOLDER.length + 1).split('/');
    const name = rest.at(-1) ?? '';
    if (part === CATALOG_FILE) return catalogPieces(path, bytes);
    if (part === 'journal') return journalPieces(image, path, parseFileNumber(name) as number);
    if (part === 'spill') return spillPieces(path, bytes, parseFileNumber(name) as number);
    if (part === 'tags') return tagFilePieces(path, bytes, parseTagFile(name)?.tagId as number);
    return [];
  });
}

function piece(path: string, from: number, to: number, more: Partial<Piece> = {}): Piece {
  return { path, from, to, isKey: false, points: [], defines: [], ...more };
}

/** Frames one behind the other from `start` to the end of a file. */
function framesOf(bytes: Uint8Array, start: number): Frame[] {
  const frames: Frame[] = [];
  for (let offset = start; offset < bytes.length; ) {
    const { payloadBytes, sequence, unsyncedBefore } = FRAME_HEADER.decode(
      new DataView(bytes.buffer, bytes.byteOffset + offset),
      0,
    );
    const payloadStart = offset + FRAME_HEADER.sizeBytes;
    offset = payloadStart + payloadBytes;
    frames.push({ sequence, syncedSequence: sequence - 1 - unsyncedBefore, payloadStart, payloadEnd: offset });
  }
  return frames;
}

function catalogPieces(path: string, bytes: Uint8Array): Piece[] {
  const records = framesOf(bytes, CATALOG_HEADER.sizeBytes).map((frame) => {
    const record = decodeCatalogRecord(new ByteReader(bytes, frame.payloadStart, frame.payloadEnd));
    const defines = Array.isArray(record) ? record.map((tag) => tag.id) : [];
    return piece(path, frame.payloadStart - FRAME_HEADER.sizeBytes, frame.payloadEnd, { defines });
  });
  return [piece(path, 0, CATALOG_HEADER.sizeBytes, { isKey: true }), ...records];
}

function journalPieces(image: DiskImage, path: string, number: number): Piece[] {
  const content = readJournal(diskOf(image), `${FOLDER}/journal`, number);
  const scratch = new PointColumns(64);
  const records = content.frames.map((frame) => {
    const points: { tagId: number; from: number; to: number }[] = [];
    const defines: number[] = [];
    decodeRecord(content.bytes, frame.payloadStart, frame.payloadEnd, scratch, {
      define: (id) => defines.push(id),
      delete: () => {},
      deletion: () => {},
      run: ({ tagId, firstOrdinal, count }) => points.push({ tagId, from: firstOrdinal, to: firstOrdinal + count }),
    });
    return piece(path, frame.payloadStart - FRAME_HEADER.sizeBytes, frame.payloadEnd, { points, defines });
  });
  return [piece(path, 0, JOURNAL_HEADER.sizeBytes, { isKey: true }), ...records];
}

/** Pages: their points are those of the blocks in the unpacked contents that begin in them. */
function spillPieces(path: string, bytes: Uint8Array, number: number): Piece[] {
  const pages = findPages(bytes, SPILL_HEADER.sizeBytes, number);
  const last = pages.at(-1) as PageEntry;
  const row = new Uint8Array(last.unpackedOffset + last.sizeBytes);
  for (const page of pages) {
    row.set(decodePage(bytes.subarray(page.offset, page.offset + page.packedBytes), page, number), page.unpackedOffset);
  }
  const blocks = blockPieces(path, row, SPILL_HEADER.sizeBytes, decodeIndexFooter(row, row.length).indexOffset);
  const packed = pages.map(({ offset, packedBytes, unpackedOffset, sizeBytes }) => {
    const own = blocks.filter(({ from }) => from >= unpackedOffset && from < unpackedOffset + sizeBytes);
    return piece(path, offset, offset + packedBytes, { points: own.flatMap(({ points }) => points) });
  });
  return [piece(path, 0, SPILL_HEADER.sizeBytes), ...packed];
}

function tagFilePieces(path: string, bytes: Uint8Array, tagId: number): Piece[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const from = TAG_FILE_HEADER.sizeBytes + TAG_FILE_HEADER.decode(view, 0).definitionBytes;
  const to = readIndex(bytes)?.offset ?? bytes.length;
  const index = to < bytes.length ? [piece(path, to, bytes.length)] : [];
  return [piece(path, 0, from, { defines: [tagId] }), ...blockPieces(path, bytes, from, to), ...index];
}

function blockPieces(path: string, bytes: Uint8Array, from: number, to: number): Piece[] {
  const pieces: Piece[] = [];
  for (let offset = from; offset < to; ) {
    const header = decodeBlockHeader(bytes, offset);
    const end = offset + header.headerBytes + header.payloadBytes;
    const points = [{ tagId: header.tagId, from: header.firstOrdinal, to: header.firstOrdinal + header.ordinalCount }];
    pieces.push(piece(path, offset, end, { points }));
    offset = end;
  }
  return pieces;
}

/** The index of a sealed file, if it is one. */
export function readIndex(bytes: Uint8Array): { offset: number; entries: BlockEntry[] } | undefined {
  try {
    const place = decodeIndexFooter(bytes, bytes.length);
    const index = new BlockIndex(bytes.subarray(place.indexOffset, bytes.length - INDEX_FOOTER.sizeBytes), place);
    return { offset: place.indexOffset, entries: Array.from({ length: index.count }, (_, i) => index.entry(i)) };
  } catch {
    return undefined;
  }
}
