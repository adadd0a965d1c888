// Deletes and purges that race with reads and writes, on random schedules: many requests under way at once, reads held
// open across them, a disk that finishes in any order, stops and power cuts in between. Reads give what was written to
// the dataset they began with, whole and in order; what was deleted never comes back, and leaves nothing behind.
//
// Command: npm run campaign races -- [--seed <n>] [--count <n>] [--extent slice|full]

import type { Engine, EngineEvent } from '../../engine/index.ts';
import { DEFAULT_TUNABLES } from '../../engine/limits.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { readNumbers } from '../support/engine-points.ts';
import { drawThreads } from '../support/late-threads.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { DATA_FOLDER, drawTunables, makeDisk, openTestEngine } from '../support/test-engine.ts';
import { turns, turnUntil } from './crash-machine.ts';
import { type RaceFault, withFault } from './race-faults.ts';
import { Moments, type RacePoint } from './race-history.ts';
import { drawRead, type ReadScene, readAll } from './race-reads.ts';
import { RACE_TAGS, type RaceDataset, RaceRequests } from './race-requests.ts';

const START_MS = Date.UTC(2026, 0, 1);
/** Points are in the past, but not so far that a start distrusts the clock and puts purge off. */
const FIRST_POINT_MS = START_MS - 20 * 3_600_000;
/**
 * What starts and reads may say after a power cut, of what nobody misses: files of tags deleted since the last catalog,
 * what was not synced in files that others followed, purged points between files whose removal was lost. Reads that
 * report a gap fail all the same.
 */
const AFTER_POWER_CUT = [
  'tag-file.missing',
  'tag-file.damaged',
  'tag.points-missing',
  'block.damaged',
  'journal.damaged',
];
const MOST_IN_FLIGHT = 24;
const MOST_READS = 8;

export interface RacesRun extends CampaignRun {
  /** What is wrong with the engine: the negative controls. */
  readonly fault: RaceFault;
}

export async function runRaces({ seed, count, fault, onProgress }: RacesRun): Promise<CampaignReport> {
  const failures: string[] = [];
  let trials = 0;
  for (; trials < count && failures.length === 0; trials++) {
    const trialSeed = (seed + trials) >>> 0;
    try {
      await new RaceTrial(new SeededRandom(trialSeed), fault).run();
    } catch (error) {
      failures.push(`seed ${trialSeed}: ${(error as Error).message}`);
    }
    onProgress?.(trials + 1, count);
  }
  return { trials, failures };
}

class RaceTrial {
  readonly #random: SeededRandom;
  readonly #fault: RaceFault;
  readonly #moments = new Moments();
  readonly #requests: RaceRequests;
  #clock = new ManualClock(START_MS);
  #disk: MemoryVfs;
  #reads = new Set<AsyncGenerator<void>>();
  #isHeld = false;
  #wasCut = false;
  /** Events of the engine that runs now. */
  #events: EngineEvent[] = [];

  constructor(random: SeededRandom, fault: RaceFault) {
    this.#random = random;
    this.#fault = fault;
    this.#disk = makeDisk({ random: random.fork() });
    this.#requests = new RaceRequests(this.#moments, random.fork(), FIRST_POINT_MS);
  }

  async run(): Promise<void> {
    const random = this.#random;
    await this.#open();
    for (let round = random.between(1, 3); round > 0; round--) {
      for (let steps = random.between(20, 80); steps > 0; steps--) await this.#step();
      await random.pick([
        () => this.#settle(),
        () => this.#restart(),
        () => this.#cutPower(),
        () => this.#cutPower(),
      ])();
    }
    await this.#restart();
    await this.#turn(this.#requests.engine.close());
  }

