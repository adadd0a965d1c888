// Purge rules that are widened, lifted and set again, with late points, corrections, undoings and removals, over restarts and
// kills, on files that purge rewrites: at every step the engine shows what a model in plain words shows (D1, D9).
//
// As a program: node --import tsx test/model/amended-model.ts --seed <n> --count <n>

import assert from 'node:assert/strict';
import { type Engine, EngineError, type ReadRange } from '../../engine/index.ts';
import { correct } from '../engine/corrections/corrected-tag.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { EVERYTHING, NEWEST, rangeOf, readNumbers, upTo, writeNumbers } from '../support/engine-points.ts';
import { KillablePlant } from '../support/killable-plant.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { drawTunables } from '../support/test-engine.ts';
import { AmendedReference, type FirstLeft, type ModelCorrection, type ModelPoint } from './amended-reference.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);
const STEPS = 150;
const TAGS = ['A', 'B', 'C'];
const AGES_DAYS = [0, 2, 5, 10, 20];
/** Points of a request, of which long ones fill blocks. */
const FEW_POINTS = 5;
const MANY_POINTS = 80;
const STEPS_SHOWN = 8;

export interface AmendedModelRun extends CampaignRun {
  /** What the model believes of lifted rules; anything but the default must be found to differ. */
  readonly firstLeft?: FirstLeft;
}

/** Compares `count` engines with the model, with a seed each, one more than the last. */
export async function runAmendedModel({
  seed,
  count,
  firstLeft = 'stays',
  onProgress,
}: AmendedModelRun): Promise<CampaignReport> {
  const failures: string[] = [];
  for (let i = 0; i < count; i++) {
    const trialSeed = (seed + i) >>> 0;
    try {
      await new AmendedComparison(new SeededRandom(trialSeed), firstLeft).run();
    } catch (error) {
      failures.push(`seed ${trialSeed}: ${(error as Error).message}`);
    }
    onProgress?.(i + 1, count);
  }
  return { trials: count, failures };
}

class AmendedComparison {
  readonly #random: SeededRandom;
  readonly #plant: KillablePlant;
  readonly #model: AmendedReference;
  #engine!: Engine;
  /** What was done, newest last, for the report of a difference. */
  readonly #steps: string[] = [];
  /** No two points of a tag are of one time. */
  readonly #timesMs = new Set<number>();
  #serial = 0;

  constructor(random: SeededRandom, firstLeft: FirstLeft) {
    this.#random = random;
    this.#model = new AmendedReference(firstLeft);
    const tunables = { ...drawTunables(random), systemTagIntervalMs: 0, purgeIntervalMs: 1e15 };
    this.#plant = new KillablePlant(START_MS, tunables);
  }

