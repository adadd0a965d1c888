// The histogram of the window, and two tags against each other.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser, sharedServer } from '../support/browser.ts';
import type { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 180_000 };
const START_MS = Date.UTC(2026, 0, 5, 8);
const SECONDS = 1000;
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const RANGE = `from=${iso(START_MS)}&to=${iso(START_MS + SECONDS * 1000)}`;
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await sharedServer();
  // Three quarters of the time at 10, one at 30; the second tag is 5 less, and bad for 100 s.
  const at = (i: number): number => (i % 4 === 3 ? 30 : 10);
  const seconds = Array.from({ length: SECONDS + 1 }, (_, i) => i);
  const tags = {
    A: seconds.map((i) => ({ t: iso(START_MS + i * 1000), v: at(i) })),
    B: seconds.map((i) => ({ t: iso(START_MS + i * 1000), v: at(i) - 5, q: i >= 100 && i < 200 ? 0 : 192 })),
    State: [{ t: iso(START_MS), v: 'running' }],
    Mode: [0, 500].map((i) => ({ t: iso(START_MS + i * 1000), v: i / 500 })),
  };
  const definitions = [
    ...['A', 'B'].map((n) => ({ n, t: 'System.Int32', u: { 1: 'kW' } })),
    { n: 'Mode', t: 'System.Int32', u: { 0: 'Auto', 1: 'Manual' } },
  ];
  for (const [path, body] of [
    ['tags', definitions],
    ['data', tags],
  ] as const) {
    const answer = await fetch(`${server.url}/api/datasets/Line 2/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, await answer.text());
  }
});

test('shares of time in classes, then two tags against each other', options, async (t) => {
  const { page, faults } = await openPage(browser, `${server.url}/#d=Line+2&t=A&t=B&t=State&${RANGE}`);
  t.after(() => page.context().close());
  await page.getByRole('button', { name: 'Distribution' }).click();
  const dialog = page.getByRole('region', { name: 'Distribution' });
  await dialog.getByText('1,000 averages of 1 s.').waitFor();
  await dialog.getByText('mean over time 15 kW, median over time 10 kW').waitFor();
  await dialog.getByText('As a table').click();
  const rows = await dialog.locator('tbody tr').allTextContents();
  assert.deepEqual([rows[0], rows.at(-1)], ['101175 %', '293025 %']);
  assert.equal(await dialog.locator('.distribution-bar').count(), rows.length);
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(await dialog.getByRole('combobox', { name: 'Tag' }).locator('option').allTextContents(), ['A', 'B']);
  await dialog.getByRole('combobox', { name: 'Against' }).selectOption({ label: 'B' });
  await dialog.getByText('900 pairs, correlation 1.00').waitFor();
  await dialog.getByText(/ × .*, r² 1\.00$/).waitFor();
  await dialog.getByText('1,000 averages of 1 s; 100 are left out, because they are not good.').waitFor();
  assert.equal(await dialog.locator('.distribution-dot').count(), 900);
  assert.match((await dialog.locator('.distribution-dot title').first().textContent()) ?? '', /: 10 kW, 5 kW$/);
  assert.equal(await dialog.locator('tbody tr').count(), 0, 'rows are made when they are wanted');
  await dialog.getByText('As a table').click();
  await dialog.locator('tbody tr').first().waitFor();
  const pairs = await dialog.locator('tbody tr').allTextContents();
  assert.equal(pairs.length, 900);
  assert.match(pairs[3] ?? '', /:03.*30 kW25 kW$/);
  assert.deepEqual(await seriousFindings(page), []);
  await dialog.locator('tbody tr button').first().click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.cursor.marked').waitFor();
  assert.deepEqual(faults, []);
});

test('the link keeps the plot; states colour it, and what is marked is shaded in the trend', options, async (t) => {
  const { page, faults } = await openPage(browser, `${server.url}/#d=Line+2&t=A&t=B&t=Mode&${RANGE}&plot=1-2-3`);
  t.after(() => page.context().close());
  const plot = page.getByRole('region', { name: 'Distribution' });
  await plot.getByText('900 pairs, correlation 1.00').waitFor();
  assert.deepEqual(await plot.getByRole('list', { name: 'Colours of Mode' }).getByRole('listitem').allTextContents(), [
    ' Auto',
    ' Manual',
  ]);
  assert.match((await plot.locator('.distribution-dot title').last().textContent()) ?? '', /, Manual$/);
  assert.deepEqual(await seriousFindings(page), []);
  // The lower left half: 10 kW across, 5 kW up.
  const ground = await plot.locator('.distribution-ground').boundingBox();
  assert.ok(ground !== null);
  await page.mouse.move(ground.x, ground.y + ground.height);
  await page.mouse.down();
  await page.mouse.move(ground.x + ground.width / 2, ground.y + ground.height / 2);
  await page.mouse.up();
  await plot.getByText('Marked: 675 intervals, 11 min').waitFor();
  await plot.getByText('Type what is marked').click();
  await plot.getByLabel('A to', { exact: true }).fill('9');
  await plot.getByText('Marked: 0 intervals').waitFor();
  await plot.getByLabel('A to', { exact: true }).fill('10');
  await plot.getByText('Marked: 675 intervals, 11 min').waitFor();
  await plot.getByRole('button', { name: 'Show them in the trend' }).click();
  await plot.waitFor({ state: 'detached' });
  await page.getByText(/A 10\S* kW to 10 kW, B 5\S* kW to 1[45]\S* kW: 11 min/).waitFor();
  assert.equal(await page.locator('.overlay .highlight').count(), 225);
  assert.doesNotMatch(page.url(), /plot=/);
  await page.getByRole('button', { name: 'Take the shading away' }).click();
  assert.equal(await page.locator('.highlight').count(), 0);
  await page.goBack();
  await plot.getByText('900 pairs, correlation 1.00').waitFor();
  assert.match(page.url(), /plot=1-2-3/);
  assert.deepEqual(faults, []);
});

test('without numbers there is none, and the button says so', options, async (t) => {
  const { page } = await openPage(browser, `${server.url}/#d=Line+2&t=State&${RANGE}`);
  t.after(() => page.context().close());
  const button = page.getByRole('button', { name: 'Distribution' });
  await page.getByRole('row', { name: /State/ }).waitFor();
  assert.equal(await button.isDisabled(), true);
  assert.equal(await button.getAttribute('title'), 'The trend has no tag of numbers');
});
