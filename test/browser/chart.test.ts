// The chart, looked at closely: one time axis for all bands, labels that are true, colours that differ, and what stays in sight.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  noBrowser,
  openPage,
  post,
  sharedBrowser,
  sharedServer,
  type WatchedPage,
  waitUntil,
} from '../support/browser.ts';
import type { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 120_000 };
const START_MS = Date.parse('2024-03-01T00:00:00Z');
const MINUTE_MS = 60_000;
const WINDOW = 'from=2024-03-01T00:00:00Z&to=2024-03-01T08:00:00Z';
/** A laptop at 200 %. */
const ZOOMED = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 };

let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await sharedServer();
  await writePlant(server.url);
});

const LONG_NAME = 'Dairy.PasteurisationLine01.HoldingTube.Section03.AfterTheHeatExchanger.Measured';

const trends = Array.from({ length: 16 }, (_, index) => `Mill.Trend${String(index).padStart(2, '0')}`);

async function writePlant(url: string): Promise<void> {
  const base = `${url}/api/datasets/Dairy`;
  await post(`${base}/tags`, [
    { n: 'Mill.Temperature', t: 'System.Double', u: { '1': '°C' }, f: '0' },
    { n: 'Mill.Flow', t: 'System.Double', u: { '1': 'l/min' } },
    { n: 'Mill.Pressure', t: 'System.Double', u: { '1': 'bar' } },
    { n: 'Mill.Running', t: 'System.Boolean' },
    { n: 'Line1.Batch', t: 'System.String' },
    { n: 'Line2.Batch', t: 'System.String' },
    { n: 'Mill.State', t: 'System.Int32', u: { '0': 'Off', '1': 'On', '2': 'Cleaning' } },
    { n: LONG_NAME, t: 'System.String' },
    { n: `${LONG_NAME}2`, t: 'System.Double', u: { '1': '°C' } },
    ...trends.map((n) => ({ n, t: 'System.Double' })),
  ]);
  const t = Array.from({ length: 481 }, (_, index) => START_MS + index * MINUTE_MS);
  const wave = (low: number, high: number): number[] =>
    t.map((_, index) => low + ((high - low) * (1 - Math.cos(index / 40))) / 2);
  const columns = (v: readonly unknown[]): object => ({ t: t.slice(0, v.length), v });
  await post(`${base}/data`, {
    'Mill.Temperature': columns(wave(60, 70)),
    'Mill.Flow': columns(wave(0, 180)),
    'Mill.Pressure': columns(wave(1, 4)),
    'Mill.Running': columns(t.map((_, index) => index % 120 < 90)),
    'Line1.Batch': columns(['B-1001', 'B-1002']),
    'Line2.Batch': columns(['B-2001', 'B-2002']),
    'Mill.State': columns(t.map((_, index) => [0, 1, 2, 1, 7, 0][Math.floor(index / 90)])),
    [LONG_NAME]: columns(['whole milk, 3.5 %, homogenised, from tank 4']),
    [`${LONG_NAME}2`]: columns(wave(71, 73)),
    ...Object.fromEntries(trends.map((name, index) => [name, columns(wave(100, 100 + 4 * 1.17 ** index))])),
  });
  // Up to now: the strip ends there.
  const lately = Array.from({ length: 120 }, (_, index) => Date.now() - (120 - index) * MINUTE_MS);
  const quiet = lately.map((_, index) => 20 + Math.sin(index / 6));
  await post(`${url}/api/datasets/Lately/data`, {
    Glitch: { t: lately, v: quiet.map((value, index) => (index === 70 ? 1e9 : value)) },
  });
  await post(`${url}/api/datasets/Ancient/data`, {
    Level: { t: [Date.parse('1970-02-01'), ...lately], v: [1, ...quiet] },
  });
}

const link = (names: readonly string[], rest = ''): string =>
  `${server.url}/#d=Dairy&${names.map((name) => `t=${name}`).join('&')}&${WINDOW}${rest}`;

/** Notes the texts that each canvas shows, from its last clearing on. */
const NOTE_TEXTS = `{
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    (this.canvas.shownTexts ??= []).push({ text, x, y });
    return fillText.apply(this, arguments);
  };
  CanvasRenderingContext2D.prototype.clearRect = function () {
    this.canvas.shownTexts = [];
    return clearRect.apply(this, arguments);
  };
}`;

interface ShownText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Texts of each band, top down. */
const textsOf = (page: Page): Promise<ShownText[][]> =>
  page.evaluate("[...document.querySelectorAll('.band canvas')].map((canvas) => canvas.shownTexts ?? [])");

async function openTrend(address: string, rows: number, context: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await openPage(browser, address, context, NOTE_TEXTS);
  await watched.page
    .locator('.values tbody tr')
    .nth(rows - 1)
    .waitFor();
  await watched.page.locator('.chart:not(.loading)').waitFor();
  return watched;
}

