// System tags after a clock that was wrong: their points of the far future are deleted once the clock can be trusted.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Engine, EngineEvent } from '../../../engine/index.ts';
import { turns, turnUntil } from '../../crash/crash-machine.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
const START_MS = Date.UTC(2026, 0, 1);
const SECOND = '$System.Second';

/** An engine under a clock that is turned, with one dataset that a client with the right time writes to. */
class Plant {
  readonly events: EngineEvent[] = [];
  readonly written: NumberPoint[] = [];
  trueMs = START_MS;
  engine!: Engine;
  #clock = new ManualClock(START_MS);
  #disk = makeDisk({});

  async open(): Promise<void> {
    this.engine = await this.turn(
      openTestEngine({
        vfs: this.#disk,
        clock: this.#clock,
        random: new SeededRandom(1),
        tunables: { systemTagIntervalMs: 5000, diskReserveBytes: 0 },
        listener: (event) => this.events.push(event),
      }),
    );
  }

  /** `kill`: the process is gone from one moment to the next. */
  async restart(end: 'stop' | 'kill'): Promise<void> {
    const before = this.#disk;
    if (end === 'stop') await this.turn(this.engine.close());
    this.#disk = before.crashClone({ content: 'everything', entries: 'everything', random: new SeededRandom(2) });
    before.halt();
    this.#clock = new ManualClock(this.#clock.nowMs());
    await this.open();
  }

  setWrong(byMs: number): void {
    this.#clock.setWall(this.trueMs + byMs);
  }

  async pass(minutes: number): Promise<void> {
    for (let i = 0; i < minutes; i++) {
      this.#clock.advance(MINUTE_MS);
      this.trueMs += MINUTE_MS;
      await this.turn(this.engine.purge());
    }
  }

  async write(): Promise<void> {
    const point = { ms: this.trueMs, value: this.written.length };
    await this.turn(writeNumbers(this.engine, 'd', { T: [point] }));
    this.written.push(point);
  }

  async seconds(): Promise<number[]> {
    const { points, gaps } = await readNumbers(this.engine, 'd', SECOND);
    assert.deepEqual(gaps, []);
    return points.map(({ ms }) => ms);
  }

  /** How far the newest system point is behind the right time, once what was recorded has reached the journal. */
  async behindMs(): Promise<number> {
    await turns(20);
    return this.trueMs - ((await this.seconds()).at(-1) ?? 0);
  }

  repairs(): EngineEvent[] {
    return this.events.filter(({ event }) => event === 'system-tags.cut');
  }

  turn<T>(promise: Promise<T>): Promise<T> {
    return turnUntil(promise, this.#clock);
  }
}

/** Two hours with the right time behind it, and a point each hour. */
async function openPlant(): Promise<Plant> {
  const plant = new Plant();
  await plant.open();
  await plant.turn(plant.engine.createDataset({ name: 'd', purgeAgeDays: 5, purgeSizeGb: 0 }));
  for (let hour = 0; hour < 2; hour++) {
    await plant.pass(60);
    await plant.write();
  }
  return plant;
}

describe('system tags', () => {
  it('have the right time again an hour after a clock that was years ahead, and client data is untouched', async () => {
    const plant = await openPlant();
    const statuses = [{ time: { ms: plant.trueMs + YEAR_MS, ticks: 0 }, quality: 28 }];
    await plant.turn(plant.engine.postStatus('d', statuses));
    const before = await plant.seconds();
    plant.setWrong(20 * YEAR_MS);
    await plant.pass(10);
    await plant.write();
    plant.setWrong(0);
    await plant.pass(50);
    assert.equal(plant.repairs().length, 0, 'the clock must be steady first');
    assert.ok((await plant.behindMs()) < -YEAR_MS);
    await plant.pass(30);
    assert.equal(plant.repairs().length, 1);
    assert.ok(Math.abs(await plant.behindMs()) < MINUTE_MS, `${await plant.behindMs()} ms behind`);
    assert.deepEqual((await plant.seconds()).slice(0, before.length), before);
    const status = await readNumbers(plant.engine, 'd', '$System.Status');
    assert.equal(status.points.at(-1)?.ms, plant.trueMs - 90 * MINUTE_MS + YEAR_MS);
    const seconds = await plant.seconds();
    await plant.restart('kill');
    assert.deepEqual((await plant.seconds()).slice(0, seconds.length), seconds);
    const { points, gaps } = await readNumbers(plant.engine, 'd', 'T');
    assert.deepEqual([points.map(({ ms }) => ms), gaps], [plant.written.map(({ ms }) => ms), []]);
    await plant.turn(plant.engine.close());
  });

  it('keep their history when the server is started again and again while the clock is years ahead', async () => {
    const plant = await openPlant();
    const before = await plant.seconds();
    plant.setWrong(20 * YEAR_MS);
    for (const end of ['stop', 'kill', 'stop'] as const) {
      await plant.restart(end);
      await plant.pass(20);
    }
    assert.deepEqual((await plant.seconds()).slice(0, before.length), before);
    plant.setWrong(0);
    await plant.restart('kill');
    await plant.pass(70);
    assert.ok(Math.abs(await plant.behindMs()) < MINUTE_MS, `${await plant.behindMs()} ms behind`);
    assert.deepEqual((await plant.seconds()).slice(0, before.length), before);
    await plant.turn(plant.engine.close());
  });

  it('go on in sight after a clock that was years ahead for so long that it was believed', async () => {
    const plant = await openPlant();
    plant.setWrong(20 * YEAR_MS);
    await plant.restart('stop');
    await plant.pass(120);
    const [, ...left] = await plant.seconds();
    assert.ok(
      left.every((ms) => ms > START_MS + YEAR_MS),
      'purge believed it: all but the newest point before its cutoff is gone',
    );
    plant.setWrong(0);
    await plant.pass(70);
    const count = (await plant.seconds()).length;
    assert.ok(Math.abs(await plant.behindMs()) < MINUTE_MS, `${await plant.behindMs()} ms behind`);
    await plant.pass(10);
    assert.ok((await plant.seconds()).length > count + 50, `${(await plant.seconds()).length} after ${count}`);
    await plant.restart('kill');
    await plant.pass(1);
    assert.ok((await plant.seconds()).length > count + 50, 'the cutoff that was moved back is stored');
    await plant.turn(plant.engine.close());
  });

  it('lose nothing to a clock that is decades behind, for what clients wrote speaks against it', async () => {
    const plant = await openPlant();
    const before = await plant.seconds();
    plant.setWrong(-50 * YEAR_MS);
    await plant.restart('kill');
    await plant.pass(180);
    assert.deepEqual((await plant.seconds()).slice(0, before.length), before);
    assert.equal(plant.repairs().length, 0);
    await plant.turn(plant.engine.close());
  });
});
