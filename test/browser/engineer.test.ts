// What a process engineer does with a trend: limits of the tag in chart, values and statistics; taking its points out.

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { parquetReadObjects } from 'hyparquet';
import type { Browser } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser, type WatchedPage } from '../support/browser.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 120_000 };
const folder = temporaryFolder();
const START_MS = Date.UTC(2026, 0, 5, 8);
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const TREND = `/#d=Line+1&t=Tank.Level&from=${iso(START_MS)}&to=${iso(START_MS + 3_600_000)}`;
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await ServerProcess.start({ dataFolder: join(folder, 'data') });
  await post('tags', [{ n: 'Tank.Level', t: 'System.Double', f: '0.0', fl: { Area: 'Filling', High: '40' } }]);
  // From 0 to 60 in an hour.
  await post(
    'data/Tank.Level',
    Array.from({ length: 61 }, (_, i) => ({ t: iso(START_MS + i * 60_000), v: i })),
  );
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function post(path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${server.url}/api/datasets/Line 1/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, await answer.text());
}

async function openTrend(): Promise<WatchedPage> {
  const watched = await openPage(browser, `${server.url}${TREND}`, { timezoneId: 'UTC' });
  await watched.page.locator('.surface canvas').first().waitFor();
  return watched;
}

test('limits that are set in the tag are told beside values, and counted in the statistics', options, async (t) => {
  const { page, faults } = await openTrend();
  t.after(() => page.context().close());
  const row = page.getByRole('row', { name: /Tank\.Level/ });
  await row.getByLabel('above H 40').waitFor();
  await page.getByRole('button', { name: 'Details of Tank.Level' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tank.Level' });
  assert.equal(await dialog.getByLabel('High', { exact: true }).inputValue(), '40');
  await dialog.getByLabel('High-high').fill('30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The limit HighHigh must not lie below High.').waitFor();
  await dialog.getByLabel('High-high').fill('55');
  assert.deepEqual(await seriousFindings(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByLabel('above HH 55').waitFor();
  await page.getByLabel('Columns of the table').selectOption('Statistics');
  await row.getByText('H 33.3 %, HH 8.3 %').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(faults, []);
});

test('tags are found by pattern and field', options, async (t) => {
  const { page, faults } = await openTrend();
  t.after(() => page.context().close());
  const count = page.getByLabel('Tags found');
  for (const [text, found] of [
    ['tank.l?vel', '1'],
    ['area=fill', '1'],
    ['area=pack', '0'],
  ] as const) {
    await page.getByLabel('Search tags').fill(text);
    await count.getByText(found, { exact: true }).waitFor();
  }
  assert.deepEqual(faults, []);
});

test('cursors stay where they are put, and there are statistics between two', options, async (t) => {
  const { page, faults } = await openTrend();
  t.after(() => page.context().close());
  const plot = await page.locator('.overlay').boundingBox();
  assert.ok(plot !== null);
  await page.mouse.move(plot.x + plot.width / 4, plot.y + 80);
  await page.keyboard.press('p');
  await page.keyboard.down('Control');
  await page.mouse.click(plot.x + plot.width / 2, plot.y + 80);
  await page.keyboard.up('Control');
  await page.getByRole('button', { name: 'Cursors: 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cursors' });
  await dialog.getByRole('row', { name: /^1: 2026-01-05 08:1.*1[45]\.0 line 1[45]\.\d/ }).waitFor();
  // Points at whole minutes from the 15th to the 30th, give or take one at the ends.
  await dialog.getByRole('row', { name: /^Tank\.Level 22\.\d.* 1[456]$/ }).waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await dialog.getByRole('button', { name: 'Take cursor 1 away' }).click();
  await dialog.getByText('With a second cursor').waitFor();
  assert.deepEqual(faults, []);
});

test('one dashboard shows any tank, with values as large as their tiles', options, async (t) => {
  for (const [tank, value] of [
    ['TK001', 10],
    ['TK002', 95],
  ] as const) {
    await post('tags', [{ n: `${tank}.Level`, t: 'System.Double', u: { 1: '%' }, fl: { High: '80' } }]);
    const points = [-1800, -600, 0].map((s) => ({ t: iso(Date.now() + s * 1000), v: value + s / 600 }));
    await post(`data/${tank}.Level`, points);
  }
  const content = {
    asset: 'TK001',
    tiles: [
      { kind: 'value', dataset: 'Line 1', tag: 'TK001.Level', sparkline: true, columns: 3, rows: 3 },
      { kind: 'text', text: 'Tank TK001', columns: 2, rows: 1 },
      { kind: 'clock', columns: 1, rows: 1 },
    ],
  };
  const answer = await fetch(`${server.url}/api/views`, {
    method: 'POST',
    body: JSON.stringify({ kind: 'dashboard', name: 'Tank', folder: '', datasets: ['Line 1'], content }),
  });
  const { id } = (await answer.json()) as { id: string };
  const { page, faults } = await openPage(browser, `${server.url}/?view=${id}&asset=TK002`, { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  const tile = page.getByRole('region', { name: 'Value of TK002.Level' });
  await tile.getByLabel('above H 80').waitFor();
  await page.getByText('Tank TK002').waitFor();
  await tile.locator('.sparkline path').waitFor({ state: 'attached' });
  const height = (await tile.locator('.value').boundingBox())?.height ?? 0;
  assert.ok(height > 60, `${height} px`);
  const isCut = await tile.locator('.value').evaluate((value) => value.scrollWidth > value.clientWidth);
  assert.equal(isCut, false);
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByLabel('Asset').selectOption('TK001');
  await page.getByRole('region', { name: 'Value of TK001.Level' }).getByText('10 %').waitFor();
  assert.match(page.url(), /asset=TK001/);
  await page.goBack();
  await tile.waitFor();
  assert.deepEqual(faults, []);
});

test('averages leave the page for a spreadsheet of the plant, and as lines for Python', options, async (t) => {
  const { page, faults } = await openTrend();
  t.after(() => page.context().close());
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^Export…/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Export the window' });
  await dialog.getByLabel('Values').selectOption('average');
  await dialog.getByLabel('Interval').selectOption('15 min');
  await dialog.getByLabel(/^Form/).selectOption('wide');
  await dialog.getByLabel('Columns are separated by').selectOption('semicolon');
  await dialog.getByLabel('Decimal sign').selectOption('comma: 62,5');
  assert.deepEqual(await seriousFindings(page), []);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const file = await download;
  assert.equal(file.suggestedFilename(), 'Line 1 2026-01-05T080000Z TimeAverage2 900000ms.csv');
  assert.equal(
    readFileSync(await file.path(), 'utf8'),
    [
      '\ufefftime (UTC);Tank.Level TimeAverage2',
      '2026-01-05 08:00:00;7,5',
      '2026-01-05 08:15:00;22,5',
      '2026-01-05 08:30:00;37,5',
      '2026-01-05 08:45:00;52,5',
      '',
    ].join('\r\n'),
  );
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^Export…/ }).click();
  await dialog.getByLabel('File').selectOption('Excel workbook (.xlsx)');
  assert.equal(await dialog.getByLabel('Decimal sign').count(), 0);
  const downloadOfBook = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const book = await downloadOfBook;
  assert.equal(book.suggestedFilename(), 'Line 1 2026-01-05T080000Z TimeAverage2 900000ms.xlsx');
  const parts = unzipSync(readFileSync(await book.path()));
  assert.match(strFromU8(parts['xl/workbook.xml'] ?? new Uint8Array()), /name="Line 1".*name="About"/);
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  assert.equal(sheet.match(/<row>/g)?.length, 5);
  assert.match(sheet, /<row><c s="2"><v>46027\.3333333333<\/v><\/c><c><v>7\.5<\/v><\/c><\/row>/);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^Export…/ }).click();
  await dialog.getByLabel('File').selectOption({ label: 'Parquet: for pandas, Polars, DuckDB, Spark' });
  assert.equal(await dialog.getByLabel('Times').count(), 0, 'times are times');
  const downloadOfColumns = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const columns = await downloadOfColumns;
  assert.equal(columns.suggestedFilename(), 'Line 1 2026-01-05T080000Z TimeAverage2 900000ms.parquet');
  const rows = await parquetReadObjects({ file: new Uint8Array(readFileSync(await columns.path())).buffer });
  assert.deepEqual(
    rows.map(({ tag, function: name, value }) => [tag, name, value]),
    [7.5, 22.5, 37.5, 52.5].map((value) => ['Tank.Level', 'TimeAverage2', value]),
  );
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^Copy as…/ }).click();
  await page.getByText('import pandas as pd').waitFor();
  await page.getByRole('dialog', { name: 'Copy as' }).getByLabel('For').selectOption('R');
  await page.getByText(/read\.csv\(url\(address\)/).waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(faults, []);
});