  async #step(): Promise<void> {
    const random = this.#random;
    const dataset = random.pick(this.#requests.datasets);
    const choice = random.unit();
    if (choice < 0.2 && this.#reads.size < MOST_READS) this.#beginRead(dataset);
    else if (choice < 0.3) await this.#list();
    else if (choice < 0.38) this.#passTime();
    else if (choice < 0.44) this.#holdOrResume();
    else if (this.#requests.inFlight.size < MOST_IN_FLIGHT) this.#send(dataset);
    await turns(random.pick([0, 0, 1, 3, 12]));
    for (const read of this.#reads) if (random.chance(0.5)) await this.#advance(read);
    this.#throwFailure();
  }

  #send(dataset: RaceDataset): void {
    const random = this.#random;
    const requests = this.#requests;
    const tag = random.pick(RACE_TAGS);
    const choice = random.unit();
    if (choice < 0.55) requests.write(dataset);
    else if (choice < 0.68) requests.define(dataset, 'create');
    else if (choice < 0.74) requests.define(dataset, 'update');
    else if (choice < 0.82) requests.delete(dataset);
    else if (choice < 0.88) requests.deleteTag(dataset, tag);
    else if (choice < 0.93) requests.cut(dataset, tag);
    else requests.purge();
  }

  #scene(dataset: RaceDataset): ReadScene {
    const { engine, bySerial } = this.#requests;
    return { engine, dataset: dataset.name, history: dataset.history, moments: this.#moments, bySerial };
  }

  #beginRead(dataset: RaceDataset): void {
    const random = this.#random;
    const tags = random.shuffled(RACE_TAGS).slice(0, random.between(1, RACE_TAGS.length));
    this.#reads.add(drawRead(this.#scene(dataset), random.fork(), tags));
  }

  async #advance(read: AsyncGenerator<void>): Promise<void> {
    const { done } = await read.next();
    if (done) this.#reads.delete(read);
  }

  /** Some are read to their end, the others broken off. */
  async #endReads(): Promise<void> {
    const isPatient = this.#random.chance(0.5);
    for (const read of this.#reads) {
      while (isPatient && this.#reads.has(read)) await this.#advance(read);
      await read.return(undefined);
    }
    this.#reads.clear();
  }

