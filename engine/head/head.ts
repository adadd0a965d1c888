// The head of a tag: its newest points. Here is what is known of them and where they lie; they themselves are in the arena.

import type { ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import { CHUNK_BYTES, NO_CHUNK } from './head-chunks.ts';

/** The texts of a head, and about what they take in memory. */
export class HeadTexts {
  readonly values: string[] = [];
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
  /** Points dropped from the first chunk. */
  skipped = 0;
  /** Of the last chunk: bytes and points in use. */
  usedBytes = CHUNK_BYTES;
  lastPoints = 0;
  /** Time of the newest point. */
  lastMs = 0;
  /** For the text payload: what the coded numbers point into. */
  texts: HeadTexts | undefined;
  /** Older points of the same tag, of another type or with a jump of ordinals behind them. */
  older: Head | undefined;

  constructor(type: ValueType, firstOrdinal: number, older: Head | undefined) {
    this.type = type;
    this.firstOrdinal = firstOrdinal;
    this.older = older;
    this.texts = payloadOf(type) === 'text' ? new HeadTexts() : undefined;
  }

  /** Gives points without a type (nulls, all of them) the type that the tag has got. */
  retype(type: ValueType): void {
    this.type = type;
    this.texts = payloadOf(type) === 'text' ? new HeadTexts() : undefined;
  }

  /** The ordinal behind the last point. */
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
