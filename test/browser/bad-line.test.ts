// The trend over a line that is slow, cut, or loses a request: one read at a time, and nothing is drawn that was not read.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser, Page, Request, Route } from 'playwright-core';
import { noBrowser, openPage, post, sharedBrowser, sharedServer, waitUntil } from '../support/browser.ts';
import type { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 240_000 };
const MINUTE_MS = 60_000;
const READS = '**/api/datasets/Remote/read*';
const SLOW_MS = 4000;
const WATCHED_MS = 15_000;

let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await sharedServer();
  const at = (minutes: number): number => Date.now() - minutes * MINUTE_MS;
  const points = [
    { t: at(600), v: 40 },
    { t: at(180), v: 0 },
    { t: at(120), v: 92 },
    { t: at(20), v: 50 },
  ];
  const Level = points.map(({ t, v }) => ({ t: new Date(t).toISOString(), v }));
  await post(`${server.url}/api/datasets/Remote/data`, { Level });
});

/** The strip and the list of tags read for themselves. */
function isOfChart(request: Request): boolean {
  return (request.postData() ?? '').includes('$System.Status');
}

const shown = async (page: Page): Promise<string> =>
  (await page.locator('.values td.strong').first().textContent()) ?? '';

const LIVE = 'from=-15m';

/** The page whose reads `take` deals with. */
async function openTrend(range: string, take: (route: Route) => Promise<void>): Promise<Page> {
  const link = `${server.url}/#d=Remote&t=Level&${range}`;
  const prepare = async (opened: Page): Promise<void> => void (await opened.route(READS, take));
  return (await openPage(browser, link, {}, undefined, prepare)).page;
}

test('reads that take long are waited for, one at a time, and not begun again at once', options, async () => {
  let begun = 0;
  let underWay = 0;
  let most = 0;
  const page = await openTrend(LIVE, async (route) => {
    if (!isOfChart(route.request())) return route.continue();
    begun++;
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    underWay--;
    await route.continue();
  });
  await waitUntil(async () => (await shown(page)) === '50', { what: 'a value' });
  // A first read may have been given up for one of the chart's true width.
  await waitUntil(() => underWay === 0, { what: 'an end of what was begun' });
  most = 0;
  let broken = 0;
  page.on('requestfailed', (request) => {
    if (isOfChart(request)) broken++;
  });
  const before = begun;
  await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
  assert.equal(broken, 0, 'reads that were given up');
  assert.equal(most, 1, 'reads at a time');
  assert.ok(begun - before <= WATCHED_MS / SLOW_MS, `${begun - before} reads in ${WATCHED_MS} ms`);
  assert.equal(await shown(page), '50');
  await page.context().close();
});

test(
  'what was asked while nobody answered is read when somebody does, and nothing is shown for it until then',
  options,
  async () => {
    let isCut = false;
    let lost = 0;
    const page = await openTrend(LIVE, (route) => {
      if (!isCut) return route.continue();
      if (isOfChart(route.request())) lost++;
      return route.abort('connectionfailed');
    });
    await waitUntil(async () => (await shown(page)) === '50', { what: 'a value' });
    isCut = true;
    for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'Zoom out' }).click();
    await waitUntil(() => lost >= 2, { what: 'a read that is tried again' });
    const box = await page.locator('.band canvas').first().boundingBox();
    assert.ok(box !== null);
    const atLeft = { x: box.x + box.width * 0.2, y: box.y + box.height / 2 };
    await page.mouse.move(atLeft.x, atLeft.y);
    await waitUntil(async () => (await shown(page)) === '–', { what: 'no value where nothing was read' });
    isCut = false;
    await waitUntil(async () => (await shown(page)) === '40', { what: 'the value of then' });
    await page.context().close();
  },
);

test('a live line ends at the last answer, however often it is tried again', options, async () => {
  let isCut = false;
  let lost = 0;
  const page = await openTrend('from=-2m', (route) => {
    if (!isCut) return route.continue();
    if (isOfChart(route.request())) lost++;
    return route.abort('connectionfailed');
  });
  await waitUntil(async () => (await shown(page)) === '50', { what: 'a value' });
  const box = await page.locator('.band canvas').first().boundingBox();
  assert.ok(box !== null);
  const pointAt = (share: number): Promise<void> => page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  await pointAt(0.9);
  await waitUntil(async () => (await shown(page)) === '50', { what: 'the value shortly before now' });
  isCut = true;
  const cutMs = Date.now();
  await waitUntil(() => lost >= 4 && Date.now() - cutMs > 15_000, { what: 'reads that are tried again' });
  await pointAt(0.95);
  await waitUntil(async () => (await shown(page)) === '–', { what: 'no value behind the last answer', limitMs: 5000 });
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await pointAt(0.97);
  await waitUntil(async () => (await shown(page)) === '–', { what: 'nor in another window', limitMs: 5000 });
  isCut = false;
  await waitUntil(async () => (await shown(page)) === '50', { what: 'the value of then' });
  await page.context().close();
});

test('points that came while an answer was under way are not missing behind it', options, async () => {
  const data = `${server.url}/api/datasets/Remote/data`;
  const write = (v: number): Promise<void> => post(data, { Ahead: [{ t: new Date().toISOString(), v }] });
  await post(data, { Ahead: [{ t: new Date(Date.now() - 5 * MINUTE_MS).toISOString(), v: 50 }] });
  let isHeld = false;
  const take = async (route: Route): Promise<void> => {
    if (!isHeld || !isOfChart(route.request())) return route.continue();
    isHeld = false;
    const response = await route.fetch();
    // The stream brings it to what is shown, and the answer takes its place.
    await write(7);
    await waitUntil(async () => (await shown(page)) === '7', { what: 'the point of the stream' });
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    await route.fulfill({ response });
    await write(60);
  };
  const link = `${server.url}/#d=Remote&t=Ahead&from=-15m`;
  const { page } = await openPage(
    browser,
    link,
    {},
    undefined,
    async (opened) => void (await opened.route(READS, take)),
  );
  await waitUntil(async () => (await shown(page)) === '50', { what: 'a value' });
  isHeld = true;
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await waitUntil(async () => (await shown(page)) === '60', { what: 'the point behind the answer' });
  const least = page.locator('.values td.extreme').first();
  await waitUntil(async () => (await least.textContent()) === '7', { what: 'the point between', limitMs: 40_000 });
  await page.context().close();
});

test('a window that lies still is read as well once its read was lost', options, async () => {
  let lost = 0;
  const time = (minutes: number): string => new Date(Date.now() - minutes * MINUTE_MS).toISOString();
  const page = await openTrend(`from=${time(15)}&to=${time(1)}`, (route) => {
    if (lost > 0 || !isOfChart(route.request())) return route.continue();
    lost++;
    return route.abort('connectionfailed');
  });
  await waitUntil(async () => (await shown(page)) === '50', { what: 'a value' });
  assert.equal(lost, 1);
  await page.context().close();
});
