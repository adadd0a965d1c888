// Purge rules that change in both directions, over writes of old and new points, removals, restarts and kills: at every step
// the engine shows exactly what a model in plain words shows.
//
// Command: npm run campaign purge -- [--seed <n>] [--count <n>] [--extent slice|full]

import assert from 'node:assert/strict';
import type { Engine } from '../../engine/index.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { NEWEST, rangeOf, readNumbers, upTo, writeNumbers } from '../support/engine-points.ts';
import { KillablePlant } from '../support/killable-plant.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { drawTunables } from '../support/test-engine.ts';
import { type CutLife, type ModelPoint, PurgeReference } from './purge-reference.ts';
import { compareAtEachStep, runTrials, StepLog } from './stepwise.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);
const STEPS = 120;
const TAGS = ['A', 'B', 'C', 'D', 'E'];
const AGES_DAYS = [0, 0, 5, 20, 40];
/** Never reached: only that there is such a rule counts. */
const SIZES_GB = [0, 0, 1000, 2000];

export interface PurgeModelRun extends CampaignRun {
  /** What the model believes of cuts; anything but the default must be found to differ. */
  readonly life?: CutLife;
}

/** Compares `count` engines with the model, with a seed each, one more than the last. */
export function runPurgeModel({ life = 'ends-with-its-rule', ...run }: PurgeModelRun): Promise<CampaignReport> {
  return runTrials(run, (random) => new PurgeComparison(random, life).run());
}

class PurgeComparison {
  readonly #random: SeededRandom;
  readonly #plant: KillablePlant;
  readonly #model: PurgeReference;
  #engine!: Engine;
  readonly #steps = new StepLog();
  #serial = 0;

  constructor(random: SeededRandom, life: CutLife) {
    this.#random = random;
    this.#model = new PurgeReference(life);
    const tunables = { ...drawTunables(random), systemTagIntervalMs: 0, purgeIntervalMs: 1e15 };
    this.#plant = new KillablePlant(START_MS, tunables);
  }

  /** Throws at the first difference. */
  async run(): Promise<void> {
    this.#engine = await this.#plant.open();
    await this.#engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    await compareAtEachStep({
      count: STEPS,
      log: this.#steps,
      step: () => this.#step(),
      compare: () => this.#compare(),
    });
    await this.#engine.close();
  }

  async #step(): Promise<void> {
    const choice = this.#random.unit();
    if (choice < 0.25) await this.#write('new');
    else if (choice < 0.5) await this.#write('old');
    else if (choice < 0.62) await this.#setRules();
    else if (choice < 0.76) await this.#purge();
    else if (choice < 0.82) this.#wait();
    else if (choice < 0.87) await this.#deleteTag();
    else if (choice < 0.92) await this.#removePoints();
    else await this.#restart();
  }

  get #nowMs(): number {
    return this.#plant.clock.nowMs();
  }

  async #write(kind: 'new' | 'old'): Promise<void> {
    const random = this.#random;
    const tag = random.pick(TAGS);
    const stepMs = random.pick([1000, HOUR_MS, DAY_MS]);
    let ms = kind === 'new' ? this.#nowMs - random.below(HOUR_MS) : this.#nowMs - random.below(90 * DAY_MS);
    const points = Array.from({ length: random.between(1, 40) }, () => {
      ms += random.below(stepMs);
      return { ms, value: ++this.#serial };
    });
    this.#steps.push(`write ${points.length} ${kind} to ${tag}`);
    const want = this.#model.write(tag, points, this.#nowMs);
    const { written, expired, ignored } = await writeNumbers(this.#engine, 'd', { [tag]: points });
    assert.deepEqual({ written, expired, ignored }, want, 'the receipt');
  }

  async #setRules(): Promise<void> {
    const [purgeAgeDays, purgeSizeGb] = [this.#random.pick(AGES_DAYS), this.#random.pick(SIZES_GB)];
    this.#steps.push(`rules ${purgeAgeDays} d, ${purgeSizeGb} GB`);
    this.#model.setRules(purgeAgeDays, purgeSizeGb);
    await this.#engine.updateDataset({ name: 'd', purgeAgeDays, purgeSizeGb });
  }

  async #purge(): Promise<void> {
    this.#steps.push('purge');
    this.#model.purge(this.#nowMs);
    await this.#engine.purge();
  }

  #wait(): void {
    const hours = this.#random.between(1, 30);
    this.#steps.push(`wait ${hours} h`);
    this.#plant.clock.advance(hours * HOUR_MS);
  }

  async #deleteTag(): Promise<void> {
    const tag = this.#random.pick(TAGS);
    if (!this.#model.tags.has(tag)) return;
    this.#steps.push(`delete ${tag}`);
    this.#model.deleteTag(tag);
    await this.#engine.deleteTags('d', [tag]);
  }

  async #removePoints(): Promise<void> {
    const tag = this.#random.pick(TAGS);
    const readable = this.#model.readable(tag);
    if (readable.length === 0) return;
    const { ms } = this.#random.pick(readable);
    this.#steps.push(
      `remove from ${tag} at point ${readable.findIndex((point) => point.ms === ms)} of ${readable.length}`,
    );
    const want = this.#model.remove(tag, ms);
    assert.equal((await this.#engine.deletePoints('d', [tag], { ms, ticks: 0 })).removed, want, 'points removed');
  }

  async #restart(): Promise<void> {
    const isKill = this.#random.chance(0.6);
    this.#steps.push(isKill ? 'kill' : 'restart');
    // Every start ends with a purge.
    this.#model.purge(this.#nowMs);
    this.#engine = await (isKill ? this.#plant.kill() : this.#plant.reopen());
  }

  async #compare(): Promise<void> {
    const { tagCount, ageDays } = this.#engine.dataset('d');
    assert.equal(tagCount, this.#model.tags.size, 'the number of tags');
    const oldestMs = this.#model.oldestMs();
    const wantDays = oldestMs === Number.POSITIVE_INFINITY ? 0 : Math.max(0, this.#nowMs - oldestMs) / DAY_MS;
    assert.equal(ageDays, wantDays, 'the age');
    for (const tag of this.#model.tags.keys()) await this.#compareTag(tag);
  }

  async #compareTag(tag: string): Promise<void> {
    const want = this.#model.readable(tag);
    await this.#expect(tag, 'everything', want);
    await this.#expect(tag, NEWEST, want.slice(-1));
    const atMs = this.#nowMs - this.#random.below(100 * DAY_MS);
    const inForce = want.filter(({ ms }) => ms <= atMs).slice(-1);
    await this.#expect(tag, upTo(atMs), inForce);
    const inside = want.filter(({ ms }) => ms > atMs);
    await this.#expect(tag, rangeOf(atMs + 1, this.#nowMs + 10_000 * DAY_MS), inside);
  }

  async #expect(
    tag: string,
    range: 'everything' | Parameters<typeof readNumbers>[3],
    want: readonly ModelPoint[],
  ): Promise<void> {
    const { points, gaps } = await readNumbers(this.#engine, 'd', tag, range === 'everything' ? undefined : range);
    assert.deepEqual(gaps, [], `gaps of ${tag}`);
    const got = points.map(({ ms, value }) => `${ms} ${value}`).join();
    const wanted = want.map(({ ms, value }) => `${ms} ${value}`).join();
    assert.equal(got, wanted, `points of ${tag}: got ${points.length}, want ${want.length}`);
  }
}

/** Trials: what the tests run, and the whole. */
export const COUNTS = { slice: 10, full: 100 } as const;

if (process.argv[1] === import.meta.filename) await runAsProgram({ name: 'purge', counts: COUNTS }, runPurgeModel);
