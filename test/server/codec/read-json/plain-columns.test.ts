// Columns that are read in one go, and which of them are not tried again: those of one body are mostly of one length.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValueType } from '../../../../engine/index.ts';
import { BatchBuilder } from '../../../../server/codec/body/batch-builder.ts';
import { PlainColumns } from '../../../../server/codec/read-json/plain-columns.ts';
import { TimeReader } from '../../../../server/codec/scalars/timestamp.ts';
import { asBody, BODY_SPARE_BYTES } from '../../../../server/http/contract/body-bytes.ts';

const START_MS = 1_767_261_600_000;
const NONE = -1;

/** Columns of so many points, each value with so many digits. */
function columnsOf(count: number, digits: number): string {
  const times = Array.from({ length: count }, (_, i) => START_MS + 1000 * i);
  const values = times.map((_, i) => String(1 + (i % 9)).repeat(digits));
  return `{"t":[${times.join(',')}],"v":[${values.join(',')}],"q":192}`;
}

/** How many bytes are read, or NONE. */
function readWhole(columns: PlainColumns, text: string): number {
  const body = asBody(Buffer.from(text + ' '.repeat(BODY_SPARE_BYTES)));
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const builder = new BatchBuilder();
  builder.begin(bytes.length);
  builder.reserve();
  builder.beginPoints(ValueType.Double);
  return columns.addWhole(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, builder);
}

for (const [what, text] of [
  ['times', columnsOf(400, 1)],
  // 200 times of 14 bytes fit what is read in one go; with 200 values of 9 they do not.
  ['values', columnsOf(200, 8)],
] as const) {
  test(`where the ${what} of columns are too many for one go, no others of that body are tried, and those of the next are`, () => {
    const columns = new PlainColumns(new TimeReader());
    const short = columnsOf(3, 2);
    columns.beginBody();
    assert.equal(readWhole(columns, short), short.length);
    assert.equal(readWhole(columns, text), NONE);
    assert.equal(readWhole(columns, short), NONE);
    columns.beginBody();
    assert.equal(readWhole(columns, short), short.length);
  });
}

test('columns that are not plain do not keep others from being tried', () => {
  const columns = new PlainColumns(new TimeReader());
  columns.beginBody();
  for (const odd of ['{"t":[1767261600000],"v":[1e3]}', '{"t":["2026-01-01T10:00:00Z"],"v":[1]}', '{"t":[],"v":[]}'])
    assert.equal(readWhole(columns, odd), NONE, odd);
  const short = columnsOf(3, 2);
  assert.equal(readWhole(columns, short), short.length);
});
