// Wrong clocks by a clock turned by hand: years ahead, a day back, steps each minute, and points far in the future. No
// point inside the purge age goes, the system tags go on, and a tag that a far-future point blocks takes points again
// after the cut operation, also when the power fails right after it.
//
// Command: npm run campaign clock -- [--seed <n>] [--count <n>] [--extent slice|full]

import type { Engine } from '../../engine/index.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../support/engine-points.ts';
import { drawThreads } from '../support/late-threads.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { drawTunables, makeDisk, openTestEngine } from '../support/test-engine.ts';
import { turns, turnUntil } from './crash-machine.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
const START_MS = Date.UTC(2026, 0, 1);
const SYSTEM_INTERVAL_MS = 5000;
const PURGE_DAYS = 10;
const EARLIER_DAYS = 8;
const JUMPS = 2;
const PURGE_MINUTES = 30;
/** Less than the hour of steady clock after which purge by age trusts it again. */
const MOST_MINUTES_WRONG = 20;
const LASTING_MINUTES = 150;
const MOST_LOOKS = 50;
const TURNS_A_LOOK = 20;
const DATASET = 'plant';

export interface ClockTrialsRun extends CampaignRun {
  /** `lasting`: clock and points are years ahead for hours, and believed: the negative control. */
  readonly jumps: 'passing' | 'lasting';
}

export async function turnClocks({ seed, count, jumps }: ClockTrialsRun): Promise<CampaignReport> {
  const failures: string[] = [];
  let trials = 0;
  for (; trials < count && failures.length === 0; trials++) {
    const trialSeed = (seed + trials) >>> 0;
    try {
      await new ClockTrial(new SeededRandom(trialSeed)).run(jumps);
    } catch (error) {
      failures.push(`seed ${trialSeed}: ${(error as Error).message}`);
    }
  }
  return { trials, failures };
}

