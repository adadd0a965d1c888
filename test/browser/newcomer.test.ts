// What somebody new does after the README, with nothing of the demo: a plant of their own, values of their own, a trend and a
// dashboard of both, and a second browser that may only read.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { noBrowser, openPage, sharedBrowser, WAIT_LIMIT_MS } from '../support/browser.ts';
import { projectFolder, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const PLANT = `// My own plant: two kilns.
{
  "Settings": {
    "Backfill": 1,
    "Sequences": {
      "Kiln": {
        "map": [{ "name": "No", "data": "1-2" }],
        "steps": [{ "value": "1", "duration": "random(10, 30)" }, { "value": "0", "duration": "15" }],
        "tags": [
          { "name": "Kiln[No, 00].Burning", "type": "System.Boolean", "values": ["step"] },
          { "name": "Kiln[No, 00].Zone", "uom": { "1": "°C" }, "format": "0.0", "values": ["flat(900, 1100, 5)", "0"] }
        ]
      }
    }
  }
}
`;

async function varve(...words: string[]): Promise<string> {
  const program = join(projectFolder, 'bin', 'varve.mjs');
  return (await promisify(execFile)(process.execPath, [program, ...words], { timeout: 2 * WAIT_LIMIT_MS })).stdout;
}

/** A reading of the laboratory every ten minutes, up to now. */
function laboratoryFile(folder: string): string {
  const path = join(folder, 'lab.csv');
  const nowMs = Date.now();
  const rows = Array.from({ length: 12 }, (_, index) => {
    const time = new Date(nowMs - (11 - index) * 600_000).toISOString();
    return `${time};${(2 + index / 8).toFixed(2)};${index % 4 === 0 ? 'A' : ''}`;
  });
  writeFileSync(path, `time;Lab/Moisture;Lab/Shift\n${rows.join('\n')}\n`);
  return path;
}

test('a plant and values of one’s own, a trend and a dashboard, and a reader elsewhere', {
  skip: noBrowser,
  timeout: 560_000,
}, async (t) => {
  const folder = temporaryFolder();
  const dataFolder = join(folder, 'data');
  const server = await ServerProcess.start({ dataFolder });
  t.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = ['--url', server.url];
  writeFileSync(join(folder, 'plant.json'), PLANT);
  await varve('simulate', '--config', join(folder, 'plant.json'), '--dataset', 'Kilns', '--once', ...url);
  assert.match(await varve('import', laboratoryFile(folder), '--dataset', 'Lab', ...url), /: 15 written, 0 repeated/);

  const browser = await sharedBrowser();
  const { page, faults } = await openPage(browser, server.url);
  t.after(() => page.context().close());
  await drawTrend(page);
  await saveTrend(page);
  const link = await saveDashboard(page);
  assert.deepEqual(faults, []);
  await readElsewhere(t, link, await varve('token', 'create', '--data', dataFolder, '--role', 'read'));
});

/** One tag of each dataset, found by a part of its name. */
async function drawTrend(page: Page): Promise<void> {
  await page.locator('.values, .tags').first().waitFor();
  // The page may have begun with tags of either dataset.
  for (const [typed, name, row] of [
    ['kiln02 zone', 'Zone', /Kiln02\s*\.Zone/],
    ['moist', 'Moisture', /Moisture/],
  ] as const) {
    await page.keyboard.press('/');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(typed);
    await page.getByRole('treeitem').filter({ hasText: name }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.values tbody tr').filter({ hasText: row }).waitFor();
  }
}

async function choose(page: Page, item: string | RegExp): Promise<void> {
  await page.locator('.top-bar .menu > button').first().click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function fillName(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function saveTrend(page: Page): Promise<void> {
  await choose(page, /^Save this trend as…/);
  await fillName(page, 'Kiln and laboratory');
}

/** Gives its link. */
async function saveDashboard(page: Page): Promise<string> {
  await choose(page, 'New dashboard');
  await page.getByLabel('Add a saved trend').selectOption({ label: 'Kiln and laboratory' });
  await page.locator('#board-tags option[value="Lab/Moisture"]').waitFor({ state: 'attached' });
  await page.getByLabel('Add the value of a tag').fill('Lab/Moisture');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save as…' }).click();
  await fillName(page, 'My shift');
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  return page.url();
}

/** In a window of its own, which has nothing of the first one's. */
async function readElsewhere(t: TestContext, link: string, token: string): Promise<void> {
  const browser = await sharedBrowser();
  // A new token file counts within a second.
  const isAsked = async (): Promise<boolean> => (await fetch(new URL('/api/datasets', link))).status === 401;
  for (const endMs = performance.now() + WAIT_LIMIT_MS; !(await isAsked()); )
    assert.ok(performance.now() < endMs, 'the server wants no token');
  const { page } = await openPage(browser, link);
  t.after(() => page.context().close());
  await page.getByRole('textbox', { name: 'Token' }).fill(token.trim());
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByRole('region', { name: 'Value of Lab/Moisture' }).getByText('3.38').waitFor();
  await page
    .getByRole('region', { name: /Kiln and laboratory/ })
    .locator('canvas')
    .first()
    .waitFor();
  assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0, 'a reader is offered no change');
}
