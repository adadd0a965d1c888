// Live mode over a line that is cut, silent, slow or hanging every few minutes: what two trends show at random moments and
// places is what the server had, nothing is shown for what was not read, memory stays, and reads are few.
//
// Command: npm run campaign live-line -- [--seed <n>] [--count <minutes>] [--extent slice|full]

import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { launchBrowser, openPage } from '../../support/browser.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../../support/campaign.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { FlawedLine, TROUBLES, type Trouble } from './flawed-line.ts';
import { judge } from './judge.ts';
import { DATASET, SlowPlant, TAGS } from './slow-plant.ts';
import { type Look, WatchedTrend } from './watched-trend.ts';

const MINUTE_MS = 60_000;
const WRITE_MS = 500;
const MOMENTS_AN_HOUR = 200;
const LEAST_MOMENTS = 15;
/** Older points than this have come, where the line lets them. */
const SETTLE_MS = 10_000;
/** For a value that the page has still to read. */
const LATE_LIMIT_MS = 90_000;
const LOOK_AGAIN_MS = 500;
/** The window of 15 minutes is read once a second at most, and as a whole now and then. */
const MOST_READS_A_MINUTE = 70;
/** Least and most, of the time without trouble and with it. */
interface Pauses {
  readonly restMs: readonly [number, number];
  readonly troubleMs: readonly [number, number];
}

const LONG_PAUSES: Pauses = { restMs: [60_000, 180_000], troubleMs: [5000, 75_000] };
const SHORT_PAUSES: Pauses = { restMs: [6000, 10_000], troubleMs: [4000, 12_000] };
/** Runs shorter than this have shorter troubles, and say nothing of memory. */
const LONG_MINUTES = 10;
const MOST_GROWTH = 1.25;
const GROWTH_MEGABYTES = 2;
/**
 * Windows with all points, and with what a pixel can show of them. A line goes on so far behind the last answer, until the
 * next one is overdue: the pause between two, and two seconds.
 */
const WINDOWS = [
  { from: '-15m', pixelMs: 0, aheadMs: 5000 },
  { from: '-4h', pixelMs: 60_000, aheadMs: 11_000 },
] as const;

interface Watched {
  readonly from: string;
  readonly pixelMs: number;
  readonly aheadMs: number;
  readonly trend: WatchedTrend;
  readonly heapMegabytes: number[];
  readonly readsAMinute: number[];
}

/** Everything that goes on beside the looks; ends with the signal. */
interface Stage {
  readonly url: string;
  readonly random: SeededRandom;
  readonly isLong: boolean;
  readonly signal: AbortSignal;
  readonly failures: string[];
}

/** What had been stored when: points until `toMs` by `storedMs`. */
interface Stored {
  readonly toMs: number;
  readonly storedMs: number;
}

export async function liveLine({ seed, count, onProgress }: CampaignRun): Promise<CampaignReport> {
  const random = new SeededRandom(seed);
  const line = await FlawedLine.open();
  const server = await ServerProcess.start({ flags: ['--allow-host', line.host] });
  line.target = Number(new URL(server.url).port);
  const browser = await launchBrowser();
  const ending = new AbortController();
  const isLong = count >= LONG_MINUTES;
  const stage: Stage = { url: server.url, random, isLong, signal: ending.signal, failures: [] };
  let beside: Promise<unknown> = Promise.resolve();
  try {
    const written = new Writing(new SlowPlant(server.url, random.fork()));
    await written.begin();
    const watched: Watched[] = [];
    for (const window of WINDOWS) {
      const trend = await openTrend(browser, `http://${line.host}`, window.from);
      watched.push({ ...window, trend, heapMegabytes: [], readsAMinute: [] });
    }
    const troubles = new Troubles(line, stage);
    beside = Promise.all([written.goOn(stage.signal), troubles.goOn(), ...watched.map((one) => weigh(one, stage))]);
    // Told below, when the looks are over.
    beside.catch(() => undefined);
    const trials = await lookAtMoments(stage, { watched, written, troubles, minutes: count, onProgress });
    ending.abort();
    await beside;
    const failures = [...stage.failures, ...watched.flatMap((one) => faultsOf(one, stage))];
    for (const one of watched) console.log(describe(one));
    console.log(`live-line: ${troubles.count} troubles; ${JSON.stringify(troubles.kinds)}`);
    return { trials, failures };
  } finally {
    ending.abort();
    await beside.catch(() => undefined);
    await browser.close();
    await line.close();
    await server.stop();
  }
}

