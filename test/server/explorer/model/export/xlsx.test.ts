// Workbooks: cells that Excel reads as what they are, rows beyond a sheet, and parts that a reader of zip files finds whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { createXlsxFile, type XlsxFile } from '../../../../../server/explorer/model/export/xlsx-file.ts';
import {
  columnName,
  escapeXml,
  excelDays,
  numberCell,
  rowXml,
} from '../../../../../server/explorer/model/export/xlsx-parts.ts';
import { type RowForm, type SheetLine, sheetRows } from '../../../../../server/explorer/model/export/xlsx-rows.ts';

const HOUR_MS = 3_600_000;
const level: SheetLine = { name: 'Level', shown: 'Level', states: undefined, isText: false };
const state: SheetLine = { name: 'State', shown: 'State', states: new Map([[1, 'running']]), isText: false };
const batch: SheetLine = { name: 'Batch', shown: 'Batch', states: undefined, isText: true };
const loss: SheetLine = { name: 'A - B', shown: 'Loss', states: undefined, isText: false };
const form: RowForm = {
  shape: 'rows',
  lines: [level, state, batch, loss],
  offsetMs: () => HOUR_MS,
  zone: 'Europe/Berlin',
  fn: undefined,
};

async function partsOf(file: XlsxFile): Promise<ReadonlyMap<string, string>> {
  const parts = unzipSync(new Uint8Array(await file.end().arrayBuffer()));
  return new Map(Object.entries(parts).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

test('a cell is a number where Excel keeps all of its digits, else a text', () => {
  assert.equal(numberCell('12345678.25'), 12345678.25);
  assert.equal(numberCell('-0.000000000000123456789012345'), -1.23456789012345e-13);
  assert.equal(numberCell('9007199254740993'), '9007199254740993');
  assert.equal(numberCell('1.5e300'), 1.5e300);
  assert.equal(numberCell(''), '');
  assert.equal(numberCell('1e999'), '1e999');
});

test('times are days of the calendar of Excel, to the millisecond', () => {
  assert.equal(excelDays(0), 25_569);
  assert.equal(excelDays(Date.UTC(2026, 0, 5, 12)), 46_027.5);
  const timeMs = Date.UTC(2026, 10, 29, 4, 30, 15, 123);
  assert.equal(Math.round((excelDays(timeMs) - 25_569) * 86_400_000), timeMs);
});

test('texts are escaped, also those that XML cannot hold', () => {
  assert.equal(escapeXml('a<b & "c"\u0007\r\n _x0007_'), 'a&lt;b &amp; &quot;c&quot;_x0007__x000D_\n _x005F_x0007_');
  assert.deepEqual([0, 25, 26, 701, 702].map(columnName), ['A', 'Z', 'AA', 'ZZ', 'AAA']);
});

test('what stands behind an empty cell says where it is', () => {
  assert.equal(rowXml([1, null, true], 7), '<row><c><v>1</v></c><c r="C7" t="b"><v>1</v></c></row>');
  assert.equal(
    rowXml([{ time: Number.NaN }, '=1+1'], 2),
    '<row><c r="B2" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c></row>',
  );
});

test('a long sheet has times of the zone and of UTC, numbers with the texts of states, and names of the page', () => {
  const { head, rowOf } = sheetRows(form);
  assert.deepEqual(head, ['time (Europe/Berlin)', 'time (UTC)', 'tag', 'value', 'text', 'quality']);
  const timeMs = Date.UTC(2026, 0, 5, 8);
  const times = [{ time: timeMs + HOUR_MS }, { time: timeMs }];
  const row = (line: object) => rowOf(JSON.stringify({ time: '2026-01-05T08:00:00.000Z', ...line }));
  assert.deepEqual(row({ tag: 'Level', value: 62.5, quality: 192 }), [...times, 'Level', 62.5, null, 192]);
  assert.deepEqual(row({ tag: 'State', value: 1, quality: 64 }), [...times, 'State', 1, 'running', 64]);
  assert.deepEqual(row({ tag: 'Batch', value: '0017', quality: 192 }), [...times, 'Batch', '0017', null, 192]);
  assert.deepEqual(row({ tag: 'A - B', value: null, quality: 0 }), [...times, 'Loss', null, null, 0]);
});

test('a wide sheet has a column for each line, and says the function', () => {
  const wide = sheetRows({ ...form, shape: 'wide', offsetMs: undefined });
  assert.deepEqual(wide.head, ['time (UTC)', 'Level', 'State', 'Batch', 'Loss']);
  const line = { time: '2026-01-05T08:00:00.000Z', Level: '9007199254740993', State: 1, Batch: null, 'A - B': 2 };
  assert.deepEqual(wide.rowOf(JSON.stringify(line)).slice(1), ['9007199254740993', 'running', null, 2]);
  const averages = sheetRows({ ...form, shape: 'wide', lines: [level], fn: 'TimeAverage2' });
  assert.deepEqual(averages.head.slice(2), ['Level TimeAverage2']);
  assert.deepEqual(averages.rowOf('{"time":"2026-01-05T08:00:00.000Z","Level TimeAverage2":3}').slice(2), [3]);
});

test('a workbook has a sheet for each dataset, and another one where a sheet is full', async () => {
  const file = createXlsxFile(3);
  file.begin({ name: 'Plant', head: ['time', 'value'], widths: [24, 16] });
  for (const value of [1, 2, 3, 4, 5]) file.add([{ time: 0 }, value]);
  file.begin({ name: 'About', head: ['What', 'Is'], widths: [20, 60] });
  file.add(['Values', 'every point']);
  const parts = await partsOf(file);
  const workbook = parts.get('xl/workbook.xml') ?? '';
  assert.deepEqual(
    [...workbook.matchAll(/name="([^"]+)"/g)].map(([, name]) => name),
    ['Plant', 'Plant 2', 'Plant 3', 'About'],
  );
  const rowsOf = (n: number) => parts.get(`xl/worksheets/sheet${n}.xml`)?.match(/<row>/g)?.length;
  assert.deepEqual([1, 2, 3, 4].map(rowsOf), [3, 3, 2, 2], 'each with its head');
  assert.match(parts.get('xl/worksheets/sheet1.xml') ?? '', /<c s="2"><v>25569<\/v><\/c><c><v>1<\/v><\/c>/);
  for (const [name, xml] of parts) assert.ok(xml.startsWith('<?xml'), name);
  for (const name of ['[Content_Types].xml', '_rels/.rels', 'xl/styles.xml', 'xl/_rels/workbook.xml.rels'])
    assert.ok(parts.has(name), name);
});
