// `npm run screenshots`: takes the pictures of docs/images from the Explorer with the demo plant, in Debian's headless chromium.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { projectFolder } from './dependencies.mjs';

const HISTORY_LIMIT_MS = 300_000;
const MOST_BYTES = 200_000;
const EXECUTABLES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const imageFolder = join(projectFolder, 'docs', 'images');

const TREND = 't=PA01.Temperature.Hold&limits=75&t=PA01.Flow&t=TK001.Level&t=PA01.State&t=PA01.Batch';
const DESKTOP = { width: 1360, height: 850 };
const SMALL_DESKTOP = { width: 1080, height: 620 };
const NARROW = { width: 390, height: 844 };
/** A laptop at 200 %. */
const ZOOMED = { width: 720, height: 450 };

const PICTURES = [
  { name: 'explorer-light', colorScheme: 'light', viewport: DESKTOP, link: `d=Demo&${TREND}&from=-8h&to=now` },
  { name: 'explorer-dark', colorScheme: 'dark', viewport: DESKTOP, link: `d=Demo&${TREND}&from=-8h&to=now` },
  {
    name: 'explorer-compare',
    colorScheme: 'light',
    viewport: SMALL_DESKTOP,
    link: 'd=Demo&t=TK001.Level&t=TK002.Level&t=PA01.Temperature.Hold&from=-8h&to=now&layout=shared&compare=8h',
  },
  { name: 'explorer-narrow-light', colorScheme: 'light', viewport: NARROW, link: `d=Demo&${TREND}&from=-8h&to=now` },
  {
    name: 'explorer-zoomed-dark',
    colorScheme: 'dark',
    viewport: ZOOMED,
    link: `d=Demo&${TREND}&t=TK002.Level&t=PA02.Flow&t=PA02.State&t=PA02.Batch&from=-8h&to=now`,
  },
  { name: 'explorer-narrow-dark', colorScheme: 'dark', viewport: NARROW, link: `d=Demo&${TREND}&from=-8h&to=now` },
];

const dataFolder = mkdtempSync(join(tmpdir(), 'varve-screenshots-'));
const server = spawn(
  process.execPath,
  [join(projectFolder, 'scripts', 'start.mjs'), '--port', '0', '--data', join(dataFolder, 'data')],
  { stdio: ['ignore', 'pipe', 'ignore'] },
);
try {
  const url = await readyUrl();
  await waitForHistory(url);
  await takeAll(url);
} finally {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
}

async function readyUrl() {
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url] = /^Varve is listening on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server did not start');
}