class ClockTrial {
  readonly #random: SeededRandom;
  #clock = new ManualClock(START_MS);
  #disk: MemoryVfs;
  #engine!: Engine;
  /** The right time, by the clients. */
  #trueMs = START_MS;
  #wrongByMs = 0;
  readonly #written: NumberPoint[] = [];
  #serial = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#disk = makeDisk({ random: random.fork() });
  }

  async run(jumps: ClockTrialsRun['jumps']): Promise<void> {
    await this.#open();
    await this.#turn(this.#engine.createDataset({ name: DATASET, purgeAgeDays: PURGE_DAYS, purgeSizeGb: 0 }));
    for (let hour = EARLIER_DAYS * 24; hour > 0; hour -= 6) await this.#write(START_MS - hour * HOUR_MS);
    await this.#pass(2 * 60); // the clock is trusted
    for (let i = 0; i < JUMPS; i++) await (jumps === 'passing' ? this.#passingJump() : this.#lastingJump());
    await this.#checkPoints();
    await this.#turn(this.#engine.close());
  }

  async #passingJump(): Promise<void> {
    const random = this.#random;
    const kind = random.below(3);
    const steps = random.between(2, MOST_MINUTES_WRONG);
    if (kind < 2) this.#setWrong(kind === 0 ? random.between(1, 20) * YEAR_MS : -DAY_MS);
    for (let minute = 0; minute < steps; minute++) {
      if (kind === 2) this.#setWrong(random.between(-5, 5) * MINUTE_MS);
      await this.#pass(1);
      await this.#write(this.#trueMs);
    }
    await this.#checkSystemTags();
    if (random.chance(0.7)) await this.#poisonAndRepair();
    await this.#checkPoints();
    this.#setWrong(0);
    await this.#pass(2 * 60);
    await this.#checkSystemTags();
    await this.#checkSystemTime();
    await this.#checkPoints();
  }

  async #lastingJump(): Promise<void> {
    this.#setWrong(20 * YEAR_MS);
    await this.#turn(writeNumbers(this.#engine, DATASET, { Ahead: [{ ms: this.#clock.nowMs(), value: 1 }] }));
    await this.#pass(LASTING_MINUTES);
  }

  /** A point ten years ahead blocks its tag until its points are cut from now on. */
  async #poisonAndRepair(): Promise<void> {
    const tag = `Poisoned ${++this.#serial}`;
    const send = (point: NumberPoint) => this.#turn(writeNumbers(this.#engine, DATASET, { [tag]: [point] }));
    const values = async () => (await readNumbers(this.#engine, DATASET, tag)).points.map(({ value }) => value).join();
    await send({ ms: this.#trueMs - 1000, value: 1 });
    await send({ ms: this.#trueMs + 10 * YEAR_MS, value: 2 });
    const blocked = await send({ ms: this.#trueMs, value: 3 });
    if (blocked.ignored !== 1) throw new Error(`a point behind one of the far future: ${JSON.stringify(blocked)}`);
    await this.#turn(this.#engine.deletePoints(DATASET, [tag], { ms: this.#trueMs + DAY_MS, ticks: 0 }));
    if (this.#random.chance(0.6)) await this.#cutPower();
    if ((await values()) !== '1') throw new Error(`after the cut the tag has the values ${await values()}, want 1`);
    await send({ ms: this.#trueMs, value: 3 });
    if (this.#random.chance(0.6)) await this.#cutPower();
    if ((await values()) !== '1,3') throw new Error(`after the repair the tag has ${await values()}, want 1,3`);
  }

  /** Nothing unsynced is left; the machine comes up with the clock as it is. */
  async #cutPower(): Promise<void> {
    const before = this.#disk;
    this.#disk = before.crashClone({ content: 'nothing', entries: 'nothing', random: this.#random.fork() });
    before.halt();
    this.#clock = new ManualClock(this.#clock.nowMs());
    await this.#open();
  }

  async #open(): Promise<void> {
    const random = this.#random.fork();
    const tunables = { ...drawTunables(random), systemTagIntervalMs: SYSTEM_INTERVAL_MS, purgeIntervalMs: MINUTE_MS };
    const threads = drawThreads(random);
    this.#engine = await this.#turn(openTestEngine({ vfs: this.#disk, clock: this.#clock, random, tunables, threads }));
  }

  async #write(ms: number): Promise<void> {
    const point = { ms, value: ++this.#serial };
    const receipt = await this.#turn(writeNumbers(this.#engine, DATASET, { T: [point] }));
    if (receipt.written !== 1) throw new Error(`a point of the right time: ${JSON.stringify(receipt)}`);
    this.#written.push(point);
  }

  async #checkPoints(): Promise<void> {
    const { points, gaps } = await readNumbers(this.#engine, DATASET, 'T');
    const newestMs = this.#written.at(-1)?.ms as number;
    const wanted = this.#written.filter(({ ms }) => ms >= newestMs - PURGE_DAYS * DAY_MS);
    const found = new Set(points.map(({ value }) => value));
    const missing = wanted.filter(({ value }) => !found.has(value));
    if (missing.length > 0)
      throw new Error(`${missing.length} of ${wanted.length} points inside the purge age are gone`);
    if (gaps.length > 0) throw new Error(`gaps: ${JSON.stringify(gaps)}`);
  }

  /** Within a minute every second's tag has new points, wherever the clock is. */
  async #checkSystemTags(): Promise<void> {
    const count = async () => (await readNumbers(this.#engine, DATASET, '$System.Second')).points.length;
    const before = await count();
    await this.#pass(1);
    let after = await count();
    // What was recorded may wait for a checkpoint, as all that is written.
    for (let looks = 0; looks < MOST_LOOKS && after <= before; looks++) {
      await turns(TURNS_A_LOOK);
      after = await count();
    }
    if (after <= before) throw new Error(`with the clock ${this.#wrongByMs} ms off the system tags stand still`);
  }

  /** System tags have the right time again, and what they had before. */
  async #checkSystemTime(): Promise<void> {
    const read = () => readNumbers(this.#engine, DATASET, '$System.Second');
    let { points, gaps } = await read();
    const behindMs = (): number => this.#trueMs - (points.at(-1)?.ms ?? 0);
    const isBehind = (): boolean => Math.abs(behindMs()) > MINUTE_MS;
    // What was recorded is applied over several turns where requests are divided.
    for (let looks = 0; looks < MOST_LOOKS && isBehind(); looks++) {
      await turns(TURNS_A_LOOK);
      ({ points, gaps } = await read());
    }
    if (isBehind()) throw new Error(`the system tags are ${behindMs()} ms behind the right time`);
    const earlier = points.filter(({ ms }) => ms < START_MS + HOUR_MS).length;
    if (earlier < HOUR_MS / SYSTEM_INTERVAL_MS / 2)
      throw new Error(`${earlier} system points of the first hour are left`);
    if (gaps.length > 0) throw new Error(`gaps in a system tag: ${JSON.stringify(gaps)}`);
  }

  async #pass(minutes: number): Promise<void> {
    for (let i = 0; i < minutes; i++) {
      this.#clock.advance(MINUTE_MS);
      this.#trueMs += MINUTE_MS;
      if (i % PURGE_MINUTES === 0 || i === minutes - 1) await this.#turn(this.#engine.purge());
    }
  }

  #setWrong(byMs: number): void {
    this.#wrongByMs = byMs;
    this.#clock.setWall(this.#trueMs + byMs);
  }

  #turn<T>(promise: Promise<T>): Promise<T> {
    return turnUntil(promise, this.#clock);
  }
}

/** Trials: what the tests run, and the whole. */
export const COUNTS = { slice: 2, full: 200 } as const;

if (process.argv[1] === import.meta.filename) {
  await runAsProgram({ name: 'wrong clocks', counts: COUNTS }, (run) => turnClocks({ ...run, jumps: 'passing' }));
}
