// A dataset on a real disk that is written all the time while somebody copies its folder, and what it must then hold.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Engine, type EngineTunables, openEngine } from '../../engine/index.ts';
import { type NumberPoint, writeNumbers } from './engine-points.ts';
import { ManualClock } from './manual-clock.ts';

const TAGS = 12;
export const START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Everything turns over within a few requests. */
export const SMALL: Partial<EngineTunables> = {
  blockPoints: 32,
  headLimitBytes: 20_000,
  journalFileBytes: 8_000,
  journalLimitBytes: 30_000,
  maxSpills: 2,
  tagFileBytes: 3_000,
  tagFileSpanMs: 5 * DAY_MS,
  systemTagIntervalMs: 0,
  diskReserveBytes: 0,
  sliceMs: 0,
};

/** A dataset that is written all the time, by a clock that only the test turns. */
export class LivePlant {
  readonly clock = new ManualClock(START_MS);
  readonly folder: string;
  engine!: Engine;
  /** What was acknowledged, by tag. */
  readonly acknowledged = new Map<string, NumberPoint[]>();
  /** Between requests; shorter while a slow copy is under way, so that purge does not take all that it is compared with. */
  stepMs = HOUR_MS;
  #round = 0;
  #timeMs = START_MS;

  constructor(context: TestContext) {
    this.folder = mkdtempSync(join(tmpdir(), 'varve-copy-'));
    context.after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async open(tunables: Partial<EngineTunables> = {}): Promise<void> {
    this.engine = await openEngine({ folder: this.folder, clock: this.clock, tunables: { ...SMALL, ...tunables } });
    await this.engine.createDataset({ name: 'd', purgeAgeDays: 20, purgeSizeGb: 0 });
  }

  /** One request: a few points of some tags, an hour later than the last; and a second for the upkeep. */
  async write(): Promise<void> {
    const round = this.#round++;
    this.#timeMs += this.stepMs;
    const tags: Record<string, NumberPoint[]> = {};
    for (let tag = round % 3; tag < TAGS; tag += 1 + (round % 2)) {
      tags[`T${tag}`] = [0, 1, 2].map((i) => ({ ms: this.#timeMs + i, value: Math.sin(round * 31 + tag * 7 + i) }));
    }
    await writeNumbers(this.engine, 'd', tags);
    for (const [name, points] of Object.entries(tags)) {
      this.acknowledged.set(name, [
        ...(this.acknowledged.get(name) ?? []),
        ...points.map((point) => ({ ...point, quality: 192 })),
      ]);
    }
    this.clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }

  async writeMany(requests: number): Promise<void> {
    for (let i = 0; i < requests; i++) await this.write();
  }

  snapshot(): Map<string, NumberPoint[]> {
    return new Map([...this.acknowledged].map(([name, points]) => [name, [...points]]));
  }
}
