// Lines made of results of intervals instead of points: chosen, named where they are shown, kept in the link, followed live.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser, sharedServer, waitUntil } from '../support/browser.ts';
import type { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 180_000 };
const START_MS = Date.UTC(2026, 0, 5, 8);
const SECONDS = 600;
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const TREND = `/#d=Line+1&t=Oven.Temperature&from=${iso(START_MS)}&to=${iso(START_MS + SECONDS * 1000)}`;
let browser: Browser;
let server: ServerProcess;

async function write(tag: string, points: readonly { t: string; v: number }[]): Promise<void> {
  const path = `/api/datasets/Line 1/data/${encodeURIComponent(tag)}`;
  const answer = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(points) });
  assert.ok(answer.ok, await answer.text());
}

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await sharedServer();
  // About 10 more in each minute, now 5 above and now 5 below.
  const valueAt = (i: number): number => Math.floor(i / 60) * 10 + (i % 2 === 0 ? 5 : -5);
  await write(
    'Oven.Temperature',
    Array.from({ length: SECONDS + 60 }, (_, i) => ({ t: iso(START_MS + i * 1000), v: valueAt(i) })),
  );
});

test('a line of minima says that it is one, and the link keeps it', options, async (t) => {
  const { page, faults } = await openPage(browser, server.url + TREND, { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  const row = page.getByRole('row', { name: /Oven\.Temperature/ });
  await row.getByText('601', { exact: true }).waitFor();
  const choose = async (line: string, interval?: string): Promise<void> => {
    await page.getByRole('button', { name: 'Scale of Oven.Temperature' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: /^Line/ }).selectOption({ label: line });
    if (interval !== undefined)
      await dialog.getByRole('combobox', { name: /^Interval/ }).selectOption({ label: interval });
    assert.deepEqual(await seriousFindings(page), []);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await choose('minimum', '1 min');
  await row.getByText('minimum of 1 min').waitFor();
  await page.locator('.band-title').getByText('minimum of 1 min').waitFor();
  // The cells are of the last minute, of the first, and of all intervals.
  assert.deepEqual(
    (await row.getByRole('cell').allTextContents()).filter((text) => /^-?\d+(\.\d+)?$/.test(text)),
    ['85', '-5', '85', '10'],
  );
  assert.match(page.url(), /t=Oven\.Temperature&of=Minimum2\+1\+min/);
  await page.reload();
  await row.getByText('minimum of 1 min').waitFor();
  await choose('average', 'by the window');
  await row.getByText('average of 5 s').waitFor();
  await choose('count', '30 s');
  await row.getByText('count of 30 s').waitFor();
  await row.getByText('30', { exact: true }).first().waitFor();
  await choose('as recorded');
  await row.getByText('count of 30 s').waitFor({ state: 'detached' });
  await row.getByText('601', { exact: true }).waitFor();
  assert.doesNotMatch(page.url(), /of=/);
  assert.deepEqual(faults, []);
});

test('a line of counts follows what is written', options, async (t) => {
  await write('Live.Count', [{ t: iso(Date.now() - 60_000), v: 1 }]);
  const link = '/#d=Line+1&t=Live.Count&of=Count+10+min&from=-30m&to=now';
  const { page, faults } = await openPage(browser, server.url + link, { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  const row = page.getByRole('row', { name: /Live\.Count/ });
  await row.getByText('count of 10 min').waitFor();
  const largest = async (): Promise<number> =>
    Math.max(...(await row.getByRole('cell').allTextContents()).map(Number).filter((value) => !Number.isNaN(value)));
  const first = await largest();
  await write(
    'Live.Count',
    Array.from({ length: 50 }, (_, i) => ({ t: iso(Date.now() - 5000 + i * 50), v: i })),
  );
  const endMs = performance.now() + 30_000;
  while ((await largest()) < first + 20 && performance.now() < endMs) await page.waitForTimeout(200);
  assert.ok((await largest()) >= first + 20, `${await largest()} after ${first}`);
  assert.deepEqual(faults, []);
});

test(
  'the interval that is not over is good where all of its points are, also of a tag that rests',
  options,
  async (t) => {
    const nowMs = Date.now();
    const point = (secondsAgo: number): { t: string; v: number } => ({ t: iso(nowMs - secondsAgo * 1000), v: 50 });
    // Wherever now lies in its interval, the points begin before that of the newest one.
    await write(
      'Live.Resting',
      Array.from({ length: 60 }, (_, i) => point(1880 - i * 30)),
    );
    const qualities: number[][] = [];
    const link = '/#d=Line+1&t=Live.Resting&of=Maximum2+15+min&from=-1h&to=now';
    const { page } = await openPage(browser, server.url + link, { timezoneId: 'UTC' }, undefined, async (opened) => {
      opened.on('response', async (response) => {
        if (!(response.request().postData() ?? '').includes('"Maximum2"')) return;
        const { tl } = (await response.json()) as { tl: { d: { q: number | number[] } }[] };
        qualities.push([tl[0]?.d.q ?? []].flat());
      });
    });
    t.after(() => page.context().close());
    await waitUntil(() => qualities.length > 0, { what: 'an answer' });
    for (const quality of qualities[0]?.slice(-1) ?? []) assert.equal(quality, 192);
  },
);

test('live averages of a tag that is always good are good, and say which interval is not over', options, async (t) => {
  const point = (timeMs: number): { t: string; v: number } => ({ t: iso(timeMs), v: 50 });
  const nowMs = Date.now();
  await write(
    'Live.Level',
    Array.from({ length: 60 }, (_, i) => point(nowMs - (60 - i) * 1000)),
  );
  const timer = setInterval(() => void write('Live.Level', [point(Date.now())]).catch(() => {}), 500);
  t.after(() => clearInterval(timer));
  const line = 't=Live.Level&of=TimeAverage2+5+s&x=Live.Level+*+2&name=Twice';
  const link = `/#d=Line+1&${line}&from=-2m&to=now`;
  const { page, faults } = await openPage(browser, server.url + link, { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  const rows = [page.getByRole('row', { name: /Live\.Level/ }).first(), page.getByRole('row', { name: /Twice/ })];
  for (const row of rows) await row.getByText('so far', { exact: false }).waitFor();
  for (let round = 0; round < 20; round++) {
    const qualities = await page.locator('.values td.quality').allTextContents();
    assert.deepEqual(qualities, ['good', 'good'], `round ${round}`);
    assert.match((await rows[0]?.locator('.strong').textContent()) ?? '', /^50/);
    await page.waitForTimeout(300);
  }
  assert.deepEqual(faults, []);
});