  /** Throws at the first difference. */
  async run(): Promise<void> {
    this.#engine = await this.#plant.open();
    await this.#engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0, late: 'accept' });
    try {
      for (let i = 0; i < STEPS; i++) {
        await this.#step();
        for (const tag of this.#model.tags.keys()) await this.#compareTag(tag);
      }
    } catch (error) {
      const steps = this.#steps.slice(-STEPS_SHOWN).join('; ');
      throw new Error(`${(error as Error).message} after step ${this.#steps.length} (${steps})`, { cause: error });
    }
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
    const random = this.#random;
    const tag = random.pick(TAGS);
    const newestMs = this.#model.newestInTimeMs(tag);
    const isNew = kind === 'new' || newestMs === Number.NEGATIVE_INFINITY;
    const stepMs = random.pick([1000, 1000, HOUR_MS, DAY_MS / 4]);
    const fromMs = isNew
      ? this.#nowMs - random.below(3 * DAY_MS)
      : newestMs - random.below(random.pick([1, 8, 30]) * DAY_MS);
    const points = this.#drawPoints(random.between(1, random.pick([FEW_POINTS, MANY_POINTS])), fromMs, stepMs);
    this.#steps.push(`write ${points.length} ${isNew ? 'new' : 'late'} to ${tag}`);
    const want = this.#model.write(tag, points, this.#nowMs);
    const { written, expired, ignored } = await writeNumbers(this.#engine, 'd', { [tag]: points });
    assert.deepEqual({ written, expired, ignored }, want, 'the receipt');
  }

  /** In time order. */
  #drawPoints(count: number, fromMs: number, stepMs: number): ModelPoint[] {
    let ms = fromMs;
    return Array.from({ length: count }, () => {
      ms += this.#random.below(stepMs);
      while (this.#timesMs.has(ms)) ms++;
      this.#timesMs.add(ms);
      return { ms, value: ++this.#serial };
    });
  }

  async #correct(): Promise<void> {
    const random = this.#random;
    const tag = random.pick(TAGS);
    if (!this.#model.tags.has(tag)) return;
    const correction = this.#drawCorrection(tag);
    const { kind, startMs, endMs, points } = correction;
    this.#steps.push(`${kind} ${points.length} in ${tag}`);
    const given = points.map((point) => ({ quality: 192, ...point }));
    const id = await this.#send({ tag, kind, startMs, endMs, points: given });
    const isTaken = this.#model.correct(tag, { ...correction, id: id ?? 0 });
    // Points that may have come back may be all that there is to correct.
    const mayDiffer = kind !== 'insert' && this.#model.readable(tag).uncertain.length > 0;
    if (mayDiffer && !isTaken && id !== undefined) await this.#engine.undoCorrection('d', id, 'tester', 'taken back');
    else assert.equal(id !== undefined, isTaken, 'whether the correction is taken');
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

  #drawCorrection(tag: string): Omit<ModelCorrection, 'id'> {
    const random = this.#random;
    const { certain } = this.#model.readable(tag);
    const newestMs = Math.max(this.#model.newestInTimeMs(tag), START_MS);
    const startMs =
      certain.length > 0 && random.chance(0.8)
        ? random.pick(certain).ms - random.below(2)
        : newestMs - random.below(30 * DAY_MS);
    const kind = random.pick(['delete', 'replace', 'insert', 'insert'] as const);
    const points =
      kind === 'delete' ? [] : this.#drawPoints(random.between(1, 4), startMs, random.pick([1000, DAY_MS]));
    const lastMs = points.at(-1)?.ms ?? startMs;
    if (kind === 'insert') return { kind, startMs: points[0]?.ms ?? startMs, endMs: lastMs, points };
    return { kind, startMs, endMs: lastMs + random.below(DAY_MS), points };
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
    const purgeAgeDays = this.#random.pick(AGES_DAYS);
    const late = this.#random.chance(0.85) ? 'accept' : 'ignore';
    this.#steps.push(`rules ${purgeAgeDays} d, late ${late}`);
    this.#model.setRules(purgeAgeDays, late === 'accept');
    await this.#engine.updateDataset({ name: 'd', purgeAgeDays, purgeSizeGb: 0, late });
  }

  async #purge(): Promise<void> {
    this.#steps.push('purge');
    this.#model.purge(this.#nowMs);
    await this.#engine.purge();
  }

  #wait(): void {
    const hours = this.#random.between(1, 70);
    this.#steps.push(`wait ${hours} h`);
    this.#plant.clock.advance(hours * HOUR_MS);
  }

  async #removePoints(): Promise<void> {
    const tag = this.#random.pick(TAGS);
    const { certain } = this.#model.readable(tag);
    if (certain.length === 0) return;
    const index = this.#random.chance(0.4) ? 0 : this.#random.below(certain.length);
    const { ms } = certain[index] as ModelPoint;
    this.#steps.push(`remove from ${tag} at point ${index} of ${certain.length}`);
    const want = this.#model.remove(tag, ms);
    const { removed } = await this.#engine.deletePoints('d', [tag], { ms, ticks: 0 });
    if (want !== undefined) assert.equal(removed, want, 'points removed');
  }

  async #deleteTag(): Promise<void> {
    const tag = this.#random.pick(TAGS);
    if (!this.#model.tags.has(tag)) return;
    this.#steps.push(`delete ${tag}`);
    this.#model.deleteTag(tag);
    await this.#engine.deleteTags('d', [tag]);
  }

  async #restart(): Promise<void> {
    const isKill = this.#random.chance(0.6);
    this.#steps.push(isKill ? 'kill' : 'restart');
    // Every start ends with a purge.
    this.#model.purge(this.#nowMs);
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
    const { certain, uncertain } = this.#model.readable(tag);
    const { points, gaps } = await readNumbers(this.#engine, 'd', tag, range);
    assert.deepEqual(gaps, [], `gaps of ${tag}`);
    const mayBe = new Set(uncertain.map(({ value }) => value));
    const back = points.flatMap(({ ms, value }) => (value !== null && mayBe.has(value) ? [{ ms, value }] : []));
    // Those that have come back are as good as certain: then what is read up to a time may be one of them.
    const all = [...certain, ...back].sort((a, b) => a.ms - b.ms);
    const got = points.map(({ ms, value }) => `${ms} ${value}`).join();
    const wanted = choose(all)
      .map(({ ms, value }) => `${ms} ${value}`)
      .join();
    assert.equal(got, wanted, `${range.kind} of ${tag}: got ${points.length}, want ${choose(all).length}`);
  }
}

export const COUNTS = { slice: 6, full: 100 } as const;

if (process.argv[1] === import.meta.filename) await runAsProgram({ name: 'amended', counts: COUNTS }, runAmendedModel);
