// Finding tags and being told what is not there: where the page starts, the search, empty windows, and a line that is down.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, post, sharedBrowser, waitUntil } from '../support/browser.ts';
import { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 120_000 };
const NARROW = { viewport: { width: 390, height: 844 } };
const DAY_MS = 86_400_000;
const OLD = '2024-03-01T08:00:00Z';
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await ServerProcess.start();
  const postTo = (path: string, body: unknown): Promise<void> => post(`${server.url}/api/datasets/${path}`, body);
  await postTo('Alpha/tags', [
    { n: 'TK7.Level', d: 'Filling of the north tank', t: 'System.Double' },
    { n: 'TK7.Empty', t: 'System.Double' },
  ]);
  await postTo('Alpha/data', { 'TK7.Level': [{ t: OLD, v: 41.5 }] });
  await postTo('Beta/data', { 'Boiler.Pressure': [{ t: new Date(Date.now() - DAY_MS).toISOString(), v: 9 }] });
});
after(async () => {
  await server?.stop();
});

const chosen = (page: Page) => page.locator('.dataset.chosen .name');
const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.id');

/** How many times Tab was pressed until the search had the focus; 99 for not within ten. */
async function tabsToSearch(page: Page): Promise<number> {
  for (let stop = 1; stop <= 10; stop++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === 'tag-search') return stop;
  }
  return 99;
}

test(
  'it starts with the newest points, searches everywhere, and starts again with what was used',
  options,
  async (t) => {
    const { page, faults } = await openPage(browser, server.url);
    t.after(() => page.context().close());
    await chosen(page).waitFor();
    assert.equal(await chosen(page).textContent(), 'Beta');
    assert.ok((await tabsToSearch(page)) <= 3);
    await page.keyboard.type('NORTH lev');
    const found = page.getByRole('treeitem').filter({ hasText: 'TK7.Level' });
    await found.waitFor();
    const [dataset, tag = ''] = await page.getByRole('treeitem').allTextContents();
    assert.equal(dataset, 'Alpha1');
    assert.match(tag, /^TK7\.Level/);
    assert.deepEqual(await seriousFindings(page), []);
    await page.keyboard.press('Enter');
    await page.locator('.values .dataset-name', { hasText: 'Alpha' }).waitFor();
    await page.getByLabel('Search tags').fill('no such thing');
    await page.getByText('Nothing found for “no such thing”.').waitFor();
    assert.equal(await page.getByRole('treeitem').count(), 0);
    await page.goto('about:blank');
    await page.goto(server.url);
    await chosen(page).waitFor();
    assert.equal(await chosen(page).textContent(), 'Alpha');
    assert.deepEqual(faults, []);
  },
);

test('who follows another link while the page begins is not brought back', options, async (t) => {
  const { page, faults } = await openPage(browser, server.url);
  t.after(() => page.context().close());
  await chosen(page).waitFor();
  await page.goto('about:blank');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/datasets/Alpha/tags', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest('**/api/datasets/Alpha/tags');
  await page.goto(`${server.url}/#d=Alpha&t=TK7.Level`);
  await asked;
  await page.goto(`${server.url}/#d=Beta&t=Boiler.Pressure`);
  const answered = page.waitForResponse('**/api/datasets/Alpha/tags');
  release();
  await answered;
  // The page has taken the answer when it has asked for the datasets again.
  await page.waitForResponse('**/api/datasets');
  await page.locator('.values .tag-name', { hasText: 'Boiler.Pressure' }).waitFor();
  assert.equal(await chosen(page).textContent(), 'Beta');
  assert.match(page.url(), /d=Beta/);
  assert.deepEqual(faults, []);
});

