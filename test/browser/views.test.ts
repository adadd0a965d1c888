// Trends and dashboards that are saved on the server: made by one, opened by another who may only read.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser, type WatchedPage, waitUntil } from '../support/browser.ts';
import { runServerToEnd, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 180_000 };
const folder = temporaryFolder();
const TREND = 'd=Line+1&t=Oven.Temperature&t=Oven.State&from=-1h&to=now';
const tokens = { read: '', write: '', elsewhere: '' };
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  const dataFolder = join(folder, 'data');
  const create = async (...flags: string[]): Promise<string> =>
    (await runServerToEnd(['token', 'create', '--data', dataFolder, ...flags])).stdout.trim();
  tokens.write = await create('--role', 'write', '--dataset', 'Line*', '--name', 'Shift A');
  tokens.read = await create('--role', 'read', '--dataset', 'Line*', '--name', 'Control room');
  tokens.elsewhere = await create('--role', 'read', '--dataset', 'Mill');
  browser = await sharedBrowser();
  server = await ServerProcess.start({ dataFolder });
  const tags = [
    { n: 'Oven.Temperature', u: { '1': '°C' }, f: '0.0', t: 'System.Double' },
    { n: 'Oven.State', u: { '0': 'Off', '1': 'Heating' }, t: 'System.Int32' },
  ];
  await call('POST', '/api/datasets/Line 1/tags', tags);
  const start = Date.now() - 3_000_000;
  const t = Array.from({ length: 300 }, (_, index) => start + index * 10_000);
  await call('POST', '/api/datasets/Line 1/data', {
    'Oven.Temperature': { t, v: t.map((_, index) => 180 + 10 * Math.sin(index / 20)) },
    'Oven.State': { t, v: t.map((_, index) => Math.floor(index / 60) % 2) },
  });
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function call<T>(method: string, path: string, body?: unknown, headers = {}): Promise<T> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${tokens.write}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

interface Saved {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly owner: string;
  readonly kind: string;
  readonly datasets: readonly string[];
  readonly revision: number;
  readonly content: { readonly link?: string; readonly tiles?: readonly object[] };
}

async function savedByName(name: string): Promise<Saved> {
  const heads = await call<Saved[]>('GET', '/api/views');
  const found = heads.find((head) => head.name === name);
  assert.ok(found, `no view '${name}' among ${heads.map((head) => head.name).join(', ')}`);
  return call('GET', `/api/views/${found.id}`);
}

/** The page at an address of the server, signed in; the trends are in its browser. */
async function signedIn(
  address: string,
  token: string,
  trends: readonly object[] = [],
  width = 1280,
): Promise<WatchedPage> {
  const script = `localStorage.getItem('varve.trends') ?? localStorage.setItem('varve.trends', '${JSON.stringify(trends)}')`;
  const settings = { viewport: { width, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] };
  const watched = await openPage(browser, `${server.url}${address}`, settings, script);
  await watched.page.getByRole('textbox', { name: 'Token' }).fill(token);
  await watched.page.getByRole('button', { name: 'Enter' }).click();
  await watched.page.getByRole('button', { name: /^Signed in/ }).waitFor();
  // Asking without a token is answered by 401, which browsers report.
  watched.faults.length = 0;
  return watched;
}

