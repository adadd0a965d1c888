// The page away from the demo: an empty server, tokens, datasets made and deleted, many tags, and what a trend must not hide.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, post, sharedBrowser, WAIT_LIMIT_MS } from '../support/browser.ts';
import { projectFolder, runServerToEnd, ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const options = { skip: noBrowser, timeout: 300_000 };
const MANY_TAGS = 10_000;
let browser: Browser;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
});

const row = (page: Page, index: number) => page.locator('.values tbody tr').nth(index);

test('an empty server says how to begin; a dataset is made, and deleted by its typed name only', options, async (t) => {
  const folder = makeTempFolder(t);
  const server = await ServerProcess.start();
  t.after(() => server.stop());
  const { page, faults } = await openPage(browser, server.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  t.after(() => page.context().close());
  await page.getByRole('heading', { name: 'There is no data here yet' }).waitFor();
  await page.getByRole('button', { name: 'Create a dataset' }).click();
  await page.getByLabel('Name').fill('Mill');
  await page.getByLabel('Keep at most, days').fill('30');
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('0 tags').waitFor();
  const rules = async (): Promise<unknown> => {
    const answer = (await (await fetch(`${server.url}/api/datasets/Mill`)).json()) as Record<string, unknown>;
    return Object.fromEntries(
      ['pa', 'ps', 'late', 'ldt', 'lda'].flatMap((key) => (key in answer ? [[key, answer[key]]] : [])),
    );
  };
  assert.deepEqual(await rules(), { pa: 30, ps: 0 }, 'nothing is said of late points unless it is chosen');
  await checkLateRules(page, rules);
  await page.getByRole('button', { name: 'Rules of dataset Mill' }).click();
  await page.getByText('Delete this dataset').click();
  const remove = page.getByRole('button', { name: 'Delete dataset' });
  await page.getByLabel('to confirm').fill('mill');
  assert.equal(await remove.isDisabled(), true);
  await page.getByLabel('to confirm').fill('Mill');
  await remove.click();
  // The heading is there already, as no dataset has points.
  await page.getByRole('button', { name: 'Rules of dataset Mill' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'There is no data here yet' }).waitFor();
  assert.equal((await fetch(`${server.url}/api/datasets/Mill`)).status, 404);
  await checkStart(page);
  // The commands as they would be copied into a shell.
  const write = await command(page, 'write');
  const read = await command(page, 'read');
  await page.getByLabel('Varve was installed by').selectOption('clone');
  const importing = await command(page, 'import');
  assert.match(await runInShell(write), /^$/);
  assert.match(await runInShell(read), /"v":21\.5/);
  await page.locator('.values td.strong', { hasText: '21.5' }).waitFor();
  assert.match(page.url(), /d=First&t=Temperature/);
  writeFileSync(join(folder, 'history.csv'), 'time;Mill/Temp\n2024-03-01T08:00:00Z;71.5\n');
  const printed = await runInShell(importing.replace('history.csv', join(folder, 'history.csv')));
  assert.match(printed, /into History, 1 tags, in [\d.]+ s: 1 written,/);
  assert.equal(await page.locator('.start').count(), 0);
  // The page may have asked for the dataset just before it was deleted, and heard just behind.
  const others = faults.filter((fault) => !fault.includes('status of 404'));
  assert.deepEqual(others, []);
});

/** Late points are accepted, with limits and without, and ignored again; each time the page shows what holds. */
async function checkLateRules(page: Page, rules: () => Promise<unknown>): Promise<void> {
  const open = () => page.getByRole('button', { name: 'Rules of dataset Mill' }).click();
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog', { name: 'Mill' }).waitFor({ state: 'detached' });
  };
  await open();
  assert.equal(await page.getByLabel('Late by at most, ms').count(), 0);
  await page.getByLabel('Late points').selectOption('accept');
  await page.getByLabel('Late by at most, ms').fill('60000');
  assert.deepEqual(await seriousFindings(page), []);
  await save();
  assert.deepEqual(await rules(), { pa: 30, ps: 0, late: 'accept', ldt: 60_000 });
  await open();
  assert.equal(await page.getByLabel('Late points').inputValue(), 'accept');
  assert.equal(await page.getByLabel('Late by at most, ms').inputValue(), '60000');
  await page.getByLabel('Late from the last, days').fill('7');
  await page.getByLabel('Late by at most, ms').fill('0');
  await save();
  assert.deepEqual(await rules(), { pa: 30, ps: 0, late: 'accept', ldt: 0, lda: 7 });
  await open();
  await page.getByLabel('Late points').selectOption('ignore');
  await save();
  assert.deepEqual(await rules(), { pa: 30, ps: 0, late: 'ignore', ldt: 0, lda: 7 });
}

