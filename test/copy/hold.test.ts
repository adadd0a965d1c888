// A file HOLD in a dataset's folder: while it is there and not older than a day, nothing is removed for whatever reason.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Engine, EngineTunables } from '../../engine/index.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../support/engine-points.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FOLDER = `${DATA_FOLDER}/d`;

/** Everything turns over within a few requests, and nothing is kept for copies. */
const SMALL: Partial<EngineTunables> = {
  blockPoints: 32,
  headLimitBytes: 15_000,
  journalFileBytes: 2_000,
  journalLimitBytes: 10_000,
  retiredFileMs: 0,
  maxSpills: 1,
  tagFileBytes: 1_000,
  tagFileSpanMs: 3 * DAY_MS,
  purgeIntervalMs: 5_000,
  systemTagIntervalMs: 0,
  diskReserveBytes: 0,
};

class HeldPlant {
  readonly clock = new ManualClock(START_MS);
  readonly vfs: MemoryVfs;
  engine!: Engine;
  #round = 0;

  constructor() {
    this.vfs = makeDisk({ nowMs: () => this.clock.nowMs() });
  }

  async open(): Promise<void> {
    this.engine = await openTestEngine({
      vfs: this.vfs,
      clock: this.clock,
      random: new SeededRandom(3),
      tunables: SMALL,
    });
    await this.engine.createDataset({ name: 'd', purgeAgeDays: 10, purgeSizeGb: 0 });
    this.clock.advance(2 * HOUR_MS); // purge by age trusts the clock only after an hour
  }

  /** Points of so many days, one an hour; the clock moves on by a second with each request. */
  async writeDays(days: number): Promise<void> {
    for (let hour = 0; hour < 24 * days; hour += 2) {
      const ms = START_MS - 90 * DAY_MS + this.#round++ * 2 * HOUR_MS;
      const points: NumberPoint[] = [0, 1].map((i) => ({ ms: ms + i * HOUR_MS, value: Math.sin(ms + i) }));
      await writeNumbers(this.engine, 'd', { A: points, B: points, C: points });
      this.clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.engine.purge();
  }

  hold(): void {
    this.vfs.openSync(`${FOLDER}/HOLD`, 'write').closeSync();
  }

  /** Everything but what is replaced as a whole. */
  files(): Set<string> {
    return new Set(this.vfs.files().filter((path) => /\/(journal|spill|tags)\/.*\d$/.test(path)));
  }

  gone(before: ReadonlySet<string>): string[] {
    const now = this.files();
    return [...before].filter((path) => !now.has(path));
  }
}

describe('a file HOLD (D12)', () => {
  it('keeps every journal, spill and tag file; when it goes, what is superfluous goes', async () => {
    const plant = new HeldPlant();
    await plant.open();
    await plant.writeDays(20);
    const free = plant.files();
    await plant.writeDays(10);
    assert.ok(plant.gone(free).length >= 3, 'without HOLD files come and go');
    plant.hold();
    const held = plant.files();
    await plant.writeDays(30);
    await plant.engine.deleteTags('d', ['C']);
    await plant.writeDays(5);
    assert.deepEqual(plant.gone(held), []);
    const more = plant.files().size;
    assert.ok(more > held.size + 10, `${held.size} files were held, and ${more} are there`);
    plant.vfs.removeSync(`${FOLDER}/HOLD`);
    plant.clock.advance(3000);
    await plant.engine.purge();
    assert.ok(plant.files().size < more / 2, `${plant.files().size} of ${more} files are left`);
    assert.equal((await readNumbers(plant.engine, 'd', 'A')).gaps.length, 0);
    await plant.engine.close();
  });

  it('holds no longer than a day', async () => {
    const plant = new HeldPlant();
    await plant.open();
    plant.hold();
    await plant.writeDays(10);
    const held = plant.files();
    plant.clock.advance(DAY_MS - HOUR_MS);
    await plant.writeDays(2);
    assert.deepEqual(plant.gone(held), []);
    plant.clock.advance(2 * HOUR_MS);
    await plant.writeDays(2);
    assert.ok(plant.gone(held).length > 0);
    await plant.engine.close();
  });

  it('keeps over a restart what it has kept before, and no point is doubled by it', async () => {
    const plant = new HeldPlant();
    await plant.open();
    plant.hold();
    await plant.writeDays(30);
    const before = await readNumbers(plant.engine, 'd', 'A');
    const held = plant.files();
    await plant.engine.close();
    await plant.open();
    assert.deepEqual(plant.gone(held), []);
    assert.deepEqual(await readNumbers(plant.engine, 'd', 'A'), before);
    await plant.engine.close();
  });
});
