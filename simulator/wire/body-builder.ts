// Gathers points of many tags as they are generated, and makes one request body of them: `{"tag":[tvq,…],…}`. Points are
// written as bytes at once; a tag's spans are linked, so that each tag is in the body once.

import type { Column } from '../generate/column.ts';
import { ByteArena, ELEMENT_ENDS, writeJson, writeNumbers } from './point-json.ts';

const COMMA = 0x2c;
const NO_SPAN = -1;
const START_BYTES = 1 << 20;

/** A tag as the builder keeps it: its name as a JSON key, and its spans in the body being built. */
export class BodyTag {
  readonly keyBytes: Buffer;
  firstSpan = NO_SPAN;
  lastSpan = NO_SPAN;

  constructor(name: string) {
    this.keyBytes = Buffer.from(`${JSON.stringify(name)}:[`);
  }
}

export class BodyBuilder {
  pointCount = 0;
  readonly #arena = new ByteArena(START_BYTES);
  readonly #tags: BodyTag[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #nexts: number[] = [];

  get byteCount(): number {
    return this.#arena.length;
  }

  addNumbers(tag: BodyTag, column: Column, from: number): void {
    const start = this.#arena.length;
    writeNumbers(this.#arena, ELEMENT_ENDS, column, from);
    this.#chain(tag, start, column.count - from);
  }

  addJson(tag: BodyTag, timeMs: number, json: string): void {
    const start = this.#arena.length;
    writeJson(this.#arena, ELEMENT_ENDS, timeMs, json);
    this.#chain(tag, start, 1);
  }

  /** The body of all points gathered since the last call; they are then forgotten. */
  takeBody(): Buffer {
    let size = this.#arena.length + 2;
    for (const tag of this.#tags) size += tag.keyBytes.length + 1;
    const body = Buffer.allocUnsafeSlow(size);
    let at = 0;
    body[at++] = 0x7b;
    for (const tag of this.#tags) at = this.#writeTag(tag, body, at);
    // The last tag's comma becomes the closing brace.
    body[at - 1] = 0x7d;
    this.#clear();
    return body.subarray(0, at);
  }

  #writeTag(tag: BodyTag, body: Buffer, start: number): number {
    let at = start + tag.keyBytes.copy(body, start);
    for (let span = tag.firstSpan; span !== NO_SPAN; span = this.#nexts[span] ?? NO_SPAN) {
      at += this.#arena.bytes.copy(body, at, this.#starts[span], this.#ends[span]);
    }
    // Each point ends with a comma; the last one's becomes the closing bracket.
    body[at - 1] = 0x5d;
    body[at++] = COMMA;
    return at;
  }

  #chain(tag: BodyTag, start: number, pointCount: number): void {
    const end = this.#arena.length;
    this.pointCount += pointCount;
    if (tag.lastSpan !== NO_SPAN && this.#ends[tag.lastSpan] === start) {
      this.#ends[tag.lastSpan] = end;
      return;
    }
    const span = this.#starts.push(start) - 1;
    this.#ends.push(end);
    this.#nexts.push(NO_SPAN);
    if (tag.firstSpan === NO_SPAN) {
      tag.firstSpan = span;
      this.#tags.push(tag);
    } else {
      this.#nexts[tag.lastSpan] = span;
    }
    tag.lastSpan = span;
  }

  #clear(): void {
    for (const tag of this.#tags) {
      tag.firstSpan = NO_SPAN;
      tag.lastSpan = NO_SPAN;
    }
    this.#tags.length = 0;
    this.#starts.length = 0;
    this.#ends.length = 0;
    this.#nexts.length = 0;
    this.#arena.length = 0;
    this.pointCount = 0;
  }
}