/** Until the demo plant has come up to now. */
async function waitForHistory(url) {
  for (const until = Date.now() + HISTORY_LIMIT_MS; Date.now() < until; ) {
    const answer = await fetch(`${url}/api/datasets/Demo/data?tagname=TK001.Level&relativeStart=-30m&missing=skip`);
    if (answer.ok && (await answer.json()).tl[0]?.d.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('the demo plant did not come up to now');
}

async function takeAll(url) {
  mkdirSync(imageFolder, { recursive: true });
  const args = ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const browser = await chromium.launch({ executablePath: EXECUTABLES.find(existsSync), args });
  try {
    for (const picture of PICTURES) await take(browser, url, picture);
    await takeDashboard(browser, url);
    await takeAnnotations(browser, url);
    await takeCorrections(browser, url);
    await takeAggregates(browser, url);
    await takeCalculated(browser, url);
  } finally {
    await browser.close();
  }
}

async function take(browser, url, { name, colorScheme, viewport, link }) {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${url}/#${link}`);
  await page.locator('.values tbody tr').nth(2).waitFor();
  await page.locator('.chart:not(.loading)').waitFor();
  const isWide = viewport.width > 860;
  if (isWide) {
    for (const machine of ['PA01', 'TK001']) await page.getByRole('treeitem', { name: machine }).first().click();
  }
  if (viewport !== NARROW) {
    const box = await page.locator('.surface').boundingBox();
    await page.mouse.move(box.x + box.width * 0.62, box.y + box.height / 3);
  }
  // Values and the strip are read after the trend.
  await page.waitForTimeout(3000);
  await keep(page, name);
  await context.close();
}

/** Two trends, and single values beside them. */
async function takeDashboard(browser, url) {
  const save = async (view) => {
    const body = JSON.stringify({ folder: 'Dairy', datasets: ['Demo'], ...view });
    return (await (await fetch(`${url}/api/views`, { method: 'POST', body })).json()).id;
  };
  const trend = (name, link) => save({ kind: 'trend', name, content: { link } });
  const pasteuriser = await trend('Pasteuriser', `d=Demo&${TREND}&from=-2h&to=now`);
  const tanks = await trend('Tanks', 'd=Demo&t=TK001.Level&t=TK002.Level&from=-8h&to=now&layout=shared');
  const value = (tag, columns) => ({ kind: 'value', dataset: 'Demo', tag, columns, rows: 1 });
  const values = [value('TK001.Level', 1), value('TK002.Level', 1), value('PA01.Flow', 2), value('PA01.State', 2)];
  const trends = [pasteuriser, tanks].map((view) => ({
    kind: 'trend',
    view,
    columns: view === tanks ? 6 : 4,
    rows: 3,
  }));
  const tiles = [trends[0], ...values, trends[1]];
  const id = await save({ kind: 'dashboard', name: 'Control room', content: { tiles } });
  const context = await browser.newContext({ viewport: DESKTOP, colorScheme: 'dark', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${url}/?view=${id}`);
  await page
    .locator('.value-tile .value')
    .nth(values.length - 1)
    .waitFor();
  await page.locator('.trend-tile .band canvas').nth(1).waitFor();
  await page.waitForTimeout(3000);
  await keep(page, 'explorer-dashboard');
  await context.close();
}

/** Takes the picture of annotations of a tag and of the whole dataset, one of them pointed at. */
async function takeAnnotations(browser, url) {
  const at = (hoursAgo) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  const annotate = async (annotation) => {
    const body = JSON.stringify(annotation);
    const answer = await fetch(`${url}/api/datasets/Demo/annotations`, { method: 'POST', body });
    if (!answer.ok) throw new Error(await answer.text());
  };
  const tag = 'PA01.Temperature.Hold';
  await annotate({ start: at(6.2), end: at(5.4), tag, text: 'Plate pack cleaned; cold restart.' });
  await annotate({ start: at(4), text: 'Shift change: B to C' });
  await annotate({ start: at(1.6), tag, text: 'Probe 2 changed, calibrated at 72 °C.' });
  const context = await browser.newContext({ viewport: SMALL_DESKTOP, colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${url}/#d=Demo&t=${tag}&t=PA01.Flow&from=-8h&to=now`);
  await page.locator('.chart:not(.loading)').waitFor();
  await page.getByRole('button', { name: /Probe 2 changed/ }).hover();
  await page.waitForTimeout(3000);
  await keep(page, 'explorer-annotations');
  await context.close();
}

/** The dialog with what a correction would do, and with one that was made. */
async function takeCorrections(browser, url) {
  const tag = 'PA01.Temperature.Hold';
  const at = (hoursAgo) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  const range = new URLSearchParams({
    tagname: tag,
    kind: 'delete',
    start: at(6.2),
    end: at(5.9),
    reason: 'Calibration',
  });
  const made = await fetch(`${url}/api/datasets/Demo/corrections?${range}`, { method: 'POST' });
  if (!made.ok) throw new Error(await made.text());
  const context = await browser.newContext({ viewport: SMALL_DESKTOP, colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${url}/#d=Demo&t=${tag}&from=-8h&to=now`);
  await page.locator('.chart:not(.loading)').waitFor();
  await page.getByRole('button', { name: `Correct ${tag}` }).click();
  await page.getByText(/will no longer be shown/).waitFor();
  await page.waitForTimeout(3000);
  await keep(page, 'explorer-corrections');
  await context.close();
}

/** Lines of results, with statistics in the table; the histogram of one of the tags, and two against each other. */
async function takeAggregates(browser, url) {
  const context = await browser.newContext({ viewport: SMALL_DESKTOP, colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const tags = 't=PA01.Temperature.Hold&of=TimeAverage2+5+min&t=PA01.Flow&of=Maximum2+15+min&t=PA01.State';
  await page.goto(`${url}/#d=Demo&${tags}&from=-8h&to=now&table=statistics`);
  await page.locator('.chart:not(.loading)').waitFor();
  await page.waitForTimeout(3000);
  await keep(page, 'explorer-aggregates');
  await page.getByRole('button', { name: 'Distribution' }).click();
  await page.getByText(/averages of/).waitFor();
  await page.waitForTimeout(500);
  await keep(page, 'explorer-distribution');
  const pair = 't=PA01.Flow&t=PA01.Temperature.Hold&t=PA01.State';
  await page.goto(`${url}/#d=Demo&${pair}&from=-8h&to=now&plot=1-2-3`);
  await page.getByText(/correlation/).waitFor();
  await page.waitForTimeout(500);
  await keep(page, 'explorer-xy');
  await context.close();
}

/** Two tags, and what is calculated from them. */
async function takeCalculated(browser, url) {
  const context = await browser.newContext({ viewport: SMALL_DESKTOP, colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const lines = 't=TK001.Level&t=TK002.Level&x=TK001.Level+-+TK002.Level&name=Difference';
  await page.goto(`${url}/#d=Demo&${lines}&from=-8h&to=now`);
  await page.getByText('expression of averages').first().waitFor();
  await page.waitForTimeout(3000);
  await keep(page, 'explorer-calculated');
  await context.close();
}

async function keep(page, name) {
  const path = join(imageFolder, `${name}.png`);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`${name} has ${size} bytes; want ${MOST_BYTES} at most`);
  console.error(`${name}: ${size} bytes`);
}
