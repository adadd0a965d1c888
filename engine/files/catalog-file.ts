// The catalog on disk: written in slices to a temporary file and renamed; read record by record.

import { EngineError } from '../errors.ts';
import { CATALOG_FILE, UNFINISHED } from '../filenames.ts';
import { ByteReader, ByteWriter } from '../format/bytes/byte-cursors.ts';
import { CATALOG_HEADER, CATALOG_MAGIC, decodeHeader, encodeHeader, identityIn } from '../format/bytes/file-headers.ts';
import { beginFrame, decodeFrame, endFrame, type Frame, findFrame, recoverIdentity } from '../format/bytes/frame.ts';
import {
  type CatalogMeta,
  type CatalogTag,
  decodeCatalogRecord,
  encodeMeta,
  encodeTags,
  holdsTags,
} from '../format/record/catalog-record.ts';
import type { Vfs, VfsFile } from '../io/vfs.ts';
import { readWholeFile } from '../io/whole-file.ts';

/** Tags in one record: the most that one damaged byte can lose; about 16 KB before packing. */
const TAGS_A_RECORD = 256;
const CHUNK_BYTES = 4 * 2 ** 20;
/** Most datasets are small; the buffer grows for others. */
const INITIAL_BYTES = 64 * 1024;

export class CatalogWriter {
  readonly #vfs: Vfs;
  readonly #folder: string;
  readonly #identity: number;
  readonly #file: VfsFile;
  #isOpen = true;
  readonly #out = new ByteWriter(INITIAL_BYTES);
  #batch: CatalogTag[] = [];
  #position = CATALOG_HEADER.sizeBytes;
  #records = 0;

