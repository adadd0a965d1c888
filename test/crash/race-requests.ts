// The changing requests of the race campaign: each is sent at once, noted in the history, and its answer judged.

import {
  type Engine,
  EngineError,
  type EngineTunables,
  type ErrorCode,
  type WriteReceipt,
} from '../../engine/index.ts';
import { DEFAULT_TUNABLES } from '../../engine/limits.ts';
import { writeNumbers } from '../support/engine-points.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { type Moments, RaceHistory, type RacePoint, type Span } from './race-history.ts';

export const RACE_DATASETS = ['plant', 'Kessel 2'] as const;
export const RACE_TAGS = ['A', 'B', 'C', 'D'] as const;
const DAY_MS = 86_400_000;
/** In days: none, a minute and a half, a quarter of an hour. */
const PURGE_AGES = [0, 0.001, 0.01];
/** Times between points; equal times keep their order. */
const STEPS_MS = [0, 1, 500, 5_000, 30_000];

/** One dataset name and what is known of it. */
export class RaceDataset {
  readonly name: string;
  readonly history = new RaceHistory();
  readonly nextMs = new Map<string, number>();
  /** Changes with everything that may change rules; the age in force is known only while it stands still. */
  rulesVersion = 0;
  purgeAgeDays: number | undefined;
  /** Changes with everything that may take the newest point, which purge counts from. */
  removals = 0;
  /** Removals of points and tags that are not answered: they put off that a purge moves its cutoff on. */
  removalsUnderWay = 0;
  /** Definitions that are not answered: of several nobody knows which came last. */
  definitionsUnderWay = 0;
  smallestAgeDays = Number.POSITIVE_INFINITY;

  constructor(name: string) {
    this.name = name;
  }
}

export class RaceRequests {
  engine!: Engine;
  clock!: ManualClock;
  readonly datasets = RACE_DATASETS.map((name) => new RaceDataset(name));
  readonly bySerial = new Map<number, RacePoint>();
  readonly inFlight = new Set<Promise<void>>();
  failure: Error | undefined;
  /** Limits of the batches of the engine that runs now. */
  batches: Pick<EngineTunables, 'batchTags' | 'batchPoints'> = DEFAULT_TUNABLES;
  readonly #moments: Moments;
  readonly #random: SeededRandom;
  readonly #firstMs: number;
  /** Answers of an engine whose machine was turned off do not count. */
  #life = 0;

  constructor(moments: Moments, random: SeededRandom, firstMs: number) {
    this.#moments = moments;
    this.#random = random;
    this.#firstMs = firstMs;
  }

  /** Forgets requests that will never be answered. */
  abandon(): void {
    this.#life++;
    this.inFlight.clear();
  }