async function choose(page: Page, item: string | RegExp): Promise<void> {
  await page.locator('.top-bar .menu > button').first().click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Drags a handle by so much, or to a tile. */
async function dragTile(
  page: Page,
  handle: string,
  to: { readonly toTile: number } | { readonly byX: number; readonly byY: number },
): Promise<void> {
  const box = await page.getByRole('button', { name: handle }).boundingBox();
  assert.ok(box !== null, handle);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const tile = 'toTile' in to ? await page.locator(`.tile[data-index="${to.toTile}"]`).boundingBox() : null;
  const target = 'toTile' in to ? { x: (tile?.x ?? 0) + 40, y: (tile?.y ?? 0) + 60 } : { x: x + to.byX, y: y + to.byY };
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move((x + target.x) / 2, (y + target.y) / 2);
  await page.mouse.move(target.x, target.y);
  await page.mouse.up();
}

async function fillPlace(page: Page, name: string, place: string): Promise<void> {
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByLabel('Folder').fill(place);
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('a trend is saved on the server, and those of the browser are offered once', options, async (t) => {
  const { page, faults } = await signedIn(`/#${TREND}`, tokens.write, [{ name: 'Of old', link: TREND }]);
  t.after(() => page.context().close());
  await choose(page, /^Save this trend as…\s*on the server/);
  await fillPlace(page, 'Oven', ' Line 1 / Ovens/');
  const saved = await savedByName('Oven');
  assert.deepEqual([saved.folder, saved.owner, saved.datasets], ['Line 1/Ovens', 'Shift A', ['Line 1']]);
  assert.match(saved.content.link ?? '', /t=Oven\.Temperature&t=Oven\.State/);
  assert.equal(new URL(page.url()).searchParams.get('view'), saved.id);

  await page.getByRole('button', { name: 'Shared' }).click();
  await choose(page, /^Save\s*Oven/);
  await page.getByText('Oven was saved.').waitFor();
  assert.match((await savedByName('Oven')).content.link ?? '', /layout=shared/);
  const { kind, datasets, content } = await savedByName('Oven');
  const body = { kind, name: 'Oven', folder: 'Line 1/Ovens', datasets, content };
  await call('PUT', `/api/views/${saved.id}`, body, { 'If-Match': '*' });
  await page.getByRole('button', { name: 'Bands' }).click();
  await choose(page, /^Save\s*Oven/);
  await page.getByText(/Somebody else has changed this view/).waitFor();
  assert.match((await savedByName('Oven')).content.link ?? '', /layout=shared/, 'what others saved stays');

  await choose(page, 'All trends and dashboards…');
  const dialog = page.getByRole('dialog', { name: 'Trends and dashboards' });
  assert.match((await dialog.getByRole('region', { name: 'Line 1/Ovens' }).textContent()) ?? '', /Oven.*by Shift A/);
  assert.deepEqual(await seriousFindings(page), []);
  await dialog.getByRole('button', { name: 'Move to the server' }).click();
  await dialog.getByRole('button', { name: /^Of old/ }).waitFor();
  assert.equal((await savedByName('Of old')).content.link, TREND);
  assert.equal(await page.evaluate('localStorage.getItem("varve.trends")'), '[]');
  assert.equal(await dialog.getByRole('group', { name: 'Trends of this browser' }).count(), 0);
  await dialog.getByRole('button', { name: 'Rename or move Of old' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Of new');
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('Archive');
  await dialog.getByRole('button', { name: 'Rename or move', exact: true }).click();
  await dialog.getByRole('region', { name: 'Archive' }).getByText('Of new').waitFor();
  await dialog.getByRole('button', { name: 'Delete Of new…' }).click();
  await dialog.getByRole('button', { name: 'Delete Of new', exact: true }).click();
  await dialog.getByRole('region', { name: 'Archive' }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Copy the link to Oven' }).click();
  await page.getByText('The link was copied.').waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${server.url}/?view=${saved.id}`);
  // The change that somebody else has made is refused, which browsers report.
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('412')),
    [],
  );
});

test('a dashboard proposes what the server finds, while the list of tags has not come', options, async (t) => {
  const { page } = await openPage(browser, server.url, {}, undefined, async (opened) => {
    await opened.route(/\/tags$/, () => new Promise<void>(() => undefined));
  });
  t.after(() => page.context().close());
  await page.getByRole('textbox', { name: 'Token' }).fill(tokens.write);
  await page.getByRole('button', { name: 'Enter' }).click();
  await choose(page, 'New dashboard');
  const proposed = (): Promise<string[]> =>
    page.locator('#board-tags option').evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''));
  const field = page.getByLabel('Add the value of a tag');
  await waitUntil(async () => (await proposed()).includes('Oven.Temperature'), { what: 'names before any is typed' });
  await field.fill('EN.ST');
  await waitUntil(async () => (await proposed()).join() === 'Oven.State', { what: 'the name that has it' });
  await field.fill('Oven.Stat');
  await page.keyboard.press('Enter');
  await page.getByText("There is no tag 'Oven.Stat' in Line 1.").waitFor();
  await field.fill('Oven.State');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Value of Oven.State' }).waitFor();
});

test('a dashboard is put together by keyboard, saved, and followed by who may only read', options, async (t) => {
  const link = { kind: 'trend', name: 'Curve', folder: '', datasets: ['Line 1'], content: { link: TREND } };
  const curve = await call<Saved>('POST', '/api/views', link);
  const { page, faults } = await signedIn(`/#${TREND}`, tokens.write);
  t.after(() => page.context().close());
  await choose(page, 'New dashboard');
  await page.getByLabel('Add a saved trend').selectOption({ label: 'Curve' });
  // Nothing is waited for: names that have not come are asked for, and each tile is added to those that are there by then.
  await page.getByLabel('Add the value of a tag').fill('Oven.Temperature');
  await page.keyboard.press('Enter');
  await page.getByLabel('Add the value of a tag').fill('Oven.State');
  await page.keyboard.press('Enter');
  const forward = page.getByRole('button', { name: 'Tile 3: to the front' });
  await forward.focus();
  await page.keyboard.press('Enter');
  await waitUntil(() => page.evaluate('document.activeElement?.getAttribute("aria-label") === "Tile 2: to the front"'));
  await page.getByRole('button', { name: 'Tile 2: wider' }).focus();
  await page.keyboard.press('Space');
  // By mouse: the corner a cell down, and the grip to the place of the first tile; by keys both back.
  await dragTile(page, 'Tile 2: size', { byX: 0, byY: 150 });
  await page.getByRole('button', { name: 'Tile 2: higher' }).waitFor();
  assert.equal(
    await page.getByRole('button', { name: /^Tile 2: size/ }).getAttribute('title'),
    '2 × 2; drag, or arrow keys',
  );
  await page.keyboard.press('ArrowUp');
  assert.equal(
    await page.getByRole('button', { name: /^Tile 2: size/ }).getAttribute('title'),
    '2 × 1; drag, or arrow keys',
  );
  await dragTile(page, 'Tile 2: move', { toTile: 0 });
  await page.locator('.tile.value[data-index="0"]').waitFor();
  await page.getByRole('button', { name: /^Tile 1: move/ }).focus();
  await page.keyboard.press('ArrowRight');
  await waitUntil(() =>
    page.evaluate('document.activeElement?.getAttribute("aria-label")?.startsWith("Tile 2: move") === true'),
  );
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Save as…' }).click();
  await fillPlace(page, 'Line overview', '');
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  const saved = await savedByName('Line overview');
  assert.deepEqual([saved.kind, saved.datasets], ['dashboard', ['Line 1']]);
  assert.deepEqual(saved.content.tiles, [
    { kind: 'trend', view: curve.id, columns: 3, rows: 3 },
    { kind: 'value', dataset: 'Line 1', tag: 'Oven.State', columns: 2, rows: 1 },
    { kind: 'value', dataset: 'Line 1', tag: 'Oven.Temperature', columns: 1, rows: 1 },
  ]);
  assert.deepEqual(faults, []);
  await page.goBack();
  await page.locator('.values tbody tr').first().waitFor();

  const reader = await signedIn(`/?view=${saved.id}`, tokens.read, [], 390);
  t.after(() => reader.page.context().close());
  await followDashboard(reader.page);
  assert.deepEqual(reader.faults, []);
  await loseServer(reader.page, saved.id);
});

/** What is not up to date is marked, and goes on by itself. */
async function loseServer(page: Page, id: string): Promise<void> {
  await page.goto(`${server.url}/?view=${id}`);
  const value = page.getByRole('region', { name: 'Value of Oven.Temperature' });
  await value.getByText(/^222\.[23] °C$/).waitFor();
  await page.route('**/read', (route) => route.abort());
  await value.getByText('The server does not answer.').waitFor();
  assert.match((await value.textContent()) ?? '', /222\.[23] °C/, 'the last value stays in sight');
  await page.unroute('**/read');
  await value.getByText('The server does not answer.').waitFor({ state: 'detached' });
}

async function followDashboard(page: Page): Promise<void> {
  const value = page.getByRole('region', { name: 'Value of Oven.Temperature' });
  await value.getByText(/^\d+\.\d °C$/).waitFor();
  await page.getByRole('region', { name: 'Trend Curve' }).locator('.band canvas').first().waitFor();
  assert.equal(await page.getByRole('button', { name: /^(Edit|Save a copy|New dashboard)$/ }).count(), 0);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.equal(overflow, 0, 'it fits 390 pixels');
  assert.deepEqual(await seriousFindings(page), []);
  await call('POST', '/api/datasets/Line 1/data', { 'Oven.Temperature': [{ v: 222.25, q: 24 }] });
  await value.getByText(/^222\.[23] °C$/).waitFor();
  assert.match((await value.textContent()) ?? '', /bad \(24\).*\d\d:\d\d:\d\d/);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Full screen' }).click();
  await waitUntil(() => page.evaluate('document.fullscreenElement?.classList.contains("board") === true'));
  await page.getByRole('button', { name: 'Full screen' }).click();
  await waitUntil(() => page.evaluate('document.fullscreenElement === null'));
  await page.getByRole('button', { name: 'Curve' }).click();
  await page.locator('.values td.strong', { hasText: '222' }).waitFor();
  await page.locator('.top-bar .menu > button').first().click();
  const items = await page.getByRole('menu').textContent();
  assert.match(items ?? '', /Save this trend as…in this browser/);
  assert.doesNotMatch(items ?? '', /New dashboard|SaveCurve/);
}

test('a link to what is not for the token, or gone, is told', options, async (t) => {
  const { id } = await call<Saved>('POST', '/api/views', {
    ...{ kind: 'trend', name: 'Private', folder: '', datasets: ['Line 1'], content: { link: TREND } },
  });
  const { page } = await signedIn(`/?view=${id}`, tokens.elsewhere);
  t.after(() => page.context().close());
  await page.getByText('The token may not read all datasets of this view.').waitFor();
  await page.goto(`${server.url}/?view=00000000000000000000`);
  await page.getByText(/There is no view '0+'; it may have been deleted/).waitFor();
});

test('a refusal of what was asked before the token was entered does not sign out', options, async (t) => {
  const { page } = await openPage(browser, `${server.url}/health`);
  t.after(() => page.context().close());
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let heldCount = 0;
  await page.route('**/api/**', async (route) => {
    if (route.request().headers().authorization !== undefined) return route.continue();
    heldCount++;
    const response = await route.fetch();
    await released;
    return route.fulfill({ response });
  });
  await page.goto(`${server.url}/#${TREND}`);
  await page.getByRole('textbox', { name: 'Token' }).fill(tokens.read);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByRole('button', { name: /^Signed in/ }).waitFor();
  const refused = page.waitForResponse((answer) => answer.status() === 401);
  release();
  await (await refused).finished();
  await page.locator('.values td.strong', { hasText: '°C' }).waitFor();
  assert.ok(heldCount > 0, 'something that was asked without a token was held');
  assert.equal(await page.getByRole('textbox', { name: 'Token' }).count(), 0);
});
