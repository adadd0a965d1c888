// Annotations in the chart: written by key and by button, seen, changed and deleted; who may only read sees them.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser, type WatchedPage } from '../support/browser.ts';
import { runServerToEnd, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 180_000 };
const folder = temporaryFolder();
const START_MS = Date.UTC(2026, 0, 5, 8);
const END_MS = START_MS + 3_600_000;
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const TREND = `/#d=Line+1&t=Oven.Temperature&from=${iso(START_MS)}&to=${iso(END_MS)}`;
const PATH = '/api/datasets/Line%201/annotations';
const tokens = { read: '', write: '' };
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  const dataFolder = join(folder, 'data');
  const create = async (...flags: string[]): Promise<string> =>
    (await runServerToEnd(['token', 'create', '--data', dataFolder, ...flags])).stdout.trim();
  tokens.write = await create('--role', 'write', '--name', 'Shift A');
  tokens.read = await create('--role', 'read', '--name', 'Control room');
  browser = await sharedBrowser();
  server = await ServerProcess.start({ dataFolder });
  const t = Array.from({ length: 360 }, (_, index) => START_MS + index * 10_000);
  await call('POST', '/api/datasets/Line 1/data', {
    'Oven.Temperature': { t, v: t.map((_, index) => 180 + 10 * Math.sin(index / 20)) },
    'Oven.Door': { t: [START_MS], v: [0] },
  });
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${tokens.write}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

interface Kept {
  readonly id: number;
  readonly start: string;
  readonly end?: string;
  readonly tag?: string;
  readonly text: string;
  readonly author: string;
  readonly revision: number;
}

async function kept(): Promise<Kept[]> {
  return (await call<{ annotations: Kept[] }>('GET', PATH)).annotations;
}

async function signedIn(token: string): Promise<WatchedPage> {
  const watched = await openPage(browser, `${server.url}${TREND}`, { timezoneId: 'UTC', acceptDownloads: true });
  await watched.page.getByRole('textbox', { name: 'Token' }).fill(token);
  await watched.page.getByRole('button', { name: 'Enter' }).click();
  await watched.page.getByRole('button', { name: /^Signed in/ }).waitFor();
  await watched.page.locator('.surface canvas').first().waitFor();
  // Asking without a token is answered by 401, which browsers report.
  watched.faults.length = 0;
  return watched;
}

/** Saves what is in the dialog, and waits until it has gone. */
async function save(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The cursor to a quarter past eight. */
async function moveToQuarter(page: Page): Promise<void> {
  // The pointer would move it as well.
  await page.mouse.move(0, 0);
  await page.locator('.surface').focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < 25; i++) await page.keyboard.press('ArrowRight');
}

test('an annotation is written by keys about a time and a range, seen, changed and deleted', options, async (t) => {
  const { page, faults } = await signedIn(tokens.write);
  t.after(() => page.context().close());
  const dialog = page.getByRole('dialog');
  await moveToQuarter(page);
  await page.keyboard.press('a');
  assert.equal(await dialog.getByLabel('From').inputValue(), '2026-01-05 08:15');
  assert.equal(await dialog.getByRole('textbox', { name: /^To/ }).inputValue(), '');
  assert.deepEqual(await seriousFindings(page), []);
  await page.keyboard.type('Door was open');
  await save(page);
  const [first] = await kept();
  const { start, end, tag, text, author } = first as Kept;
  assert.deepEqual(
    [start, end, tag, text, author],
    ['2026-01-05T08:15:00.000Z', undefined, 'Oven.Temperature', 'Door was open', 'Shift A'],
  );
  const mark = page.getByRole('button', { name: /Oven\.Temperature: Door was open/ });
  await mark.focus();
  await page.locator('.annotation-flag', { hasText: 'Door was open' }).waitFor({ state: 'visible' });
  assert.deepEqual(await seriousFindings(page), []);

  // From the mark to the cursor, of the whole dataset.
  await moveToQuarter(page);
  await page.keyboard.press('m');
  for (let i = 0; i < 25; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('a');
  assert.equal(await dialog.getByLabel('From').inputValue(), '2026-01-05 08:15');
  assert.equal(await dialog.getByRole('textbox', { name: /^To/ }).inputValue(), '2026-01-05 08:30');
  await dialog.getByLabel('Text').fill('Cleaning\nby line 2');
  await dialog.getByLabel('About').selectOption({ label: 'Line 1, all of it' });
  await save(page);
  await page.locator('.annotation-band').waitFor();
  const range = (await kept()).find(({ end: until }) => until !== undefined);
  assert.deepEqual(
    [range?.end, range?.tag, range?.text],
    ['2026-01-05T08:30:00.000Z', undefined, 'Cleaning\nby line 2'],
  );

  // Both begin at one time: one mark, which opens the list.
  await page.getByRole('button', { name: /^2 annotations/ }).click();
  assert.deepEqual(await seriousFindings(page), []);
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as CSV' }).click();
  assert.match((await saving).suggestedFilename(), /\.csv$/);
  await dialog.getByRole('button', { name: /Door was open/ }).click();
  await dialog.getByLabel('Text').fill('Door stood open');
  await save(page);
  const changed = (await kept()).find(({ id }) => id === first?.id);
  assert.deepEqual([changed?.text, changed?.revision, changed?.start], ['Door stood open', 2, first?.start]);

  await page.getByRole('button', { name: 'Annotations: 2', exact: true }).click();
  await dialog.getByRole('button', { name: /Cleaning/ }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.annotation-band').waitFor({ state: 'detached' });
  assert.deepEqual(
    (await kept()).map(({ id }) => id),
    [first?.id],
  );
  assert.deepEqual(faults, []);
});

test('who may only read sees annotations of the trend, and is offered no form', options, async (t) => {
  await call('POST', PATH, { start: '2026-01-05T08:45:00Z', tag: 'Oven.Temperature', text: 'Seen by all' });
  await call('POST', PATH, { start: '2026-01-05T08:50:00Z', tag: 'Oven.Door', text: 'Of another tag' });
  const { page, faults } = await signedIn(tokens.read);
  t.after(() => page.context().close());
  await page.getByRole('button', { name: /Seen by all/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Annotation' });
  await dialog.getByText('Seen by all').waitFor();
  assert.equal(await dialog.getByRole('textbox').count(), 0);
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('button', { name: /Of another tag/ }).count(), 0);
  await page.keyboard.press('a');
  await page.getByText('To write annotations the role write is needed.').waitFor();
  await page.getByRole('button', { name: /^Annotations/ }).click();
  await page.getByRole('button', { name: 'Save as CSV' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'New annotation' }).count(), 0);
  assert.deepEqual(faults, []);
});
