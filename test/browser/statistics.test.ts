// Statistics of the window in the table of the trend: what the server says of each tag, kept in the link, read again when the
// window changes or goes on; a tag without them has a dash and a reason, and the others their numbers.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser, sharedServer } from '../support/browser.ts';
import type { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 180_000 };
const START_MS = Date.UTC(2026, 0, 5, 8);
const MINUTE_MS = 60_000;
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const trendOf = (tags: readonly string[], fromMs = START_MS, toMs = START_MS + 60 * MINUTE_MS): string =>
  `/#d=Line+3&${tags.map((name) => `t=${name}`).join('&')}&from=${iso(fromMs)}&to=${iso(toMs)}`;
/** A million values and a few: above that percentiles are of a sample. */
const MANY = 1_000_100;
const CHUNK = 100_000;

let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await sharedServer();
  await post('tags', [
    { n: 'Oven.Temperature', t: 'System.Double', u: { '1': '°C' }, f: '0.0' },
    { n: 'Oven.Recipe', t: 'System.String' },
    { n: 'Oven.Counts', t: 'System.Int32' },
  ]);
  const minutes = Array.from({ length: 60 }, (_, index) => START_MS + index * MINUTE_MS).filter(
    (_, index) => index < 20 || index >= 30,
  );
  await post('data', {
    'Oven.Temperature': { t: minutes, v: minutes.map((_, index) => (index === 12 ? 250 : 100 + index)) },
    'Oven.Recipe': { t: [START_MS], v: ['Rye'] },
  });
});

async function post(path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${server.url}/api/datasets/Line 3/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, await answer.text());
}

const columns = (page: Page) => page.getByRole('combobox', { name: 'Columns of the table' });

/** The texts of the cells of a tag by the names of their columns. */
async function rowOf(page: Page, tag: string): Promise<Record<string, { text: string; title: string }>> {
  return page.evaluate(`Object.fromEntries((() => {
    const heads = [...document.querySelectorAll('.values thead th')].map((head) => head.textContent);
    const row = [...document.querySelectorAll('.values tbody tr')]
      .find((one) => one.querySelector('th').textContent.includes(${JSON.stringify(tag)}));
    return [...row.querySelectorAll('td')].map((cell, index) =>
      [heads[index + 1], { text: cell.firstChild?.textContent ?? '', title: cell.title }]);
  })())`);
}

test('statistics of the window stand in the table as the server answers them, and in the link', options, async (t) => {
  const { page, faults } = await openPage(browser, server.url + trendOf(['Oven.Temperature', 'Oven.Recipe']), {
    timezoneId: 'UTC',
  });
  t.after(() => page.context().close());
  await page.getByRole('columnheader', { name: 'Quality' }).waitFor();
  await columns(page).selectOption({ label: 'Statistics' });
  await page.getByRole('cell', { name: /^250\.0 \(at 2026-01-05 08:12:00\)$/ }).waitFor();
  await page
    .getByRole('cell', { name: /^– \(Texts have no numbers\)$/ })
    .first()
    .waitFor();
  assert.match(page.url(), /&table=statistics$/);

  const asked = await fetch(
    `${server.url}/api/datasets/Line 3/statistics?tagname=Oven.Temperature&start=${iso(START_MS)}&end=${iso(START_MS + 60 * MINUTE_MS)}`,
  );
  const { tl } = (await asked.json()) as {
    tl: { timeMean: number; deviation: number; percentiles: { p50: number } }[];
  };
  const [known] = tl;
  assert.ok(known !== undefined);
  const oven = await rowOf(page, 'Oven.Temperature');
  // All is good here; the newest value holds for the last minute of the window.
  assert.equal(oven['Time mean']?.text, known.timeMean.toFixed(1));
  assert.ok(Math.abs(Number(oven['Time mean']?.title) - known.timeMean) < 0.01, oven['Time mean']?.title);
  assert.equal(oven.Good?.text, '100 %');
  assert.equal(oven.Deviation?.text, String(Number(known.deviation.toPrecision(4))));
  assert.equal(oven.Median?.text, known.percentiles.p50.toFixed(1));
  assert.equal(oven.Minimum?.text, '100.0');
  assert.equal(oven['Longest gap']?.text, '11 min');
  assert.equal(oven['Longest gap']?.title, 'from 2026-01-05 08:19:00 to 2026-01-05 08:30:00');
  assert.equal(oven.Points?.text, '50');
  const recipe = await rowOf(page, 'Oven.Recipe');
  assert.deepEqual([recipe['Time mean']?.text, recipe.Points?.text], ['–', '1']);
  assert.deepEqual(await seriousFindings(page), []);

  await page.reload();
  await page.getByRole('cell', { name: /^250\.0 / }).waitFor();
  await columns(page).selectOption({ label: 'Values' });
  await page.getByRole('columnheader', { name: 'Quality' }).waitFor();
  assert.doesNotMatch(page.url(), /table=/);
  assert.deepEqual(faults, []);
});

