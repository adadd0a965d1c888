// The time that a tag was in each of its states, below its band: shares of the window as the server counts them, by the names
// of the tag, as a bar, as a text for who does not see it, and as a table.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser, sharedServer } from '../support/browser.ts';
import type { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 180_000 };
const START_MS = Date.UTC(2026, 0, 5, 8);
const HOUR_MS = 3_600_000;
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const RANGE = `from=${iso(START_MS)}&to=${iso(START_MS + 10 * HOUR_MS)}`;
const trendOf = (...tags: string[]): string => `/#d=Grain&${tags.map((name) => `t=${name}`).join('&')}&${RANGE}`;

let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await sharedServer();
  await post('tags', [
    { n: 'State', t: 'System.Int32', u: { '0': 'Off', '1': 'Grinding', '2': 'Cleaning', '3': 'Fault' } },
    { n: 'Running', t: 'System.Boolean', u: { '0': 'Stopped', '1': 'Turns' } },
    { n: 'Recipe', t: 'System.String' },
    { n: 'Batch', t: 'System.String' },
    { n: 'Power', t: 'System.Double' },
  ]);
  const hours = (...values: readonly [hour: number, value: unknown][]) => ({
    t: values.map(([hour]) => START_MS + hour * HOUR_MS),
    v: values.map(([, value]) => value),
  });
  await post('data', {
    // Off 2 h, grinding 5 h, cleaning 2.5 h, a number without a name 0.5 h.
    State: hours([0, 0], [2, 1], [7, 2], [9.5, 9], [10, 0]),
    Running: hours([1, true], [4, false], [5, true], [10, false]),
    Recipe: hours([0, 'Rye'], [3, 'Wheat'], [8, 'Rye'], [10, 'Oat']),
    Batch: hours(...Array.from({ length: 40 }, (_, index) => [index / 4, `B-${index}`] as [number, string])),
    Power: hours([0, 1], [10, 2]),
  });
});

async function post(path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${server.url}/api/datasets/Grain/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, await answer.text());
}

const bar = (page: Page, tag: string) => page.getByRole('img', { name: new RegExp(`^Time in state of ${tag}:`) });

/** The widths of the parts of a bar, in percent of it. */
async function partsOf(page: Page, tag: string): Promise<number[]> {
  return bar(page, tag).evaluate((host) => {
    const whole = host.getBoundingClientRect().width;
    return [...host.children].map((part) => Math.round((part.getBoundingClientRect().width / whole) * 100));
  });
}

test('shares of time stand below the bands of states, Booleans, and texts with few values', options, async (t) => {
  const { page, faults } = await openPage(
    browser,
    server.url + trendOf('State', 'Running', 'Recipe', 'Batch', 'Power'),
    {
      timezoneId: 'UTC',
    },
  );
  t.after(() => page.context().close());
  await bar(page, 'State').waitFor();
  await bar(page, 'Recipe').waitFor();
  assert.equal(
    await bar(page, 'State').getAttribute('aria-label'),
    'Time in state of State: Grinding 50 %, 5 h, Cleaning 25 %, 2.5 h, Off 20 %, 2 h, 9 (no such state) 5 %, 30 min',
  );
  assert.equal(
    await bar(page, 'Running').getAttribute('aria-label'),
    'Time in state of Running: Turns 88.9 %, 8 h, Stopped 11.1 %, 1 h',
    'what was before the first point is known of nobody',
  );
  assert.equal(
    await bar(page, 'Recipe').getAttribute('aria-label'),
    'Time in state of Recipe: Rye 50 %, 5 h, Wheat 50 %, 5 h',
  );
  assert.deepEqual(await partsOf(page, 'State'), [20, 50, 25, 5]);
  assert.equal(await page.getByRole('img', { name: /^Time in state/ }).count(), 3, 'forty texts and numbers have none');
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(faults, []);
});

test('a button shows them as a table with the time for which nothing is known', options, async (t) => {
  const { page, faults } = await openPage(browser, server.url + trendOf('Running'), { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  await bar(page, 'Running').waitFor();
  await page.getByRole('button', { name: 'Time in state of Running' }).click();
  const dialog = page.getByRole('dialog', { name: 'Time in state of Running' });
  await dialog.getByRole('row', { name: 'Turns 8h 88.9 % 2 ×' }).waitFor();
  await dialog.getByRole('row', { name: 'Stopped 1h 11.1 % 1 ×' }).waitFor();
  await dialog.getByText('Not known: 1h.').waitFor();
  assert.equal(await page.locator('.cursor.marked').count(), 0, 'the click is not one on the chart');
  assert.deepEqual(await seriousFindings(page), []);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
});

test('another window has other shares', options, async (t) => {
  const { page, faults } = await openPage(browser, server.url + trendOf('State'), { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  await bar(page, 'State').waitFor();
  await page.getByRole('textbox', { name: 'From', exact: true }).fill('2026-01-05 15:00');
  await page.getByRole('textbox', { name: 'From', exact: true }).press('Enter');
  await page
    .getByRole('img', { name: 'Time in state of State: Cleaning 83.3 %, 2.5 h, 9 (no such state) 16.7 %, 30 min' })
    .waitFor();
  assert.deepEqual(faults, []);
});

test('a live window goes on counting', options, async (t) => {
  const nowMs = Date.now();
  await post('tags', [{ n: 'Valve', t: 'System.Boolean' }]);
  await post('data', { Valve: { t: [nowMs - 60_000], v: [true] } });
  const { page, faults } = await openPage(browser, `${server.url}/#d=Grain&t=Valve&from=-15m&to=now`);
  t.after(() => page.context().close());
  await page.getByRole('img', { name: /^Time in state of Valve: True 100 %/ }).waitFor();
  await post('data', { Valve: { t: [Date.now() - 1000], v: [false] } });
  await page.getByRole('img', { name: /^Time in state of Valve: True \d\d.*, False / }).waitFor();
  assert.deepEqual(faults, []);
});

test('narrow and dark, the bar keeps its states apart and the page its width', options, async (t) => {
  const { page, faults } = await openPage(browser, server.url + trendOf('State', 'Running'), {
    viewport: { width: 390, height: 780 },
    colorScheme: 'dark',
  });
  t.after(() => page.context().close());
  await bar(page, 'State').waitFor();
  const expected = [20, 50, 25, 5];
  const parts = await partsOf(page, 'State');
  // On so few pixels the gaps between the parts count.
  assert.ok(
    expected.every((percent, index) => Math.abs(percent - (parts[index] ?? 0)) <= 2),
    String(parts),
  );
  const shades = (await page.evaluate(`[...document.querySelector('.state-bar').children].map((part) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(part);
    return backgroundColor + ' ' + backgroundImage;
  })`)) as string[];
  assert.equal(new Set(shades).size, 4, JSON.stringify(shades));
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(faults, []);
});
