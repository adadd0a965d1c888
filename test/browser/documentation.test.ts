// The documentation that the server gives out, and the page of the API: read by everybody, light and dark.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { seriousFindings } from '../support/accessibility.ts';
import { noBrowser, openPage, sharedBrowser } from '../support/browser.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

const folder = temporaryFolder();
let browser: Browser;
let server: ServerProcess;

before(async () => {
  if (noBrowser !== false) return;
  browser = await sharedBrowser();
  server = await ServerProcess.start({ dataFolder: folder });
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`${colorScheme}, nothing is too pale, and one page leads to the other`, {
    skip: noBrowser,
    timeout: 120_000,
  }, async (t) => {
    const { page, faults } = await openPage(browser, `${server.url}/docs`, { colorScheme });
    t.after(() => page.context().close());
    await page.getByRole('navigation').getByRole('link', { name: 'The Explorer', exact: true }).click();
    await page.getByRole('heading', { name: 'Limits', exact: true }).waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await page.getByRole('link', { name: 'API to try out' }).click();
    await page
      .getByRole('button', { name: /\/api\/datasets$/ })
      .first()
      .waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    const isDark = await page.locator('html.dark-mode').count();
    assert.equal(isDark, colorScheme === 'dark' ? 1 : 0);
    await page.getByRole('link', { name: 'The API in words' }).click();
    await page.getByRole('heading', { name: 'Tags', exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });
}
