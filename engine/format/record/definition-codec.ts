// A tag's definition in bytes: the same in journals, catalogs and at the start of tag files.

import { corrupt } from '../../errors.ts';
import type { FormerName, FormerNames, TagDefinition, ValueType } from '../../types.ts';
import { ValueType as Types } from '../../types.ts';
import { type ByteReader, type ByteWriter, VARINT_BYTES } from '../bytes/byte-cursors.ts';

/** Which parts a definition has; the bits never change. */
export const DefinitionFlag = { Description: 1, Format: 2, Units: 4, Fields: 8, Former: 16 } as const;
/** What is known of a former name; the bits never change. */
export const FormerNameFlag = { Forwards: 1, Until: 2 } as const;
const TYPE_AND_FLAGS_BYTES = 2;
/** Most bytes of UTF-8 for each unit of a text. */
const UTF8_BYTES_A_UNIT = 3;
const MAX_TYPE = Math.max(...Object.values(Types));

/** Most bytes of what `encodeDefinition` writes. */
export function mostDefinitionBytes({ name, description, format, units, fields, former }: TagDefinition): number {
  let bytes = mostTextBytes(name) + TYPE_AND_FLAGS_BYTES;
  if (description !== undefined) bytes += mostTextBytes(description);
  if (format !== undefined) bytes += mostTextBytes(format);
  if (units !== undefined) {
    bytes += VARINT_BYTES;
    for (const text of units.values()) bytes += VARINT_BYTES + mostTextBytes(text);
  }
  if (fields !== undefined) {
    bytes += VARINT_BYTES;
    for (const [key, text] of fields) bytes += mostTextBytes(key) + mostTextBytes(text);
  }
  if (former !== undefined) {
    bytes += 2 * VARINT_BYTES;
    for (const one of former.names) bytes += mostTextBytes(one.name) + 1 + 2 * VARINT_BYTES;
  }
  return bytes;
}

function mostTextBytes(text: string): number {
  return VARINT_BYTES + UTF8_BYTES_A_UNIT * text.length;
}

export function encodeDefinition(out: ByteWriter, tag: TagDefinition): void {
  let present = 0;
  if (tag.description !== undefined) present |= DefinitionFlag.Description;
  if (tag.format !== undefined) present |= DefinitionFlag.Format;
  if (tag.units !== undefined) present |= DefinitionFlag.Units;
  if (tag.fields !== undefined) present |= DefinitionFlag.Fields;
  if (tag.former !== undefined) present |= DefinitionFlag.Former;
  out.text(tag.name);
  out.u8(tag.type);
  out.u8(present);
  if (tag.description !== undefined) out.text(tag.description);
  if (tag.format !== undefined) out.text(tag.format);
  if (tag.units !== undefined) {
    out.varint(tag.units.size);
    for (const [key, text] of tag.units) {
      out.zigzag(key);
      out.text(text);
    }
  }
  if (tag.fields !== undefined) {
    out.varint(tag.fields.size);
    for (const [key, text] of tag.fields) {
      out.text(key);
      out.text(text);
    }
  }
  if (tag.former !== undefined) encodeFormer(out, tag.former);
}

function encodeFormer(out: ByteWriter, { count, names }: FormerNames): void {
  out.varint(count);
  out.varint(names.length);
  for (const { name, renamedMs, untilMs, forwards } of names) {
    out.text(name);
    out.zigzag(renamedMs);
    out.u8((forwards ? FormerNameFlag.Forwards : 0) | (untilMs === undefined ? 0 : FormerNameFlag.Until));
    if (untilMs !== undefined) out.zigzag(untilMs);
  }
}

/** Throws CORRUPT for everything that `encodeDefinition` does not write. */
export function decodeDefinition(reader: ByteReader): TagDefinition {
  const name = reader.text();
  const type = decodeType(reader);
  const present = reader.u8();
  return {
    name,
    type,
    ...(present & DefinitionFlag.Description ? { description: reader.text() } : {}),
    ...(present & DefinitionFlag.Format ? { format: reader.text() } : {}),
    ...(present & DefinitionFlag.Units ? { units: decodeMap(reader, () => reader.zigzag()) } : {}),
    ...(present & DefinitionFlag.Fields ? { fields: decodeMap(reader, () => reader.text()) } : {}),
    ...(present & DefinitionFlag.Former ? { former: decodeFormer(reader) } : {}),
  };
}

function decodeFormer(reader: ByteReader): FormerNames {
  const count = reader.varint();
  const size = reader.varint();
  if (size > reader.remaining) throw corrupt(`a list of ${size} entries runs past the end`, { offset: reader.offset });
  return { count, names: Array.from({ length: size }, () => decodeFormerName(reader)) };
}

function decodeFormerName(reader: ByteReader): FormerName {
  const name = reader.text();
  const renamedMs = reader.zigzag();
  const flags = reader.u8();
  if (flags > (FormerNameFlag.Forwards | FormerNameFlag.Until))
    throw corrupt(`got flags ${flags} of a former name; want 0 to 3`, { offset: reader.offset - 1 });
  const untilMs = flags & FormerNameFlag.Until ? reader.zigzag() : undefined;
  return { name, renamedMs, untilMs, forwards: (flags & FormerNameFlag.Forwards) !== 0 };
}

/** A value type's code; CORRUPT when there is no such type. */
export function decodeType(reader: ByteReader): ValueType {
  const code = reader.u8();
  if (code > MAX_TYPE) throw corrupt(`got value type ${code}; want 0 to ${MAX_TYPE}`, { offset: reader.offset - 1 });
  return code as ValueType;
}

function decodeMap<K>(reader: ByteReader, readKey: () => K): Map<K, string> {
  const size = reader.varint();
  if (size > reader.remaining) throw corrupt(`a list of ${size} entries runs past the end`, { offset: reader.offset });
  const map = new Map<K, string>();
  for (let i = 0; i < size; i++) {
    const key = readKey();
    map.set(key, reader.text());
  }
  return map;
}
