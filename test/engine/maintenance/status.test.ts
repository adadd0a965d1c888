// Statuses of a collector: what was posted last is the state, what is there already is counted as repeated, and the watch
// over the heartbeat follows the state.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Engine, StatusPoint, WriteReceipt } from '../../../engine/index.ts';
import { turnUntil } from '../../crash/crash-machine.ts';
import { readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DATASET = 'd';

class Plant {
  engine!: Engine;
  #clock = new ManualClock(START_MS);
  #disk = makeDisk({});

  async open(): Promise<void> {
    const options = { vfs: this.#disk, clock: this.#clock, random: new SeededRandom(1) };
    this.engine = await this.turn(
      openTestEngine({ ...options, tunables: { systemTagIntervalMs: 0, diskReserveBytes: 0 } }),
    );
    await this.turn(this.engine.createDataset({ name: DATASET, purgeAgeDays: 0, purgeSizeGb: 0 }));
  }

  async restart(end: 'stop' | 'kill'): Promise<void> {
    const before = this.#disk;
    if (end === 'stop') await this.turn(this.engine.close());
    this.#disk = before.crashClone({ content: 'nothing', entries: 'nothing', random: new SeededRandom(2) });
    before.halt();
    this.#clock = new ManualClock(this.#clock.nowMs());
    await this.open();
  }

  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      this.#clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Posts one request; times in ms behind the start. */
  async post(...statuses: readonly (readonly [timeMs: number | undefined, quality: number])[]): Promise<WriteReceipt> {
    const points = statuses.map(([timeMs, quality]): StatusPoint => {
      const time = timeMs === undefined ? undefined : { ms: START_MS + timeMs, ticks: 0 };
      return { time, quality };
    });
    return this.turn(this.engine.postStatus(DATASET, points));
  }

  async qualities(): Promise<number[]> {
    const { points } = await this.turn(readNumbers(this.engine, DATASET, 'Status'));
    return points.map(({ quality }) => quality);
  }

  async write(): Promise<void> {
    await this.turn(writeNumbers(this.engine, DATASET, { T: [{ ms: this.#clock.nowMs(), value: 1 }] }));
  }

  turn<T>(work: Promise<T>): Promise<T> {
    return turnUntil(work, this.#clock);
  }
}

async function openPlant(): Promise<Plant> {
  const plant = new Plant();
  await plant.open();
  return plant;
}

const counts = ({ written, repeated, ignored }: WriteReceipt) => ({ written, repeated, ignored });

describe('statuses of one time', () => {
  for (const end of ['stop', 'kill'] as const)
    it(`the last one that was posted is the state, also after a ${end}`, async () => {
      const plant = await openPlant();
      for (const quality of [28, 24, 28])
        assert.deepEqual(counts(await plant.post([0, quality])), { written: 1, repeated: 0, ignored: 0 });
      assert.deepEqual(await plant.qualities(), [28, 24, 28]);
      await plant.restart(end);
      assert.deepEqual(await plant.qualities(), [28, 24, 28]);
      await plant.post([0, 24]);
      await plant.post([0, 28]);
      await plant.post([0, 24]);
      assert.deepEqual(await plant.qualities(), [28, 24, 28, 24, 28, 24]);
    });

  it('one request holds them in their order', async () => {
    const plant = await openPlant();
    const receipt = await plant.post([0, 28], [0, 24], [0, 28]);
    assert.deepEqual(counts(receipt), { written: 3, repeated: 0, ignored: 0 });
    assert.deepEqual(await plant.qualities(), [28, 24, 28]);
  });

  it('of the time of receipt count alike', async () => {
    const plant = await openPlant();
    for (const quality of [28, 24, 24, 28]) await plant.post([undefined, quality]);
    assert.deepEqual(await plant.qualities(), [28, 24, 28]);
  });
});

describe('a status that is there already', () => {
  it('is counted as repeated when it is equal to the newest one', async () => {
    const plant = await openPlant();
    await plant.post([0, 28]);
    assert.deepEqual(counts(await plant.post([0, 28])), { written: 0, repeated: 1, ignored: 0 });
    const receipt = await plant.post([0, 24], [0, 24], [0, 24]);
    assert.deepEqual(counts(receipt), { written: 1, repeated: 2, ignored: 0 });
    assert.equal(receipt.tags.get('Status')?.repeated, 2);
    assert.deepEqual(await plant.qualities(), [28, 24]);
  });

  it('is counted as repeated when it is one of many heartbeats', async () => {
    const plant = await openPlant();
    assert.equal((await plant.post([undefined, 192])).written, 1);
    await plant.pass(5);
    assert.deepEqual(counts(await plant.post([undefined, 192])), { written: 0, repeated: 1, ignored: 0 });
  });

  it('is not stored twice when a request of several is sent again, also after a kill', async () => {
    const plant = await openPlant();
    await plant.post([-1000, 192]);
    const request = [
      [0, 192],
      [0, 28],
      [0, 24],
    ] as const;
    await plant.post(...request);
    assert.deepEqual(await plant.qualities(), [192, 28, 24]);
    assert.deepEqual(counts(await plant.post(...request)), { written: 0, repeated: 3, ignored: 0 });
    await plant.restart('kill');
    assert.deepEqual(counts(await plant.post(...request)), { written: 0, repeated: 3, ignored: 0 });
    assert.deepEqual(await plant.qualities(), [192, 28, 24]);
  });

  it('does not come back as the state when a later one has followed', async () => {
    const plant = await openPlant();
    await plant.post([0, 28], [0, 24]);
    await plant.post([1000, 192]);
    for (const quality of [28, 24])
      assert.deepEqual(counts(await plant.post([0, quality])), { written: 0, repeated: 1, ignored: 0 });
    assert.deepEqual(await plant.qualities(), [28, 24, 192]);
  });
});

describe('the watch over the heartbeat', () => {
  for (const end of ['running on', 'stop', 'kill'] as const)
    it(`goes by the last one of equal times (${end})`, async () => {
      const plant = await openPlant();
      await plant.post([0, 28]);
      await plant.post([0, 192]);
      await plant.post([0, 28]);
      if (end !== 'running on') await plant.restart(end);
      await plant.pass(15);
      assert.deepEqual(await plant.qualities(), [28, 192, 28]);
      await plant.post([0, 192]);
      await plant.pass(15);
      assert.deepEqual(await plant.qualities(), [28, 192, 28, 192, 64]);
    });

  it('is not begun by a heartbeat of the past that is sent again', async () => {
    const plant = await openPlant();
    await plant.post([0, 192]);
    await plant.post([1000, 28]);
    await plant.post([0, 192]);
    await plant.pass(15);
    assert.deepEqual(await plant.qualities(), [192, 28]);
  });

  it('takes one that is sent again as a sign of life', async () => {
    const plant = await openPlant();
    await plant.post([0, 192]);
    await plant.pass(15);
    assert.deepEqual(await plant.qualities(), [192, 64]);
    await plant.post([0, 192]);
    await plant.pass(1);
    await plant.write();
    assert.deepEqual(await plant.qualities(), [192, 64, 192]);
    await plant.pass(15);
    assert.deepEqual(await plant.qualities(), [192, 64, 192, 64]);
  });
});