  /** Points of some tags, later than all that was sent before. */
  write(dataset: RaceDataset): void {
    const random = this.#random;
    const span = this.#moments.begin();
    const own: RacePoint[] = [];
    const tags: Record<string, { ms: number; value: number }[]> = {};
    for (const tag of random.shuffled(RACE_TAGS).slice(0, random.between(1, 3))) {
      const points = this.#drawPoints(dataset, tag, span);
      tags[tag] = points.map(({ ms, serial }) => ({ ms, value: serial }));
      own.push(...points);
    }
    dataset.history.makers.push(span);
    this.#notePurgeBound(dataset);
    const isCut = own.length > this.batches.batchPoints || Object.keys(tags).length > this.batches.batchTags;
    this.#send(writeNumbers(this.engine, dataset.name, tags), dataset, span, {
      answered: (receipt) => this.#noteWritten(dataset, own, receipt as WriteReceipt, isCut),
      refused: (code) => {
        const isPerhaps = isCut && code === 'DATASET_NOT_FOUND';
        for (const point of own) Object.assign(point, { isGone: !isPerhaps, isPerhaps });
        dataset.history.makers = dataset.history.makers.filter((maker) => maker !== span);
        if (code === 'DATASET_NOT_FOUND') dataset.history.refusedMakers.push(span);
      },
      codes: ['DATASET_NOT_FOUND', 'DATASET_DELETED'],
    });
  }

  /**
   * All are stored but those that the rules in force would take at once: of a tag's points the first ones, unless the request was
   * cut into batches and purge ran between two of them.
   */
  #noteWritten(
    { history }: RaceDataset,
    own: readonly RacePoint[],
    { written, expired, tags }: WriteReceipt,
    isCut: boolean,
  ): void {
    if (written + expired !== own.length)
      throw new Error(`of ${own.length} points ${written} were written and ${expired} expired`);
    for (const [name, counts] of tags) {
      const ofTag = own.filter(({ tag }) => tag === name);
      if (
        isCut &&
        counts.expired > 0 &&
        counts.expired < ofTag.length &&
        history.purgeMostMs === Number.POSITIVE_INFINITY
      ) {
        for (const point of ofTag) point.mayBeExpired = true;
        continue;
      }
      for (const point of ofTag.slice(0, counts.expired)) {
        if (point.ms > history.purgeMostMs) throw new Error(`${point.serial} expired, which no rule takes`);
        point.isGone = true;
      }
    }
  }

  #drawPoints(dataset: RaceDataset, tag: string, write: Span): RacePoint[] {
    const random = this.#random;
    const stepMs = random.pick(STEPS_MS);
    let ms = dataset.nextMs.get(tag) ?? this.#firstMs;
    const points: RacePoint[] = [];
    for (let count = random.between(1, random.pick([3, 40])); count > 0; count--) {
      const point = {
        serial: this.bySerial.size + 1,
        tag,
        ms,
        write,
        isGone: false,
        isPerhaps: false,
        mayBeExpired: false,
      };
      this.bySerial.set(point.serial, point);
      dataset.history.addPoint(point);
      points.push(point);
      ms += stepMs;
    }
    dataset.nextMs.set(tag, ms);
    return points;
  }

  /** Creates a dataset, or gives it other rules. */
  define(dataset: RaceDataset, how: 'create' | 'update'): void {
    const span = this.#moments.begin();
    const { history } = dataset;
    const version = ++dataset.rulesVersion;
    const isAlone = dataset.definitionsUnderWay++ === 0;
    dataset.purgeAgeDays = undefined;
    const purgeAgeDays = this.#random.pick(PURGE_AGES);
    if (purgeAgeDays > 0) dataset.smallestAgeDays = Math.min(dataset.smallestAgeDays, purgeAgeDays);
    // 10 kB: almost everything may go.
    const purgeSizeGb = this.#random.chance(0.05) ? 0.00001 : 0;
    if (purgeSizeGb > 0) history.purgeMostMs = Number.POSITIVE_INFINITY;
    this.#notePurgeBound(dataset);
    history.makers.push(span);
    // A cut that other rules do not make is lifted, as it is when the newest points are removed.
    history.purgeLeastMs = Number.NEGATIVE_INFINITY;
    const definition = { name: dataset.name, purgeAgeDays, purgeSizeGb };
    const sent = how === 'create' ? this.engine.createDataset(definition) : this.engine.updateDataset(definition);
    this.#send<string>(sent, dataset, span, {
      answered: (outcome) => {
        dataset.definitionsUnderWay--;
        if (outcome === 'created') history.creations.push(span);
        if (isAlone && dataset.rulesVersion === version) dataset.purgeAgeDays = purgeAgeDays;
      },
      refused: (code) => {
        dataset.definitionsUnderWay--;
        // With other rules it was there, all the same.
        if (code !== 'DATASET_EXISTS') history.makers = history.makers.filter((maker) => maker !== span);
      },
      codes: how === 'create' ? ['DATASET_EXISTS'] : ['DATASET_NOT_FOUND'],
      always: ['DATASET_EXISTS'],
    });
  }

  delete(dataset: RaceDataset): void {
    const span = this.#moments.begin();
    const { history } = dataset;
    dataset.rulesVersion++;
    dataset.purgeAgeDays = undefined;
    history.purgeLeastMs = Number.NEGATIVE_INFINITY;
    history.deletions.push(span);
    this.#send(this.engine.deleteDataset(dataset.name), dataset, span, {
      refused: () => {
        history.deletions = history.deletions.filter((deletion) => deletion !== span);
      },
      codes: ['DATASET_NOT_FOUND'],
    });
  }

  deleteTag(dataset: RaceDataset, tag: string): void {
    const span = this.#moments.begin();
    const { history } = dataset;
    dataset.removals++;
    dataset.removalsUnderWay++;
    history.purgeLeastMs = Number.NEGATIVE_INFINITY;
    history.addTo(history.tagDeletions, tag, span);
    this.#send(this.engine.deleteTags(dataset.name, [tag]), dataset, span, {
      answered: () => void dataset.removalsUnderWay--,
      refused: () => {
        dataset.removalsUnderWay--;
        history.removeFrom(history.tagDeletions, tag, span);
      },
      codes: ['DATASET_NOT_FOUND', 'TAG_NOT_FOUND'],
      tag,
    });
  }

  /** Takes a tag's points from some time on; the next ones may begin there. */
  cut(dataset: RaceDataset, tag: string): void {
    const { history } = dataset;
    const own = history.points.get(tag) ?? [];
    if (own.length === 0) return;
    const fromMs = this.#random.pick(own.slice(-50)).ms;
    const cut = { ...this.#moments.begin(), fromMs };
    history.addTo(history.cuts, tag, cut);
    history.deletePointsOfTags.add(tag);
    dataset.removals++;
    dataset.removalsUnderWay++;
    history.purgeLeastMs = Number.NEGATIVE_INFINITY;
    dataset.nextMs.set(tag, fromMs);
    this.#send(this.engine.deletePoints(dataset.name, [tag], { ms: fromMs, ticks: 0 }), dataset, cut, {
      answered: () => void dataset.removalsUnderWay--,
      refused: () => {
        dataset.removalsUnderWay--;
        history.removeFrom(history.cuts, tag, cut);
        dataset.nextMs.set(tag, Math.max(...own.map(({ ms }) => ms)) + 1);
      },
      codes: ['DATASET_NOT_FOUND', 'TAG_NOT_FOUND'],
      tag,
    });
  }

  /** What lies before the cut must be gone afterwards, where the rules stand still meanwhile. */
  purge(): void {
    const still = this.datasets.filter(({ removalsUnderWay }) => removalsUnderWay === 0);
    const bounds = still.map((dataset) => ({
      dataset,
      version: dataset.rulesVersion,
      removals: dataset.removals,
      leastMs: this.#purgeLeastMs(dataset),
    }));
    this.#send(this.engine.purge(), undefined, this.#moments.begin(), {
      answered: () => {
        for (const { dataset, version, removals, leastMs } of bounds) {
          if (dataset.rulesVersion === version && dataset.removals === removals)
            dataset.history.purgeLeastMs = Math.max(dataset.history.purgeLeastMs, leastMs);
        }
      },
      codes: [],
    });
  }

  #purgeLeastMs({ history, purgeAgeDays = 0 }: RaceDataset): number {
    if (purgeAgeDays === 0) return Number.NEGATIVE_INFINITY;
    const now = this.#moments.next();
    const read = { called: now, opened: now, ended: now };
    let newestMs = Number.NEGATIVE_INFINITY;
    for (const tag of RACE_TAGS) {
      // A cut takes with the point that purge has kept all that purge hides behind it.
      const leastMs = history.deletePointsOfTags.has(tag) ? history.purgeMostMs : Number.NEGATIVE_INFINITY;
      for (const { ms } of history.required(tag, read)) if (ms >= leastMs) newestMs = Math.max(newestMs, ms);
    }
    return Math.min(this.clock.nowMs(), newestMs) - purgeAgeDays * DAY_MS;
  }

  /** For whenever points or rules have changed: purge may run at any moment, and goes by the newest point. */
  #notePurgeBound({ history, smallestAgeDays }: RaceDataset): void {
    history.purgeMostMs = Math.max(history.purgeMostMs, history.newestMs - smallestAgeDays * DAY_MS);
  }

  #send<T>(sent: Promise<T>, dataset: RaceDataset | undefined, span: Span, judge: Judgement<T>): void {
    const life = this.#life;
    const promise: Promise<void> = sent
      .then(
        (answer) => {
          if (life !== this.#life) return;
          span.end = this.#moments.next();
          judge.answered?.(answer);
        },
        (error: unknown) => {
          if (life !== this.#life) return;
          const now = this.#moments.next();
          checkRefusal(error, dataset, { start: span.start, end: now }, judge);
          span.end = now;
          judge.refused?.((error as EngineError).code);
        },
      )
      .catch((error: unknown) => {
        this.failure ??= error as Error;
      })
      .finally(() => this.inFlight.delete(promise));
    this.inFlight.add(promise);
  }
}

interface Judgement<T> {
  readonly answered?: (answer: T) => void;
  readonly refused?: (code: ErrorCode) => void;
  /** Refusals that are right unless the dataset, and the tag, were surely there. */
  readonly codes: readonly ErrorCode[];
  /** Refusals that are right at any time. */
  readonly always?: readonly ErrorCode[];
  readonly tag?: string;
}

function checkRefusal<T>(error: unknown, dataset: RaceDataset | undefined, span: Span, judge: Judgement<T>): void {
  const code = error instanceof EngineError ? error.code : undefined;
  if (code !== undefined && judge.always?.includes(code)) return;
  if (code !== undefined && dataset && judge.codes.includes(code)) {
    const { history } = dataset;
    const wasThere = history.isSurelyThere(span.start, span.end);
    if (!wasThere) return;
    if (code === 'TAG_NOT_FOUND' && !history.hasTagSurely(judge.tag ?? '', span.start, span.end)) return;
  }
  throw new Error(`a request to ${dataset?.name} was refused: ${String(error)}`, { cause: error });
}
