// Random requests and reads against an engine and, beside it, against a model that keeps everything in plain lists.
// Both must give the same answers at every step, also after restarts with other limits and after kill -9.
//
// Command: npm run campaign model -- [--seed <n>] [--count <n>] [--extent slice|full]
// [--steps <n>]

import {
  compareInstants,
  type Durability,
  type Engine,
  type Instant,
  type ReadMarker,
  type ReadRange,
  type ReadRequest,
} from '../../engine/index.ts';
import { turnUntil } from '../crash/crash-machine.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { drawThreads } from '../support/late-threads.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { drawTunables, makeDisk, openTestEngine } from '../support/test-engine.ts';
import { formatPoint, type Point, readPoints, type TagAnswer } from './points.ts';
import type { ReferenceDataset } from './reference.ts';
import { findDifference, takeSnapshot } from './snapshot.ts';
import { Workload } from './workload.ts';

const DATASETS = ['one', 'Zwei/2'] as const;
const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const DEFAULT_STEPS = '400';

export interface ModelRun extends CampaignRun {
  readonly stepCount: number;
  /** What stands between the comparison and the engine: nothing in the campaign, a fault in its negative control. */
  readonly disguise?: (engine: Engine) => Engine;
}

/** Compares `count` engines with their models, with a seed each, one more than the last; ends at the first difference. */
export async function runModel({ seed, count, stepCount, disguise, onProgress }: ModelRun): Promise<CampaignReport> {
  for (let i = 0; i < count; i++) {
    const trialSeed = (seed + i) >>> 0;
    const comparison = new ModelComparison(new SeededRandom(trialSeed), disguise ?? ((engine) => engine));
    try {
      await comparison.run(stepCount);
    } catch (error) {
      return { trials: i + 1, failures: [`seed ${trialSeed}: ${(error as Error).message}`] };
    }
    onProgress?.(i + 1, count);
  }
  return { trials: count, failures: [] };
}

class ModelComparison {
  readonly #random: SeededRandom;
  #clock = new ManualClock(START_MS);
  readonly #workload: Workload;
  #disk: MemoryVfs;
  #engine!: Engine;
  readonly #disguise: (engine: Engine) => Engine;