test('favourites stand above the tags of their dataset, and stay until the star is taken off', options, async (t) => {
  const { page, faults } = await openPage(browser, `${server.url}/#d=Alpha`);
  t.after(() => page.context().close());
  const group = page.getByRole('treeitem').filter({ hasText: 'Favourites' });
  const stars = page.locator('.tag-row .star.on');
  const lines = (): Promise<string[]> => page.locator('.tag-row .label').allTextContents();
  await page.getByRole('button', { name: 'List', exact: true }).click();
  const level = page.getByRole('treeitem').filter({ hasText: 'TK7.Level' });
  await level.hover();
  await level.locator('.star').click();
  await group.waitFor();
  assert.deepEqual(await lines(), ['Favourites', 'TK7.Level', 'TK7.Empty', 'TK7.Level']);
  assert.equal(await page.locator('.values').count(), 0, 'the star adds nothing to the trend');

  // By keys the row under the focus stays the same, although two more stand above it.
  await page.getByRole('tree').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('f');
  await stars.nth(3).waitFor();
  assert.deepEqual(await lines(), ['Favourites', 'TK7.Empty', 'TK7.Level', 'TK7.Empty', 'TK7.Level']);
  assert.equal(await page.locator('.tag-row.active').getAttribute('id'), 'row-3');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await seriousFindings(page), [], colorScheme);
  }

  await page.locator('.dataset-main', { hasText: 'Beta' }).click();
  await page.getByRole('treeitem').filter({ hasText: 'Pressure' }).first().waitFor();
  assert.equal(await group.count(), 0);
  await page.setViewportSize(NARROW.viewport);
  await page.goto('about:blank');
  await page.goto(`${server.url}/#d=Alpha`);
  await page.getByRole('button', { name: 'Datasets and tags' }).click();
  await stars.first().waitFor();
  const box = await stars.first().boundingBox();
  assert.ok(box !== null && box.x + box.width <= NARROW.viewport.width, 'the star is in sight');
  await stars.first().click();
  await page.getByRole('tree').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('f');
  await group.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('localStorage.getItem("varve.favourites")'), '[]');
  assert.deepEqual(faults, []);
});

test('the list is as wide as wanted, several tags are added at once, and qualities are found', options, async (t) => {
  const { page, faults } = await openPage(browser, `${server.url}/#d=Alpha`);
  t.after(() => page.context().close());
  await page.getByRole('button', { name: 'List', exact: true }).click();
  const edge = page.getByRole('separator', { name: 'Width of the list of tags' });
  const width = async (): Promise<number> => Math.round((await page.locator('.sidebar').boundingBox())?.width ?? 0);
  assert.equal(await width(), 316);
  const box = await edge.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + 4, 300);
  await page.mouse.down();
  await page.mouse.move(450, 310);
  await page.mouse.up();
  assert.equal(await width(), 450);
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await width(), 466);
  assert.equal(await edge.getAttribute('aria-valuenow'), '466');
  assert.deepEqual(await seriousFindings(page), []);
  await page.reload();
  await page.locator('.tag-row').first().waitFor();
  assert.equal(await width(), 466, 'this browser keeps it');

  await page.getByRole('button', { name: 'List', exact: true }).click();
  const row = (name: string) => page.getByRole('treeitem').filter({ hasText: name });
  await row('TK7.Empty').click();
  await row('TK7.Level').click({ modifiers: ['Shift'] });
  await page.waitForURL(/t=TK7\.Empty&t=TK7\.Level/);
  await page.goBack();
  await page.goBack();
  await page.locator('.values').waitFor({ state: 'detached' });
  await page.getByRole('tree').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+Enter');
  await page.waitForURL(/t=TK7\.Empty&t=TK7\.Level/);

  await page.getByLabel('Search tags').fill('quality=none');
  await row('TK7.Level').waitFor({ state: 'detached' });
  await row('TK7.Empty').waitFor();
  await page.getByLabel('Search tags').fill('quality=good tk7');
  await row('TK7.Level').waitFor();
  assert.equal(await row('TK7.Empty').count(), 0);
  await page.getByLabel('Search tags').fill('quality=bad');
  await page.getByText('Nothing found for “quality=bad”.').waitFor();
  assert.deepEqual(faults, []);
});

test('on a phone the search is two keys away', options, async (t) => {
  const { page } = await openPage(browser, `${server.url}/#d=Beta&t=Boiler.Pressure&from=-2d&to=now`, NARROW);
  t.after(() => page.context().close());
  await page.locator('.values tbody tr').first().waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByLabel('Search tags').waitFor();
  await waitUntil(() => page.evaluate("document.activeElement.id === 'tag-search'"));
});

