// Checks the catalog: header, every record, and that its contents are consistent.

import { EngineError } from '../errors.ts';
import { CATALOG_FILE } from '../filenames.ts';
import { ByteReader } from '../format/bytes/byte-cursors.ts';
import { CATALOG_HEADER, CATALOG_MAGIC, decodeHeader } from '../format/bytes/file-headers.ts';
import { decodeFrame, findFrame } from '../format/bytes/frame.ts';
import { type CatalogMeta, type CatalogTag, decodeCatalogRecord } from '../format/record/catalog-record.ts';
import type { Vfs } from '../io/vfs.ts';
import { readWholeFile } from '../io/whole-file.ts';
import type { CheckLog } from './check-log.ts';

export interface CheckedCatalog {
  /** The points of journal records up to this one are in files. */
  sequence: number;
  meta: CatalogMeta | undefined;
  readonly tags: CatalogTag[];
  /** False when a part of it could not be read. */
  whole: boolean;
}

/** Reads and checks the catalog of a dataset folder; undefined when there is none. */
export function checkCatalog(log: CheckLog, vfs: Vfs, folder: string, prefix: string): CheckedCatalog | undefined {
  const path = `${prefix}${CATALOG_FILE}`;
  if (!vfs.statSync(`${folder}/${CATALOG_FILE}`)) return undefined;
  const bytes = readWholeFile(vfs, `${folder}/${CATALOG_FILE}`);
  const catalog: CheckedCatalog = { sequence: 0, meta: undefined, tags: [], whole: false };
  try {
    readInto(catalog, log, path, bytes);
  } catch (error) {
    reportDamage(log, path, error);
  }
  checkTags(log, path, catalog);
  return catalog;
}

/** Reads what can be read into `catalog`. Throws CORRUPT for a damaged header. */
function readInto(catalog: CheckedCatalog, log: CheckLog, path: string, bytes: Uint8Array): void {
  const reader = new ByteReader(bytes);
  const { sequence, identity, recordCount } = decodeHeader(reader, CATALOG_HEADER, CATALOG_MAGIC);
  catalog.sequence = sequence;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let records = 0;
  let offset: number | undefined = reader.offset;
  while (offset !== undefined && offset < bytes.length) {
    try {
      const frame = decodeFrame(bytes, view, offset, identity);
      if (frame.sequence !== records)
        log.report('error', path, `got record ${frame.sequence}; want ${records}`, offset);
      const record = decodeCatalogRecord(new ByteReader(bytes, frame.payloadStart, frame.payloadEnd));
      if (Array.isArray(record)) for (const tag of record) catalog.tags.push(tag);
      else catalog.meta = record;
      records++;
      offset = frame.payloadEnd;
    } catch (error) {
      reportDamage(log, path, error, offset);
      offset = findFrame(bytes, view, offset + 1, identity);
    }
  }
  if (records !== recordCount) log.report('error', path, `got ${records} records; want ${recordCount}`);
  else if (!catalog.meta) log.report('error', path, 'the record about the dataset is missing');
  catalog.whole = records === recordCount;
}

function checkTags(log: CheckLog, path: string, { tags, meta }: CheckedCatalog): void {
  const ids = new Set<number>();
  const names = new Set<string>();
  const deleted = new Set(meta?.tombstones);
  for (const { id, definition, nextOrdinal, flushedOrdinal, files } of tags) {
    // Deleted while the catalog was written, which takes several turns: the record about the dataset comes last.
    if (deleted.has(id)) continue;
    const report = (message: string): void => log.report('error', path, `tag id ${id} '${definition.name}' ${message}`);
    if (ids.has(id)) report('is there twice');
    const name = `${id < 64 ? 'system' : 'user'} ${definition.name}`;
    if (names.has(name)) report('has the name of another tag');
    if (meta && id >= meta.nextTagId) report(`has an id that is still to be given (${meta.nextTagId} is next)`);
    if (flushedOrdinal > nextOrdinal) report(`has ${flushedOrdinal} points in files, but only ${nextOrdinal} in all`);
    for (const file of files)
      if (!file.missing && file.nextOrdinal > flushedOrdinal)
        report(`has a file ${file.number} with points behind ${flushedOrdinal}`);
    ids.add(id);
    names.add(name);
  }
}

function reportDamage(log: CheckLog, path: string, error: unknown, offset?: number): void {
  if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
  log.report('error', path, error.message, error.details.offset ?? offset);
}
