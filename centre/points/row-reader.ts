// Decodes rows of points from a stream of ClickHouse's RowBinary, some thousand at a time.

import type { Readable } from 'node:stream';
import { PointColumns, payloadOf, TICKS_PER_MS, type ValueType } from '../../engine/index.ts';

/** Rows `[start, end)` with their points; row i is point i of the columns. */
export interface Rows {
  readonly points: PointColumns;
  readonly start: number;
  readonly end: number;
  readonly types: Uint8Array;
  readonly ordinals: Float64Array;
  /** The tag of each row. */
  readonly tags: Float64Array;
}

/** What a query selects, in this order. */
export const ROW_COLUMNS = 'tag, time, ordinal, type, isnull, num, whole, text, quality';
/** Everything of a row but its text, and the byte of its length when it is short. */
const FIXED_BYTES = 8 + 8 + 8 + 1 + 1 + 8 + 8 + 4;
const ROWS_AT_ONCE = 4096;
const HALF = 2 ** 32;

export class RowReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;
  #isOver = false;
  /** Whether the rows that are being gathered have texts; undefined while all are null. */
  #hasTexts: boolean | undefined;

  constructor(stream: Readable) {
    this.#pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Undefined at the end. Rejects when the stream breaks off, also within a row. */
  async next(): Promise<Rows | undefined> {
    const points = new PointColumns(ROWS_AT_ONCE);
    this.#hasTexts = undefined;
    const rows = {
      points,
      types: new Uint8Array(ROWS_AT_ONCE),
      ordinals: new Float64Array(ROWS_AT_ONCE),
      tags: new Float64Array(ROWS_AT_ONCE),
    };
    while (points.count < ROWS_AT_ONCE) {
      const taken = this.#take(rows);
      if (taken === 'taken') continue;
      if (taken === 'other') break;
      // What is there is given before more is waited for.
      if (points.count > 0 && this.#at === this.#bytes.length) break;
      if (!(await this.#more())) break;
    }
    if (points.count > 0) return { ...rows, start: 0, end: points.count };
    if (this.#at < this.#bytes.length) throw new Error('the answer of ClickHouse ends within a row');
    return undefined;
  }

  /**
   * Takes one row, unless it is not all there (`short`), or has a text where the others have none, or the other way round
   * (`other`): columns with texts have nothing else.
   */
  #take({ points, types, ordinals, tags }: Omit<Rows, 'start' | 'end'>): 'taken' | 'short' | 'other' {
    const at = this.#at;
    const view = this.#view;
    const left = this.#bytes.length - at;
    if (left < FIXED_BYTES + 1) return 'short';
    const text = this.#textAt(at + 42);
    if (text === undefined || left < FIXED_BYTES + text.bytes) return 'short';
    const type = view.getUint8(at + 24) as ValueType;
    const isNull = view.getUint8(at + 25);
    const payload = payloadOf(type);
    const isText = payload === 'text' && isNull === 0;
    if (isNull === 0 && this.#hasTexts !== undefined && this.#hasTexts !== isText) return 'other';
    if (isNull === 0) this.#hasTexts = isText;
    const i = points.count++;
    tags[i] = wholeAt(view, at);
    putTime(points, i, view.getUint32(at + 8, true), view.getInt32(at + 12, true));
    ordinals[i] = wholeAt(view, at + 16);
    types[i] = type;
    points.nulls[i] = isNull;
    if (payload === 'bigint') points.bigints[i] = view.getBigInt64(at + 34, true);
    else points.numbers[i] = view.getFloat64(at + 26, true);
    if (isText) points.numbers[i] = points.texts.push(this.#bytes.toString('utf8', text.start, text.end));
    points.qualities[i] = view.getInt32(at + 42 + text.bytes, true);
    this.#at = at + FIXED_BYTES + text.bytes;
    return 'taken';
  }

  /** Start of a text, and its bytes with those of its length; undefined when it is not whole. */
  #textAt(at: number): { readonly start: number; readonly end: number; readonly bytes: number } | undefined {
    let length = 0;
    let offset = at;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[offset++];
      if (byte === undefined) return undefined;
      length += (byte & 127) * scale;
      if (byte < 128) break;
    }
    const end = offset + length;
    return end > this.#bytes.length ? undefined : { start: offset, end, bytes: end - at };
  }

  async #more(): Promise<boolean> {
    if (this.#isOver) return false;
    const { value, done } = await this.#pieces.next();
    if (done === true) {
      this.#isOver = true;
      return false;
    }
    const rest = this.#bytes.subarray(this.#at);
    this.#bytes = rest.length === 0 ? value : Buffer.concat([rest, value]);
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
    this.#at = 0;
    return true;
  }
}

function wholeAt(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * HALF;
}

/** Ticks since 1970 in two halves, as ms and the ticks below; exact, because each product is below 2^53. */
function putTime(points: PointColumns, i: number, low: number, high: number): void {
  // 2^32 = 429,496 * 10,000 + 7,296
  const rest = high * 7_296 + low;
  const ms = Math.floor(rest / TICKS_PER_MS);
  points.timesMs[i] = high * 429_496 + ms;
  points.ticks[i] = rest - ms * TICKS_PER_MS;
}