interface Edges {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const edgesOf = (page: Page, selector: string): Promise<Edges[]> =>
  page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((found) => {
    const { left, right, top, bottom } = found.getBoundingClientRect();
    return { left, right, top, bottom };
  })`);

test('all bands of shared axes have one plot area, which is the cursor’s', options, async (t) => {
  const names = ['Mill.Temperature', 'Mill.Flow', 'Mill.Pressure', 'Mill.Running', 'Line1.Batch'];
  for (const count of [1, 2, 3]) {
    const shown = [...names.slice(0, count), ...names.slice(3)];
    const { page, faults } = await openTrend(link(shown, '&layout=shared'), shown.length);
    t.after(() => page.context().close());
    const areas = await edgesOf(page, '.band .u-over');
    assert.equal(areas.length, 3);
    const [overlay] = await edgesOf(page, '.overlay');
    for (const { left, right } of areas) {
      assert.deepEqual([left, right], [overlay?.left, overlay?.right], `${count} axes`);
    }
    assert.deepEqual(faults, []);
  }
});

test('the labels of a value axis say what their grid lines are', options, async (t) => {
  const { page } = await openTrend(link(trends), trends.length, { viewport: { width: 1280, height: 2600 } });
  t.after(() => page.context().close());
  const bands = await textsOf(page);
  assert.equal(bands.length, trends.length);
  for (const texts of bands) {
    const labels = texts.filter(({ x }) => x < 78);
    const lines = labels.map(({ text, y }) => ({ value: Number(text), y })).sort((a, b) => a.value - b.value);
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined || lines.length < 3) continue;
    const perPx = (last.value - first.value) / (last.y - first.y);
    // Their places are whole pixels.
    const tolerance = Math.abs(perPx) * 1.2;
    for (const { value, y } of lines) {
      assert.ok(Math.abs(first.value + (y - first.y) * perPx - value) < tolerance, JSON.stringify(labels));
    }
  }
  // Ranges over a decade: whatever the heights are, some of the steps are 2.5.
  assert.ok(bands.flat().some(({ text }) => text.endsWith('2.5')));
});

test('16 trends have 16 colours, and scroll over a time axis and a cursor time that stay', options, async (t) => {
  for (const context of [{ viewport: { width: 1440, height: 900 } }, ZOOMED]) {
    const { page, faults } = await openTrend(link(trends), 16, context);
    t.after(() => page.context().close());
    const [chart] = await edgesOf(page, '.chart');
    const [firstBand] = await edgesOf(page, '.band .u-over');
    assert.ok(chart !== undefined && firstBand !== undefined);
    assert.ok(chart.bottom <= context.viewport.height + 1);
    await page.mouse.move((firstBand.left + firstBand.right) / 2, chart.top + 50);
    const assertInSight = async (): Promise<void> => {
      for (const selector of ['.cursor .flag', '.time-axis canvas']) {
        const [edges] = await edgesOf(page, selector);
        assert.ok(edges !== undefined, selector);
        assert.ok(
          edges.top >= chart.top - 1 && edges.bottom <= chart.bottom + 1,
          `${selector}: ${JSON.stringify(edges)}`,
        );
      }
    };
    await assertInSight();
    // Over the value axis the wheel scrolls.
    await page.mouse.move(firstBand.left - 40, chart.top + 50);
    await page.mouse.wheel(0, 5000);
    await page.locator('.band').last().scrollIntoViewIfNeeded();
    const lastBand = (await edgesOf(page, '.band')).at(-1);
    assert.ok(lastBand !== undefined && lastBand.bottom <= chart.bottom + 1, JSON.stringify({ lastBand, chart }));
    await page.mouse.move((firstBand.left + firstBand.right) / 2, chart.top + 60);
    await assertInSight();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const colours = await page.evaluate<string[]>(
        "[...document.querySelectorAll('.values .swatch')].map((one) => getComputedStyle(one).backgroundColor)",
      );
      assert.equal(new Set(colours).size, 16, `${colorScheme}: ${colours.join(' ')}`);
    }
    assert.deepEqual(faults, []);
  }
});

test('text bands of one name carry their paths, and a number that is no state lies apart', options, async (t) => {
  const { page } = await openTrend(link(['Line1.Batch', 'Line2.Batch', 'Mill.State']), 3);
  t.after(() => page.context().close());
  const titles = await page.locator('.band.text .band-title').allTextContents();
  assert.deepEqual(titles, ['Line1Batch', 'Line2Batch']);
  const state = (await textsOf(page))[2] ?? [];
  const yOf = (wanted: string): number => state.find(({ text }) => text === wanted)?.y ?? Number.NaN;
  assert.ok(yOf('7') > yOf('Off'), `below the states: ${JSON.stringify(state)}`);
  const height = (await edgesOf(page, '.band.state')).map(({ top, bottom }) => bottom - top)[0] ?? 0;
  assert.ok(yOf('Off') - yOf('Cleaning') > 0.3 * height, `the states keep their room: ${JSON.stringify(state)}`);
  await page.locator('.surface').focus();
  for (let step = 0; step < 35; step++) await page.keyboard.press('ArrowRight');
  await page.getByRole('cell', { name: '7 (no such state)' }).waitFor();
});

/** Run inside of the page: for each column of the strip the highest pixel of the line, from above. */
const STRIP_LINE = `(() => {
  const canvas = document.querySelector('.strip canvas');
  const height = 30;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, height);
  return Array.from({ length: canvas.width }, (_, x) => {
    for (let y = 0; y < height; y++) if (data[(y * canvas.width + x) * 4 + 3] > 100) return y;
    return -1;
  }).filter((y) => y >= 0);
})()`;

test('one point far off in value or time leaves the rest of the strip to be seen', options, async (t) => {
  const { page } = await openTrend(`${server.url}/#d=Lately&t=Glitch&from=-1h&to=now`, 1);
  t.after(() => page.context().close());
  const heights = async (): Promise<number[]> => (await page.evaluate<number[]>(STRIP_LINE)).sort((a, b) => a - b);
  await waitUntil(async () => (await heights()).length > 300, { limitMs: 30_000 });
  const tops = await heights();
  const [high = 0, low = 0] = [0.1, 0.9].map((share) => tops[Math.floor(share * tops.length)]);
  assert.ok(low - high >= 8, `the wave takes ${low - high} rows`);
  await page.goto(`${server.url}/#d=Ancient&t=Level&from=-1h&to=now`);
  const strip = page.getByRole('slider', { name: 'Window in the whole history' });
  const daysShown = async (): Promise<number> =>
    (Date.now() / 1000 - Number(await strip.getAttribute('aria-valuemin'))) / 86_400;
  const older = page.getByRole('button', { name: '‹ 1970-02-01' });
  await older.waitFor();
  assert.ok((await daysShown()) < 1);
  await older.click();
  await page.locator('.values td.strong', { hasText: /^1$/ }).waitFor();
});

