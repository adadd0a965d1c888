// Reading tag files: the definition at the head, the block index, single blocks.

import { EngineError } from '../errors.ts';
import { decodeVerifiedBlock, verifyBlockPayload } from '../format/block/block.ts';
import { BLOCK_HEADER_MAX_BYTES, type BlockHeader, decodeBlockHeader } from '../format/block/block-header.ts';
import {
  type BlockEntry,
  BlockIndex,
  decodeIndexFooter,
  INDEX_FOOTER,
  type IndexFooter,
} from '../format/block/block-index.ts';
import { ByteReader } from '../format/bytes/byte-cursors.ts';
import { crc32 } from '../format/bytes/crc.ts';
import { decodeHeader, TAG_FILE_HEADER, TAG_FILE_MAGIC } from '../format/bytes/file-headers.ts';
import { decodeDefinition } from '../format/record/definition-codec.ts';
import type { ReadableFile, Vfs } from '../io/vfs.ts';
import type { PointColumns, TagDefinition } from '../types.ts';
import type { VerifiedBlock } from './block-cache.ts';
import { walkBlocks } from './block-walk.ts';
import type { DamagedBytes } from './tag-file.ts';

export interface TagFileHead {
  readonly tagId: number;
  readonly number: number;
  readonly definition: TagDefinition;
  /** Offset at which the blocks begin. */
  readonly blocksOffset: number;
}

/** Reads exactly `length` bytes; CORRUPT when the file ends before. */
export function readExactly(file: ReadableFile, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const read = file.readSync(bytes, filled, length - filled, position + filled);
    if (read === 0)
      throw new EngineError('CORRUPT', `the file ends ${length - filled} bytes too early`, {
        path: file.path,
        offset: position,
      });
    filled += read;
  }
  return bytes;
}

/** The header and definition of a tag file. Throws CORRUPT when they are damaged. */
export function readTagFileHead(file: ReadableFile): TagFileHead {
  const fixed = new ByteReader(readExactly(file, 0, TAG_FILE_HEADER.sizeBytes));
  const header = decodeHeader(fixed, TAG_FILE_HEADER, TAG_FILE_MAGIC);
  const definitionBytes = readExactly(file, TAG_FILE_HEADER.sizeBytes, header.definitionBytes);
  if (crc32(definitionBytes) !== header.definitionCrc) {
    throw new EngineError('CORRUPT', 'the tag definition fails its checksum', {
      path: file.path,
      offset: TAG_FILE_HEADER.sizeBytes,
    });
  }
  const definition = decodeDefinition(new ByteReader(definitionBytes));
  return {
    tagId: header.tagId,
    number: header.number,
    definition,
    blocksOffset: TAG_FILE_HEADER.sizeBytes + header.definitionBytes,
  };
}

/** The index footer of a file, or undefined when it is not sealed (or its footer is damaged). */
export function readIndexFooter(file: ReadableFile, sizeBytes: number): IndexFooter | undefined {
  if (sizeBytes < INDEX_FOOTER.sizeBytes) return undefined;
  try {
    return decodeIndexFooter(readExactly(file, sizeBytes - INDEX_FOOTER.sizeBytes, INDEX_FOOTER.sizeBytes), sizeBytes);
  } catch (error) {
    return undefinedIfCorrupt(error);
  }
}

export interface LoadedIndex {
  readonly entries: BlockEntry[];
  readonly damages: readonly DamagedBytes[];
  readonly sealed: boolean;
}

/** All blocks of a tag file: from its index when it is sealed and the index is sound, else by walking the headers. */
export function loadTagFileIndex(vfs: Vfs, path: string, tagId: number, sizeBytes: number): LoadedIndex {
  const file = vfs.openSync(path, 'read');
  try {
    const footer = readIndexFooter(file, sizeBytes);
    const entries = footer && readIndexEntries(file, footer, tagId);
    if (entries) return { entries, damages: [], sealed: true };
    const to = footer ? footer.indexOffset : sizeBytes;
    const walk = walkBlocks(file, { from: blocksOffset(file), to, tagId, verify: 'headers' });
    const damages = footer ? [...walk.damages, damagedIndex(footer, sizeBytes)] : walk.damages;
    return { entries: walk.entries, damages, sealed: footer !== undefined };
  } finally {
    file.closeSync();
  }
}

export function damagedIndex({ indexOffset }: IndexFooter, sizeBytes: number): DamagedBytes {
  return { offset: indexOffset, sizeBytes: sizeBytes - indexOffset, reason: 'the index of its blocks is damaged' };
}

/** The index of a sealed file; undefined when it is damaged. */
export function readIndexEntries(file: ReadableFile, footer: IndexFooter, tagId: number): BlockEntry[] | undefined {
  try {
    const length = file.sizeSync() - INDEX_FOOTER.sizeBytes - footer.indexOffset;
    const index = new BlockIndex(readExactly(file, footer.indexOffset, length), footer);
    return index.ofTag(tagId);
  } catch (error) {
    return undefinedIfCorrupt(error);
  }
}

/** Gives the offset at which blocks begin; with a damaged head the walk searches from the header's end. */
export function blocksOffset(file: ReadableFile): number {
  try {
    return readTagFileHead(file).blocksOffset;
  } catch (error) {
    undefinedIfCorrupt(error);
    return TAG_FILE_HEADER.sizeBytes;
  }
}

/** Whether a block is the one that an index entry describes. */
export function isBlockOf(header: BlockHeader, entry: BlockEntry): boolean {
  return (
    header.tagId === entry.tagId && header.firstOrdinal === entry.firstOrdinal && header.pointCount === entry.pointCount
  );
}

/** Reads and verifies one block, and decodes it into `target` (D14). Throws CORRUPT with path and offset. */
export function readBlock(file: ReadableFile, entry: BlockEntry, target: PointColumns): VerifiedBlock {
  try {
    const bytes = readExactly(file, entry.offset, entry.sizeBytes);
    const header = decodeBlockHeader(bytes, 0);
    if (!isBlockOf(header, entry)) throw new EngineError('CORRUPT', 'a block is not the one its index names');
    if (!verifyBlockPayload(bytes, 0, header)) throw new EngineError('CORRUPT', 'a block fails its checksum');
    decodeVerifiedBlock(bytes, 0, header, target);
    return { bytes, header };
  } catch (error) {
    throw withLocation(error, file, entry);
  }
}

/** Reads and verifies the header of one block. Throws CORRUPT with path and offset. */
export function readBlockHeader(file: ReadableFile, entry: BlockEntry): BlockHeader {
  try {
    const length = Math.min(BLOCK_HEADER_MAX_BYTES, entry.sizeBytes);
    const header = decodeBlockHeader(readExactly(file, entry.offset, length), 0);
    if (!isBlockOf(header, entry)) throw new EngineError('CORRUPT', 'a block is not the one its index names');
    return header;
  } catch (error) {
    throw withLocation(error, file, entry);
  }
}

function withLocation(error: unknown, file: ReadableFile, entry: BlockEntry): unknown {
  if (!(error instanceof EngineError) || error.code !== 'CORRUPT') return error;
  const details = { ...error.details, path: file.path, offset: entry.offset };
  return new EngineError('CORRUPT', error.message, details, error);
}

/** Returns undefined for damage; throws every other error again. */
export function undefinedIfCorrupt(error: unknown): undefined {
  if (error instanceof EngineError && error.code === 'CORRUPT') return undefined;
  throw error;
}
