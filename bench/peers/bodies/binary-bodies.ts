// Bodies of writes as rows of bytes: ClickHouse's RowBinary and PostgreSQL's COPY. A tag is its number; rows are in order of time.

import type { RequestPoints } from '../../workloads/bodies.ts';
import { QUALITY } from './w1-points.ts';

/** tag UInt32, t Int64 (ms), v Float64, q Int16; little-endian. */
const ROW_BINARY_BYTES = 22;

export function rowBinaryBody({ names, count, timesMs, numbers }: RequestPoints): Buffer {
  const body = Buffer.allocUnsafeSlow(names.length * count * ROW_BINARY_BYTES);
  let offset = 0;
  for (let i = 0; i < count; i++) {
    for (let tag = 0; tag < names.length; tag++) {
      const at = tag * count + i;
      offset = body.writeUInt32LE(tag, offset);
      offset = body.writeBigInt64LE(BigInt(timesMs[at] as number), offset);
      offset = body.writeDoubleLE((numbers[at] as number) / 100, offset);
      offset = body.writeInt16LE(QUALITY, offset);
    }
  }
  return body;
}

/** Signature, flags and the length of a header extension, both 0. */
const COPY_HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const COPY_END = Buffer.from([0xff, 0xff]);
/** Number of fields, then each behind its length: int4, timestamptz, float8, int2. */
const COPY_ROW_BYTES = 2 + 4 + 4 + 4 + 8 + 4 + 8 + 4 + 2;
/** PostgreSQL counts microseconds from here. */
const COPY_EPOCH_MS = Date.UTC(2000, 0, 1);

export function copyBody({ names, count, timesMs, numbers }: RequestPoints): Buffer {
  const rows = Buffer.allocUnsafe(names.length * count * COPY_ROW_BYTES);
  let offset = 0;
  for (let i = 0; i < count; i++) {
    for (let tag = 0; tag < names.length; tag++) {
      const at = tag * count + i;
      offset = rows.writeInt16BE(4, offset);
      offset = rows.writeInt32BE(4, offset);
      offset = rows.writeInt32BE(tag, offset);
      offset = rows.writeInt32BE(8, offset);
      offset = rows.writeBigInt64BE(BigInt((timesMs[at] as number) - COPY_EPOCH_MS) * 1000n, offset);
      offset = rows.writeInt32BE(8, offset);
      offset = rows.writeDoubleBE((numbers[at] as number) / 100, offset);
      offset = rows.writeInt32BE(2, offset);
      offset = rows.writeInt16BE(QUALITY, offset);
    }
  }
  return Buffer.concat([COPY_HEAD, rows, COPY_END]);
}