test('another window has other statistics', options, async (t) => {
  const address = `${trendOf(['Oven.Temperature'], START_MS, START_MS + 10 * MINUTE_MS)}&table=statistics`;
  const { page, faults } = await openPage(browser, server.url + address, { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  await page.getByRole('cell', { name: /^109\.0 \(at / }).waitFor();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await page.getByRole('cell', { name: /^109\.0 \(at / }).waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: /^11\d\.0 \(at |^250\.0 \(at / }).waitFor();
  assert.deepEqual(faults, []);
});

test('a tag that is not there has a reason, and the other its statistics', options, async (t) => {
  const address = `${trendOf(['Oven.Gone', 'Oven.Temperature', 'Oven.Counts'])}&table=statistics`;
  const { page } = await openPage(browser, server.url + address, { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  await page.getByRole('cell', { name: /^– .*Oven\.Gone/ }).waitFor();
  await page.getByRole('cell', { name: /^250\.0 \(at / }).waitFor();
  await page.getByRole('cell', { name: '– (No good value in the range)' }).first().waitFor();
});

test('a live window reads them again as points come', options, async (t) => {
  const address = '/#d=Line+3&t=Oven.Live&from=-15m&to=now&table=statistics';
  await post('data', { 'Oven.Live': { t: [Date.now() - MINUTE_MS], v: [5] } });
  const { page, faults } = await openPage(browser, server.url + address);
  t.after(() => page.context().close());
  await page
    .getByRole('cell', { name: /^5 \(at / })
    .first()
    .waitFor();
  await post('data', { 'Oven.Live': { t: [Date.now()], v: [77] } });
  await page.getByRole('cell', { name: /^77 \(at / }).waitFor();
  assert.deepEqual(faults, []);
});

test('percentiles of more than a million values are said to be of a sample', options, async (t) => {
  for (let from = 0; from < MANY; from += CHUNK) {
    const indexes = Array.from({ length: Math.min(CHUNK, MANY - from) }, (_, index) => from + index);
    await post('data', {
      'Oven.Fast': { t: indexes.map((index) => START_MS + index), v: indexes.map((index) => index % 1000) },
    });
  }
  const address = `${trendOf(['Oven.Fast'])}&table=statistics`;
  const { page, faults } = await openPage(browser, server.url + address, { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  await page.getByText(/^≈ of a million values taken by chance/).waitFor();
  const fast = await rowOf(page, 'Oven.Fast');
  assert.match(fast.Median?.text ?? '', /^≈ (49|50)\d/);
  assert.match(fast.Median?.title ?? '', /not exact$/);
  assert.equal(fast.Points?.text, '1,000,100');
  assert.deepEqual(faults, []);
});

test('a correction in a window that stands still changes its statistics', options, async (t) => {
  await post('data', { 'Oven.Peak': { t: [START_MS, START_MS + MINUTE_MS], v: [20, 9999] } });
  const { page, faults } = await openPage(browser, `${server.url}${trendOf(['Oven.Peak'])}&table=statistics`);
  t.after(() => page.context().close());
  await page.getByRole('cell', { name: /^9999 \(at / }).waitFor();
  await page.locator('.chart:not(.loading)').waitFor();
  const corrected = await fetch(
    `${server.url}/api/datasets/Line 3/corrections?tagname=Oven.Peak&kind=delete&reason=peak&start=${iso(START_MS + MINUTE_MS)}&end=${iso(START_MS + MINUTE_MS)}`,
    { method: 'POST' },
  );
  assert.ok(corrected.ok, await corrected.text());
  // The dialog of corrections and forms of tags make the page read again in the same way.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await page
    .getByRole('cell', { name: /^20 \(at / })
    .nth(1)
    .waitFor();
  assert.deepEqual(faults, []);
});

const SMALL = [
  { name: 'on a phone', viewport: { width: 390, height: 780 } },
  { name: 'at 200 % on a laptop', viewport: { width: 720, height: 450 } },
] as const;

for (const { name, viewport } of SMALL) {
  test(`${name} the columns scroll, and the names of the tags stay`, options, async (t) => {
    const address = `${trendOf(['Oven.Temperature', 'Oven.Recipe'])}&table=statistics`;
    const { page, faults } = await openPage(browser, server.url + address, { viewport });
    t.after(() => page.context().close());
    await page.getByRole('cell', { name: /^250\.0 \(at / }).waitFor();
    const scrolled = (await page.evaluate(`(() => {
    const table = document.querySelector('.values');
    const name = () => document.querySelector('.values tbody th').getBoundingClientRect().left;
    const before = name();
    table.scrollLeft = 10000;
    return { byPx: table.scrollLeft, movedPx: name() - before, pagePx: document.documentElement.scrollWidth };
  })()`)) as { byPx: number; movedPx: number; pagePx: number };
    assert.ok(scrolled.byPx > 100, JSON.stringify(scrolled));
    assert.equal(scrolled.movedPx, 0);
    assert.equal(scrolled.pagePx, viewport.width);
    assert.deepEqual(await seriousFindings(page), []);
    assert.deepEqual(faults, []);
  });
}