async function openTrend(browser: Browser, url: string, from: string): Promise<WatchedTrend> {
  const tags = TAGS.map(({ n }) => `t=${n}`).join('&');
  const { page } = await openPage(browser, `${url}/#d=${DATASET}&${tags}&from=${from}`, {
    viewport: { width: 1280, height: 900 },
    timezoneId: 'UTC',
  });
  await page.locator('.values td.strong').first().waitFor();
  return WatchedTrend.of(page);
}

/** Waits, but not beyond the end of the run. */
async function rest(durationMs: number, signal: AbortSignal): Promise<void> {
  await sleep(durationMs, undefined, { signal }).catch(() => undefined);
}

/** The plant's points, and when they were stored. */
class Writing {
  readonly #plant: SlowPlant;
  #stored: Stored[] = [];
  #toMs = Date.now();

  constructor(plant: SlowPlant) {
    this.#plant = plant;
  }

  async begin(): Promise<void> {
    await this.#plant.begin(this.#toMs);
    this.#stored.push({ toMs: this.#toMs, storedMs: Date.now() });
  }

  async goOn(signal: AbortSignal): Promise<void> {
    for (;;) {
      await rest(WRITE_MS, signal);
      if (signal.aborted) return;
      const toMs = Date.now();
      await this.#plant.write(this.#toMs, toMs);
      this.#toMs = toMs;
      this.#stored = [...this.#stored, { toMs, storedMs: Date.now() }].slice(-300);
    }
  }

  /** Points until this time were stored well before a moment. */
  settledMs(momentMs: number): number {
    const settled = this.#stored.findLast(({ storedMs }) => storedMs <= momentMs - SETTLE_MS);
    return settled?.toMs ?? Number.NEGATIVE_INFINITY;
  }
}

/** Troubles of the line, one after the other. */
class Troubles {
  count = 0;
  readonly kinds: Partial<Record<Trouble, number>> = {};
  /** Since when nothing passes. */
  cutSinceMs: number | undefined;
  readonly #line: FlawedLine;
  readonly #stage: Stage;
  readonly #random: SeededRandom;

  constructor(line: FlawedLine, stage: Stage) {
    this.#line = line;
    this.#stage = stage;
    this.#random = stage.random.fork();
  }

