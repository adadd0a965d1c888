// The payload of a journal record: the operations of one request, in order.

import { corrupt } from '../../errors.ts';
import type { PointColumns, TagDefinition } from '../../types.ts';
import { ByteReader, type ByteWriter, VARINT_BYTES } from '../bytes/byte-cursors.ts';
import { decodeDefinition, encodeDefinition, mostDefinitionBytes } from './definition-codec.ts';
import { type DecodedRun, RunDecoder } from './run-decoder.ts';
import { RunEncoder } from './run-encoder.ts';

/** Kinds of operations; the codes never change. */
export const Operation = { Define: 1, Delete: 2, Points: 3, DeletePoints: 4 } as const;

/** Deleted points of a tag: those with ordinals `[from, to)`. */
export interface DeletedRange {
  readonly tagId: number;
  readonly from: number;
  readonly to: number;
}

export function encodeDefine(out: ByteWriter, tagId: number, definition: TagDefinition): void {
  out.u8(Operation.Define);
  out.varint(tagId);
  encodeDefinition(out, definition);
}

/** Most bytes of the operation that `encodeDefine` writes. */
export function mostDefineBytes(definition: TagDefinition): number {
  return 1 + VARINT_BYTES + mostDefinitionBytes(definition);
}

export function encodeDelete(out: ByteWriter, tagIds: readonly number[]): void {
  out.u8(Operation.Delete);
  out.varint(tagIds.length);
  for (const id of tagIds) out.varint(id);
}

export function encodeDeletion(out: ByteWriter, deletedRanges: readonly DeletedRange[]): void {
  out.u8(Operation.DeletePoints);
  out.varint(deletedRanges.length);
  for (const deletion of deletedRanges) {
    out.varint(deletion.tagId);
    out.varint(deletion.from);
    out.varint(deletion.to);
  }
}

/** Begins the points of a record; write exactly `runCount` runs with the encoder, and nothing after them. */
export function beginPoints(out: ByteWriter, runCount: number): RunEncoder {
  out.u8(Operation.Points);
  out.varint(runCount);
  return new RunEncoder(out);
}

/** Receives the operations of records. `points` is reused: copy what is to be kept. */
export interface RecordVisitor {
  define(tagId: number, definition: TagDefinition): void;
  delete(tagIds: readonly number[]): void;
  run(run: DecodedRun, points: PointColumns): void;
  deletion(deletedRanges: readonly DeletedRange[]): void;
}

/** Reads a record's operations. Throws CORRUPT for everything that the functions above do not write. */
export function decodeRecord(
  bytes: Uint8Array,
  start: number,
  end: number,
  scratch: PointColumns,
  visitor: RecordVisitor,
): void {
  const reader = new ByteReader(bytes, start, end);
  while (reader.remaining > 0) {
    const kind = reader.u8();
    switch (kind) {
      case Operation.Define:
        visitor.define(reader.varint(), decodeDefinition(reader));
        break;
      case Operation.Delete:
        visitor.delete(decodeList(reader, () => reader.varint()));
        break;
      case Operation.Points: {
        const runs = new RunDecoder(reader);
        for (let count = reader.varint(); count > 0; count--) visitor.run(runs.run(scratch), scratch);
        break;
      }
      case Operation.DeletePoints:
        visitor.deletion(
          decodeList(reader, () => ({ tagId: reader.varint(), from: reader.varint(), to: reader.varint() })),
        );
        break;
      default:
        throw corrupt(`got operation ${kind}; want 1 to ${Operation.DeletePoints}`, { offset: reader.offset - 1 });
    }
  }
}

function decodeList<T>(reader: ByteReader, readItem: () => T): T[] {
  const size = reader.varint();
  if (size > reader.remaining) throw corrupt(`a list of ${size} entries runs past the end`, { offset: reader.offset });
  return Array.from({ length: size }, readItem);
}
