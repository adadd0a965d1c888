// The copies of datasets at a centre, in the list beside the datasets.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser } from '../support/browser.ts';
import { freeLowPorts } from '../support/low-ports.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 120_000 };
const folder = temporaryFolder();
let browser: Browser;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
});

async function startEdge(name: string, centre: string[]): Promise<ServerProcess> {
  const server = await ServerProcess.start({ dataFolder: join(folder, name), flags: centre });
  const body = JSON.stringify({ Flow: [{ t: '2026-01-05T08:00:00Z', v: 1 }] });
  const answer = await fetch(`${server.url}/api/datasets/Plant/data`, { method: 'POST', body });
  assert.ok(answer.ok, await answer.text());
  return server;
}

test('a copy tells how far behind it is', options, async (t) => {
  const server = await startEdge('copied', ['--centre', `parquet://${join(folder, 'files')}`, '--site', 'North']);
  t.after(() => server.stop());
  const { page, faults } = await openPage(browser, server.url, {});
  t.after(() => page.context().close());
  const copies = page.getByRole('region', { name: 'Copies' });
  await copies.getByText(/^Plant: \d+ s behind$/).waitFor();
  await copies.getByText(/^Plant: /).click();
  await copies.getByText(/^North\.Plant at parquet:/).waitFor();
  await copies.getByText(/points copied, 0 tags waiting, 0 failures$/).waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(faults, []);
});

test('a copy whose centre is away says why', options, async (t) => {
  const [port] = await freeLowPorts(1);
  const server = await startEdge('waiting', ['--centre', `clickhouse://127.0.0.1:${port}/varve`]);
  t.after(() => server.stop());
  const { page } = await openPage(browser, server.url, {});
  t.after(() => page.context().close());
  const copies = page.getByRole('region', { name: 'Copies' });
  await copies.getByText('Plant: centre fails, trying again; begun').click();
  await copies.getByText(/no server answers/).waitFor();
});

test('where nothing is copied there is no list', options, async (t) => {
  const server = await startEdge('alone', []);
  t.after(() => server.stop());
  const { page } = await openPage(browser, server.url, {});
  t.after(() => page.context().close());
  await page.getByText('Plant').first().waitFor();
  assert.equal(await page.getByRole('region', { name: 'Copies' }).count(), 0);
});
