// Debian's headless chromium for tests of the page: one browser and one server for all files of a process, and pages that note what a
// user must never see.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { buildExplorer } from './built-explorer.ts';
import { ServerProcess } from './server-process.ts';

/** For something to appear, on a busy machine. */
export const WAIT_LIMIT_MS = 90_000;
/** A browser without the frame of windows takes half of the processor time for a page. */
const EXECUTABLES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = EXECUTABLES.find((path) => existsSync(path)) ?? '';

/** False when there is a browser, else why the test is left out. */
export const noBrowser =
  executablePath !== '' ? false : 'chromium-headless-shell is not installed (scripts/install-test-packages.sh)';

/** What the files that share this process use together; ended behind its last test. */
const shared: { browser?: Promise<Browser>; server?: Promise<ServerProcess> } = {};
after(async () => {
  await (await shared.browser)?.close();
  await (await shared.server)?.stop();
});

/** The one browser of this process; the page is built before it starts. */
export function sharedBrowser(): Promise<Browser> {
  shared.browser ??= launchBrowser();
  return shared.browser;
}

/** One server with the default flags, for files whose datasets have names of their own. */
export function sharedServer(): Promise<ServerProcess> {
  shared.server ??= ServerProcess.start();
  return shared.server;
}

/** A browser of one's own, for programs. The page is built before it starts. */
export function launchBrowser(): Promise<Browser> {
  buildExplorer();
  const isRoot = process.getuid?.() === 0;
  const args = ['--disable-dev-shm-usage', ...(isRoot ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath, args });
}

interface Wait {
  /** Said when it does not come. */
  readonly what?: string;
  readonly limitMs?: number;
}

/** Polls from here: the policy of the page lets nothing be evaluated inside of it later on. */
export async function waitUntil(check: () => Promise<boolean> | boolean, wait: Wait = {}): Promise<void> {
  const { what = String(check), limitMs = WAIT_LIMIT_MS } = wait;
  for (const until = Date.now() + limitMs; Date.now() < until; ) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not within ${limitMs} ms: ${what}`);
}

/** Sends JSON that must be taken. */
export async function post(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(answer.status < 300, true, await answer.text());
}

export interface WatchedPage {
  readonly page: Page;
  /** Errors of the console and the page, and requests to other hosts. */
  readonly faults: string[];
}

/** A page of a window of its own at the server's address; `script` runs in it before its own, `prepare` before it is opened. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  script?: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<WatchedPage> {
  const settings = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' as const, ...options };
  const context = await browser.newContext(settings);
  if (script !== undefined) await context.addInitScript({ content: script });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`page: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    const isOwn = host === new URL(url).host || protocol === 'blob:' || protocol === 'data:';
    if (!isOwn) faults.push(`request to ${request.url()}`);
  });
  await prepare?.(page);
  await page.goto(url);
  return { page, faults };
}
