// Memory of all heads of a dataset: points in small chunks of shared slabs, so that a hundred thousand short heads cost
// little more than their points. Benchmark of the copy loops: bench/engine/heads.ts.

import type { PointColumns, ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import {
  arePlain,
  CHUNK_POINTS,
  CHUNK_SHIFT,
  CHUNKS_PER_SLAB,
  copyIn,
  copyOut,
  copyStates,
  fillStates,
  NONE,
  newSlab,
  newStates,
  pairsOf,
  SLAB_SHIFT,
  type Slab,
} from './head-slab.ts';

/** Time 8, payload 8. */
const CHUNK_BYTES = CHUNK_POINTS * 16;
/** Quality 4, ticks 2, null 1: only in slabs that have met other points than plain ones. */
const CHUNK_STATE_BYTES = CHUNK_POINTS * 7;

/** The newest points of a tag, of one type and with consecutive ordinals. */
export class Head {
  type: ValueType;
  firstOrdinal: number;
  count = 0;
  /** First and last chunk of the chain. */
  first = NONE;
  last = NONE;
  /** Points dropped from the first chunk, and used in the last. */
  skipped = 0;
  filled = CHUNK_POINTS;
  /** For the text payload: what `numbers` points into. */
  texts: string[] | undefined;
  /** The payload is 64 bits that a copy as doubles may alter. */
  bits: boolean;
  /** Older points of the same tag, of another type or with a jump of ordinals behind them. */
  older: Head | undefined;

  constructor(type: ValueType, firstOrdinal: number, older: Head | undefined) {
    this.type = type;
    this.firstOrdinal = firstOrdinal;
    this.older = older;
    const payload = payloadOf(type);
    this.texts = payload === 'text' ? [] : undefined;
    this.bits = payload === 'bigint';
  }

  /** Gives points without a type (nulls, all of them) the type that the tag has got. */
  retype(type: ValueType): void {
    const payload = payloadOf(type);
    this.type = type;
    this.texts = payload === 'text' ? [] : undefined;
    this.bits = payload === 'bigint';
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

export class HeadArena {
  readonly #slabs: Slab[] = [];
  #free = NONE;
  #unused = 0;
  #chunksInUse = 0;
  #slabsWithStates = 0;
  #textBytes = 0;

  /** Memory in use by points, including what short heads waste; bytes. */
  get usedBytes(): number {
    const chunksWithStates = Math.min(this.#chunksInUse, this.#slabsWithStates * CHUNKS_PER_SLAB);
    return this.#chunksInUse * CHUNK_BYTES + chunksWithStates * CHUNK_STATE_BYTES + this.#textBytes;
  }

  /** Appends points `[start, start + count)` of the columns. */
  append(head: Head, points: PointColumns, start: number, count: number): void {
    let from = start;
    let left = count;
    while (left > 0) {
      if (head.filled === CHUNK_POINTS) this.#extend(head);
      const room = Math.min(left, CHUNK_POINTS - head.filled);
      const slab = this.#slabs[head.last >> SLAB_SHIFT] as Slab;
      const at = ((head.last & (CHUNKS_PER_SLAB - 1)) << CHUNK_SHIFT) + head.filled;
      const pairsAt = pairsOf(at);
      copyIn(points, from, slab.pairs, pairsAt, room);
      if (!slab.states && !arePlain(points, from, room)) this.#addStates(slab);
      if (slab.states) copyStates(points, from, slab.states, at, room);
      if (head.bits) slab.bits.set(points.bigints.subarray(from, from + room), pairsAt + CHUNK_POINTS);
      if (head.texts) this.#keepTexts(head, points, from, slab.pairs, pairsAt + CHUNK_POINTS, room);
      head.filled += room;
      from += room;
      left -= room;
    }
    head.count += count;
  }

  /** Copies points `[from, from + count)` of the head behind those in `target`. */
  copy(head: Head, from: number, count: number, target: PointColumns): void {
    target.reserve(target.count + count);
    const texts = head.texts;
    let skip = from + head.skipped;
    let chunk = head.first;
    for (; skip >= CHUNK_POINTS; skip -= CHUNK_POINTS) chunk = this.#nextOf(chunk);
    let left = count;
    while (left > 0) {
      const slab = this.#slabs[chunk >> SLAB_SHIFT] as Slab;
      const at = ((chunk & (CHUNKS_PER_SLAB - 1)) << CHUNK_SHIFT) + skip;
      const length = Math.min(left, CHUNK_POINTS - skip);
      const payloadsAt = pairsOf(at) + CHUNK_POINTS;
      copyOut(slab.pairs, payloadsAt - CHUNK_POINTS, target, target.count, length);
      if (slab.states) copyStates(slab.states, at, target, target.count, length);
      else fillStates(target, target.count, length);
      if (head.bits) target.bigints.set(slab.bits.subarray(payloadsAt, payloadsAt + length), target.count);
      if (texts) lendTexts(target, target.count, length, texts);
      target.count += length;
      left -= length;
      skip = 0;
      chunk = this.#nextOf(chunk);
    }
  }

  /** Forgets the oldest points of a head. */
  drop(head: Head, count: number): void {
    head.count -= count;
    head.firstOrdinal += count;
    if (head.count === 0) {
      this.#release(head);
      return;
    }
    head.skipped += count;
    while (head.skipped >= CHUNK_POINTS) {
      const chunk = head.first;
      head.first = this.#nextOf(chunk);
      this.#giveBack(chunk);
      head.skipped -= CHUNK_POINTS;
    }
  }

  #release(head: Head): void {
    for (let chunk = head.first; chunk !== NONE; ) {
      const next = this.#nextOf(chunk);
      this.#giveBack(chunk);
      chunk = next;
    }
    head.first = NONE;
    head.last = NONE;
    head.skipped = 0;
    head.filled = CHUNK_POINTS;
    if (head.texts) {
      for (const text of head.texts) this.#textBytes -= textBytes(text);
      head.texts.length = 0;
    }
  }

  #addStates(slab: Slab): void {
    slab.states = newStates();
    this.#slabsWithStates++;
  }

  #keepTexts(head: Head, points: PointColumns, from: number, numbers: Float64Array, at: number, count: number): void {
    const texts = head.texts as string[];
    for (let i = 0; i < count; i++) {
      const text = points.nulls[from + i] ? '' : (points.texts[points.numbers[from + i] as number] as string);
      if (text !== texts.at(-1)) {
        texts.push(text);
        this.#textBytes += textBytes(text);
      }
      numbers[at + i] = texts.length - 1;
    }
  }

  #extend(head: Head): void {
    const chunk = this.#take();
    if (head.last === NONE) head.first = chunk;
    else (this.#slabs[head.last >> SLAB_SHIFT] as Slab).next[head.last & (CHUNKS_PER_SLAB - 1)] = chunk;
    head.last = chunk;
    head.filled = 0;
  }

  #take(): number {
    this.#chunksInUse++;
    if (this.#free !== NONE) {
      const chunk = this.#free;
      this.#free = this.#nextOf(chunk);
      this.#setNext(chunk, NONE);
      return chunk;
    }
    if (this.#unused === this.#slabs.length * CHUNKS_PER_SLAB) {
      this.#slabs.push(newSlab());
    }
    return this.#unused++;
  }

  #giveBack(chunk: number): void {
    this.#chunksInUse--;
    if (this.#chunksInUse === 0) {
      // All is free: give the memory back to the system.
      this.#slabs.length = Math.min(this.#slabs.length, 1);
      for (const slab of this.#slabs) {
        slab.next.fill(NONE);
        slab.states = undefined;
      }
      this.#slabsWithStates = 0;
      this.#free = NONE;
      this.#unused = 0;
      return;
    }
    this.#setNext(chunk, this.#free);
    this.#free = chunk;
  }

  #nextOf(chunk: number): number {
    return (this.#slabs[chunk >> SLAB_SHIFT] as Slab).next[chunk & (CHUNKS_PER_SLAB - 1)] as number;
  }

  #setNext(chunk: number, next: number): void {
    (this.#slabs[chunk >> SLAB_SHIFT] as Slab).next[chunk & (CHUNKS_PER_SLAB - 1)] = next;
  }
}

/** What a text takes in memory, roughly. */
function textBytes(text: string): number {
  return 32 + 2 * text.length;
}

/** Makes the texts of copied points those of the target. */
export function lendTexts(target: PointColumns, start: number, count: number, texts: readonly string[]): void {
  for (let i = start; i < start + count; i++) {
    if (target.nulls[i]) {
      target.numbers[i] = 0;
      continue;
    }
    const text = texts[target.numbers[i] as number] as string;
    if (target.texts.at(-1) !== text) target.texts.push(text);
    target.numbers[i] = target.texts.length - 1;
  }
}