test('a band without points says why, and leads to the newest', options, async (t) => {
  const tags = 't=TK7.Level&t=TK7.Empty&t=TK7.Gone&d=Nowhere&t=A';
  const window = 'from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z';
  const { page } = await openPage(browser, `${server.url}/#d=Alpha&${tags}&${window}`);
  t.after(() => page.context().close());
  const local = await page.evaluate<string>(
    `(() => { const at = new Date('${OLD}'); const two = (part) => String(part).padStart(2, '0');
      return two(at.getHours()) + ':' + two(at.getMinutes()) + ':' + two(at.getSeconds()); })()`,
  );
  await page.getByText('There is no dataset Nowhere here').waitFor();
  const notes = await page.locator('.band-notes p').allTextContents();
  assert.equal(notes.length, 4);
  const [elsewhere = '', never = '', gone = '', nowhere = ''] = notes;
  assert.match(elsewhere, new RegExp(`^No data here; the newest point is from 2024-0[23]-\\d\\d ${local}\\.`));
  assert.match(never, /^Never written/);
  assert.match(gone, /^Deleted, or never there: Alpha has no tag of this name\./);
  assert.match(nowhere, /^There is no dataset Nowhere/);
  await page.getByRole('button', { name: 'Go there' }).click();
  await page.mouse.move(1, 1);
  await page.locator('.values td.strong', { hasText: '41.5' }).waitFor();
  await page.locator('.band-notes p', { hasText: 'No data here' }).waitFor({ state: 'detached' });
});

test('Live is red while the server does not answer, also when it only hangs', options, async (t) => {
  const { page } = await openPage(browser, `${server.url}/#d=Beta&t=Boiler.Pressure&from=-15m&to=now`);
  t.after(() => page.context().close());
  await page.locator('.chart:not(.loading)').waitFor();
  const live = page.getByRole('button', { name: /^Live/ });
  const colour = (): Promise<string> =>
    page.evaluate("getComputedStyle(document.querySelector('.live .pulse')).backgroundColor");
  const fine = await colour();
  const down = page.getByRole('button', { name: 'Live: the server does not answer' });
  const up = page.getByRole('button', { name: 'Live', exact: true });
  await page.context().setOffline(true);
  await down.waitFor({ timeout: 30_000 });
  const red = await colour();
  const [r = 0, g = 0] = red.match(/\d+/g)?.map(Number) ?? [];
  assert.ok(r > 1.5 * g && red !== fine, `${fine}, then ${red}`);
  await page.context().setOffline(false);
  await up.waitFor({ timeout: 30_000 });
  process.kill(server.pid, 'SIGSTOP');
  try {
    await down.waitFor({ timeout: 60_000 });
  } finally {
    process.kill(server.pid, 'SIGCONT');
  }
  await up.waitFor({ timeout: 60_000 });
  assert.equal(await live.getAttribute('aria-pressed'), 'true');
});

test('a first page waits for no long list of tags but that of its dataset', options, async (t) => {
  const large = await ServerProcess.start();
  t.after(() => large.stop());
  const names = ['One', 'Two', 'Three'];
  for (const name of names) {
    const tags = Array.from({ length: 1200 }, (_, index) => ({ n: `T${index}`, t: 'System.Double' }));
    await post(`${large.url}/api/datasets/${name}/tags`, tags);
    await post(`${large.url}/api/datasets/${name}/data`, { T1: [{ t: new Date().toISOString(), v: 1 }] });
  }
  const listed: string[] = [];
  const { page, faults } = await openPage(browser, large.url, {}, undefined, async (opened) => {
    opened.on('request', (request) => {
      const [, name] = /datasets\/(\w+)\/tags$/.exec(request.url()) ?? [];
      if (name !== undefined) listed.push(name);
    });
  });
  t.after(() => page.context().close());
  await page.locator('.values tbody tr').first().waitFor();
  assert.deepEqual([...new Set(listed)], [await chosen(page).textContent()]);
  assert.deepEqual(faults, []);
});
