// A trend that is looked at: what its table shows at places of the chart, what it weighs, and what it has asked for.

import type { CDPSession, Page, Request } from 'playwright-core';
import type { SeededRandom } from '../../support/seeded-random.ts';

/** The value and quality of a tag as they stand in the table. */
export interface ShownValue {
  readonly value: string;
  readonly quality: string;
}

export interface Look {
  /** The time under the cursor, cut to a second. */
  readonly timeMs: number;
  /** The page's own clock. */
  readonly nowMs: number;
  /** Whether the page says that nobody answers. */
  readonly isDown: boolean;
  /** By the names of the tags. */
  readonly values: ReadonlyMap<string, ShownValue>;
}

const LOOK = `(() => {
  const flag = document.querySelector('.cursor:not(.marked) .flag');
  const rows = [...document.querySelectorAll('.values tbody tr')].map((row) => [
    row.querySelector('.tag-name')?.getAttribute('title') ?? row.querySelector('.tag-name')?.textContent ?? '',
    { value: row.querySelector('td.strong')?.textContent ?? '', quality: row.querySelector('td.quality')?.textContent ?? '' },
  ]);
  return { time: flag?.textContent ?? '', nowMs: Date.now(), isDown: document.querySelector('.live.down') !== null, rows };
})()`;

interface PageLook {
  readonly time: string;
  readonly nowMs: number;
  readonly isDown: boolean;
  readonly rows: readonly (readonly [string, ShownValue])[];
}

export class WatchedTrend {
  /** Reads that were begun: of the chart, and of all else on the page. */
  readonly reads = { chart: 0, others: 0 };
  readonly #page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
    page.on('request', (request) => this.#count(request));
  }

  static async of(page: Page): Promise<WatchedTrend> {
    return new WatchedTrend(page, await page.context().newCDPSession(page));
  }

  #count(request: Request): void {
    if (!/\/read$/.test(new URL(request.url()).pathname)) return;
    if ((request.postData() ?? '').includes('$System.Status')) this.reads.chart++;
    else this.reads.others++;
  }

  /** Points at some place of the chart; undefined where that says no time, or the page took long to show it. */
  async look(random: SeededRandom): Promise<Look | undefined> {
    const box = await this.#page.locator('.band canvas').first().boundingBox();
    if (box === null) return undefined;
    // The present and the shortly past, where a line may be carried too far, are looked at as often as all else.
    const share = random.chance(0.5) ? random.unit() : 0.85 + random.unit() * 0.15;
    const begunMs = performance.now();
    await this.#page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
    await this.#page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    return this.#read(begunMs);
  }

  /** Looks at the same place once more. */
  again(): Promise<Look | undefined> {
    return this.#read(performance.now());
  }

  async #read(begunMs: number): Promise<Look | undefined> {
    const { time, nowMs, isDown, rows } = await this.#page.evaluate<PageLook>(LOOK);
    const timeMs = Date.parse(`${time.replace(' ', 'T')}Z`);
    const isJammed = performance.now() - begunMs > 2000;
    return Number.isNaN(timeMs) || isJammed ? undefined : { timeMs, nowMs, isDown, values: new Map(rows) };
  }

  /** What is in use behind a collection of garbage. */
  async heapMegabytes(): Promise<number> {
    await this.#session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#session.send('Runtime.getHeapUsage');
    return usedSize / 2 ** 20;
  }
}
