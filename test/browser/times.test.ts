// Times as they are typed into the form of the window, the calendar, and days of averages by the clocks of the zone.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, post, sharedBrowser, sharedServer, waitUntil } from '../support/browser.ts';
import { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 180_000 };
const HOUR_MS = 3_600_000;
const TAG = 'd=Times&t=Flow';
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await sharedServer();
  const startMs = Date.parse('2026-10-22T00:00:00Z');
  const points = Array.from({ length: 168 }, (_, i) => ({ t: new Date(startMs + i * HOUR_MS).toISOString(), v: i }));
  await post(`${server.url}/api/datasets/Times/data`, { Flow: [...points, { t: new Date().toISOString(), v: 1 }] });
});

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const linked = (page: Page): (string | null)[] => {
  const parameters = new URLSearchParams(new URL(page.url()).hash.slice(1));
  return [parameters.get('from'), parameters.get('to')];
};

async function type(page: Page, from: string, to: string): Promise<void> {
  await field(page, 'From').fill(from);
  await field(page, 'To').fill(to);
  await field(page, 'To').press('Enter');
}

test('the form takes what people type, keeps it relative, and says what is wrong', options, async (t) => {
  const zone = { timezoneId: 'Europe/Berlin', locale: 'en-GB' };
  const { page, faults } = await openPage(browser, `${server.url}/#${TAG}&from=-2h&to=now`, zone);
  t.after(() => page.context().close());
  await page.getByRole('row', { name: /Flow/ }).waitFor();
  await field(page, 'From').fill('y');
  const meant =
    /^From yesterday: \d{4}-\d\d-\d\d 00:00:00 UTC[+:\d]+\. The start of the year, y in the API, is year here\.$/;
  await page.getByText(meant).waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await type(page, 'y', 't');
  await waitUntil(() => linked(page).join() === 'yesterday,d');
  assert.equal(await field(page, 'From').inputValue(), 'yesterday');
  assert.equal(await page.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed'), 'false');
  await type(page, '*-8h', '*');
  await waitUntil(() => linked(page).join() === '-8h,now');
  assert.equal(await page.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed'), 'true');
  await type(page, '24/10/2026', '27.10.2026 06:00');
  await waitUntil(() => linked(page).join() === '2026-10-23T22:00:00.000Z,2026-10-27T05:00:00.000Z');
  const shown = page.url();
  await type(page, '24/13/2026', 'now');
  await page.getByText(/From: '24\/13\/2026' has the month 13.*Write -8h/).waitFor();
  await type(page, 'now', '-8h');
  await page.getByText(/The start must lie before the end: from is/).waitFor();
  assert.equal(page.url(), shown);
  assert.deepEqual(faults, []);
});

test('Enter in the form that was not touched leaves the window where it is', options, async (t) => {
  // The second of the two half past two, and some milliseconds.
  const range = 'from=2026-10-25T01:30:00.250Z&to=2026-10-25T03:00:00.750Z';
  const { page, faults } = await openPage(browser, `${server.url}/#${TAG}&${range}`, { timezoneId: 'Europe/Berlin' });
  t.after(() => page.context().close());
  await page.getByRole('row', { name: /Flow/ }).waitFor();
  assert.equal(await field(page, 'From').inputValue(), '2026-10-25 02:30+01:00');
  const depth = await page.evaluate('history.length');
  const link = page.url();
  await field(page, 'From').press('Enter');
  await field(page, 'To').press('Enter');
  assert.equal(page.url(), link);
  assert.equal(await page.evaluate('history.length'), depth, 'nothing to go back to');
  assert.deepEqual(faults, []);
});

test('the calendar chooses days, and leaves alone what was not chosen', options, async (t) => {
  const { page, faults } = await openPage(browser, `${server.url}/#${TAG}&from=d-1d&to=now`, {
    timezoneId: 'Europe/Berlin',
  });
  t.after(() => page.context().close());
  await page.getByRole('button', { name: 'Calendar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Times' });
  await dialog.getByLabel('From').fill('2026-10-24T06:00');
  assert.deepEqual(await seriousFindings(page), []);
  await dialog.getByRole('button', { name: 'Show' }).click();
  await waitUntil(() => linked(page).join() === '2026-10-24T04:00:00.000Z,now');
  assert.deepEqual(faults, []);
});

test('averages of days are those of the days of the zone, also of 25 hours', options, async (t) => {
  const bodies: { start: string; align?: boolean; tz?: string; interval?: string }[] = [];
  const range = 'from=2026-10-24T10:00:00Z&to=2026-10-28T10:00:00Z';
  const link = `${server.url}/#d=Times&t=Flow&of=Count+1+d&${range}`;
  const watched = await openPage(browser, link, { timezoneId: 'Europe/Berlin' }, undefined, async (opened) => {
    opened.on('request', (request) => {
      const body = request.postData() ?? '';
      if (body.includes('"Count"')) bodies.push(JSON.parse(body));
    });
  });
  const { page, faults } = watched;
  t.after(() => page.context().close());
  const row = page.getByRole('row', { name: /Flow/ });
  await row.getByText('count of 1 d').waitFor();
  // The 25th has 25 hours, and as many points.
  await row.getByText('25', { exact: true }).waitFor();
  const [asked] = bodies;
  assert.deepEqual(
    [asked?.start, asked?.interval, asked?.align, asked?.tz],
    ['2026-10-23T22:00:00.000Z', '1d', true, 'Europe/Berlin'],
  );
  assert.deepEqual(faults, []);
});

test('shifts are set once for the plant, shown by their names, and moved between', options, async (t) => {
  const own = await ServerProcess.start();
  t.after(() => own.stop());
  await post(`${own.url}/api/datasets/Times/data`, { Flow: [{ t: new Date().toISOString(), v: 1 }] });
  const open = `${own.url}/#${TAG}&from=-2h&to=now`;
  const { page, faults } = await openPage(browser, open, { timezoneId: 'Europe/Berlin' });
  t.after(() => page.context().close());
  await type(page, 'this shift', 'now');
  await page.getByText(/no shifts are set for this plant/).waitFor();
  await page.getByRole('button', { name: 'Shift', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Set the shifts…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Shifts of the plant' });
  const night = dialog.getByRole('group', { name: 'Night' });
  await night.getByLabel('Ends').fill('07:00');
  assert.deepEqual(await seriousFindings(page), []);
  await dialog.getByRole('button', { name: 'Save for the plant' }).click();
  await page.getByText(/Night on \w+ has not ended when Early begins/).waitFor();
  await night.getByLabel('Ends').fill('06:00');
  await dialog.getByRole('button', { name: 'Save for the plant' }).click();
  await dialog.waitFor({ state: 'detached' });
  await type(page, 'early yesterday', 'now');
  await waitUntil(() => linked(page).join() === 'Early shift yesterday,Early shift yesterday');
  await page.getByRole('button', { name: /^Shift: Early, / }).waitFor();
  await page.getByRole('button', { name: 'Earlier' }).click();
  await page.getByRole('button', { name: /^Shift: Night, / }).waitFor();
  await page.getByRole('button', { name: 'Later' }).click();
  await page.getByRole('button', { name: /^Shift: Early, / }).waitFor();
  assert.match(linked(page).join(), /^shift-\d,shift-\d$/, 'still relative');
  await page.getByRole('button', { name: /^Shift: / }).click();
  await page.getByRole('menuitemradio', { name: 'This shift' }).click();
  await waitUntil(() => linked(page).join() === 'this shift,this shift');
  assert.equal(await page.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed'), 'true');
  // Whoever comes later, with the link, has the shifts as well.
  await page.reload();
  await page.getByRole('button', { name: /^Shift: (Early|Late|Night), / }).waitFor();
  await page.getByRole('button', { name: 'Trends', exact: true }).click();
  assert.equal(await page.getByRole('menuitem', { name: /Shifts/ }).count(), 0, 'they are no trend');
  assert.deepEqual(faults, []);
});

test('a window is compared with several periods before it, chosen and typed', options, async (t) => {
  const range = 'from=2026-10-27T00:00:00Z&to=2026-10-27T12:00:00Z';
  const { page, faults } = await openPage(browser, `${server.url}/#${TAG}&${range}`, { timezoneId: 'UTC' });
  t.after(() => page.context().close());
  const row = page.getByRole('row', { name: /Flow/ });
  await row.waitFor();
  const compare = page.getByRole('button', { name: /^Compare/ });
  await compare.click();
  await page.getByRole('menuitemcheckbox', { name: 'One day earlier' }).click();
  await page.getByRole('columnheader', { name: 'Earlier' }).waitFor();
  await compare.click();
  await page.getByRole('menuitem', { name: 'Others…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare with' });
  await dialog.getByLabel('How much earlier').fill('1d, often');
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await page.getByText(/'often' is nothing to compare with/).waitFor();
  await dialog.getByLabel('How much earlier').fill('1d, 2d');
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('columnheader', { name: '2d earlier' }).waitFor();
  assert.match(page.url(), /compare=1d&compare=2d/);
  // Hour after hour a value more: at the end of the window, a day and two days before.
  const cells = (await row.getByRole('cell').allTextContents()).slice(0, 3);
  assert.deepEqual(cells, ['132', '108', '84']);
  await compare.click();
  await page.getByRole('menuitemcheckbox', { name: 'Nothing' }).click();
  await page.getByRole('columnheader', { name: '2d earlier' }).waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
});
