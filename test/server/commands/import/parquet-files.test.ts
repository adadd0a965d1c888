// Files of Parquet as input: what their rows come to, and that those which lie about their lengths are refused before memory is
// asked for.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parquetMetadata } from 'hyparquet';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { openSource } from '../../../../server/commands/import/import-file.ts';
import type { ImportWishes } from '../../../../server/commands/import/opened-file.ts';
import { checkFooter, ParquetFault } from '../../../../server/commands/import/parquet/parquet-checks.ts';
import { CsvFault, readRecords } from '../../../../server/commands/import/recognise/csv-records.ts';
import { UnclearForm } from '../../../../server/commands/import/recognise/file-form.ts';
import { schemaOf } from '../../../../server/routes/parquet/point-group.ts';

const folder = mkdtempSync(join(tmpdir(), 'varve-parquet-input-'));
after(() => rmSync(folder, { recursive: true }));
const PATH = join(folder, 'points.parquet');
const BEGIN = 1_741_064_760_000_000n;
const OWN_TIMES = [BEGIN, BEGIN + 1n, BEGIN, BEGIN, BEGIN];

async function pointsOf(bytes: Uint8Array, wishes: Partial<ImportWishes> = {}): Promise<string[]> {
  writeFileSync(PATH, bytes);
  const source = {
    path: PATH,
    wishes: { texts: new Set<string>(), ...wishes },
    stop: AbortSignal.timeout(60_000),
    onRead: () => {},
  };
  const opened = await openSource(source);
  const reader = opened.reader({ takesUnsorted: true });
  const points: string[] = [];
  for await (const records of readRecords(opened.slices(), opened.encoding, opened.style))
    for (const record of records)
      for (const { tag, time, value, quality } of reader.read(record))
        points.push(`${tag} ${time} ${value} ${quality ?? '-'}`);
  return points;
}

function fileOf(columnData: ColumnSource[], rowGroupSize = 100): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize }));
}

function ownFile(): Uint8Array {
  const schema = schemaOf(false);
  const data: Record<string, ColumnSource['data']> = {
    tag: ['a ', 'ü', 'u', 'on', 'gap'],
    time: OWN_TIMES,
    time_100ns: [0, 7, 0, 0, 0],
    type: ['Int64', 'String', 'UInt64', 'Boolean', null],
    value: [9.007199254740992e15, null, 1.8446744073709552e19, 1, null],
    value_int64: [9_007_199_254_740_993n, null, null, null, null],
    value_text: [null, ' x', '18446744073709551615', null, null],
    quality: [64, 192, 192, 192, 0],
  };
  const columnData = schema.slice(1).map(({ name }) => ({ name, data: data[name] ?? [] }));
  return new Uint8Array(parquetWriteBuffer({ columnData, schema }));
}

test('a column for each tag', async () => {
  const day = Date.UTC(2025, 2, 4, 5, 6);
  const bytes = fileOf(
    [
      { name: 'time', data: [new Date(day), new Date(day + 60_000), new Date(day + 120_000)], type: 'TIMESTAMP' },
      { name: 'P', data: [1.5, null, Number.NaN], type: 'DOUBLE' },
      { name: 'N', data: [2n ** 60n + 1n, 2n, 3n], type: 'INT64' },
      { name: 'On', data: [true, false, null], type: 'BOOLEAN' },
      { name: 'S', data: ['-', null, '12'], type: 'STRING' },
    ],
    2,
  );
  assert.deepEqual(await pointsOf(bytes), [
    'P 2025-03-04T05:06:00.000Z 1.5 -',
    'N 2025-03-04T05:06:00.000Z 1152921504606846977 -',
    'On 2025-03-04T05:06:00.000Z true -',
    'S 2025-03-04T05:06:00.000Z "-" -',
    'N 2025-03-04T05:07:00.000Z 2 -',
    'On 2025-03-04T05:07:00.000Z false -',
    'N 2025-03-04T05:08:00.000Z 3 -',
    'S 2025-03-04T05:08:00.000Z "12" -',
  ]);
});

