// Files that are made to fill the memory: each is refused with its reason, or read in little of it.

import assert from 'node:assert/strict';
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { checkFile, openSource } from '../../../../server/commands/import/import-file.ts';
import { CsvFault } from '../../../../server/commands/import/recognise/csv-records.ts';

const folder = mkdtempSync(join(tmpdir(), 'varve-hostile-'));
after(() => rmSync(folder, { recursive: true }));
const MIB = 1024 * 1024;
const T = '2025-03-04T05:06:00Z';

async function check(path: string) {
  const source = { path, wishes: { texts: new Set<string>() }, stop: AbortSignal.timeout(120_000), onRead: () => {} };
  return checkFile(await openSource(source));
}

/** Faults of a file, whether it is opened or read on. */
async function faultOf(path: string): Promise<string> {
  try {
    const { faults } = await check(path);
    return faults.map(({ message }) => message).join('\n');
  } catch (error) {
    if (error instanceof CsvFault) return error.message;
    throw error;
  }
}

/** A file of gzip that unpacks to a header and then so many MiB of one sign. */
async function writeBomb(path: string, sign: string, mib: number): Promise<void> {
  const slice = Buffer.alloc(MIB, sign);
  function* parts(): Generator<Buffer> {
    yield Buffer.from(`time,P\n${T},1\n`);
    for (let count = 0; count < mib; count++) yield slice;
  }
  await pipeline(Readable.from(parts()), createGzip({ level: 1 }), createWriteStream(path));
}

test('a file of gzip that unpacks to a line without an end is refused after its first megabytes', async () => {
  const path = join(folder, 'line.csv.gz');
  await writeBomb(path, '9', 1024);
  assert.ok(statSync(path).size < 16 * MIB);
  const before = process.memoryUsage().rss;
  assert.match(await faultOf(path), /the line does not end within 4194304 characters/);
  const grownMib = (process.memoryUsage().rss - before) / MIB;
  assert.ok(grownMib < 300, `${grownMib} MiB more`);
});

test('an open quote and a line of JSON without an end are refused in the same way', async () => {
  const quoted = join(folder, 'quote.csv');
  writeFileSync(quoted, `time,P\n${T},"${'x\n'.repeat(3 * MIB)}`);
  assert.match(await faultOf(quoted), /a quote is opened and not closed within 4194304 characters/);
  const json = join(folder, 'line.jsonl');
  writeFileSync(json, `{"time":"${T}","P":1}\n{"time":"${T}","P":"${'x'.repeat(6 * MIB)}`);
  assert.match(await faultOf(json), /the line does not end within 4194304 characters/);
});

test('what is packed is unpacked as it is read, and told where it cannot be', async () => {
  const path = join(folder, 'points.csv.gz');
  const packed = gzipSync(`time,P\n${T},1\n`);
  writeFileSync(path, packed);
  const { pointCount, faultCount } = await check(path);
  assert.deepEqual({ pointCount, faultCount }, { pointCount: 1, faultCount: 0 });
  writeFileSync(path, packed.subarray(0, packed.length - 12));
  assert.match(await faultOf(path), /the file cannot be unpacked .*; want a whole file of gzip/);
  const workbook = join(folder, 'points.xlsx');
  writeFileSync(workbook, Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(100)]));
  assert.match(await faultOf(workbook), /a workbook or a zip archive; want text/);
});

test('a hundred thousand columns are tags, or a fault, within a bounded time', async () => {
  const path = join(folder, 'wide.csv');
  const names = Array.from({ length: 100_000 }, (_, index) => `T${index}`);
  writeFileSync(path, `time,${names.join(',')}\n${T}${',1'.repeat(names.length)}\n`);
  const before = process.memoryUsage().rss;
  const { pointCount, faultCount } = await check(path);
  assert.deepEqual({ pointCount, faultCount }, { pointCount: 100_000, faultCount: 0 });
  const grownMib = (process.memoryUsage().rss - before) / MIB;
  assert.ok(grownMib < 600, `${grownMib} MiB more`);
});
