// Renaming a tag in the page: by the keyboard, with the reasons of refusals; the chart, saved views and favourites go on under
// the new name, and links with the former name still open.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser } from '../support/browser.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 120_000 };
const folder = temporaryFolder();
const START_MS = Date.UTC(2026, 0, 5, 8);
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const RANGE = `from=${iso(START_MS)}&to=${iso(START_MS + 3_600_000)}`;
const TREND = `d=Line+1&t=Tank.Level&${RANGE}`;
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await ServerProcess.start({ dataFolder: join(folder, 'data') });
  const t = Array.from({ length: 61 }, (_, i) => START_MS + i * 60_000);
  await post('/api/datasets/Line 1/data', {
    'Tank.Level': { t, v: t.map((_, i) => i) },
    'Tank.Other': { t: [START_MS], v: [1] },
  });
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function post<T>(path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function saveView(kind: string, content: object): Promise<string> {
  const view = { kind, name: `A ${kind}`, folder: '', datasets: ['Line 1'], content };
  return (await post<{ id: string }>('/api/views', view)).id;
}

/** What is drawn of the first line. */
async function pictureOf(page: Page): Promise<string> {
  return page
    .locator('.surface canvas')
    .first()
    .evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
}

test('a renamed tag has its history in the chart, and its former name in its details', options, async (t) => {
  const trend = await saveView('trend', { link: TREND });
  const tile = { kind: 'value', dataset: 'Line 1', tag: 'Tank.Level', columns: 2, rows: 1 };
  const board = await saveView('dashboard', { tiles: [tile] });
  const { page, faults } = await openPage(browser, `${server.url}/?view=${trend}#${TREND}`, { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  await page.getByRole('row', { name: /60 good.*Details of Tank\.Level/ }).waitFor();
  const before = await pictureOf(page);

  await page.getByRole('button', { name: 'Details of Tank.Level' }).press('Enter');
  await page.getByRole('button', { name: 'Rename…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Rename Tank.Level' });
  const name = dialog.getByLabel('New name');
  await name.fill('Tank.Other');
  await name.press('Enter');
  await page.getByText("There is a tag 'Tank.Other' already").waitFor();
  await name.fill('Feed/1 ä');
  await dialog.getByLabel('Keep the former name, days').fill('30');
  assert.deepEqual(await seriousFindings(page), []);
  await name.press('Enter');
  await dialog.getByText('Tank.Level is called Feed/1 ä now.').waitFor();
  await dialog.getByText('2 saved trends and dashboards were changed.').waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('row', { name: /60 good.*Details of Feed\/1 ä/ }).waitFor();
  assert.equal(await page.getByRole('row', { name: /Details of Tank\.Level/ }).count(), 0);
  assert.equal(await pictureOf(page), before);
  await page.getByRole('button', { name: 'Details of Feed/1 ä' }).click();
  await page.getByText(/Former names: Tank\.Level \(until .*for reading and writing\)/).waitFor();
  await page.keyboard.press('Escape');

  await page.goto(`${server.url}/?view=${board}`);
  await page.getByRole('region', { name: 'Value of Feed/1 ä' }).getByText('60').waitFor();
  // The browser and its links may be older than the name.
  await page.goto(`${server.url}/#${TREND}`);
  await page.getByRole('row', { name: /60 good.*Details of Tank\.Level/ }).waitFor();
  assert.equal(await pictureOf(page), before);
  await page.getByRole('button', { name: 'Details of Tank.Level' }).click();
  await page.getByRole('dialog', { name: 'Feed/1 ä' }).waitFor();
  // The refusal is what the test asked for.
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('409')),
    [],
  );
});
