// Corrections by the page: what one would do is shown before it is done, the chart shows it, and undoing brings the points back;
// who may only write is not offered it.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser, type WatchedPage } from '../support/browser.ts';
import { runServerToEnd, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 180_000 };
const folder = temporaryFolder();
const START_MS = Date.UTC(2026, 0, 5, 8);
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const RANGE = { from: iso(START_MS), to: iso(START_MS + 3_600_000) };
const TREND = `/#d=Line+1&t=Oven.Temperature&from=${RANGE.from}&to=${RANGE.to}`;
const tokens = { write: '', admin: '' };
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  const dataFolder = join(folder, 'data');
  const create = async (role: string): Promise<string> =>
    (await runServerToEnd(['token', 'create', '--data', dataFolder, '--role', role, '--name', role])).stdout.trim();
  tokens.admin = await create('admin');
  tokens.write = await create('write');
  browser = await sharedBrowser();
  server = await ServerProcess.start({ dataFolder });
  const points = Array.from({ length: 60 }, (_, i) => ({
    t: iso(START_MS + i * 60_000),
    v: i === 30 ? 9999 : 180 + i,
  }));
  const answer = await fetch(`${server.url}/api/datasets/Line 1/data/Oven.Temperature`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokens.admin}` },
    body: JSON.stringify(points),
  });
  assert.ok(answer.ok, await answer.text());
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function signedIn(token: string): Promise<WatchedPage> {
  const watched = await openPage(browser, `${server.url}${TREND}`, { timezoneId: 'UTC' });
  await watched.page.getByRole('textbox', { name: 'Token' }).fill(token);
  await watched.page.getByRole('button', { name: 'Enter' }).click();
  await watched.page.getByRole('button', { name: /^Signed in/ }).waitFor();
  await watched.page.locator('.surface canvas').first().waitFor();
  // Asking without a token is answered by 401, which browsers report.
  watched.faults.length = 0;
  return watched;
}

async function values(): Promise<number[]> {
  const path = `/api/datasets/Line 1/data?tagname=Oven.Temperature&start=${RANGE.from}&end=${RANGE.to}`;
  const answer = await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${tokens.admin}` } });
  const { tl } = (await answer.json()) as { tl: { d: { v: number }[] }[] };
  return tl[0]?.d.map(({ v }) => v) ?? [];
}

test('a peak is replaced after a look at what that does, and comes back when it is undone', options, async (t) => {
  const { page, faults } = await signedIn(tokens.admin);
  t.after(() => page.context().close());
  const largest = page.getByRole('row', { name: /Oven\.Temperature/ });
  await largest.getByText('9999').waitFor();
  await page.getByRole('button', { name: 'Correct Oven.Temperature' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct Oven.Temperature' });
  await dialog.getByText('60 points will no longer be shown.').waitFor();
  await dialog.getByLabel('From', { exact: true }).fill('2026-01-05 08:29');
  await dialog.getByLabel('To', { exact: true }).fill('2026-01-05 08:31');
  await dialog.getByText('3 points will no longer be shown.').waitFor();
  await dialog.getByLabel('What to do').selectOption({ label: 'Replace a range by one value' });
  await dialog.getByText('The value is a number, such as 62.5.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Correct', exact: true }).isDisabled(), true);
  await dialog.getByRole('textbox', { name: /^Value/ }).fill('210');
  await dialog.getByText('3 points will no longer be shown; 2 points will be shown instead.').waitFor();
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Peak of the sensor');
  assert.deepEqual(await seriousFindings(page), []);
  assert.equal((await values()).length, 60, 'a look changes nothing');
  await dialog.getByRole('button', { name: 'Correct', exact: true }).click();
  await dialog.getByText(/^Replaced 2026-01-05 08:29/).waitFor();
  await dialog.getByText(/admin, .*Peak of the sensor/).waitFor();
  const corrected = await values();
  // A level, not a ramp from the start of the range to the point behind it.
  assert.deepEqual(
    [corrected.length, ...corrected.slice(28, 32), Math.max(...corrected)],
    [59, 208, 210, 210, 212, 239],
  );
  assert.deepEqual(await seriousFindings(page), []);
  await largest.getByText('9999').waitFor({ state: 'detached' });
  const marks = page.getByRole('img', { name: /^Corrections of Oven\.Temperature: Replaced 2026-01-05 08:29/ });
  await marks.waitFor({ state: 'attached' });
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText(/; undone /).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Undo' }).count(), 0);
  await largest.getByText('9999').waitFor();
  await marks.waitFor({ state: 'detached' });
  assert.equal((await values()).length, 60);

  await dialog.getByLabel('From', { exact: true }).fill('2026-01-05 07:00');
  await dialog.getByLabel('To', { exact: true }).fill('2026-01-05 07:10');
  await dialog.getByText(/has no points in the range/).waitFor();
  // The refusal of that look is reported by browsers.
  assert.deepEqual(
    faults.filter((fault) => !/400/.test(fault)),
    [],
  );
});

test(
  'a range that was clicked with the mouse is what a correction and an annotation begin with',
  options,
  async (t) => {
    const { page, faults } = await signedIn(tokens.admin);
    t.after(() => page.context().close());
    const plot = await page.locator('.overlay').boundingBox();
    assert.ok(plot !== null);
    for (const share of [0.25, 0.5]) await page.mouse.click(plot.x + plot.width * share, plot.y + 80);
    await page.locator('.cursor.marked').nth(1).waitFor();
    const minuteOf = async (name: 'From' | 'To'): Promise<string> =>
      (await page.getByRole('dialog').getByLabel(name, { exact: true }).inputValue()).slice(0, 16);
    await page.getByRole('button', { name: 'Correct Oven.Temperature' }).click();
    // A pixel is some seconds, to either side.
    assert.match(await minuteOf('From'), /^2026-01-05 08:1[45]$/);
    assert.match(await minuteOf('To'), /^2026-01-05 08:(29|30)$/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Annotations/ }).click();
    await page.getByRole('button', { name: 'New annotation' }).click();
    assert.match(await minuteOf('From'), /^2026-01-05 08:1[45]$/);
    assert.match(
      await page.getByRole('dialog').getByRole('textbox', { name: /^To/ }).inputValue(),
      /^2026-01-05 08:(29|30)/,
    );
    assert.deepEqual(faults, []);
  },
);

test('who may write only is offered no correction', options, async (t) => {
  const { page, faults } = await signedIn(tokens.write);
  t.after(() => page.context().close());
  await page.getByRole('button', { name: 'Details of Oven.Temperature' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Correct Oven.Temperature' }).count(), 0);
  assert.deepEqual(faults, []);
});
