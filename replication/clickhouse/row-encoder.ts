// Points as rows in ClickHouse's RowBinary, in the order of the columns of the table of points.

import { payloadOf } from '../../engine/index.ts';
import type { Batch, BatchRun } from '../sink.ts';
import { putTicks } from './ticks.ts';

/** Everything of a row but its text. */
const ROW_BYTES = 8 + 8 + 8 + 8 + 1 + 1 + 8 + 8 + 4;
/** Bytes of the length before a text. */
const MOST_LENGTH_BYTES = 5;
const HALF = 2 ** 32;

export class RowEncoder {
  #bytes: Buffer;
  #view: DataView;
  #end = 0;
  count = 0;

  constructor(rows: number) {
    this.#bytes = Buffer.allocUnsafe(Math.max(1, rows) * (ROW_BYTES + 1));
    this.#view = viewOf(this.#bytes);
  }

  get capacityBytes(): number {
    return this.#bytes.length;
  }

  /** Begins anew in the same memory. */
  clear(): void {
    this.#end = 0;
    this.count = 0;
  }

  /** Valid until the next call. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Appends point `i` of a run. */
  add(dataset: bigint, { tag, type, start, firstOrdinal }: BatchRun, { points }: Batch, i: number): void {
    const isNull = points.nulls[i] !== 0;
    const payload = payloadOf(type);
    const text = payload === 'text' && !isNull ? points.texts.at(points.numbers[i] as number) : '';
    this.#reserve(ROW_BYTES + MOST_LENGTH_BYTES + 3 * text.length);
    const view = this.#view;
    let at = this.#end;
    view.setBigUint64(at, dataset, true);
    putWhole(view, at + 8, tag.id);
    putTicks(view, at + 16, points.timesMs[i] as number, points.ticks[i] as number);
    putWhole(view, at + 24, firstOrdinal + i - start);
    view.setUint8(at + 32, type);
    view.setUint8(at + 33, isNull ? 1 : 0);
    view.setFloat64(at + 34, payload === 'number' ? (points.numbers[i] as number) : 0, true);
    view.setBigInt64(at + 42, payload === 'bigint' ? (points.bigints[i] as bigint) : 0n, true);
    at = this.#putText(at + 50, text);
    view.setInt32(at, points.qualities[i] as number, true);
    this.#end = at + 4;
    this.count++;
  }

  #putText(at: number, text: string): number {
    if (text === '') {
      this.#bytes[at] = 0;
      return at + 1;
    }
    let offset = at;
    for (let rest = Buffer.byteLength(text); ; rest = Math.floor(rest / 128)) {
      this.#bytes[offset++] = rest < 128 ? rest : (rest % 128) | 128;
      if (rest < 128) break;
    }
    return offset + this.#bytes.write(text, offset, 'utf8');
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#end + more));
    this.#bytes.copy(grown, 0, 0, this.#end);
    this.#bytes = grown;
    this.#view = viewOf(grown);
  }
}

function putWhole(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / HALF);
  view.setUint32(at, value - high * HALF, true);
  view.setUint32(at + 4, high, true);
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
