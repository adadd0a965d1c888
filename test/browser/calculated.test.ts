// Calculated series as lines of a trend: added, edited and removed, with the server's values, in links, saved views and
// dashboards; what cannot be calculated says why and stops no other line.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser, sharedServer } from '../support/browser.ts';
import type { ServerProcess } from '../support/server-process.ts';

const options = { skip: noBrowser, timeout: 180_000 };
const START_MS = Date.UTC(2026, 0, 5, 8);
const SECONDS = 600;
const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const [START, END] = [iso(START_MS), iso(START_MS + SECONDS * 1000)];
const RANGE = `from=${START}&to=${END}`;
const EXPRESSION = "(A.Flow - 'Line 1/Flow') * 60";
let browser: Browser;
let server: ServerProcess;

async function send<T>(path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${server.url}/api${path}`, { method: 'POST', body: JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await sharedServer();
  const seconds = Array.from({ length: SECONDS + 60 }, (_, i) => i);
  const points = (valueAt: (i: number) => number) =>
    seconds.map((i) => ({ t: iso(START_MS + i * 1000), v: valueAt(i) }));
  await send('/datasets/Plant/data', {
    'A.Flow': points((i) => 50 + (i % 60)),
    'Line 1/Flow': points((i) => 20 + (i % 7)),
    State: [{ t: START, v: 'running' }],
  });
  await send('/datasets/Mill/data', { Power: points((i) => i) });
});

async function openTrend(t: { after(work: () => Promise<void>): void }, lines: string, range = RANGE) {
  const opened = await openPage(browser, `${server.url}/#${lines}&${range}`, { timezoneId: 'UTC' });
  t.after(() => opened.page.context().close());
  return opened;
}

/** The numbers of the row: of the cursor, minimum, maximum, and how many there are. */
async function numbersOf(page: Page, name: string): Promise<number[]> {
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: `Remove ${name}`, exact: true }) });
  const cells = await row.getByRole('cell').allTextContents();
  return cells.filter((text) => /^-?[\d,]+(\.\d+)?$/.test(text)).map((text) => Number(text.replaceAll(',', '')));
}

interface Entry {
  readonly d: { readonly t: readonly number[]; readonly v: readonly number[] };
}

/** What the API answers for the intervals of the page. */
async function readCalculated(expr: string, interval: string): Promise<Entry['d']> {
  const aggregate = ['TimeAverage2'];
  const body = { expr: [expr], start: START, end: END, aggregate, interval, format: 'columns' };
  const { tl } = await send<{ tl: Entry[] }>('/datasets/Plant/read', body);
  assert.equal(tl.length, 1);
  return (tl[0] as Entry).d;
}

/** What the page draws, by *Download CSV*. */
async function drawnValues(page: Page, name: string): Promise<[timeMs: number, value: number][]> {
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^Download CSV/ }).click();
  const lines = readFileSync(await (await downloading).path(), 'utf8').split('\r\n');
  return lines
    .filter((line) => line.startsWith(`Plant,${name},`))
    .map((line) => line.split(','))
    .map((cells) => [Date.parse(cells[2] ?? ''), Number(cells[3])]);
}

/** Requests that the server refuses are reported by browsers. */
function withoutRefusals(faults: readonly string[]): string[] {
  return faults.filter((fault) => !/status of 40[04]/.test(fault));
}