  async goOn(): Promise<void> {
    const { isLong, signal } = this.#stage;
    const pauses = isLong ? LONG_PAUSES : SHORT_PAUSES;
    for (;;) {
      await rest(this.#random.between(...pauses.restMs), signal);
      if (signal.aborted) return;
      const trouble = TROUBLES[this.count++ % TROUBLES.length] as Trouble;
      this.kinds[trouble] = (this.kinds[trouble] ?? 0) + 1;
      this.#line.begin(trouble, this.#random.between(200, 1500));
      if (trouble === 'cut' || trouble === 'silent') this.cutSinceMs = Date.now();
      await rest(trouble === 'blip' ? 0 : this.#random.between(...pauses.troubleMs), signal);
      this.cutSinceMs = undefined;
      this.#line.mend();
    }
  }
}

/** Memory and reads, once a minute. */
async function weigh({ from, trend, heapMegabytes, readsAMinute }: Watched, { signal }: Stage): Promise<void> {
  for (;;) {
    const before = trend.reads.chart;
    await rest(MINUTE_MS, signal);
    if (signal.aborted) return;
    readsAMinute.push(trend.reads.chart - before);
    heapMegabytes.push(await trend.heapMegabytes());
    console.log(`live-line ${from}: ${readsAMinute.at(-1)} reads of the chart, ${heapMegabytes.at(-1)?.toFixed(1)} MB`);
  }
}

interface Moments {
  readonly watched: readonly Watched[];
  readonly written: Writing;
  readonly troubles: Troubles;
  readonly minutes: number;
  readonly onProgress: CampaignRun['onProgress'];
}

/** Resolves with how many looks there were. */
async function lookAtMoments(
  stage: Stage,
  { watched, written, troubles, minutes, onProgress }: Moments,
): Promise<number> {
  const startMs = performance.now();
  const count = Math.max(LEAST_MOMENTS, Math.round((MOMENTS_AN_HOUR * minutes) / 60));
  const moments = Array.from({ length: count }, () => stage.random.unit() * minutes * MINUTE_MS).sort((a, b) => a - b);
  let looks = 0;
  for (const momentMs of moments) {
    await rest(startMs + momentMs - performance.now(), stage.signal);
    for (const one of watched) {
      if (await lookOnce(stage, one, written, troubles)) looks++;
    }
    onProgress?.(looks, count * watched.length);
  }
  await rest(startMs + minutes * MINUTE_MS - performance.now(), stage.signal);
  return looks;
}

/** False where nothing could be told: the line changed meanwhile, or the machine was too busy to show it. */
async function lookOnce(stage: Stage, watched: Watched, written: Writing, troubles: Troubles): Promise<boolean> {
  const fail = (text: string): void => {
    const failure = `${watched.from}, ${new Date().toISOString()}: ${text}`;
    // The end of a long run may never come.
    console.log(`live-line: wrong: ${failure}`);
    stage.failures.push(failure);
  };
  const before = troubles.cutSinceMs;
  let look = await watched.trend.look(stage.random);
  if (look === undefined || before !== troubles.cutSinceMs) return false;
  const { pixelMs, aheadMs } = watched;
  const circumstances = { settledMs: written.settledMs(look.nowMs), cutSinceMs: before, pixelMs, aheadMs };
  let verdict = await judge(stage.url, look, circumstances);
  const endMs = performance.now() + LATE_LIMIT_MS;
  while (verdict === 'early') {
    if (performance.now() > endMs) {
      fail(`no value at ${new Date(look.timeMs).toISOString()} for ${LATE_LIMIT_MS / 1000} s`);
      return true;
    }
    await rest(LOOK_AGAIN_MS, stage.signal);
    const again: Look | undefined = await watched.trend.again();
    if (again === undefined) continue;
    look = again;
    verdict = await judge(stage.url, look, { ...circumstances, cutSinceMs: undefined });
  }
  if (typeof verdict === 'object') fail(verdict.wrong);
  return true;
}

function faultsOf({ from, heapMegabytes, readsAMinute }: Watched, { isLong }: Stage): string[] {
  const faults: string[] = [];
  const most = Math.max(0, ...readsAMinute);
  if (most > MOST_READS_A_MINUTE) faults.push(`${from}: ${most} reads of the chart in a minute`);
  const third = Math.floor(heapMegabytes.length / 3);
  const [early, late] = [median(heapMegabytes.slice(0, third)), median(heapMegabytes.slice(-third))];
  if (isLong && late > early * MOST_GROWTH + GROWTH_MEGABYTES) {
    faults.push(`${from}: the heap grew from ${early.toFixed(1)} to ${late.toFixed(1)} MB`);
  }
  return faults;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function describe({ from, heapMegabytes, readsAMinute, trend }: Watched): string {
  const heap = heapMegabytes.map((size) => size.toFixed(1));
  const reads = `${Math.min(...readsAMinute)} to ${Math.max(...readsAMinute)}, in the middle ${median(readsAMinute)}`;
  return `live-line ${from}: heap in MB, by minutes: ${heap.join(' ')}; reads of the chart a minute: ${reads}; others in all: ${trend.reads.others}`;
}

if (process.argv[1] === import.meta.filename) {
  await runAsProgram({ name: 'live-line', counts: { slice: 1, full: 60 } }, liveLine);
}
