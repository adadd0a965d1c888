// What is typed and told to the digit: counters, limits with a decimal comma, a link that says no time, and how far out zooming goes.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, openPage, post, sharedBrowser, sharedServer, waitUntil } from '../support/browser.ts';
import type { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 240_000 };
const YEAR_MS = 365.25 * 86_400_000;
const URL_OF_DATA = '/api/datasets/Counters/data';
let browser: Browser;
let server: ServerProcess;

const at = (timeMs: number): string => new Date(timeMs).toISOString();

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await sharedServer();
  await post(`${server.url}/api/datasets/Counters/tags`, [
    { n: 'Energy', t: 'System.Double' },
    { n: 'Pieces', t: 'System.Int64' },
  ]);
  const nowMs = Date.now();
  await post(`${server.url}${URL_OF_DATA}`, {
    Energy: [
      { t: at(nowMs - 600_000), v: 12_345_677.25 },
      { t: at(nowMs - 60_000), v: 12_345_678.25 },
    ],
    Pieces: [{ t: at(nowMs - 60_000), v: '9007199254740993' }],
  });
});

async function openTrend(range: string): Promise<Page> {
  const { page } = await openPage(browser, `${server.url}/#d=Counters&t=Energy&t=Pieces&${range}`, {
    timezoneId: 'UTC',
  });
  await page.locator('.values tbody tr').nth(1).waitFor();
  return page;
}

const shown = async (page: Page): Promise<(string | null)[]> => page.locator('.values td.strong').allTextContents();

test('counters have all of their digits, and so have those of points that come', options, async (t) => {
  const page = await openTrend('from=-15m&to=now');
  t.after(() => page.context().close());
  await waitUntil(async () => (await shown(page)).join() === '12345678.25,9007199254740993', { what: 'all digits' });
  for (const last of ['5', '7', '9']) {
    await post(`${server.url}${URL_OF_DATA}`, { Pieces: [{ t: at(Date.now()), v: `900719925474099${last}` }] });
    const [, earlier] = await shown(page);
    await waitUntil(async () => (await shown(page))[1] !== earlier, { what: 'the point that has come' });
    assert.equal((await shown(page))[1], `900719925474099${last}`);
  }
});

test('a limit with a decimal comma is one line', options, async (t) => {
  const page = await openTrend('from=-15m&to=now');
  t.after(() => page.context().close());
  await page.getByRole('button', { name: 'Scale of Energy' }).click();
  await page.getByLabel('Limits').fill('80,5');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.match(page.url(), /t=Energy&limits=80\.5&/);
});

test('a time in a link that is none is told, and zooming out ends at two hundred years', options, async (t) => {
  const page = await openTrend('from=rubbish&to=now');
  t.after(() => page.context().close());
  await page.getByText(/In the link 'rubbish' is no time\. Write -8h/).waitFor();
  await page.goto(`${server.url}/#d=Counters&t=Energy&from=1980-01-01T00:00:00Z&to=2020-01-01T00:00:00Z`);
  await page.getByRole('button', { name: 'Zoom out' }).waitFor();
  for (let i = 0; i < 12; i++) await page.getByRole('button', { name: 'Zoom out' }).click();
  const bound = (name: 'from' | 'to'): number =>
    Date.parse(new URLSearchParams(new URL(page.url()).hash.slice(1)).get(name) ?? '');
  const years = (bound('to') - bound('from')) / YEAR_MS;
  assert.ok(years > 100 && years < 201, `${years} years`);
});