test('a calculated series is added by its dialog, and draws what the server calculates', options, async (t) => {
  const { page, faults } = await openTrend(t, 'd=Plant&t=A.Flow');
  await page
    .getByRole('row', { name: /A\.Flow/ })
    .getByText('601', { exact: true })
    .waitFor();
  await page.locator('.surface').focus();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New calculated series' });
  const save = dialog.getByRole('button', { name: 'Save' });
  const expression = dialog.getByRole('textbox', { name: /^Expression/ });
  assert.equal(await dialog.getByRole('textbox', { name: /^Name/ }).evaluate((field) => field.matches(':focus')), true);
  assert.equal(await save.isDisabled(), true, 'nothing was typed');
  assert.equal(await dialog.getByRole('combobox', { name: /^Dataset/ }).inputValue(), 'Plant');
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Loss');
  await dialog.getByRole('button', { name: 'A.Flow' }).click();
  assert.equal(await expression.inputValue(), 'A.Flow');
  await dialog.getByText('It is 109 now.').waitFor();
  await page.keyboard.type(' *');
  await dialog.getByText(/^'expr' is 'A\.Flow \*', which cannot be read/).waitFor();
  assert.equal(await save.isDisabled(), true);
  assert.deepEqual(await seriousFindings(page), []);
  await expression.fill('A.Flow + Nowhere');
  await dialog.getByText("Tag 'Nowhere' could not be found.").waitFor();
  assert.equal(await save.isEnabled(), true, 'it may come later');
  await expression.fill('A.Flow + State');
  await dialog.getByText("'expr' needs numbers, and tag 'State' has texts.").waitFor();
  await expression.fill(EXPRESSION);
  await dialog.getByText(/^It is 5,?280 now\.$/).waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });

  const row = page.getByRole('row', { name: /Loss/ });
  await row.getByText('expression of averages of 5 s').waitFor();
  await row.getByText(EXPRESSION).waitFor();
  await page.locator('.band-title').getByText('expression of averages of 5 s').waitFor();
  const { t: times, v: values } = await readCalculated(EXPRESSION, '5s');
  assert.equal(values.length, SECONDS / 5);
  assert.deepEqual(
    await drawnValues(page, 'Loss'),
    times.map((timeMs, i) => [timeMs, values[i]]),
  );
  const [, least, most, count] = await numbersOf(page, 'Loss');
  assert.equal(count, values.length);
  assert.ok(Math.abs((least ?? 0) - Math.min(...values)) < 0.01, `minimum ${least}`);
  assert.ok(Math.abs((most ?? 0) - Math.max(...values)) < 0.01, `maximum ${most}`);
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(withoutRefusals(faults), []);
});

