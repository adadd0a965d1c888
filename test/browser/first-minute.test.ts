// What someone sees and does in the first minute with the demo plant, in a real browser.

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser, type WatchedPage, waitUntil } from '../support/browser.ts';
import { projectFolder, runUntilReady, temporaryFolder } from '../support/server-process.ts';

const FIRST_TREND_MS = 180_000;

test('the first minute with the demo plant', { skip: noBrowser, timeout: 540_000 }, async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const browser = await sharedBrowser();
  const flags = ['--port', '0', '--data', join(folder, 'data')];
  const end = await runUntilReady(
    process.execPath,
    [join(projectFolder, 'scripts', 'start.mjs'), ...flags],
    async (url) => {
      await waitForDemo(url);
      const watched = await openPage(browser, url, { permissions: ['clipboard-read', 'clipboard-write'] });
      t.after(() => watched.page.context().close());
      await useIt(t, url, watched);
      await t.test('there was no error in the console and no request to another host', () =>
        assert.deepEqual(watched.faults, []),
      );
      await t.test('axe-core finds nothing serious, light and dark', () => checkAccessibility(watched.page));
    },
  );
  assert.equal(end.code, 0, end.stderr.slice(-2000));
});

/** Until the demo has written its history. */
async function waitForDemo(url: string): Promise<void> {
  for (const until = Date.now() + FIRST_TREND_MS; Date.now() < until; ) {
    const answer = await fetch(`${url}/api/datasets/Demo/data?tagname=TK002.Level&relativeStart=-1h&missing=skip`);
    if (answer.ok && ((await answer.json()) as { tl: { d: unknown[] }[] }).tl[0]?.d.length) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('the demo plant has not come up to now');
}

const textOf = async (found: Locator): Promise<string> => (await found.textContent()) ?? '';
const rows = (page: Page) => page.locator('.values tbody tr');
const strip = (page: Page) => page.getByRole('slider', { name: 'Window in the whole history' });
const windowEnd = async (page: Page): Promise<number> => Number(await strip(page).getAttribute('aria-valuenow'));
const isLive = (page: Page) => page.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed');
const picture = (page: Page): Promise<string> =>
  page
    .locator('.band canvas')
    .first()
    .evaluate((canvas: { toDataURL(): string }) => canvas.toDataURL());

async function useIt(t: TestContext, url: string, { page }: WatchedPage): Promise<void> {
  await t.test('the trend of the demo is there and moves', async () => {
    await rows(page).nth(3).waitFor();
    // Some may be null: the demo has collectors that fail.
    const values = () => page.locator('.values td.strong').allTextContents();
    await waitUntil(async () => (await values()).some((text) => text !== '–'));
    await page.getByRole('button', { name: '15m' }).click();
    await page.locator('.chart:not(.loading)').waitFor();
    assert.equal(await isLive(page), 'true');
    const [before, beforeEnd] = [await picture(page), await windowEnd(page)];
    await waitUntil(async () => (await windowEnd(page)) >= beforeEnd + 2);
    assert.notEqual(await picture(page), before);
  });

  await t.test('a search finds tags by a part of the name, and Enter adds one to the trend', async () => {
    const count = await rows(page).count();
    await page.keyboard.press('/');
    await page.keyboard.type('tk002 lev');
    await page.getByRole('treeitem').filter({ hasText: 'Level' }).first().waitFor();
    assert.equal(await textOf(page.getByLabel('Tags found')), '1');
    await page.keyboard.press('Enter');
    await rows(page).nth(count).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await rows(page).nth(count).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await rows(page).nth(count).waitFor();
    assert.match(await textOf(rows(page).nth(count)), /TK002\.Level/);
    assert.match(page.url(), /t=TK002\.Level/);
  });

  await t.test('dragging over the chart zooms, Back returns', async () => {
    const box = await page.locator('.surface').boundingBox();
    assert.ok(box);
    const link = page.url();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 90, { steps: 4 });
    await page.mouse.up();
    assert.equal(await isLive(page), 'false');
    const parameters = new URLSearchParams(new URL(page.url()).hash.slice(1));
    const spanMs = Date.parse(parameters.get('to') ?? '') - Date.parse(parameters.get('from') ?? '');
    assert.ok(spanMs > 120_000 && spanMs < 300_000, `${spanMs} ms of 15 minutes`);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.waitForURL(link);
    assert.equal(await isLive(page), 'true');
  });

  await t.test('the window moves by half of it, by button and by key', async () => {
    const end = await windowEnd(page);
    await page.getByRole('button', { name: 'Earlier' }).click();
    await page.keyboard.press('Shift+ArrowLeft');
    const moved = end - (await windowEnd(page));
    assert.ok(Math.abs(moved - 900) <= 10, `${moved} s`);
  });

  await t.test('the period before is laid over the window', async () => {
    await page.getByRole('button', { name: '8h' }).click();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'The period before' }).click();
    await page.getByRole('columnheader', { name: 'Earlier' }).waitFor();
    // Some tags have no reading while their part of the plant is cleaned.
    await page
      .locator('.values tbody td:nth-child(3)', { hasText: /\d|[A-Z]/ })
      .first()
      .waitFor();
    assert.match(page.url(), /compare=previous/);
    await page.keyboard.press('Escape');
  });

  await t.test('the cursor shows the values of its time, also by keys', async () => {
    await page.locator('.surface').focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('.cursor .flag').waitFor();
    assert.match(await textOf(page.locator('.values thead .at')), /^\d{4}-\d\d-\d\d \d\d:\d\d/);
    assert.match(await textOf(page.locator('.plots > p[aria-live]')), /^\d{4}-.*: \S+ /);
  });

  await t.test('what is shown is saved as CSV, and copied as a command that gives it', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Download CSV' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8').split('\r\n');
    assert.equal(csv[0], 'Dataset,Tag,Time,Value,State,Unit,Quality');
    assert.ok(csv.filter((line) => /^Demo,TK002\.Level,\d{4}-.*Z,[\d.]*,,%,192$/.test(line)).length > 10);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
    await page.getByText('The command was copied.').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    const address = /^curl -s '([^']+)'$/.exec(command)?.[1];
    assert.ok(address !== undefined, command);
    assert.equal((await fetch(address)).status, 200, command);
  });

  await t.test('a tag is edited, and the page shows it as edited', async () => {
    await page.getByRole('button', { name: 'Details of TK002.Level' }).click();
    await page.getByLabel('Description').fill('Changed here');
    await page.getByLabel('Format').fill('000.000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changed here').waitFor();
    const tag = (await (await fetch(`${url}/api/datasets/Demo/tags/TK002.Level`)).json()) as Record<string, unknown>;
    assert.equal(tag.d, 'Changed here');
    assert.equal(tag.f, '000.000');
    assert.deepEqual(tag.u, { '1': '%' }, 'what was not changed stays');
    // While the tank is cleaned there is no reading.
    const shown = page
      .locator('.values tr', { hasText: 'TK002.Level' })
      .locator('td.strong', { hasText: /^(\d{3}\.\d{3} %|–)$/ });
    await shown.first().waitFor();
  });

  await t.test('the link holds the whole view', async () => {
    const names = await page.locator('.values .tag-name').allInnerTexts();
    await page.reload();
    await rows(page)
      .nth(names.length - 1)
      .waitFor();
    assert.deepEqual(await page.locator('.values .tag-name').allInnerTexts(), names);
    await page.getByRole('columnheader', { name: 'Earlier' }).waitFor();
  });
}

async function checkAccessibility(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await seriousFindings(page), [], colorScheme);
    await page.getByRole('button', { name: 'Details of TK002.Level' }).click();
    await page.getByText('Delete this tag').click();
    assert.deepEqual(await seriousFindings(page), [], `${colorScheme}, dialog`);
    await page.getByRole('button', { name: 'Close' }).click();
  }
}
