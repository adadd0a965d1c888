// The page on a server with tokens: a wrong one is told, the role is shown, and what it may not do is not offered.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser } from '../support/browser.ts';
import { runServerToEnd, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 120_000 };
const folder = temporaryFolder();
const tokens = { read: '', write: '', admin: '' };
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  const dataFolder = join(folder, 'data');
  const create = async (...flags: string[]): Promise<string> =>
    (await runServerToEnd(['token', 'create', '--data', dataFolder, ...flags])).stdout.trim();
  tokens.admin = await create('--role', 'admin');
  tokens.write = await create('--role', 'write', '--dataset', 'Line*');
  tokens.read = await create('--role', 'read', '--dataset', 'Line*', '--name', 'Control room');
  browser = await sharedBrowser();
  server = await ServerProcess.start({ dataFolder });
  for (const dataset of ['Line 1', 'Secret']) {
    const answer = await fetch(`${server.url}/api/datasets/${dataset}/data`, {
      method: 'POST',
      body: JSON.stringify({ 'Oven.Temperature': [{ v: 200 }] }),
      headers: { Authorization: `Bearer ${tokens.admin}` },
    });
    assert.equal(answer.status, 200);
  }
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function enter(page: Page, token: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Token' }).fill(token);
  await page.getByRole('button', { name: 'Enter' }).click();
}

test('a wrong token is told; a reader sees the role and its datasets, and can sign out', options, async (t) => {
  const { page } = await openPage(browser, `${server.url}/#d=Line+1&t=Oven.Temperature&from=-1h&to=now`);
  t.after(() => page.context().close());
  await page.getByRole('textbox', { name: 'Token' }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0, 'nothing was wrong so far');
  await enter(page, `${tokens.read}x`);
  assert.match(
    (await page.getByRole('alert').textContent()) ?? '',
    /does not take this token: it is mistyped, was revoked, or its time is over/,
  );
  await enter(page, tokens.read);
  await page.locator('.values td.strong', { hasText: '200' }).waitFor();
  await page.getByRole('button', { name: 'Signed in with the role read' }).click();
  const account = page.getByRole('dialog', { name: 'Control room' });
  assert.match((await account.textContent()) ?? '', /read: may read tags.*Line\*.*never/s);
  assert.deepEqual(await seriousFindings(page), []);
  await account.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('textbox', { name: 'Token' }).waitFor();
  assert.equal(await page.getByText('Line 1').count(), 0);
  assert.equal(await page.evaluate('sessionStorage.length'), 0);
});

/** What the page offers in the dataset `Line 1` to whoever has the token. */
async function offered(page: Page, token: string): Promise<Record<string, boolean>> {
  await page.goto(`${server.url}/#d=Line+1&t=Oven.Temperature&from=-1h&to=now`);
  await enter(page, token);
  await page.getByRole('button', { name: /^Signed in/ }).waitFor();
  const create = await page.getByRole('button', { name: 'New dataset' }).isVisible();
  await page.getByRole('button', { name: 'Rules of dataset Line 1' }).click();
  await page.getByRole('dialog', { name: 'Line 1' }).waitFor();
  const rules = await page.getByRole('button', { name: 'Save' }).isVisible();
  const deleteDataset = await page.getByText('Delete this dataset').isVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Details of Oven.Temperature' }).click();
  await page.getByRole('dialog').getByText('Description').waitFor();
  const tag = await page.getByRole('button', { name: 'Save' }).isVisible();
  const deleteTag = await page.getByText('Delete this tag').isVisible();
  return { create, rules, deleteDataset, tag, deleteTag };
}

test('what a role may not do is not offered', options, async (t) => {
  const none = { create: false, rules: false, deleteDataset: false, tag: false, deleteTag: false };
  const all = { create: true, rules: true, deleteDataset: true, tag: true, deleteTag: true };
  for (const [role, expected] of [
    ['read', none],
    ['write', { ...none, create: true, tag: true }],
    ['admin', all],
  ] as const) {
    const { page, faults } = await openPage(browser, `${server.url}/health`);
    t.after(() => page.context().close());
    faults.length = 0;
    assert.deepEqual(await offered(page, tokens[role]), expected, role);
    // Asking without a token is answered by 401, which browsers report.
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('401')),
      [],
    );
  }
});