test('it is edited with its scale, removed, brought back, and kept by the link', options, async (t) => {
  const lines = `d=Plant&t=A.Flow&x=${encodeURIComponent(EXPRESSION)}&name=Loss&scale=0..9000`;
  const { page, faults } = await openTrend(t, lines);
  await page.getByRole('button', { name: 'Edit Loss' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Loss' });
  assert.equal(await dialog.getByRole('textbox', { name: /^Expression/ }).inputValue(), EXPRESSION);
  await dialog.getByRole('textbox', { name: /^Expression/ }).fill('A.Flow * 2');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.match(page.url(), /Line\+1\/Flow/, 'nothing was changed');
  await page.getByRole('button', { name: 'Edit Loss' }).click();
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('');
  await dialog.getByRole('textbox', { name: /^Expression/ }).fill('A.Flow * 2');
  await dialog.getByText('It is 218 now.').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row', { name: /A\.Flow \* 2/ });
  await row.getByText('expression of averages of 5 s').waitFor();
  const { v: values } = await readCalculated('A.Flow * 2', '5s');
  assert.deepEqual(
    (await drawnValues(page, 'A.Flow * 2')).map(([, value]) => value),
    values,
  );
  const fragment = new URL(page.url()).hash;
  assert.match(fragment, /t=A\.Flow&x=A\.Flow\+\*\+2&scale=0\.\.9000&from/);
  for (const name of ['Details', 'Correct']) {
    assert.equal(await page.getByRole('button', { name: `${name} of A.Flow * 2` }).count(), 0);
    assert.equal(await page.getByRole('button', { name: `${name} A.Flow * 2` }).count(), 0);
  }

  await page.getByRole('button', { name: 'Remove A.Flow * 2' }).click();
  await row.waitFor({ state: 'detached' });
  assert.doesNotMatch(page.url(), /x=/);
  await page.goBack();
  await row.getByText('expression of averages of 5 s').waitFor();
  await page.reload();
  await row.getByText('expression of averages of 5 s').waitFor();
  assert.equal(new URL(page.url()).hash, fragment);
  await page.getByRole('button', { name: 'Scale of A.Flow * 2' }).click();
  const scale = page.getByRole('dialog', { name: 'Scale of A.Flow * 2' });
  assert.equal(await scale.getByRole('textbox', { name: /^Upper end/ }).inputValue(), '9000');
  assert.equal(await scale.getByRole('combobox').count(), 0, 'what it is made of is not chosen');
  await page.keyboard.press('Escape');

  await page.getByRole('combobox', { name: 'Columns of the table' }).selectOption('Statistics');
  await row.getByText('It is calculated, and statistics are of points.').waitFor();
  await page.getByRole('button', { name: 'Distribution' }).click();
  const tags = page.getByRole('region', { name: 'Distribution' }).getByRole('combobox', { name: 'Tag' });
  assert.deepEqual(await tags.locator('option').allTextContents(), ['A.Flow']);
  assert.deepEqual(faults, []);
});

test('a totaliser is added by its button, with a unit, and goes on while the window is live', options, async (t) => {
  const write = (seconds: number, value: number) =>
    send('/datasets/Plant/data', { 'Total.Flow': [{ t: iso(Date.now() - seconds * 1000), v: value }] });
  await write(1000, 0);
  await write(301, 0);
  await write(300, 36);
  await write(200, 36);
  const { page, faults } = await openTrend(t, 'd=Plant&t=Total.Flow', 'from=-15m&to=now');
  await page.getByRole('row', { name: /Total\.Flow/ }).waitFor();
  await page.getByRole('button', { name: 'Calculate' }).click();
  const dialog = page.getByRole('dialog', { name: 'New calculated series' });
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Total');
  await dialog.getByRole('button', { name: 'integral' }).click();
  await dialog.getByRole('button', { name: 'Total.Flow' }).click();
  assert.equal(await dialog.getByRole('textbox', { name: /^Expression/ }).inputValue(), "integral(Total.Flow, 'h')");
  await dialog.getByText(/^It is \d\.?\d* at the end of the window\.$/).waitFor();
  await dialog.getByRole('textbox', { name: /^Unit/ }).fill('m³');
  await dialog.getByRole('textbox', { name: /^Format/ }).fill('0.000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row', { name: /Remove Total$/ });
  await row.getByText('expression of averages of 5 s').waitFor();
  // 36 m³/h are 0.01 m³ in a second: at first a hundred of them, and never more than the window has.
  const most = async (): Promise<number> => {
    const cells = await row.getByRole('cell').allTextContents();
    return Math.max(0, ...cells.flatMap((text) => /^(\d\.\d{3})$/.exec(text)?.[1] ?? []).map(Number));
  };
  await row.getByRole('cell', { name: /^[01]\.\d{3} m³/ }).waitFor();
  const before = await most();
  assert.ok(before >= 0.9 && before <= 1.1, `${before}`);
  const endMs = performance.now() + 60_000;
  while ((await most()) < before + 1 && performance.now() < endMs) {
    await write(0, 36);
    await page.waitForTimeout(500);
  }
  const after = await most();
  assert.ok(after >= before + 1 && after <= 9.01, `${before}, ${after}`);
  assert.match(page.url(), /name=Total&unit=m%C2%B3&format=0\.000/);
  assert.deepEqual(withoutRefusals(faults), []);
});

test('what cannot be calculated says why in its row, and the other lines are drawn', options, async (t) => {
  const lines = 'd=Plant&t=A.Flow&x=A.Flow+*&name=Broken&x=A.Flow%2BGone&x=A.Flow%2B1&name=Sum&d=Nowhere&x=B&name=Far';
  const { page, faults } = await openTrend(t, lines);
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await row('Sum').getByText('expression of averages of 5 s').waitFor();
  await row('which cannot be read').waitFor();
  await row("^Tag 'Gone' could not be found").waitFor();
  await row("^Dataset 'Nowhere' could not be found").waitFor();
  await page.locator('.band-notes').getByText("Tag 'Gone' could not be found.").waitFor();
  assert.equal((await numbersOf(page, 'A.Flow')).at(-1), SECONDS + 1);
  assert.equal((await drawnValues(page, 'Sum')).length, SECONDS / 5);
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(withoutRefusals(faults), []);
});

test('a saved view and a dashboard carry it', options, async (t) => {
  const { page, faults } = await openTrend(t, `d=Mill&x=Power%2F60&name=Minutes&d=Plant&t=A.Flow&of=TimeAverage2+30+s`);
  await page
    .getByRole('row', { name: /Minutes/ })
    .getByText('expression of averages of 5 s')
    .waitFor();
  await page.locator('.top-bar .menu > button').first().click();
  await page.getByRole('menuitem', { name: /^Save this trend as…/ }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Of the mill');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const id = new URL(page.url()).searchParams.get('view');
  const saved = (await (await fetch(`${server.url}/api/views/${id}`)).json()) as {
    readonly datasets: readonly string[];
    readonly content: { readonly link: string };
  };
  assert.deepEqual(saved.datasets, ['Mill', 'Plant']);
  assert.match(saved.content.link, /^d=Mill&x=Power\/60&name=Minutes&d=Plant&t=A\.Flow&of=TimeAverage2\+30\+s&/);

  await page.goto(`${server.url}/?view=${id}`);
  await page
    .getByRole('row', { name: /Minutes/ })
    .getByText('expression of averages of 5 s')
    .waitFor();
  await page
    .getByRole('row', { name: /A\.Flow/ })
    .getByText('average of 30 s')
    .waitFor();
  const tiles = [{ kind: 'trend', view: id, columns: 6, rows: 4 }];
  const board = { kind: 'dashboard', name: 'Room', folder: '', datasets: ['Mill', 'Plant'], content: { tiles } };
  const { id: boardId } = await send<{ id: string }>('/views', board);
  await page.goto(`${server.url}/?view=${boardId}`);
  const tile = page.getByRole('region', { name: 'Trend Of the mill' });
  await tile.locator('.band-title').getByText('expression of averages of 5 s').waitFor();
  await tile.locator('.band-title').getByText('average of 30 s').waitFor();
  assert.deepEqual(faults, []);
});

test('in a live window it follows what is written', options, async (t) => {
  const write = (value: number) => send('/datasets/Plant/data', { 'Live.Level': [{ t: iso(Date.now()), v: value }] });
  await write(1);
  const { page, faults } = await openTrend(t, 'd=Plant&x=Live.Level*1000', 'from=-15m&to=now');
  await page
    .getByRole('row', { name: /Live\.Level\*1000/ })
    .getByText('expression of averages of 5 s')
    .waitFor();
  // The newest point holds only until the next one: what is written goes on until it is seen.
  const endMs = performance.now() + 60_000;
  const most = async (): Promise<number> => Math.max(0, ...(await numbersOf(page, 'Live.Level*1000')));
  while ((await most()) < 6000 && performance.now() < endMs) {
    await write(7);
    await page.waitForTimeout(500);
  }
  assert.ok((await most()) >= 6000, `${await most()}`);
  assert.deepEqual(faults, []);
});

test('it is compared with the period before', options, async (t) => {
  const halfMs = START_MS + 60_000;
  const points = Array.from({ length: 120 }, (_, i) => ({ t: iso(START_MS + i * 1000), v: i < 60 ? 2 : 4 }));
  await send('/datasets/Plant/data', { Compared: points });
  const range = `from=${iso(halfMs)}&to=${iso(halfMs + 59_000)}&compare=1m`;
  const { page, faults } = await openTrend(t, 'd=Plant&x=Compared*10', range);
  const row = page.getByRole('row', { name: /Remove Compared\*10/ });
  await row.getByText('expression of averages of 1 s').waitFor();
  await page.locator('.surface').focus();
  await page.keyboard.press('ArrowRight');
  await row.getByRole('cell', { name: '20', exact: true }).waitFor();
  assert.deepEqual((await numbersOf(page, 'Compared*10')).slice(0, 4), [40, 20, 40, 40]);
  assert.deepEqual(faults, []);
});

test('when one of its tags goes while it is live, it says so', options, async (t) => {
  await send('/datasets/Plant/data', { 'Gone.Soon': [{ t: iso(Date.now() - 5000), v: 1 }] });
  const { page, faults } = await openTrend(t, 'd=Plant&x=Gone.Soon*10', 'from=-2m&to=now');
  const row = page.getByRole('row', { name: /Remove Gone\.Soon\*10/ });
  await row.getByText('expression of averages of 1 s').waitFor();
  const path = `${server.url}/api/datasets/Plant/tags`;
  const answer = await fetch(path, { method: 'DELETE', body: JSON.stringify(['Gone.Soon']) });
  assert.ok(answer.ok, await answer.text());
  await page.getByRole('row', { name: /^Tag 'Gone\.Soon' could not be found/ }).waitFor();
  assert.deepEqual(withoutRefusals(faults), []);
});
