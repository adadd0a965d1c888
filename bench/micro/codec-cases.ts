// Blocks of series as plants make them: what a point costs to encode and to decode, and its bytes, beside zlib on the
// same columns as they lie in memory.

import { deflateSync } from 'node:zlib';
import { decodeBlock, decodeBlockHeader, encodeBlock } from '../../engine/format/block/block.ts';
import { ByteWriter } from '../../engine/format/bytes/byte-cursors.ts';
import { PointColumns } from '../../engine/index.ts';
import { payloadOf } from '../../engine/value-types.ts';
import { measured } from '../report/result.ts';
import type { SuiteRun } from '../suite-run.ts';
import { SERIES, type Series } from '../workloads/series.ts';
import { type TimingLimits, timeWork } from './time-work.ts';

const BLOCK_POINTS = 2048;
const BLOCKS = 20;
const POINTS = BLOCK_POINTS * BLOCKS;
const ZLIB_LEVEL = 6;

export async function measureCodecs(suite: SuiteRun, limits: TimingLimits): Promise<void> {
  for (const series of SERIES) {
    await suite.measure({ table: 'blocks of 2,048 points', name: series.name }, async () => {
      const columns = Array.from({ length: BLOCKS }, (_, tag) => {
        const points = new PointColumns(BLOCK_POINTS);
        series.fill(points, tag);
        return points;
      });
      const out = new ByteWriter(1 << 20);
      const encoding = await timeWork(() => encodeAll(out, columns, series), limits);
      const target = new PointColumns(BLOCK_POINTS);
      const decoding = await timeWork(() => decodeAll(out.written(), target), limits);
      const zlibBytes = columns.reduce((sum, points) => sum + zlibSize(points, series), 0);
      return [
        measured('encode', 'ns/pt', 'less', (encoding.p50Ms * 1e6) / POINTS),
        measured('decode', 'ns/pt', 'less', (decoding.p50Ms * 1e6) / POINTS),
        measured('size', 'B/pt', 'less', out.length / POINTS),
        measured('zlib', 'B/pt', 'none', zlibBytes / POINTS),
      ];
    });
  }
}

function encodeAll(out: ByteWriter, columns: readonly PointColumns[], { type }: Series): void {
  out.clear();
  for (const points of columns) {
    encodeBlock(out, points, 0, BLOCK_POINTS, { tagId: 64, type, firstOrdinal: 0, statistics: 'when-long' });
  }
}

function decodeAll(bytes: Uint8Array, target: PointColumns): void {
  for (let offset = 0; offset < bytes.length; ) {
    const header = decodeBlockHeader(bytes, offset);
    decodeBlock(bytes, offset, header, target);
    offset += header.headerBytes + header.payloadBytes;
  }
}

/** The columns of times and values, each as an array of doubles (texts one behind the other), deflated. */
function zlibSize(points: PointColumns, { type }: Series): number {
  const { timesMs, numbers, texts } = points;
  const values =
    payloadOf(type) === 'text'
      ? Buffer.from(Array.from(numbers, (index) => texts.at(index)).join('\0'))
      : Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const times = Buffer.from(timesMs.buffer, timesMs.byteOffset, timesMs.byteLength);
  return deflateSync(times, { level: ZLIB_LEVEL }).length + deflateSync(values, { level: ZLIB_LEVEL }).length;
}