  constructor(random: SeededRandom, disguise: (engine: Engine) => Engine) {
    this.#random = random;
    this.#disguise = disguise;
    this.#disk = makeDisk({ random: random.fork(), nowMs: () => this.#clock.nowMs() });
    const startMs = START_MS - 10 * DAY_MS;
    this.#workload = new Workload(random.fork(), {
      datasets: DATASETS,
      tagCount: 5,
      runPoints: 300,
      purgeAgeDays: 0,
      startMs,
    });
  }

  /** Throws at the first difference. */
  async run(stepCount: number): Promise<void> {
    await this.#open();
    for (let i = 0; i < stepCount; i++) await this.#step();
    await this.#checkEverything();
  }

  async #open(): Promise<void> {
    const random = this.#random.fork();
    const durability = random.pick<Durability>(['group', 'interval', 'os']);
    const tunables = drawTunables(random);
    const threads = drawThreads(random);
    const options = { vfs: this.#disk, clock: this.#clock, random, durability, tunables, threads };
    this.#engine = this.#disguise(await turnUntil(openTestEngine(options), this.#clock));
  }

  async #step(): Promise<void> {
    const choice = this.#random.unit();
    if (choice < 0.62) await this.#send();
    else if (choice < 0.9) await this.#compareRead();
    else if (choice < 0.96) this.#clock.advance(this.#random.pick([100, 6_000, 70_000]));
    else if (choice < 0.98) await this.#compareListings();
    else await this.#restart();
  }

  async #checkEverything(): Promise<void> {
    for (const [name, state] of this.#workload.admitted) {
      const difference = findDifference(await takeSnapshot(this.#engine, name), state, 'everything');
      if (difference !== undefined) throw new Error(`dataset ${name}: ${difference}`);
    }
  }

  async #send(): Promise<void> {
    const deletion = this.#random.chance(0.01) ? this.#workload.drawDatasetDeletion() : undefined;
    const request = deletion ?? this.#workload.draw();
    await turnUntil(request.send(this.#engine), this.#clock);
  }

  /** A clean stop, or a process that is gone from one moment to the next. */
  async #restart(): Promise<void> {
    if (this.#random.chance(0.5)) {
      await turnUntil(this.#engine.close(), this.#clock);
    } else {
      const killed = this.#disk;
      this.#disk = killed.crashClone({ content: 'everything', entries: 'everything', random: this.#random.fork() });
      killed.halt();
      this.#clock = new ManualClock(this.#clock.nowMs());
    }
    await this.#open();
    await this.#checkEverything();
  }

  async #compareListings(): Promise<void> {
    const present = [...this.#workload.admitted.values()].filter((state) => state.definition !== undefined);
    expectSame(
      'datasets',
      this.#engine
        .datasets()
        .map(({ name, tagCount }) => `${name} ${tagCount}`)
        .sort(),
      present.map(({ name, tags }) => `${name} ${tags.size}`).sort(),
    );
    for (const { name, tags } of present) {
      expectSame(
        `tags of ${name}`,
        [...(await this.#engine.tags(name)).user].map((tag) => tag.name),
        [...tags.keys()].sort(),
      );
    }
  }

  async #compareRead(): Promise<void> {
    const state = this.#random.pick([...this.#workload.admitted.values()]);
    const names = this.#random.shuffled([...state.tags.keys()]).slice(0, this.#random.between(1, 3));
    if (state.definition === undefined || names.length === 0) return;
    const range = this.#drawRange(state, names);
    const request: ReadRequest = {
      tags: this.#random.chance(0.2) ? ['no such tag', ...names] : names,
      range,
      carryIn: range.kind === 'range' && this.#random.chance(0.5),
      skipMissing: true,
      limit: range.kind === 'range' && this.#random.chance(0.5) ? this.#random.between(1, 40) : undefined,
      after: [],
    };
    const answers = await this.#readAllPages(state.name, request);
    names.forEach((name, i) => {
      const want = expectedPoints(state.tags.get(name)?.points ?? [], request);
      expectSame(
        `${JSON.stringify(request)} of ${state.name}, tag ${name}`,
        (answers[i] ?? []).map(formatPoint),
        want.map(formatPoint),
      );
    });
  }

  /** Reads page by page, each page checked against the limit, and puts the pages together. */
  async #readAllPages(dataset: string, request: ReadRequest): Promise<Point[][]> {
    const pages = await readPoints(this.#engine, dataset, request);
    const whole = pages.map((page) => [...page.points]);
    let open = markers(pages);
    while (open.length > 0) {
      for (const { points } of pages) {
        if (points.length > (request.limit ?? 0))
          throw new Error(`a page of ${points.length} points; want ${request.limit}`);
      }
      const next = await readPoints(this.#engine, dataset, { ...request, after: open });
      const done = pages.map((page) => page.marker === undefined);
      next.forEach((page, i) => {
        if (done[i]) return;
        whole[i]?.push(...page.points);
        pages[i] = page;
      });
      open = markers(pages);
    }
    return whole;
  }

  #drawRange(state: ReferenceDataset, names: readonly string[]): ReadRange {
    const random = this.#random;
    const times = names.flatMap((name) => state.tags.get(name)?.points ?? []);
    const drawTime = (): Instant => {
      if (times.length === 0) return { ms: START_MS, ticks: 0 };
      const { ms, ticks } = random.pick(times);
      return random.chance(0.6) ? { ms, ticks } : { ms: ms + random.between(-2000, 2000), ticks };
    };
    switch (random.below(4)) {
      case 0:
        return { kind: 'newest' };
      case 1:
        return { kind: 'at', end: drawTime() };
      default: {
        const [start, end] = [drawTime(), drawTime()].sort(compareInstants) as [Instant, Instant];
        return { kind: 'range', start, end };
      }
    }
  }
}

function markers(pages: readonly TagAnswer[]): ReadMarker[] {
  return pages.flatMap((page) => page.marker ?? []);
}

/** What a read of one tag must give, by the plain words of docs/api.md. */
function expectedPoints(points: readonly Point[], { range, carryIn }: ReadRequest): Point[] {
  if (range.kind === 'newest') return points.slice(-1);
  const upToEnd = points.filter((point) => compareInstants(point, range.end) <= 0);
  if (range.kind === 'at') return upToEnd.slice(-1);
  const inside = upToEnd.filter((point) => compareInstants(point, range.start) >= 0);
  const inForce = points.findLast((point) => compareInstants(point, range.start) <= 0);
  const isEarlier = inForce !== undefined && compareInstants(inForce, range.start) < 0;
  return carryIn && isEarlier ? [inForce, ...inside] : inside;
}

function expectSame(what: string, got: readonly string[], want: readonly string[]): void {
  const at = want.findIndex((text, i) => text !== got[i]);
  if (at === -1 && got.length === want.length) return;
  const place = at === -1 ? want.length : at;
  throw new Error(
    `${what}: got ${got.length}, want ${want.length}; at ${place} got ${got[place]}; want ${want[place]}`,
  );
}

/** Trials: what the tests run, and the whole; a trial of the whole has more steps. */
export const COUNTS = { slice: 12, full: 50 } as const;

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'model', counts: COUNTS, own: ['steps'] }, (run, { steps = DEFAULT_STEPS }) =>
    runModel({ ...run, stepCount: Number(steps) }),
  );
