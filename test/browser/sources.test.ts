// The page of sources: the state of a broker with the last message that was bad, that of a collector, clients that write, and how a
// source is connected.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { Broker, skipWithoutBroker } from '../server/doors/mqtt/support/broker.ts';
import { connectClient, publishAll } from '../server/doors/mqtt/support/client.ts';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, post, sharedBrowser, waitUntil } from '../support/browser.ts';
import { freeLowPorts } from '../support/low-ports.ts';
import { ServerProcess } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

/** A figure of the first source. */
async function figure(dialog: Locator, label: string): Promise<string | null> {
  return dialog
    .locator('.source-card')
    .first()
    .locator('dl > div', { hasText: label })
    .first()
    .locator('dd')
    .textContent();
}

test('a source is shown with its state and its last bad message', {
  skip: noBrowser || skipWithoutBroker,
}, async (t) => {
  const broker = await Broker.forTest(t);
  const file = join(makeTempFolder(t), 'mqtt.json');
  const topics = [{ topic: 'a/{tag}', dataset: 'plant', tag: '{tag}', payload: { format: 'plain', type: 'number' } }];
  writeFileSync(file, JSON.stringify({ sources: [{ name: 'line-1', url: broker.url, topics }] }));
  const server = await ServerProcess.start({ flags: ['--mqtt', file] });
  t.after(() => server.stop());
  assert.ok(await server.findLog(/broker is connected/));
  const client = await connectClient(t, broker.url);
  await publishAll(client, [
    ['a/speed', '1'],
    ['a/speed', 'fast'],
  ]);
  const browser = await sharedBrowser();
  const { page, faults } = await openPage(browser, server.url);
  t.after(() => page.context().close());
  await page.getByText('line-1: connected, 1 bad').click();
  const dialog = page.getByRole('dialog', { name: 'Sources' });
  await dialog.getByText('The last messages that could not become points').click();
  await dialog.getByText("a/speed: got 'fast'; want a number").waitFor();
  await dialog.getByText(broker.url).waitFor();
  // It is asked again while the page is open.
  await publishAll(client, [['a/speed', '2']]);
  await waitUntil(async () => (await figure(dialog, 'stored')) === '2', { what: 'the second point is told' });
  assert.equal(await figure(dialog, 'bad'), '1');
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(faults, []);
});

test('on a server without datasets a collector whose server is away is shown with what is wrong, in words', {
  skip: noBrowser,
}, async (t) => {
  const [port = 0] = await freeLowPorts(1);
  const folder = makeTempFolder(t);
  const file = join(folder, 'opcua.json');
  const endpoints = [`opc.tcp://127.0.0.1:${port}`];
  writeFileSync(file, JSON.stringify({ target: { dataset: 'plant' }, endpoints, nodes: [{ paths: ['Line1/*'] }] }));
  const server = await ServerProcess.start({ flags: ['--opcua', file] });
  t.after(() => server.stop());
  assert.ok(await server.findLog(/cannot be reached/));
  const browser = await sharedBrowser();
  const { page, faults } = await openPage(browser, server.url);
  t.after(() => page.context().close());
  await page.getByText('plant: not connected, trying again').click();
  const dialog = page.getByRole('dialog', { name: 'Sources' });
  await dialog.getByText(`${endpoints[0]} cannot be reached: nothing listens there`).waitFor();
  assert.deepEqual(
    [await figure(dialog, 'stored'), await figure(dialog, 'filtered'), await figure(dialog, 'buffered on disk')],
    ['0', '0', 'nothing'],
  );
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(faults, []);
});

test('without sources the page says how one is connected; by keys and at 390 px', { skip: noBrowser }, async (t) => {
  const server = await ServerProcess.start();
  t.after(() => server.stop());
  const browser = await sharedBrowser();
  const { page, faults } = await openPage(browser, server.url, { viewport: { width: 390, height: 800 } });
  t.after(() => page.context().close());
  await page.getByRole('button', { name: 'Datasets and tags' }).click();
  const button = page.getByRole('button', { name: 'All sources' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sources' });
  await dialog.getByText('Nothing has brought points since the server was started.').waitFor();
  assert.equal(await dialog.getByRole('link', { name: 'MQTT, Sparkplug B' }).getAttribute('href'), '/docs/mqtt');
  for (const link of await dialog.getByRole('link').all()) {
    const answer = await fetch(server.url + (await link.getAttribute('href')));
    assert.equal(answer.status, 200, answer.url);
    await answer.arrayBuffer();
  }
  await post(`${server.url}/api/datasets/plant/data`, { speed: [{ t: '2026-01-01T00:00:00Z', v: 1 }] });
  await dialog.getByText('node to plant').waitFor();
  await dialog.getByText(/^wrote \d+ s ago$/).waitFor();
  const widthPx = (await dialog.boundingBox())?.width ?? 0;
  assert.ok(widthPx > 300 && widthPx <= 390, `${widthPx} px`);
  assert.equal(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth), true);
  assert.deepEqual(await seriousFindings(page), []);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await button.evaluate((element) => element === element.ownerDocument.activeElement), true);
  assert.deepEqual(faults, []);
});
