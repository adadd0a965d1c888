// Checks spills and tag files, one file at a time.

import { EngineError } from '../errors.ts';
import { formatFileNumber, formatTagFile, SPILL_FOLDER, TAGS_FOLDER, tagFolder } from '../filenames.ts';
import { unpackSpill } from '../files/spill.ts';
import { blocksOffset, readExactly, readIndexFooter, readTagFileHead } from '../files/tag-file-reader.ts';
import type { BlockHeader } from '../format/block/block-header.ts';
import { type BlockEntry, BlockIndex, decodeIndexFooter, INDEX_FOOTER } from '../format/block/block-index.ts';
import { ByteReader } from '../format/bytes/byte-cursors.ts';
import { decodeHeader, SPILL_HEADER, SPILL_MAGIC } from '../format/bytes/file-headers.ts';
import type { CatalogFile } from '../format/record/catalog-record.ts';
import type { ReadableFile, Vfs } from '../io/vfs.ts';
import { readWholeFile } from '../io/whole-file.ts';
import type { PointColumns } from '../types.ts';
import { checkBlocks, indexFault } from './check-blocks.ts';
import type { CheckLog } from './check-log.ts';

export interface FileCheck {
  readonly log: CheckLog;
  readonly vfs: Vfs;
  /** The dataset's folder, and its path in findings. */
  readonly folder: string;
  readonly prefix: string;
  readonly scratch: PointColumns;
  /** Called for every sound block. */
  visit(path: string, header: BlockHeader, points: PointColumns): void;
}

/** One spill: header, blocks by tag and ordinal, and an index that agrees with them. */
export function checkSpill(check: FileCheck, number: number): void {
  const name = `${SPILL_FOLDER}/${formatFileNumber(number)}`;
  open(check, name, (packed, packedBytes, path) => {
    const { log, scratch } = check;
    noting(log, path, () => {
      const header = decodeHeader(new ByteReader(packedBytes), SPILL_HEADER, SPILL_MAGIC);
      if (header.number !== number) log.report('error', path, `its header says spill ${header.number}`, 0);
    });
    const file = unpackSpill(packed, packedBytes, number);
    const bytes = readExactly(file, 0, file.sizeSync());
    const index = noting(log, path, () => readIndex(bytes));
    const to = index?.offset ?? bytes.length;
    const blocks = checkBlocks(
      log,
      { file, bytes, path, from: SPILL_HEADER.sizeBytes, to, tagId: undefined, scratch },
      (header, points) => check.visit(path, header, points),
    );
    if (index) checkIndex(log, path, index, blocks);
    checkOrder(log, path, blocks);
  });
}

export interface CheckedTagFile {
  readonly sealed: boolean;
  readonly sizeBytes: number;
  readonly blocks: readonly BlockEntry[];
}

/** One tag file: head, blocks, and, when it is sealed, an index that agrees with them. */
export function checkTagFile(check: FileCheck, tagId: number, number: number): CheckedTagFile {
  const name = `${TAGS_FOLDER}/${tagFolder(tagId)}/${formatTagFile(tagId, number)}`;
  return open(check, name, (file, bytes, path) => {
    const { log, scratch } = check;
    noting(log, path, () => {
      const head = readTagFileHead(file);
      if (head.tagId !== tagId || head.number !== number)
        log.report('error', path, `its header says file ${formatTagFile(head.tagId, head.number)}`, 0);
    });
    const footer = readIndexFooter(file, bytes.length);
    const index = footer && noting(log, path, () => readIndex(bytes));
    const to = footer?.indexOffset ?? bytes.length;
    const blocks = checkBlocks(
      log,
      { file, bytes, path, from: blocksOffset(file), to, tagId, scratch },
      (header, points) => check.visit(path, header, points),
    );
    if (index) checkIndex(log, path, index, blocks);
    checkOrder(log, path, blocks);
    return { sealed: footer !== undefined, sizeBytes: bytes.length, blocks };
  });
}

/** Compares a tag file with its catalog entry. */
export function checkAgainstCatalog(log: CheckLog, path: string, file: CheckedTagFile, known: CatalogFile): void {
  if (file.sizeBytes < known.sizeBytes)
    log.report('error', path, `got ${file.sizeBytes} bytes; the catalog knows ${known.sizeBytes}`);
  if (known.sealed && !file.sealed) log.report('error', path, 'it is not sealed; the catalog says it is');
  const blocks = file.blocks.filter((block) => block.offset < known.sizeBytes);
  const nextOrdinal = blocks.reduce((next, block) => Math.max(next, block.firstOrdinal + block.ordinalCount), 0);
  const got = `${blocks.length} blocks with ordinals ${blocks[0]?.firstOrdinal ?? 0} to ${nextOrdinal}`;
  const want = `${known.blockCount} blocks with ordinals ${known.firstOrdinal} to ${known.nextOrdinal}`;
  if (got !== want) log.report('error', path, `got ${got}; the catalog says ${want}`);
}

function open<T>(
  { log, vfs, folder, prefix }: FileCheck,
  name: string,
  work: (file: ReadableFile, bytes: Uint8Array, path: string) => T,
): T {
  const bytes = readWholeFile(vfs, `${folder}/${name}`);
  const file = vfs.openSync(`${folder}/${name}`, 'read');
  try {
    return work(file, bytes, `${prefix}${name}`);
  } catch (error) {
    if (error instanceof EngineError) log.report('error', `${prefix}${name}`, error.message);
    throw error;
  } finally {
    file.closeSync();
  }
}

interface ReadIndex {
  readonly offset: number;
  readonly entries: readonly BlockEntry[];
}

function readIndex(bytes: Uint8Array): ReadIndex {
  const footer = decodeIndexFooter(bytes, bytes.length);
  const index = new BlockIndex(bytes.subarray(footer.indexOffset, bytes.length - INDEX_FOOTER.sizeBytes), footer);
  return { offset: footer.indexOffset, entries: Array.from({ length: index.count }, (_, i) => index.entry(i)) };
}

function checkIndex(log: CheckLog, path: string, index: ReadIndex, blocks: readonly BlockEntry[]): void {
  const fault = indexFault(index.entries, blocks);
  if (fault) log.report('error', path, fault, index.offset);
}

/** Blocks are ordered by tag, then by ordinal. A jump of ordinals is reported: its points are in another file, or lost. */
function checkOrder(log: CheckLog, path: string, blocks: readonly BlockEntry[]): void {
  for (const [i, block] of blocks.entries()) {
    const before = blocks[i - 1];
    if (!before || before.tagId < block.tagId) continue;
    const expected = before.firstOrdinal + before.ordinalCount;
    if (before.tagId > block.tagId || block.firstOrdinal < expected)
      log.report('error', path, 'a block is out of order', block.offset);
    else if (block.firstOrdinal > expected)
      log.report('info', path, `ordinals jump from ${expected} to ${block.firstOrdinal}`, block.offset);
  }
}

/** Reports damage as a finding and returns undefined. */
function noting<T>(log: CheckLog, path: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
    log.report('error', path, error.message, error.details.offset);
    return undefined;
  }
}