test('a row for each point, with local times that ask for a zone', async () => {
  const bytes = fileOf([
    { name: 'tag', data: ['P', 'Q'], type: 'STRING' },
    { name: 'timestamp', data: ['2025-03-04 06:06:00', '2025-03-04 06:06:00'], type: 'STRING' },
    { name: 'value', data: [4, null], type: 'DOUBLE' },
    { name: 'quality', data: [192, 24], type: 'INT32' },
  ]);
  await assert.rejects(pointsOf(bytes), (error) => error instanceof UnclearForm && error.flag.startsWith('--tz'));
  assert.deepEqual(await pointsOf(bytes, { zone: 'Europe/Berlin' }), [
    'P 2025-03-04T05:06:00.000Z 4 192',
    'Q 2025-03-04T05:06:00.000Z null 24',
  ]);
});

test("the project's own exports keep their digits, down to 100 ns", async () => {
  assert.deepEqual(await pointsOf(ownFile()), [
    'a  2025-03-04T05:06:00.000Z 9007199254740993 64',
    'ü 2025-03-04T05:06:00.0000017Z " x" 192',
    'u 2025-03-04T05:06:00.000Z 18446744073709551615 192',
    'on 2025-03-04T05:06:00.000Z true 192',
  ]);
});

function numbers(): Uint8Array {
  const data = Array.from({ length: 100 }, (_, row) => row);
  return fileOf([
    { name: 'ts', data: data.map((row) => BigInt(1_741_064_760 + row)), type: 'INT64', encoding: 'PLAIN' },
    { name: 'P', data: Float64Array.from(data), type: 'DOUBLE', encoding: 'PLAIN' },
  ]);
}

test('a file that is cut, or whose footer lies, is refused', async () => {
  const bytes = numbers();
  await assert.rejects(pointsOf(bytes.subarray(0, bytes.length - 20)), /ends without PAR1: it is cut/);
  const lying = bytes.slice();
  new DataView(lying.buffer).setUint32(lying.length - 8, 0x7fff_ffff, true);
  await assert.rejects(pointsOf(lying), /its footer says to have 2147483647 bytes/);
  const told = parquetMetadata(bytes.slice().buffer);
  const lies: readonly (readonly [reason: RegExp, change: (metadata: typeof told) => void])[] = [
    [
      /2000000000 rows of 2 columns, more than/,
      ({ row_groups: [group] }) => Object.assign(group ?? {}, { num_rows: 2_000_000_000n }),
    ],
    [
      /says to be at bytes .* want bytes of the file/,
      ({ row_groups: [group] }) =>
        Object.assign(group?.columns[0]?.meta_data ?? {}, { total_compressed_size: 1n << 40n }),
    ],
    [
      /bytes, more than 268435456/,
      ({ row_groups: [group] }) =>
        Object.assign(group?.columns[1]?.meta_data ?? {}, { total_uncompressed_size: 1n << 40n }),
    ],
  ];
  for (const [reason, change] of lies) {
    const metadata = structuredClone(told);
    change(metadata);
    metadata.num_rows = metadata.row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
    assert.throws(
      () => checkFooter(metadata, bytes.length),
      (error) => error instanceof ParquetFault && reason.test(error.message),
    );
  }
});

test('a page that lies about its values is refused before they are made', async () => {
  const bytes = numbers();
  // A hundred values as a varint, in zigzag, behind the field of the page header; made many more of the same length.
  const at = Buffer.from(bytes).indexOf(Buffer.from([0x15, 0xc8, 0x01]));
  assert.ok(at > 0);
  const lying = bytes.slice();
  lying.set([0xfe, 0x7f], at + 1);
  await assert.rejects(pointsOf(lying), /says to have 8191 values; want at most 100/);
});

test('a file with any byte changed is read or refused, and never more than that', async () => {
  const bytes = numbers();
  let refused = 0;
  for (let at = 0; at < bytes.length; at += 7) {
    const changed = bytes.slice();
    changed[at] = (changed[at] as number) ^ 0xff;
    await pointsOf(changed).catch((error: unknown) => {
      if (!(error instanceof CsvFault) && !(error instanceof UnclearForm)) throw error;
      refused++;
    });
  }
  assert.ok(refused > 0);
});
