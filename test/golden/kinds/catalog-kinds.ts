// Walks the records of a catalog.

import { ByteReader } from '../../../engine/format/bytes/byte-cursors.ts';
import { CATALOG_HEADER, CATALOG_MAGIC, decodeHeader } from '../../../engine/format/bytes/file-headers.ts';
import { unpackBytes } from '../../../engine/format/bytes/packed-bytes.ts';
import {
  CatalogFileFlag,
  type CatalogMeta,
  type CatalogPoint,
  CatalogRecord,
  type CatalogTag,
  CatalogValue,
  decodeCatalogRecord,
} from '../../../engine/format/record/catalog-record.ts';
import { DefinitionFlag, FormerNameFlag } from '../../../engine/format/record/definition-codec.ts';
import type { TagDefinition } from '../../../engine/index.ts';
import { eachFrame } from './frames.ts';
import { type SeenKinds, Variant } from './kinds.ts';

export function seeCatalog(seen: SeenKinds, bytes: Uint8Array): void {
  const reader = new ByteReader(bytes);
  const header = decodeHeader(reader, CATALOG_HEADER, CATALOG_MAGIC);
  seen.see('layout', CATALOG_HEADER.name);
  for (const { payload } of eachFrame(seen, bytes, reader.offset, header.identity)) {
    seen.see('catalogRecord', payload[0] as number);
    if (payload[0] === CatalogRecord.PackedTags)
      seen.see('catalogRecord', unpackBytes(new ByteReader(payload, 1))[0] as number);
    const record = decodeCatalogRecord(new ByteReader(payload));
    if (Array.isArray(record)) for (const tag of record) seeTag(seen, tag);
    else if ((record as CatalogMeta).tombstones.length > 0) seen.see('variant', Variant.DeletedTag);
  }
}

function seeTag(seen: SeenKinds, tag: CatalogTag): void {
  const { definition, newest, deletedRanges, files, purgedOrdinal, purgedTime } = tag;
  seeDefinition(seen, definition);
  for (const { value } of newest) seen.see('catalogValue', kindOf(value));
  if (newest.length > 1) seen.see('variant', Variant.CatalogTie);
  if (deletedRanges.length > 0) seen.see('variant', Variant.CatalogCut);
  if (purgedOrdinal > 0) seen.see('variant', Variant.CatalogPurged);
  if (purgedTime !== undefined) seen.see('variant', Variant.CatalogPurgedTime);
  for (const file of files) {
    if (file.sealed) seen.see('catalogFileFlag', CatalogFileFlag.Sealed);
    if (file.missing) seen.see('catalogFileFlag', CatalogFileFlag.Missing);
  }
}

export function seeDefinition(seen: SeenKinds, { description, format, units, fields, former }: TagDefinition): void {
  if (description !== undefined) seen.see('definitionFlag', DefinitionFlag.Description);
  if (format !== undefined) seen.see('definitionFlag', DefinitionFlag.Format);
  if (units !== undefined) seen.see('definitionFlag', DefinitionFlag.Units);
  if (fields !== undefined) seen.see('definitionFlag', DefinitionFlag.Fields);
  if (former !== undefined) seen.see('definitionFlag', DefinitionFlag.Former);
  for (const { forwards, untilMs } of former?.names ?? []) {
    if (forwards) seen.see('formerNameFlag', FormerNameFlag.Forwards);
    if (untilMs !== undefined) seen.see('formerNameFlag', FormerNameFlag.Until);
  }
}

function kindOf(value: CatalogPoint['value']): number {
  if (value === null) return CatalogValue.Null;
  if (typeof value === 'number') return CatalogValue.Number;
  return typeof value === 'bigint' ? CatalogValue.Bigint : CatalogValue.Text;
}
