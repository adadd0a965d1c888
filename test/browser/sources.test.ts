// The list of sources on the page: the state of a broker with the last message that was bad, and that of a collector.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Broker, skipWithoutBroker } from '../server/doors/mqtt/support/broker.ts';
import { connectClient, publishAll } from '../server/doors/mqtt/support/client.ts';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser } from '../support/browser.ts';
import { freeLowPorts } from '../support/low-ports.ts';
import { ServerProcess } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

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
  const summary = page.getByText('line-1: connected, 1 bad');
  await summary.click();
  await page.getByText("a/speed: got 'fast'; want a number").waitFor();
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
  await page.getByText('OPC UA, plant: not connected, trying again').click();
  await page.getByText(`${endpoints[0]} cannot be reached: nothing listens there`).waitFor();
  await page.getByText('0 stored, 0 filtered; nothing waits on disk').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(faults, []);
});
