// One record of the file of annotations: an annotation as it is from now on, the id of one that was deleted, or a tag that has
// got another name.

import type { Annotation } from '../annotations.ts';
import { corrupt } from '../errors.ts';
import type { ByteReader, ByteWriter } from '../format/bytes/byte-cursors.ts';
import { compareInstants, type Instant, MAX_TIME_MS, MIN_TIME_MS, TICKS_PER_MS } from '../types.ts';

/** Kinds of records; the codes never change. */
export const AnnotationRecord = { Keep: 1, Delete: 2, RenameTag: 3 } as const;
/** Which parts an annotation has; the bits never change. */
export const AnnotationFlag = { End: 1, Tag: 2, Author: 4, ChangedBy: 8 } as const;
const ALL_FLAGS = Object.values(AnnotationFlag).reduce((sum, flag) => sum + flag, 0);

export type AnnotationChange =
  | { readonly kind: 'keep'; readonly annotation: Annotation }
  | { readonly kind: 'delete'; readonly id: number }
  | ({ readonly kind: 'rename-tag' } & RenamedTag);

/** A tag that has got another name: annotations of the former one are of this one from here on. */
export interface RenamedTag {
  readonly tagId: number;
  readonly from: string;
  readonly to: string;
}

export function encodeChange(out: ByteWriter, change: AnnotationChange): void {
  if (change.kind === 'keep') return encodeAnnotation(out, change.annotation);
  if (change.kind === 'rename-tag') return encodeRename(out, change);
  out.u8(AnnotationRecord.Delete);
  out.varint(change.id);
}

function encodeRename(out: ByteWriter, { tagId, from, to }: RenamedTag): void {
  out.u8(AnnotationRecord.RenameTag);
  out.varint(tagId);
  out.text(from);
  out.text(to);
}

function encodeAnnotation(out: ByteWriter, annotation: Annotation): void {
  const { start, end, tag, text, author, changedBy } = annotation;
  let flags = 0;
  if (end !== undefined) flags |= AnnotationFlag.End;
  if (tag !== undefined) flags |= AnnotationFlag.Tag;
  if (author !== undefined) flags |= AnnotationFlag.Author;
  if (changedBy !== undefined) flags |= AnnotationFlag.ChangedBy;
  out.u8(AnnotationRecord.Keep);
  out.varint(annotation.id);
  out.varint(annotation.revision);
  out.u8(flags);
  encodeTime(out, start);
  if (end !== undefined) encodeTime(out, end);
  if (tag !== undefined) out.text(tag);
  out.text(text);
  out.f64(annotation.createdMs);
  if (author !== undefined) out.text(author);
  out.f64(annotation.changedMs);
  if (changedBy !== undefined) out.text(changedBy);
}

/** Reads one record up to the reader's end. Throws CORRUPT for everything that `encodeChange` does not write. */
export function decodeChange(reader: ByteReader): AnnotationChange {
  const offset = reader.offset;
  const kind = reader.u8();
  let change: AnnotationChange;
  if (kind === AnnotationRecord.Keep) change = { kind: 'keep', annotation: decodeAnnotation(reader) };
  else if (kind === AnnotationRecord.Delete) change = { kind: 'delete', id: reader.varint() };
  else if (kind === AnnotationRecord.RenameTag)
    change = { kind: 'rename-tag', tagId: reader.varint(), from: reader.text(), to: reader.text() };
  else throw corrupt(`got annotation record ${kind}; want 1 to ${AnnotationRecord.RenameTag}`, { offset });
  if (reader.remaining > 0) throw corrupt(`${reader.remaining} bytes follow an annotation`, { offset: reader.offset });
  return change;
}

function decodeAnnotation(reader: ByteReader): Annotation {
  const id = reader.varint();
  const revision = reader.varint();
  const flags = reader.u8();
  if ((flags & ~ALL_FLAGS) !== 0) throw corrupt(`got annotation flags ${flags}`, { offset: reader.offset - 1 });
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const start = decodeTime(reader);
  const end = has(AnnotationFlag.End) ? decodeTime(reader) : undefined;
  if (end !== undefined && compareInstants(end, start) < 0)
    throw corrupt('an annotation ends before it starts', { offset: reader.offset });
  const tag = has(AnnotationFlag.Tag) ? reader.text() : undefined;
  const text = reader.text();
  const createdMs = decodeMs(reader);
  const author = has(AnnotationFlag.Author) ? reader.text() : undefined;
  const changedMs = decodeMs(reader);
  const changedBy = has(AnnotationFlag.ChangedBy) ? reader.text() : undefined;
  return { id, revision, start, end, tag, text, createdMs, author, changedMs, changedBy };
}

function encodeTime(out: ByteWriter, { ms, ticks }: Instant): void {
  out.f64(ms);
  out.u8(ticks & 0xff);
  out.u8(ticks >>> 8);
}

function decodeTime(reader: ByteReader): Instant {
  const ms = decodeMs(reader);
  const ticks = reader.u8() + reader.u8() * 256;
  if (ticks >= TICKS_PER_MS) throw corrupt(`got ${ticks} ticks`, { offset: reader.offset - 2 });
  return { ms, ticks };
}

function decodeMs(reader: ByteReader): number {
  const ms = reader.f64();
  if (Number.isInteger(ms) && ms >= MIN_TIME_MS && ms <= MAX_TIME_MS) return ms;
  throw corrupt(`got the time ${ms}`, { offset: reader.offset - 8 });
}
