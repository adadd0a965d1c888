// The head of a tag: its newest points. Here are their number, ordinals and location; the points are in the arena.

import { TextList } from '../text-list.ts';
import type { ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import { CHUNK_BYTES, NO_CHUNK } from './head-chunks.ts';

/** The texts of a head, and the estimate of their memory. */
export class HeadTexts {
  readonly values = new TextList();
  sizeBytes = 0;
}

/** The newest points of a tag, of one type and with consecutive ordinals. */
export class Head {
  type: ValueType;
  firstOrdinal: number;
  count = 0;
  /** First and last chunk of the chain. */
  first = NO_CHUNK;
  last = NO_CHUNK;
  /** Number of points dropped from the first chunk. */
  skipped = 0;
  /** Bytes and points in use of the last chunk. */
  usedBytes = CHUNK_BYTES;
  lastPoints = 0;
  /** Time of the newest point. */
  lastMs = 0;
  /** For the text payload: the texts that the encoded numbers are indexes of. */
  texts: HeadTexts | undefined;
  /** Older points of the same tag, of another type or before a jump of ordinals. */
  older: Head | undefined;

  constructor(type: ValueType, firstOrdinal: number, older: Head | undefined) {
    this.type = type;
    this.firstOrdinal = firstOrdinal;
    this.older = older;
    this.texts = payloadOf(type) === 'text' ? new HeadTexts() : undefined;
  }

  /** Sets the type of points without one (all of them nulls) once the tag has a type. */
  retype(type: ValueType): void {
    this.type = type;
    this.texts = payloadOf(type) === 'text' ? new HeadTexts() : undefined;
  }

  /** The ordinal after the last point. */
  get nextOrdinal(): number {
    return this.firstOrdinal + this.count;
  }
}

/** The parts of a head, oldest first. */
export function headParts(head: Head | undefined): Head[] {
  const parts: Head[] = [];
  for (let part = head; part; part = part.older) parts.push(part);
  return parts.reverse();
}
