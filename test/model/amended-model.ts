// Purge rules that are widened, lifted and set again, with late points, corrections, undoings and removals, over restarts and
// kills, on files that purge rewrites: at every step the engine shows what a model in plain words shows (D1, D9).
//
// Command: node --import tsx test/model/amended-model.ts --seed <n> --count <n>

import assert from 'node:assert/strict';
import { type Engine, EngineError, type ReadRange } from '../../engine/index.ts';
import { correct } from '../engine/corrections/corrected-tag.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { EVERYTHING, NEWEST, rangeOf, readNumbers, upTo, writeNumbers } from '../support/engine-points.ts';
import { KillablePlant } from '../support/killable-plant.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { drawTunables } from '../support/test-engine.ts';
import { AmendedDraws, AMENDED_TAGS as TAGS } from './amended-draws.ts';
import { AmendedReference, asShown, type FirstLeft, type ModelPoint } from './amended-reference.ts';
import { compareAtEachStep, runTrials, StepLog } from './stepwise.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);
const STEPS = 150;

export interface AmendedModelRun extends CampaignRun {
  /** What the model believes of lifted rules; anything but the default must be found to differ. */
  readonly firstLeft?: FirstLeft;
}

/** Compares `count` engines with the model, with a seed each, one more than the last. */
export function runAmendedModel({ firstLeft = 'stays', ...run }: AmendedModelRun): Promise<CampaignReport> {
  return runTrials(run, (random) => new AmendedComparison(random, firstLeft).run());
}

class AmendedComparison {
  readonly #random: SeededRandom;
  readonly #plant: KillablePlant;
  readonly #model: AmendedReference;
  #engine!: Engine;
  readonly #draws: AmendedDraws;
  readonly #steps = new StepLog();

  constructor(random: SeededRandom, firstLeft: FirstLeft) {
    this.#random = random;
    this.#draws = new AmendedDraws(random, START_MS);
    this.#model = new AmendedReference(firstLeft);
    const tunables = { ...drawTunables(random), systemTagIntervalMs: 0, purgeIntervalMs: 1e15 };
    this.#plant = new KillablePlant(START_MS, tunables);
  }

  /** Throws at the first difference. */
  async run(): Promise<void> {
    this.#engine = await this.#plant.open();
    await this.#engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0, late: 'accept' });
    await compareAtEachStep({
      count: STEPS,
      log: this.#steps,
      step: () => this.#step(),
      compare: async () => {
        for (const tag of this.#model.tags.keys()) await this.#compareTag(tag);
      },
    });
    await this.#engine.close();
  }

  async #step(): Promise<void> {
    const choice = this.#random.unit();
    if (choice < 0.2) await this.#write('new');
    else if (choice < 0.4) await this.#write('late');
    else if (choice < 0.55) await this.#correct();
    else if (choice < 0.59) await this.#undo();
    else if (choice < 0.68) await this.#setRules();
    else if (choice < 0.8) await this.#purge();
    else if (choice < 0.84) this.#wait();
    else if (choice < 0.91) await this.#removePoints();
    else if (choice < 0.92) await this.#deleteTag();
    else await this.#restart();
  }

