// Reads the file of annotations back: every whole record, in order. What cannot be read is stepped over, and told.

import { corrupt, EngineError } from '../errors.ts';
import { ByteReader } from '../format/bytes/byte-cursors.ts';
import {
  ANNOTATIONS_HEADER,
  ANNOTATIONS_MAGIC,
  decodeHeader,
  identityIn,
  isOfOtherVersion,
} from '../format/bytes/file-headers.ts';
import { decodeFrame, findFrame, recoverIdentity } from '../format/bytes/frame.ts';
import { type AnnotationChange, decodeChange } from './annotation-record.ts';

/** What is wrong with the file. */
export interface AnnotationDamage {
  readonly offset: number;
  readonly bytes: number;
  /** `tail`: no whole record follows, as when a power failure tore the last write; `middle`: records follow. */
  readonly place: 'tail' | 'middle';
  readonly reason: string;
}

/** A record, or a stretch of bytes that is none. */
export type AnnotationEntry =
  | { readonly kind: 'record'; readonly change: AnnotationChange; readonly sequence: number; readonly end: number }
  | { readonly kind: 'damage'; readonly damage: AnnotationDamage };

export interface AnnotationBytes {
  /** Seeds the checksums of the records. */
  readonly identity: number;
  /** No record of this file has a smaller one. */
  readonly firstSequence: number;
  readonly entries: Iterable<AnnotationEntry>;
}

/**
 * The entries of a file, found as they are asked for. Throws CORRUPT when nothing of it can be read: a foreign file, one of a
 * later version, or one without a header and with fewer than two records.
 */
export function readAnnotations(bytes: Uint8Array): AnnotationBytes {
  const reader = new ByteReader(bytes);
  try {
    const { identity, firstSequence } = decodeHeader(reader, ANNOTATIONS_HEADER, ANNOTATIONS_MAGIC);
    return { identity, firstSequence, entries: entriesOf(bytes, reader.offset, identity) };
  } catch (error) {
    if (isOfOtherVersion(bytes, ANNOTATIONS_HEADER, ANNOTATIONS_MAGIC)) throw error;
    const identity = recoverIdentity(bytes, reader.view, identityIn(bytes, ANNOTATIONS_HEADER));
    if (identity === undefined) throw error;
    return { identity, firstSequence: 1, entries: entriesOf(bytes, 0, identity) };
  }
}

/** Bytes up to the end of the last whole record: another one may be being written right now. */
export function wholeAnnotationBytes(bytes: Uint8Array): number {
  let end = Math.min(bytes.length, ANNOTATIONS_HEADER.sizeBytes);
  try {
    for (const entry of readAnnotations(bytes).entries) if (entry.kind === 'record') end = entry.end;
    return end;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'CORRUPT') return bytes.length;
    throw error;
  }
}

function* entriesOf(bytes: Uint8Array, start: number, identity: number): Generator<AnnotationEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = start;
  while (offset < bytes.length) {
    try {
      const { sequence, payloadStart, payloadEnd } = decodeFrame(bytes, view, offset, identity);
      if (!(Number.isInteger(sequence) && sequence >= 1)) throw corrupt(`got record number ${sequence}`, { offset });
      const change = decodeChange(new ByteReader(bytes, payloadStart, payloadEnd));
      offset = payloadEnd;
      yield { kind: 'record', change, sequence, end: payloadEnd };
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
      const next = findFrame(bytes, view, offset + 1, identity);
      const place = next === undefined ? 'tail' : 'middle';
      const end = next ?? bytes.length;
      yield { kind: 'damage', damage: { offset, bytes: end - offset, place, reason: error.message } };
      offset = end;
    }
  }
}
