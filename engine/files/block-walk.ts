// Walks consecutive blocks by their headers, skipping damage: rebuilds a lost index.

import { EngineError } from '../errors.ts';
import { verifyBlockPayload } from '../format/block/block.ts';
import {
  BLOCK_HEADER_MAX_BYTES,
  BLOCK_HEADER_MIN_BYTES,
  BLOCK_MAGIC,
  type BlockHeader,
  decodeBlockHeader,
} from '../format/block/block-header.ts';
import { type BlockEntry, entryOf } from '../format/block/block-index.ts';
import type { ReadableFile } from '../io/vfs.ts';
import type { DamagedBytes } from './tag-file.ts';

export interface BlockWalk {
  readonly entries: BlockEntry[];
  readonly headers: BlockHeader[];
  readonly damages: DamagedBytes[];
  /** End of the last readable block; the bytes after it are the tail. */
  readonly endOffset: number;
}

export interface WalkOptions {
  readonly from: number;
  readonly to: number;
  /** Blocks of other tags are damage; undefined takes all (spills). */
  readonly tagId: number | undefined;
  /** `payloads` reads and verifies every byte; `headers` only the headers. */
  readonly verify: 'headers' | 'payloads';
}

const WINDOW_BYTES = 64 * 1024;

/** A movable window over a file, so that neighbouring headers take one read. */
class Window {
  readonly #file: ReadableFile;
  readonly #end: number;
  bytes = new Uint8Array(0);
  #start = 0;

  constructor(file: ReadableFile, end: number) {
    this.#file = file;
    this.#end = end;
  }

  /** At least `length` bytes from `offset` on, or all there are. */
  at(offset: number, length: number): Uint8Array {
    const inside = offset - this.#start;
    if (inside >= 0 && inside + length <= this.bytes.length) return this.bytes.subarray(inside);
    const size = Math.min(Math.max(length, WINDOW_BYTES), this.#end - offset);
    const bytes = new Uint8Array(Math.max(size, 0));
    let filled = 0;
    while (filled < bytes.length) {
      const read = this.#file.readSync(bytes, filled, bytes.length - filled, offset + filled);
      if (read === 0) break;
      filled += read;
    }
    this.bytes = bytes.subarray(0, filled);
    this.#start = offset;
    return this.bytes;
  }
}

/** Finds every readable block in a range of a file. Throws only system errors. */
export function walkBlocks(file: ReadableFile, options: WalkOptions): BlockWalk {
  const window = new Window(file, options.to);
  const entries: BlockEntry[] = [];
  const headers: BlockHeader[] = [];
  const damages: DamagedBytes[] = [];
  let offset = options.from;
  let endOffset = options.from;
  while (offset < options.to) {
    const header = tryBlock(window, offset, options);
    if (typeof header === 'string') {
      const next = findBlock(window, offset + 1, options);
      damages.push({ offset, sizeBytes: next - offset, reason: header });
      offset = next;
      continue;
    }
    entries.push(entryOf(header, offset));
    headers.push(header);
    offset += header.headerBytes + header.payloadBytes;
    endOffset = offset;
  }
  return { entries, headers, damages, endOffset };
}

/** The block at an offset, or why there is none. */
function tryBlock(window: Window, offset: number, options: WalkOptions): BlockHeader | string {
  try {
    const header = decodeBlockHeader(window.at(offset, BLOCK_HEADER_MAX_BYTES), 0);
    const size = header.headerBytes + header.payloadBytes;
    if (options.tagId !== undefined && header.tagId !== options.tagId)
      return `a block of tag ${header.tagId} in a file of tag ${options.tagId}`;
    if (offset + size > options.to) return 'a block is cut short';
    if (options.verify === 'payloads' && !verifyBlockPayload(window.at(offset, size), 0, header))
      return 'a block fails its checksum';
    return header;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'CORRUPT') return error.message;
    throw error;
  }
}

/** Offset of the next readable block at or after `from`, else the end. */
function findBlock(window: Window, from: number, options: WalkOptions): number {
  const magic = [BLOCK_MAGIC & 0xff, (BLOCK_MAGIC >>> 8) & 0xff, (BLOCK_MAGIC >>> 16) & 0xff, BLOCK_MAGIC >>> 24];
  let offset = from;
  while (offset + BLOCK_HEADER_MIN_BYTES <= options.to) {
    const bytes = window.at(offset, Math.min(WINDOW_BYTES, options.to - offset));
    const at = indexOfMagic(bytes, magic);
    if (at < 0) {
      offset += Math.max(1, bytes.length - 3);
      continue;
    }
    if (typeof tryBlock(window, offset + at, options) !== 'string') return offset + at;
    offset += at + 1;
  }
  return options.to;
}

function indexOfMagic(bytes: Uint8Array, magic: readonly number[]): number {
  for (
    let at = bytes.indexOf(magic[0] as number);
    at >= 0 && at + 4 <= bytes.length;
    at = bytes.indexOf(magic[0] as number, at + 1)
  ) {
    if (bytes[at + 1] === magic[1] && bytes[at + 2] === magic[2] && bytes[at + 3] === magic[3]) return at;
  }
  return -1;
}
