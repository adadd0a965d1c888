// Random appends, corrections, undoings and cuts of two tags, with restarts and power cuts at any operation of the disk,
// against a plain history, half of them with late points: every read sees what the history has, before and after. What was
// acknowledged is in force after a cut, and what was not is in force whole or not at all.
//
// Command: npm run campaign corrections -- [--seed <n>] [--count <n>] [--extent slice|full]

import assert from 'node:assert/strict';
import { type Engine, EngineError, type Instant, type ReadMarker, type ReadRequest } from '../../../engine/index.ts';
import { DEFAULT_TUNABLES } from '../../../engine/limits.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../../support/campaign.ts';
import { cutRequest } from '../../support/cut-requests.ts';
import { NEWEST, rangeOf, upTo, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { drawTunables, makeDisk, openTestEngine } from '../../support/test-engine.ts';
import { assertSameAnswers, readAnswers } from './answers.ts';
import { correct, cut, readAll } from './corrected-tag.ts';
import { type HistoryPoint, newestStoredMs, playBack, type Step } from './plain-history.ts';

const DATASET = 'plant';
const TAGS = ['a', 'b'] as const;
const STEPS = 40;
const STEP_MS = 100;
const START_MS = Date.UTC(2026, 0, 1);

type TagName = (typeof TAGS)[number];

export async function tryCorrections({ seed, count, onProgress }: CampaignRun): Promise<CampaignReport> {
  const failures: string[] = [];
  let trials = 0;
  for (; trials < count && failures.length < 5; trials++) {
    try {
      await new Trial(new SeededRandom(seed + trials)).run();
    } catch (error) {
      failures.push(`seed ${seed + trials}: ${(error as Error).stack}`);
    }
    onProgress?.(trials, count);
  }
  return { trials, failures };
}

class Trial {
  readonly #random: SeededRandom;
  readonly #tunables: ReturnType<typeof drawTunables>;
  readonly #steps: Record<TagName, Step[]> = { a: [], b: [] };
  readonly #ids: Record<TagName, number[]> = { a: [], b: [] };
  #clock = new ManualClock(START_MS);
  #disk: MemoryVfs;
  #engine!: Engine;
  #value = 0;
  readonly #takesLate: boolean;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#tunables = drawTunables(random);
    this.#takesLate = random.chance(0.5);
    this.#disk = makeDisk({ random: random.fork() });
  }

  async run(): Promise<void> {
    await this.#open();
    const rules = { name: DATASET, purgeAgeDays: 0, purgeSizeGb: 0 };
    if (this.#takesLate) await this.#turn(this.#engine.createDataset({ ...rules, late: 'accept' }));
    for (let step = 0; step < STEPS; step++) {
      const name = this.#random.pick(TAGS);
      if (this.#random.chance(0.15)) await this.#interrupt(name);
      else await this.#act(name);
      if (this.#random.chance(0.1)) await this.#restart();
      this.#clock.advance(this.#random.pick([0, 100, 3_000]));
      if (this.#random.chance(0.3)) await this.#check(this.#random.pick(TAGS));
    }
    for (const name of TAGS) {
      await this.#check(name);
      await this.#checkAnswers(name);
    }
    await this.#undoAll();
    await this.#engine.close();
  }

  async #open(): Promise<void> {
    this.#engine = await openTestEngine({
      vfs: this.#disk,
      clock: this.#clock,
      random: this.#random.fork(),
      tunables: this.#tunables,
    });
  }

  async #restart(): Promise<void> {
    await this.#engine.close();
    await this.#open();
  }

  /** Does something, and keeps what was done. */
  async #act(name: TagName): Promise<void> {
    const step = this.#draw(name);
    if (step === undefined) return;
    const done = await this.#do(name, step);
    if (done) this.#steps[name].push(done);
  }

  /** Does something and cuts the power meanwhile; goes on with the disk as it is then. */
  async #interrupt(name: TagName): Promise<void> {
    const step = this.#draw(name);
    if (step === undefined) return;
    let disk: MemoryVfs | undefined;
    let isDone = false;
    const cutPower = (): void => {
      disk ??= this.#disk.crashClone({ content: 'any', entries: 'any', random: this.#random.fork() });
    };
    const forget = this.#disk.atOperation(this.#random.between(1, 6), () => {
      if (!isDone) cutPower();
    });
    const done = await this.#do(name, step);
    isDone = true;
    forget();
    const wasAcknowledged = disk === undefined;
    cutPower();
    this.#disk.halt();
    this.#engine.close().catch(() => undefined);
    this.#disk = disk as unknown as MemoryVfs;
    await this.#open();
    if (done === undefined) return;
    const before = this.#steps[name];
    const parts = this.#batchesOf(done);
    const shown = (await this.#exists(name)) ? await readAll(this.#engine, DATASET, name) : [];
    let count = parts.length;
    while (count > 0 && !this.#isSame(shown, playBack([...before, ...parts.slice(0, count)]))) count--;
    if (count === 0) assert.deepEqual(shown, playBack(before), `after a cut in the middle of ${JSON.stringify(step)}`);
    assert.ok(count === parts.length || !wasAcknowledged, `what was acknowledged is gone: ${JSON.stringify(step)}`);
    if (done.kind === 'append') before.push(...parts.slice(0, count));
    else await this.#adopt(name, done, count > 0);
  }

  /** What may be there without what is behind it. */
  #batchesOf(step: Step): Step[] {
    if (step.kind !== 'append') return [step];
    return cutRequest([step], { ...DEFAULT_TUNABLES, ...this.#tunables }).flat();
  }

  /** An undoing, and a correction of the same points, may be there and not to be seen: the list of corrections tells. */
  async #adopt(name: TagName, done: Exclude<Step, { kind: 'append' }>, isThere: boolean): Promise<void> {
    const steps = this.#steps[name];
    if (done.kind === 'cut') {
      // Nobody can tell whether a cut was done if a correction hides what it would remove: then it is done again.
      if (isThere && (await this.#exists(name))) await this.#turn(cut(this.#engine, DATASET, name, done.startMs));
      if (isThere) steps.push(done);
      return;
    }
    const filter = { tag: undefined, before: undefined, limit: 1000 };
    const known = (await this.#exists(name))
      ? this.#engine.corrections(DATASET, filter).find(({ id }) => id === done.id)
      : undefined;
    const isInForce = done.kind === 'undo' ? known?.undone !== undefined : known !== undefined;
    if (isInForce) steps.push(done);
    else if (done.kind !== 'undo') this.#ids[name] = this.#ids[name].filter((id) => id !== done.id);
  }

  async #exists(name: TagName): Promise<boolean> {
    if (!this.#engine.hasDataset(DATASET)) return false;
    const user = [...(await this.#engine.tags(DATASET)).user];
    return user.some((tag) => tag.name === name);
  }

  #isSame(a: readonly HistoryPoint[], b: readonly HistoryPoint[]): boolean {
    return JSON.stringify(a) === JSON.stringify(b);
  }

  #draw(name: TagName): Step | undefined {
    const steps = this.#steps[name];
    const newestMs = newestStoredMs(steps);
    const random = this.#random;
    if (newestMs === undefined || random.chance(0.35)) {
      const fromMs = (newestMs ?? START_MS) + STEP_MS;
      return { kind: 'append', points: this.#drawPoints(random.between(1, 60), fromMs, STEP_MS) };
    }
    if (this.#takesLate && random.chance(0.4)) return { kind: 'append', points: this.#drawLate(newestMs) };
    const ids = this.#ids[name];
    if (ids.length > 0 && random.chance(0.25)) return { kind: 'undo', id: random.pick(ids) };
    const spanMs = newestMs - START_MS;
    const startMs = START_MS + Math.round((random.below(1000) / 1000) * spanMs);
    if (random.chance(0.08)) return { kind: 'cut', startMs };
    const endMs = random.chance(0.2)
      ? newestMs + 10_000
      : Math.min(newestMs, startMs + random.pick([0, 200, 1_000, 5_000]));
    const kind = random.pick(['delete', 'replace', 'insert'] as const);
    if (kind === 'delete') return { kind, id: 0, startMs, endMs };
    const lastMs = Math.min(endMs, newestMs);
    const stepMs = random.pick([0, 50, STEP_MS]);
    const most = stepMs === 0 ? 3 : Math.floor((lastMs - startMs) / stepMs) + 1;
    const points = this.#drawPoints(Math.min(random.between(1, 12), most), startMs, stepMs);
    return { kind, id: 0, startMs, endMs, points };
  }

  /** In no order; some of them are newer than the newest. */
  #drawLate(newestMs: number): HistoryPoint[] {
    const lastMs = newestMs + this.#random.pick([0, 0, 500]);
    return this.#drawPoints(this.#random.between(1, 40), 0, 0).map((point) => {
      const steps = Math.floor((lastMs - START_MS + 2 * STEP_MS) / (STEP_MS / 2));
      return { ...point, ms: START_MS - STEP_MS + this.#random.below(steps + 1) * (STEP_MS / 2) };
    });
  }

  #drawPoints(count: number, fromMs: number, stepMs: number): HistoryPoint[] {
    return Array.from({ length: count }, (_, i) => ({
      ms: fromMs + i * stepMs,
      value: ++this.#value,
      quality: this.#random.pick([192, 192, 192, 0, 64]),
    }));
  }

  /** What came of it: undefined when it was refused, as it had to be. */
  async #do(name: TagName, step: Step): Promise<Step | undefined> {
    const engine = this.#engine;
    if (step.kind === 'append') {
      await this.#turn(writeNumbers(engine, DATASET, { [name]: step.points }));
      return step;
    }
    if (step.kind === 'cut') {
      await this.#turn(cut(engine, DATASET, name, step.startMs));
      return step;
    }
    if (step.kind === 'undo') return this.#undo(name, step);
    const { startMs, endMs, kind } = step;
    const isEmpty = playBack(this.#steps[name]).every(({ ms }) => ms < startMs || ms > endMs);
    const points = kind === 'delete' ? [] : step.points;
    const correcting = this.#turn(correct(engine, DATASET, { tag: name, kind, startMs, endMs, points }));
    if (kind !== 'insert' && isEmpty) {
      await assert.rejects(correcting, (error) => error instanceof EngineError && error.code === 'BAD_REQUEST');
      return undefined;
    }
    const { id, added } = await correcting;
    assert.equal(added, points.length);
    this.#ids[name].push(id as number);
    return { ...step, id: id as number };
  }

  async #undo(name: TagName, step: Extract<Step, { kind: 'undo' }>): Promise<Step | undefined> {
    const wasUndone = this.#steps[name].some((other) => other.kind === 'undo' && other.id === step.id);
    const undoing = this.#turn(this.#engine.undoCorrection(DATASET, step.id, 'tester', 'undone'));
    if (!wasUndone) {
      assert.ok((await undoing).undone);
      return step;
    }
    await assert.rejects(undoing, (error) => error instanceof EngineError && error.code === 'CONFLICT');
    return undefined;
  }

  /** Lets time pass while it runs. */
  async #turn<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const done = work.finally(() => {
      isSettled = true;
    });
    done.catch(() => undefined);
    for (let turn = 0; turn < 200_000 && !isSettled; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turn % 100 === 99) this.#clock.advance(10);
    }
    assert.ok(isSettled, 'an operation was not settled');
    return done;
  }

  async #check(name: TagName): Promise<void> {
    const engine = this.#engine;
    if (!(await this.#exists(name))) return;
    const wanted = playBack(this.#steps[name]);
    assert.deepEqual(await readAll(engine, DATASET, name), wanted);
    const { startMs, endMs } = this.#drawRange(wanted);
    const inRange = wanted.filter(({ ms }) => ms >= startMs && ms <= endMs);
    assert.deepEqual(await this.#readPages(name, startMs, endMs), inRange, 'page by page');
    const before = wanted.filter(({ ms }) => ms <= startMs).at(-1);
    const read = async (range: ReadRequest['range'], carryIn = false): Promise<HistoryPoint[]> =>
      readAll(engine, DATASET, name, { range, carryIn });
    assert.deepEqual(await read(upTo(startMs)), before ? [before] : [], 'the point in force');
    assert.deepEqual((await read(NEWEST)).at(-1), wanted.at(-1), 'the newest point');
    const carried = before && before.ms < startMs ? [before] : [];
    assert.deepEqual(await read(rangeOf(startMs, endMs), true), [...carried, ...inRange], 'with the point carried in');
  }

  #drawRange(points: readonly HistoryPoint[]): { startMs: number; endMs: number } {
    const times = points.map(({ ms }) => ms);
    const pick = (): number =>
      times.length > 0 && this.#random.chance(0.5)
        ? this.#random.pick(times) + this.#random.pick([-1, 0, 0, 1])
        : START_MS + this.#random.below(20_000);
    const [startMs, endMs] = [pick(), pick()].sort((a, b) => a - b) as [number, number];
    return { startMs, endMs };
  }

  async #readPages(name: TagName, startMs: number, endMs: number): Promise<HistoryPoint[]> {
    const limit = this.#random.between(1, 9);
    const points: HistoryPoint[] = [];
    let after: readonly ReadMarker[] = [];
    for (let page = 0; page < 10_000; page++) {
      const markers: ReadMarker[] = [];
      const read = await readAll(this.#engine, DATASET, name, {
        range: rangeOf(startMs, endMs),
        limit,
        after,
        markers,
      });
      points.push(...read);
      if (markers.length === 0) return points;
      assert.equal(read.length, limit);
      after = markers;
    }
    throw new Error('the pages do not end');
  }

  /** Everything that is computed of points, beside a tag that has the same points and no corrections. */
  async #checkAnswers(name: TagName): Promise<void> {
    if (!(await this.#exists(name))) return;
    const wanted = playBack(this.#steps[name]);
    const twin = `${name}-twin`;
    if (wanted.length > 0) await this.#turn(writeNumbers(this.#engine, DATASET, { [twin]: wanted }));
    if (wanted.length === 0) return;
    const { startMs, endMs } = this.#drawRange(wanted);
    const now: Instant = { ms: START_MS + 10 * STEPS * 60 * STEP_MS, ticks: 0 };
    const range = { start: { ms: startMs, ticks: 0 }, end: { ms: endMs + 1, ticks: 0 } };
    const got = await readAnswers(this.#engine, DATASET, name, range, now);
    const twins = await readAnswers(this.#engine, DATASET, twin, range, now);
    assertSameAnswers(got, twins, `answers from ${startMs} to ${endMs}`);
  }

  /** Without its corrections a tag is what was stored, to the last point. */
  async #undoAll(): Promise<void> {
    for (const name of TAGS) {
      if (!(await this.#exists(name))) continue;
      for (const { id, undone, kind } of this.#engine.corrections(DATASET, {
        tag: name,
        before: undefined,
        limit: 1000,
      })) {
        if (undone || kind === 'cut') continue;
        await this.#turn(this.#engine.undoCorrection(DATASET, id, '', ''));
        this.#steps[name].push({ kind: 'undo', id });
      }
      const stored = this.#steps[name].filter(({ kind }) => kind === 'append' || kind === 'cut');
      assert.deepEqual(await readAll(this.#engine, DATASET, name), playBack(stored), 'all undone');
    }
  }
}

/** Trials: what the tests run, and the whole. */
export const COUNTS = { slice: 40, full: 300 } as const;

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'corrections', counts: COUNTS }, tryCorrections);