  get #nowMs(): number {
    return this.#plant.clock.nowMs();
  }

  async #write(kind: 'new' | 'late'): Promise<void> {
    const tag = this.#random.pick(TAGS);
    const points = this.#draws.run(this.#model, tag, kind, this.#nowMs);
    this.#steps.push(`write ${points.length} ${kind} to ${tag}`);
    const want = this.#model.write(tag, points, this.#nowMs);
    const { written, expired, ignored } = await writeNumbers(this.#engine, 'd', { [tag]: points });
    assert.deepEqual({ written, expired, ignored }, want, 'the receipt');
  }

  async #correct(): Promise<void> {
    const tag = this.#random.pick(TAGS);
    if (!this.#model.tags.has(tag)) return;
    const correction = this.#draws.correction(this.#model, tag);
    const { kind, startMs, endMs, points } = correction;
    this.#steps.push(`${kind} ${points.length} in ${tag}`);
    const given = points.map((point) => ({ quality: 192, ...point }));
    const judgement = this.#model.judge(tag, correction);
    const id = await this.#send({ tag, kind, startMs, endMs, points: given });
    if (judgement !== 'either')
      assert.equal(id !== undefined, judgement === 'taken', 'whether the correction is taken');
    if (id !== undefined) this.#model.correct(tag, { ...correction, id });
  }

  /** Its id; undefined where it is refused. */
  async #send(correction: Parameters<typeof correct>[2]): Promise<number | undefined> {
    try {
      return (await correct(this.#engine, 'd', correction)).id;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'BAD_REQUEST') return undefined;
      throw error;
    }
  }

  async #undo(): Promise<void> {
    const tag = this.#random.pick(TAGS);
    const ids = this.#model.undoable(tag);
    if (ids.length === 0) return;
    const id = this.#random.pick(ids);
    this.#steps.push(`undo ${id} of ${tag}`);
    this.#model.undo(tag, id);
    await this.#engine.undoCorrection('d', id, 'tester', 'drawn');
  }

  async #setRules(): Promise<void> {
    const { ageDays: purgeAgeDays, takesLate } = this.#draws.rules();
    const late = takesLate ? 'accept' : 'ignore';
    this.#steps.push(`rules ${purgeAgeDays} d, late ${late}`);
    this.#model.setRules(purgeAgeDays, takesLate);
    await this.#engine.updateDataset({ name: 'd', purgeAgeDays, purgeSizeGb: 0, late });
  }

  async #purge(): Promise<void> {
    this.#steps.push('purge');
    this.#model.purgeAt(this.#nowMs);
    await this.#engine.purge();
  }

  #wait(): void {
    const hours = this.#random.between(1, 70);
    this.#steps.push(`wait ${hours} h`);
    this.#plant.clock.advance(hours * HOUR_MS);
  }

  async #removePoints(): Promise<void> {
    const tag = this.#random.pick(TAGS);
    const point = this.#draws.removal(this.#model, tag);
    if (point === undefined) return;
    const { ms } = point;
    this.#steps.push(`remove from ${tag} at ${point.says}`);
    const want = this.#model.remove(tag, ms);
    this.#model.liftStale();
    const { removed } = await this.#engine.deletePoints('d', [tag], { ms, ticks: 0 });
    if (want !== undefined) assert.equal(removed, want, 'points removed');
  }

  async #deleteTag(): Promise<void> {
    const tag = this.#random.pick(TAGS);
    if (!this.#model.tags.has(tag)) return;
    this.#steps.push(`delete ${tag}`);
    this.#model.deleteTag(tag);
    this.#model.liftStale();
    await this.#engine.deleteTags('d', [tag]);
  }

  async #restart(): Promise<void> {
    const isKill = this.#random.chance(0.6);
    this.#steps.push(isKill ? 'kill' : 'restart');
    // Every start ends with a purge.
    this.#model.purgeAt(this.#nowMs);
    this.#engine = await (isKill ? this.#plant.kill() : this.#plant.reopen());
  }

  async #compareTag(tag: string): Promise<void> {
    await this.#expect(tag, EVERYTHING, (points) => points);
    await this.#expect(tag, NEWEST, (points) => points.slice(-1));
    const atMs = this.#nowMs - this.#random.below(40 * DAY_MS);
    await this.#expect(tag, upTo(atMs), (points) => points.filter(({ ms }) => ms <= atMs).slice(-1));
    const endMs = this.#nowMs + 10_000 * DAY_MS;
    await this.#expect(tag, rangeOf(atMs + 1, endMs), (points) => points.filter(({ ms }) => ms > atMs));
  }

  /** @param choose what the range has of points in time order */
  async #expect(
    tag: string,
    range: ReadRange,
    choose: (points: readonly ModelPoint[]) => readonly ModelPoint[],
  ): Promise<void> {
    const { points, gaps } = await readNumbers(this.#engine, 'd', tag, range);
    assert.deepEqual(gaps, [], `gaps of ${tag}`);
    const read = points.flatMap(({ ms, value }) => (value === null ? [] : [{ ms, value }]));
    const all = asShown(this.#model.readable(tag), read);
    const got = points.map(({ ms, value }) => `${ms} ${value}`).join();
    const wanted = choose(all)
      .map(({ ms, value }) => `${ms} ${value}`)
      .join();
    assert.equal(got, wanted, `${range.kind} of ${tag}: got ${points.length}, want ${choose(all).length}`);
  }
}

export const COUNTS = { slice: 6, full: 100 } as const;

if (process.argv[1] === import.meta.filename) await runAsProgram({ name: 'amended', counts: COUNTS }, runAmendedModel);
