// The trend on paper: nothing is cut off or covered, colours stay, and the sheet says what it shows.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, openPage, post, sharedBrowser, sharedServer, waitUntil } from '../support/browser.ts';
import type { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 180_000 };
const START_MS = Date.UTC(2026, 0, 5, 8);
const HOUR_MS = 3_600_000;
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const TREND = `/#d=Press&t=Press.Force&t=Press.State&from=${iso(START_MS)}&to=${iso(START_MS + 2 * HOUR_MS)}`;
/** A4 within its margins, upright and across. */
const SHEETS = [718, 1047] as const;
const PAPER = [255, 255, 255];
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await sharedServer();
  const base = `${server.url}/api/datasets/Press`;
  await post(`${base}/tags`, [{ n: 'Press.State', t: 'System.Int32', u: { '0': 'Off', '1': 'On' } }]);
  const t = Array.from({ length: 121 }, (_, index) => START_MS + index * 60_000);
  await post(`${base}/data`, {
    'Press.Force': { t, v: t.map((_, index) => 60 + 10 * Math.sin(index / 9)) },
    'Press.State': { t: [START_MS, START_MS + HOUR_MS], v: [0, 1] },
  });
  const [start, end] = [iso(START_MS + HOUR_MS / 2), iso(START_MS + HOUR_MS)];
  await post(`${base}/annotations`, { start, end, tag: 'Press.Force', text: 'Tool was changed' });
});

interface Place {
  readonly left: number;
  readonly right: number;
}

/** Places of elements, in pixels of the sheet. */
function places(page: Page, selector: string): Promise<Place[]> {
  return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
    const { left, right } = element.getBoundingClientRect();
    return { left, right };
  })`);
}

/** How a printer would have the colours of an element. */
function printed(page: Page, selector: string): Promise<{ adjust: string; background: string }> {
  return page.evaluate(`(() => {
    const style = getComputedStyle(document.querySelector(${JSON.stringify(selector)}));
    return { adjust: style.printColorAdjust, background: style.backgroundColor };
  })()`);
}

/** Prints as a browser does that was asked to: the event, then the style of paper at the width of a sheet. */
async function layOnPaper(page: Page, widthPx: number): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: widthPx, height: 1000 });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
}

test(
  'a dark page is printed light, as wide as the sheet, with all its colours, its head and its annotations',
  options,
  async (t) => {
    const { page, faults } = await openPage(browser, server.url + TREND, {
      timezoneId: 'Europe/Berlin',
      colorScheme: 'dark',
    });
    t.after(() => page.context().close());
    await page.locator('.annotation-band').waitFor();
    await page.locator('.state-bar').waitFor();
    for (const widthPx of SHEETS) {
      await layOnPaper(page, widthPx);
      const canvases = await places(page, '.surface canvas, .time-axis canvas');
      assert.equal(canvases.length, 3);
      for (const { left, right } of canvases)
        assert.ok(Math.abs(left) < 1 && Math.abs(right - widthPx) < 1, `${right}`);
      for (const { right } of await places(page, '.main *')) assert.ok(right <= widthPx + 1, `${right} on ${widthPx}`);
      // A quarter and a half of the plot area, which is 78 to 882 of the 900 pixels that the canvases have.
      const [band] = await places(page, '.annotation-band');
      const at = (share: number): number => ((78 + share * 804) / 900) * widthPx;
      assert.ok(band !== undefined && Math.abs(band.left - at(0.25)) < 1 && Math.abs(band.right - at(0.5)) < 1);
      assert.equal((await printed(page, '.annotation-band')).adjust, 'exact');
      assert.equal((await printed(page, '.state-bar i')).adjust, 'exact');
      assert.deepEqual((await printed(page, '.main')).background.match(/\d+/g)?.map(Number), PAPER);
      const head = page.locator('.paper-head');
      await head.getByText('Press.Force, Press.State').waitFor();
      await head.getByText('2026-01-05 09:00:00 – 2026-01-05 11:00:00 (Europe/Berlin, UTC+01:00)').waitFor();
      await head.getByText(/^Printed \d{4}-\d\d-\d\d \d\d:\d\d, Varve \d+\.\d+\.\d+/).waitFor();
      await page.locator('.paper-annotations').getByText('Tool was changed').waitFor();
    }
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.locator('.paper-head').waitFor({ state: 'detached' });
    await waitUntil(async () => (await places(page, '.surface canvas')).length === 2);
    assert.notDeepEqual((await printed(page, '.main')).background.match(/\d+/g)?.map(Number), PAPER);
    assert.deepEqual(faults, []);
  },
);

test('the browser prints a sheet of both formats on one page', options, async (t) => {
  const { page, faults } = await openPage(browser, server.url + TREND, { timezoneId: 'Europe/Berlin' });
  t.after(() => page.context().close());
  await page.locator('.annotation-band').waitFor();
  for (const landscape of [false, true]) {
    const sheet = await page.pdf({ format: 'A4', landscape, printBackground: false });
    assert.equal(sheet.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length, 1);
  }
  await page.locator('.paper-head').waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
});