  /** @param identity random; distinguishes the records from those of an older catalog */
  constructor(vfs: Vfs, datasetFolder: string, identity: number) {
    this.#vfs = vfs;
    this.#folder = datasetFolder;
    this.#identity = identity;
    vfs.removeSync(this.#unfinishedPath());
    this.#file = vfs.openSync(this.#unfinishedPath(), 'write');
  }

  get full(): boolean {
    return this.#out.length >= CHUNK_BYTES;
  }

  add(tag: CatalogTag): void {
    this.#batch.push(tag);
    if (this.#batch.length >= TAGS_A_RECORD) this.#endBatch();
  }

  async flush(): Promise<void> {
    const bytes = this.#out.written();
    await this.#file.write(bytes, this.#position);
    this.#position += bytes.length;
    this.#out.clear();
  }

  /** Completes the catalog and replaces the old one; durable once resolved. Returns its size in bytes. */
  async finish(meta: CatalogMeta, sequence: number): Promise<number> {
    this.#endBatch();
    this.#record((out) => encodeMeta(out, meta));
    await this.flush();
    const header = new ByteWriter(64);
    encodeHeader(header, CATALOG_HEADER, CATALOG_MAGIC, {
      identity: this.#identity,
      recordCount: this.#records,
      sequence,
    });
    await this.#file.write(header.written(), 0);
    await this.#file.sync();
    this.#isOpen = false;
    this.#file.closeSync();
    this.#vfs.renameSync(this.#unfinishedPath(), `${this.#folder}/${CATALOG_FILE}`);
    await this.#vfs.syncDirectory(this.#folder);
    return this.#position;
  }

  /** Also after a failed rename or sync: by then the file is closed, and its descriptor may be another file's. */
  abandon(): void {
    if (this.#isOpen) this.#file.closeSync();
    this.#isOpen = false;
    this.#vfs.removeSync(this.#unfinishedPath());
  }

  #endBatch(): void {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#record((out) => encodeTags(out, batch));
    this.#batch = [];
  }

  #record(encode: (out: ByteWriter) => void): void {
    const offset = beginFrame(this.#out);
    encode(this.#out);
    endFrame(this.#out, offset, this.#records++, this.#identity);
  }

  #unfinishedPath(): string {
    return `${this.#folder}/${CATALOG_FILE}${UNFINISHED}`;
  }
}

/** A catalog whose records were located; its tags are decoded as they are iterated. */
export interface CatalogRecords {
  /** Every journal record up to this one is in synced files. */
  readonly sequence: number;
  readonly meta: CatalogMeta | undefined;
  readonly tags: Iterable<CatalogTag>;
  /** Why not everything could be read; undefined when all is well. Final only after the last tag. */
  damage: string | undefined;
}

export interface CatalogContent extends CatalogRecords {
  readonly tags: readonly CatalogTag[];
}

/** Reads the catalog; undefined when there is none. Never throws for damage. */
export function readCatalog(vfs: Vfs, datasetFolder: string): CatalogContent | undefined {
  const records = openCatalog(vfs, datasetFolder);
  if (!records) return undefined;
  const tags = [...records.tags];
  return { ...records, tags };
}

/** Opens the catalog for recovery, which keeps no tags: keeping a million decoded tags takes longer than decoding them. */
export function openCatalog(vfs: Vfs, datasetFolder: string): CatalogRecords | undefined {
  const path = `${datasetFolder}/${CATALOG_FILE}`;
  if (!vfs.statSync(path)) return undefined;
  const bytes = readWholeFile(vfs, path);
  try {
    const reader = new ByteReader(bytes);
    const header = decodeHeader(reader, CATALOG_HEADER, CATALOG_MAGIC);
    return findRecords(bytes, reader.offset, header);
  } catch (error) {
    return { ...findWithoutHeader(bytes), damage: reasonOf(error) };
  }
}

/** The frames still contain the identity; the checkpoint sequence is unknown. */
function findWithoutHeader(bytes: Uint8Array): CatalogRecords {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const identity = recoverIdentity(bytes, view, identityIn(bytes, CATALOG_HEADER));
  if (identity === undefined) return { sequence: 0, meta: undefined, tags: [], damage: undefined };
  return findRecords(bytes, 0, { identity, recordCount: 0, sequence: 0 });
}

function findRecords(
  bytes: Uint8Array,
  start: number,
  header: { identity: number; recordCount: number; sequence: number },
): CatalogRecords {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const batches: Frame[] = [];
  const found: CatalogRecords = {
    sequence: header.sequence,
    meta: undefined,
    tags: { [Symbol.iterator]: () => decodeBatches(bytes, batches, found) },
    damage: undefined,
  };
  let meta: CatalogMeta | undefined;
  let records = 0;
  let offset: number | undefined = start;
  while (offset !== undefined && offset < bytes.length) {
    try {
      const frame = decodeFrame(bytes, view, offset, header.identity);
      if (holdsTags(bytes[frame.payloadStart])) batches.push(frame);
      else meta = decodeCatalogRecord(readerOf(bytes, frame)) as CatalogMeta;
      records++;
      offset = frame.payloadEnd;
    } catch (error) {
      found.damage ??= reasonOf(error);
      offset = findFrame(bytes, view, offset + 1, header.identity);
    }
  }
  if (records !== header.recordCount) found.damage ??= `got ${records} records; want ${header.recordCount}`;
  return Object.assign(found, { meta });
}

/** The tags of every readable record; damage of the others is noted in `found`. */
function* decodeBatches(bytes: Uint8Array, batches: readonly Frame[], found: CatalogRecords): Generator<CatalogTag> {
  for (const frame of batches) yield* decodeBatch(bytes, frame, found);
}

function decodeBatch(bytes: Uint8Array, frame: Frame, found: CatalogRecords): readonly CatalogTag[] {
  try {
    return decodeCatalogRecord(readerOf(bytes, frame)) as CatalogTag[];
  } catch (error) {
    found.damage ??= reasonOf(error);
    return [];
  }
}

function readerOf(bytes: Uint8Array, { payloadStart, payloadEnd }: Frame): ByteReader {
  return new ByteReader(bytes, payloadStart, payloadEnd);
}

function reasonOf(error: unknown): string {
  if (error instanceof EngineError && error.code === 'CORRUPT') return error.message;
  throw error;
}