  async #list(): Promise<void> {
    const { engine } = this.#requests;
    const now = this.#moments.next();
    const names = engine.datasets().map(({ name }) => name);
    // All of it is asked for at this moment: datasets come and go while answers are waited for.
    const listings: [RaceDataset, ReturnType<Engine['tags']>][] = [];
    for (const dataset of this.#requests.datasets) {
      const { name, history } = dataset;
      const isListed = names.includes(name);
      if (isListed !== engine.hasDataset(name)) throw new Error(`${name} is in the list or there, not both`);
      if (!isListed && history.isSurelyThere(now, now)) throw new Error(`the list lacks ${name}`);
      if (isListed && history.isSurelyAbsent(now, now)) throw new Error(`the list has ${name}, which was deleted`);
      if (isListed) listings.push([dataset, engine.tags(name)]);
    }
    for (const [{ name, history }, list] of listings) {
      const tags = [...(await list).user].map((tag) => tag.name);
      const lacking = RACE_TAGS.find((tag) => !tags.includes(tag) && history.hasTagSurely(tag, now, now));
      if (lacking !== undefined) throw new Error(`the tags of ${name} lack ${lacking}`);
    }
  }

  #passTime(): void {
    this.#clock.advance(this.#random.pick([10, 1_500, 6_000, 70_000]));
  }

  #holdOrResume(): void {
    if (this.#isHeld) this.#disk.resume();
    else this.#disk.hold();
    this.#isHeld = !this.#isHeld;
  }

  /** Ends all that is under way, and looks at everything: also that deleted datasets have left nothing behind. */
  async #settle(): Promise<void> {
    if (this.#isHeld) this.#holdOrResume();
    await this.#turn(Promise.all(this.#requests.inFlight));
    await this.#endReads();
    this.#throwFailure();
    await this.#list();
    for (const dataset of this.#requests.datasets) await this.#readWhole(dataset);
    for (let i = 0; i < 3; i++) {
      this.#clock.advance(1_000);
      await turns(100);
    }
    this.#checkFolders();
  }

  async #readWhole(dataset: RaceDataset): Promise<void> {
    const { engine } = this.#requests;
    const tags = engine.hasDataset(dataset.name) ? (await engine.tags(dataset.name)).user : [];
    for (const { name } of tags) await readAll(this.#scene(dataset), name);
  }

  #checkFolders(): void {
    const wanted = this.#requests.datasets.filter(({ name }) => this.#requests.engine.hasDataset(name)).length;
    const folders = this.#disk
      .listSync(DATA_FOLDER)
      .filter((name) => this.#disk.statSync(`${DATA_FOLDER}/${name}`)?.isDirectory);
    if (folders.length !== wanted) throw new Error(`${wanted} datasets, but the folders ${folders.join(', ')}`);
  }

  async #restart(): Promise<void> {
    await this.#settle();
    await this.#turn(this.#requests.engine.close());
    const open = this.#disk.openPaths();
    if (open.length > 0) throw new Error(`open after the end: ${open.join(', ')}`);
    this.#checkFolders();
    this.#requests.abandon();
    await this.#open();
    await this.#compareRestarted();
  }

  /** At any moment, with requests under way. */
  async #cutPower(): Promise<void> {
    const before = this.#disk;
    const random = this.#random.fork();
    this.#disk = before.crashClone({ content: 'any', entries: 'any', random }, { random: random.fork() });
    before.halt();
    this.#wasCut = true;
    this.#isHeld = false;
    this.#requests.abandon();
    this.#reads = new Set();
    this.#clock = new ManualClock(this.#clock.nowMs());
    await this.#open();
    await this.#compareRestarted();
  }

  async #open(): Promise<void> {
    const random = this.#random.fork();
    const tunables = { ...drawTunables(random), deletedMemoryMs: random.pick([0, 1_000, 600_000]) };
    const disk = this.#disk;
    this.#events = [];
    const listener = (event: EngineEvent) => {
      if (disk === this.#disk) this.#events.push(event);
    };
    const threads = drawThreads(random);
    const opening = openTestEngine({ vfs: this.#disk, clock: this.#clock, random, tunables, listener, threads });
    this.#requests.clock = this.#clock;
    this.#requests.batches = { ...DEFAULT_TUNABLES, ...tunables };
    for (const { history } of this.#requests.datasets) history.purgeLeastMs = Number.NEGATIVE_INFINITY;
    this.#requests.engine = withFault(await this.#turn(opening), this.#fault);
  }

  /** Each dataset is whole or absent, as was answered; from here on that is what there is. */
  async #compareRestarted(): Promise<void> {
    const { engine, datasets } = this.#requests;
    for (const dataset of datasets) {
      const { name, history } = dataset;
      const now = this.#moments.next();
      const isThere = engine.hasDataset(name);
      if (!isThere && history.isSurelyThere(now, now)) throw new Error(`${name} is gone after a restart`);
      if (isThere && history.isSurelyAbsent(now, now)) throw new Error(`${name} is back after a restart`);
      const found = await this.#findPoints(dataset);
      history.voidContradicted(found);
      await this.#readWhole(dataset);
      const moment = this.#moments.begin();
      moment.end = moment.start;
      history.restart(isThere ? new Set(found) : undefined, moment);
      dataset.rulesVersion++;
      dataset.purgeAgeDays = undefined;
      dataset.definitionsUnderWay = 0;
      dataset.removalsUnderWay = 0;
      const nextMs = Math.max(FIRST_POINT_MS, history.newestMs + 1);
      for (const tag of RACE_TAGS) dataset.nextMs.set(tag, nextMs);
    }
    this.#throwFailure();
  }

  async #findPoints({ name }: RaceDataset): Promise<RacePoint[]> {
    const { engine, bySerial } = this.#requests;
    const found: RacePoint[] = [];
    for (const tag of engine.hasDataset(name) ? (await engine.tags(name)).user : []) {
      const { points } = await readNumbers(engine, name, tag.name);
      for (const { value } of points) found.push(bySerial.get(value ?? 0) as RacePoint);
    }
    return found;
  }

  #throwFailure(): void {
    if (this.#requests.failure) throw this.#requests.failure;
    const events = this.#wasCut ? this.#events.filter(({ event }) => !AFTER_POWER_CUT.includes(event)) : this.#events;
    const bad = events.find(({ level, event }) => level === 'error' || event.startsWith('folder.'));
    if (bad) throw new Error(`the engine says ${bad.event}: ${bad.message}`);
  }

  #turn<T>(promise: Promise<T>): Promise<T> {
    return turnUntil(promise, this.#clock);
  }
}

/** Trials: what the tests run, and the whole. */
export const COUNTS = { slice: 30, full: 2000 } as const;

if (process.argv[1] === import.meta.filename) {
  await runAsProgram({ name: 'races', counts: COUNTS }, (run) => runRaces({ ...run, fault: 'none' }));
}