const SIZES: readonly BrowserContextOptions[] = [
  { viewport: { width: 1440, height: 900 } },
  { viewport: { width: 1024, height: 768 } },
  { viewport: { width: 390, height: 844 } },
  ZOOMED,
];

test('on every screen table and times fit, and long names keep their ends', options, async (t) => {
  for (const size of SIZES) {
    const window = 'from=2024-03-01T00:00:05Z&to=2024-03-01T08:00:05Z&compare=8h';
    const names = `t=${LONG_NAME}&t=${LONG_NAME}2&t=Mill.State`;
    const { page, faults } = await openTrend(`${server.url}/#d=Dairy&${names}&${window}`, 3, size);
    t.after(() => page.context().close());
    const what = `${size.viewport?.width} wide`;
    const widths = await page.evaluate<[string, number, number][]>(
      "[...document.querySelectorAll('.values, .range input')].map((one) => [one.tagName, one.scrollWidth, one.clientWidth])",
    );
    assert.equal(widths.length, 3);
    for (const [name, wanted, has] of widths) assert.ok(wanted <= has, `${what}: ${name} ${wanted} of ${has}`);
    const cells = await edgesOf(page, '.values tbody th');
    const ends = await edgesOf(page, '.values .middle-tail');
    assert.equal(ends.length, 3);
    ends.forEach((end, index) => {
      const cell = cells[index];
      assert.ok(cell !== undefined && end.right <= cell.right && end.right - end.left > 20, `${what}: ${index}`);
    });
    assert.deepEqual(await page.locator('.values .tag-name').allTextContents(), [
      LONG_NAME,
      `${LONG_NAME}2`,
      'Mill.State',
    ]);
    assert.deepEqual(faults, []);
  }
});

