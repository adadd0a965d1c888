// Prometheus' remote write 1.0, VictoriaMetrics' binary way in: a protobuf message of series, compressed by snappy.

import { compress } from 'snappyjs';
import type { RequestPoints } from '../../workloads/bodies.ts';
import { QUALITY } from './w1-points.ts';

/** Field numbers and wire types of the messages, as the bytes that stand before their values. */
const TIME_SERIES = 0x0a;
const LABEL = 0x0a;
const LABEL_NAME = 0x0a;
const LABEL_VALUE = 0x12;
const SAMPLE = 0x12;
const SAMPLE_VALUE = 0x09;
const SAMPLE_TIME = 0x10;

/** Times in ms take so many bytes until the year 2109. */
const TIME_BYTES = 6;
const SAMPLE_BYTES = 1 + 8 + 1 + TIME_BYTES;
/** Bytes of a series besides its labels and samples, at most. */
const SPARE_BYTES = 64;

/** With quality it is a second series of each tag, `m_q`. */
export function remoteWriteBody(points: RequestPoints, content: 'values' | 'values and quality'): Buffer {
  const message = new ProtobufBytes();
  const { names, numbers, count } = points;
  for (let tag = 0; tag < names.length; tag++) {
    message.series('m_v', points, tag, (i) => (numbers[tag * count + i] as number) / 100);
  }
  if (content === 'values and quality') {
    for (let tag = 0; tag < names.length; tag++) message.series('m_q', points, tag, () => QUALITY);
  }
  return Buffer.from(compress(message.written()));
}

class ProtobufBytes {
  #bytes = Buffer.allocUnsafe(1 << 20);
  #length = 0;

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  series(metric: string, { names, count, timesMs }: RequestPoints, tag: number, valueAt: (i: number) => number): void {
    const name = names[tag] as string;
    const sizeBytes = labelBytes('__name__', metric) + labelBytes('tag', name) + count * (2 + SAMPLE_BYTES);
    this.#reserve(sizeBytes + SPARE_BYTES);
    this.#byte(TIME_SERIES);
    this.#varint(sizeBytes);
    this.#label('__name__', metric);
    this.#label('tag', name);
    for (let i = 0; i < count; i++) {
      this.#byte(SAMPLE);
      this.#byte(SAMPLE_BYTES);
      this.#byte(SAMPLE_VALUE);
      this.#length = this.#bytes.writeDoubleLE(valueAt(i), this.#length);
      this.#byte(SAMPLE_TIME);
      this.#varint(timesMs[tag * count + i] as number);
    }
  }

  #label(name: string, value: string): void {
    this.#byte(LABEL);
    this.#byte(name.length + value.length + 4);
    this.#byte(LABEL_NAME);
    this.#byte(name.length);
    this.#text(name);
    this.#byte(LABEL_VALUE);
    this.#byte(value.length);
    this.#text(value);
  }

  #text(text: string): void {
    this.#length += this.#bytes.write(text, this.#length, 'latin1');
  }

  #byte(value: number): void {
    this.#bytes[this.#length++] = value;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#byte((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.#byte(rest);
  }

  #reserve(extraBytes: number): void {
    if (this.#length + extraBytes <= this.#bytes.length) return;
    this.#bytes = Buffer.concat([this.written(), Buffer.allocUnsafe(this.#bytes.length + extraBytes)]);
  }
}

/** With its own tag and length; names and values are short ASCII. */
function labelBytes(name: string, value: string): number {
  return 2 + 2 + name.length + 2 + value.length;
}