async function command(page: Page, name: string): Promise<string> {
  const found = page.locator('.command', { has: page.getByRole('button', { name: `Copy: ${name}` }) });
  return (await found.locator('pre').textContent()) ?? '';
}

async function runInShell(text: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run('sh', ['-c', text], {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    timeout: WAIT_LIMIT_MS,
  });
  return stdout;
}

/** Both themes, and a phone; each way of installing has its command, and copying says so. */
async function checkStart(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await seriousFindings(page), [], colorScheme);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  }
  const button = await page.getByRole('button', { name: 'Copy: simulator' }).boundingBox();
  assert.ok(button !== null && button.x + button.width <= 390, 'the button to copy is in sight');
  await page.getByLabel('Varve was installed by').selectOption('container');
  assert.match(await command(page, 'simulator'), /^docker exec varve varve simulate --config \/opt\/varve/);
  await page.getByRole('button', { name: 'Copy: simulator' }).click();
  await page.getByText('The command was copied.').waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), await command(page, 'simulator'));
  if (size !== null) await page.setViewportSize(size);
}

test('a server with tokens asks for one, and keeps it in the tab', options, async (t) => {
  const folder = temporaryFolder();
  const dataFolder = join(folder, 'data');
  const create = async (...flags: string[]): Promise<string> =>
    (await runServerToEnd(['token', 'create', '--data', dataFolder, ...flags])).stdout.trim();
  const reader = await create('--role', 'read');
  const writer = await create('--role', 'write', '--dataset', 'Line*');
  const server = await ServerProcess.start({ dataFolder });
  t.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const { page } = await openPage(browser, server.url);
  t.after(() => page.context().close());
  await page.getByRole('textbox', { name: 'Token' }).fill(writer);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByRole('heading', { name: 'There is no data here yet' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'There is no data here yet' }).waitFor();
  assert.equal(await page.evaluate('localStorage.getItem("varve.token")'), null);
  const write = await command(page, 'write');
  assert.match(write, /-H "Authorization: Bearer \$VARVE_TOKEN" .*datasets\/Line1\/data/);
  assert.match(await command(page, 'simulator'), /^SIMULATOR_TOKEN="\$VARVE_TOKEN" /);
  assert.match(await command(page, 'token'), /VARVE_TOKEN/);
  await page.getByRole('button', { name: /^Signed in/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('textbox', { name: 'Token' }).fill(reader);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByText('The role read shows what others write').waitFor();
  assert.equal(await page.locator('.start').getByRole('button').count(), 0, 'a reader is offered nothing to write');
  assert.match(await runInShell(write, { VARVE_TOKEN: writer }), /^$/);
  await page.locator('.values td.strong', { hasText: '21.5' }).waitFor();
});

test(
  'a spike of one point among 200,000 is seen, and so are null, bad quality and a lost collector',
  options,
  async (t) => {
    const server = await ServerProcess.start();
    t.after(() => server.stop());
    const count = 200_000;
    const start = Date.now() - 86_400_000;
    const times = Array.from({ length: count }, (_, index) => start + index * 400);
    const values: (number | null)[] = times.map((_, index) => 10 + (index % 7) / 100);
    values[123_456] = 900;
    const qualities = times.map((_, index) => (index > 50_000 && index < 60_000 ? 24 : 192));
    for (let index = 80_000; index < 90_000; index++) values[index] = null;
    await post(`${server.url}/api/datasets/S/data`, { Flow: { t: times, v: values, q: qualities } });
    const iso = (index: number): string => new Date(times[index] as number).toISOString();
    await post(`${server.url}/api/datasets/S/status`, [
      { t: iso(100_000), q: 28 },
      { t: iso(110_000), q: 192 },
    ]);
    const { page, faults } = await openPage(browser, `${server.url}/#d=S&t=Flow&from=-24h&to=now`);
    t.after(() => page.context().close());
    await page.locator('.values tbody td', { hasText: /^900$/ }).waitFor();
    assert.match((await row(page, 0).textContent()) ?? '', /199,9\d\d|200,0\d\d/, 'the points that the window holds');
    const share = (index: number): number => 1 - (Date.now() - (times[index] as number)) / 86_400_000;
    // The values are there before they are drawn.
    let inked = await columnsWithInk(page);
    for (const endMs = Date.now() + WAIT_LIMIT_MS; !inked.top(share(123_456)) && Date.now() < endMs; )
      inked = await columnsWithInk(page);
    assert.ok(inked.top(share(123_456)), 'the spike reaches up to the top');
    assert.ok(!inked.top(share(123_456) - 0.05), 'beside it nothing does');
    assert.ok(!inked.line(share(85_000)), 'null is a gap');
    assert.ok(inked.line(share(40_000)));
    assert.ok(inked.tinted(share(55_000)), 'bad quality is hatched');
    assert.ok(inked.tinted(share(105_000)), 'the stop of the collector is shaded');
    // One of them may lie under a line of the time grid.
    const clear = [66_000, 70_000, 74_000].filter((index) => !inked.tinted(share(index)));
    assert.ok(clear.length >= 2, 'good points are neither');
    assert.deepEqual(faults, []);
  },
);

interface Ink {
  /** True where something of the line's colour is in the upper part of the band. */
  top(share: number): boolean;
  line(share: number): boolean;
  /** True where the middle of the band is not the colour of the paper. */
  tinted(share: number): boolean;
}

interface InkedColumn {
  /** Share of the height above the topmost pixel in the line's colour; 1 when there is none. */
  readonly above: number;
  /** Share of the pixels at middle height that are not the colour of the paper. */
  readonly tinted: number;
}

/** Run inside of the page: looks at each column of the first band, without its time axis. */
const LOOK = `(() => {
  const canvas = document.querySelector('.band canvas');
  const width = canvas.width;
  const height = canvas.height - 38;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const colour = getComputedStyle(document.documentElement).getPropertyValue('--series-1').trim();
  const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const isLine = (at) => data[at + 3] > 100 && wanted.every((part, index) => Math.abs(part - data[at + index]) < 60);
  return Array.from({ length: width }, (_, x) => {
    let above = 1;
    let tinted = 0;
    for (let y = height - 1; y >= 0; y--) {
      const at = (y * width + x) * 4;
      if (isLine(at)) above = y / height;
      if (y > 0.4 * height && y < 0.6 * height && data[at + 3] > 0) tinted++;
    }
    return { above, tinted: tinted / (0.2 * height) };
  });
})()`;

/** What is drawn in the first band, by the share of the window's width. */
async function columnsWithInk(page: Page): Promise<Ink> {
  const columns = await page.evaluate<InkedColumn[]>(LOOK);
  const near = (share: number): InkedColumn[] => {
    const middle = Math.round(78 + share * (columns.length - 78 - 18));
    return columns.slice(middle - 2, middle + 3);
  };
  return {
    top: (share) => near(share).some(({ above }) => above < 0.3),
    line: (share) => near(share).some(({ above }) => above < 1),
    tinted: (share) => near(share).some(({ tinted }) => tinted > 0.75),
  };
}

test('10,000 tags stay a few dozen rows of the page, by wheel and by key', options, async (t) => {
  const server = await ServerProcess.start();
  t.after(() => server.stop());
  const name = (index: number): string =>
    `Area${index % 10}.Machine${index % 100}.Value${String(index).padStart(5, '0')}`;
  const tags = Array.from({ length: MANY_TAGS }, (_, index) => ({ n: name(index), t: 'System.Double' }));
  await post(`${server.url}/api/datasets/Big/tags`, tags);
  const { page, faults } = await openPage(browser, `${server.url}/#d=Big&t=${name(0)}&from=-1h&to=now`);
  t.after(() => page.context().close());
  await page.getByRole('button', { name: 'List' }).click();
  await page.getByText('10000', { exact: true }).waitFor();
  assert.ok((await page.getByRole('treeitem').count()) < 80);
  await page.locator('#tag-list').focus();
  await page.keyboard.press('End');
  await page.getByRole('treeitem').filter({ hasText: 'Area9.Machine99.Value09999' }).waitFor();
  await page.keyboard.press('Enter');
  await row(page, 1).waitFor();
  await page.getByLabel('Search tags').fill('value04711');
  await page.getByRole('treeitem').filter({ hasText: 'Value04711' }).waitFor();
  assert.equal(await page.getByRole('treeitem').count(), 1);
  assert.deepEqual(faults, []);
});

test('on a narrow screen the tags are a drawer, and nothing is wider than the screen', options, async (t) => {
  const server = await ServerProcess.start();
  t.after(() => server.stop());
  await post(`${server.url}/api/datasets/N/data`, { 'A.Level': [{ v: 5 }] });
  const { page, faults } = await openPage(browser, `${server.url}/#d=N&t=A.Level&from=-1h&to=now`, {
    viewport: { width: 390, height: 780 },
  });
  t.after(() => page.context().close());
  await row(page, 0).waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  assert.equal(await page.locator('#tag-list').isVisible(), false);
  await page.getByRole('button', { name: 'Datasets and tags' }).click();
  await page.locator('#tag-list').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(faults, []);
});
