// Looking at a server of OPC UA on the page of sources: words, levels, values, ticks, and a file that a collector takes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCollectConfig } from '../../server/commands/collect/collect-config.ts';
import { OpcUaTestServer } from '../collect/support/opcua-server.ts';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser } from '../support/browser.ts';
import { ServerProcess } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

test('an endpoint is tried and browsed at 390 px, and what is ticked becomes a file that a collector reads', {
  skip: noBrowser,
}, async (t) => {
  const folder = makeTempFolder(t);
  const plant = await OpcUaTestServer.start({ folder, port: 0, variables: [{ name: 'Speed' }, { name: 'In/Out' }] });
  t.after(() => plant.stop());
  plant.set('Speed', 12.5, Date.UTC(2026, 0, 1));
  const server = await ServerProcess.start();
  t.after(() => server.stop());
  const browser = await sharedBrowser();
  const { page, faults } = await openPage(browser, server.url, { viewport: { width: 390, height: 800 } });
  t.after(() => page.context().close());
  await page.getByRole('button', { name: 'Datasets and tags' }).click();
  await page.getByRole('button', { name: 'All sources' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sources' });
  await dialog.getByRole('button', { name: 'Try an endpoint' }).click();
  await dialog.getByLabel('Endpoint').fill('opc.tcp://127.0.0.1:1');
  await page.keyboard.press('Enter');
  await dialog.getByText('It is not open: nothing listens there').waitFor();
  await dialog.getByLabel('Endpoint').fill(plant.url);
  await page.keyboard.press('Enter');
  await dialog.getByText('It is open. Tick what is to be collected.').waitFor();
  await dialog.getByText(/Basic256Sha256 with SignAndEncrypt/).waitFor();
  await dialog.getByRole('button', { name: 'What is below Line1' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('12.5').waitFor();
  plant.set('Speed', 13.5, Date.UTC(2026, 0, 1, 1));
  await dialog.getByRole('button', { name: 'Read the values again' }).click();
  await dialog.getByText('13.5').waitFor();
  await dialog.getByRole('checkbox', { name: 'Speed' }).check();
  await dialog.getByRole('checkbox', { name: 'In/Out' }).check();
  assert.equal(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth), true);
  assert.deepEqual(await seriousFindings(page), []);
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save opcua.json' }).click();
  const path = join(folder, 'opcua.json');
  await (await saving).saveAs(path);
  const config = readCollectConfig(path, { readFile: (file) => readFileSync(file, 'utf8'), environment: {} });
  assert.deepEqual(config.endpoints, [plant.url]);
  assert.deepEqual(
    config.nodes.map(({ paths, ids }) => [paths, ids]),
    [
      [['Line1/Speed'], []],
      [[], ['ns=1;s=Line1.In/Out']],
    ],
  );
  assert.deepEqual(faults, []);
});