test('a scale and limits set by hand are seen, and the link keeps them', options, async (t) => {
  const { page } = await openTrend(link(['Mill.Flow']), 1);
  t.after(() => page.context().close());
  const axisOf = async (): Promise<number[]> => {
    const [texts = []] = await textsOf(page);
    return texts.filter(({ x }) => x < 78).map(({ text }) => Number(text));
  };
  assert.ok(Math.max(...(await axisOf())) >= 150, 'by the points: 0 to 180');
  await page.getByRole('button', { name: 'Scale of Mill.Flow' }).click();
  await page.getByLabel('Lower end').fill('100');
  await page.getByLabel('Upper end').fill('100');
  await page.getByLabel('Limits').fill('105.5, 119');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('must be less than the upper one').waitFor();
  await page.getByLabel('Upper end').fill('120');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const assertSet = async (): Promise<void> => {
    await waitUntil(async () => Math.max(...(await axisOf())) <= 120, { limitMs: 30_000 });
    assert.ok(Math.min(...(await axisOf())) >= 100);
    const [texts = []] = await textsOf(page);
    const limits = texts.filter(({ x }) => x > 300).map(({ text }) => text);
    assert.deepEqual(
      limits.filter((text) => text === '105.5' || text === '119'),
      ['105.5', '119'],
    );
  };
  await assertSet();
  assert.match(page.url(), /t=Mill\.Flow&scale=100\.\.120&limits=105\.5\+119/);
  await page.reload();
  await page.locator('.values tbody tr').first().waitFor();
  await assertSet();
  await page.getByRole('button', { name: 'Scale of Mill.Flow' }).click();
  await page.getByRole('button', { name: 'Automatic' }).click();
  await waitUntil(async () => Math.max(...(await axisOf())) >= 150, { limitMs: 30_000 });
  assert.doesNotMatch(page.url(), /scale|limits/);
});

test('a marked time stays, and the table has the differences from it', options, async (t) => {
  const { page, faults } = await openTrend(link(['Mill.Flow', 'Mill.State']), 2);
  t.after(() => page.context().close());
  const [overlay] = await edgesOf(page, '.overlay');
  assert.ok(overlay !== undefined);
  const xAt = (share: number): number => overlay.left + share * (overlay.right - overlay.left);
  await page.mouse.click(xAt(0.25), overlay.top + 60);
  await page.mouse.move(xAt(0.75), overlay.top + 60, { steps: 3 });
  const cells = page.locator('.values tbody tr').first().locator('td');
  await page.getByRole('columnheader', { name: /^Difference \+(4h|3h59m5\ds|4h\ds)/ }).waitFor();
  const [at = '', marked = '', difference = ''] = await cells.allTextContents();
  assert.notEqual(at, marked);
  const expected = Number.parseFloat(at) - Number.parseFloat(marked);
  assert.ok(Math.abs(Number(difference) - expected) < 0.01, `${at} - ${marked} = ${difference}`);
  const state = await page.locator('.values tbody tr').nth(1).locator('td').allTextContents();
  assert.deepEqual(state.slice(1, 3), ['On', '–'], 'states have no difference');
  await page.locator('.cursor.marked .flag').waitFor();
  await page.keyboard.press('m');
  await page.locator('.cursor.marked').waitFor({ state: 'detached' });
  await page.locator('.surface').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('m');
  await page.locator('.cursor.marked').waitFor();
  assert.deepEqual(faults, []);
});

test('the time zone is chosen, and holds for axis, cursor and fields', options, async (t) => {
  const { page, faults } = await openTrend(link(['Mill.Flow']), 1, { timezoneId: 'Europe/Berlin' });
  t.after(() => page.context().close());
  assert.equal(await page.getByLabel('From').inputValue(), '2024-03-01 01:00');
  await page.getByRole('button', { name: 'Time zone: UTC+01:00' }).click();
  await page.getByLabel('Times are shown and typed in').selectOption('Australia/Adelaide');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Time zone: UTC+10:30' }).waitFor();
  assert.equal(await page.getByLabel('From').inputValue(), '2024-03-01 10:30');
  const axis = page.locator('.time-axis canvas');
  await axis.waitFor();
  const shown = (): Promise<ShownText[]> =>
    page.evaluate("document.querySelector('.time-axis canvas').shownTexts ?? []");
  await waitUntil(async () => (await shown()).some(({ text }) => text === '11:00'), { limitMs: 30_000 });
  assert.ok(
    (await shown()).every(({ text }) => /:00$|Mar/.test(text)),
    'full hours of that zone',
  );
  assert.deepEqual(faults, []);
});

test('the chart is saved as a picture, with the bands that are out of sight', options, async (t) => {
  const { page, faults } = await openTrend(link(trends), trends.length);
  t.after(() => page.context().close());
  const heights = (await edgesOf(page, '.band')).map(({ top, bottom }) => bottom - top);
  const [surface] = await edgesOf(page, '.surface');
  const allBands = heights.reduce((sum, height) => sum + height, 0);
  assert.ok(surface !== undefined && allBands > surface.bottom - surface.top, 'the case: some are out of sight');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Download PNG' }).click();
  const file = readFileSync(await (await download).path());
  assert.equal(file.toString('latin1', 1, 4), 'PNG');
  assert.ok(file.readUInt32BE(20) > allBands, `${file.readUInt32BE(20)} rows for ${allBands} pixels of bands`);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.sidebar').isVisible(), false);
  assert.equal(await page.locator('.values').isVisible(), true);
  assert.deepEqual(faults, []);
});
