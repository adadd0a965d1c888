// Random requests to an engine, with what each must change. The same seed draws the same requests.

import {
  type DatasetDefinition,
  type Engine,
  GOOD_QUALITY,
  type Instant,
  type StatusPoint,
  type TagChange,
  TICKS_PER_MS,
  ValueType,
  type WriteCounts,
} from '../../engine/index.ts';
import { type CutLimits, cutRequest } from '../support/cut-requests.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { drawCorrection, isTimeTaken, sendCorrection } from './drawn-corrections.ts';
import { buildBatch, drawQuality, drawType, drawValue, formatPoint, type Point, type Run } from './points.ts';
import { type Effect, ReferenceDataset } from './reference.ts';
import type { ReferenceTag } from './reference-tag.ts';

const DAY_MS = 86_400_000;

export interface WorkloadOptions {
  readonly datasets: readonly string[];
  readonly tagCount: number;
  /** Points of a tag in a request, at most. */
  readonly runPoints: number;
  /** Days that some datasets keep; 0: all keep everything. */
  readonly purgeAgeDays: number;
  readonly startMs: number;
  /** Limits of the engine's batches; absent where every request is answered before anybody looks. */
  readonly batches?: CutLimits;
}

export interface PlannedRequest {
  readonly dataset: string;
  /** Several when the first may be there and the rest not: of a request that creates its dataset, or has several batches. */
  readonly effects: readonly Effect[];
  /** Must wait until everything before it is answered: it names what that creates, or has no place in its order. */
  readonly needs: 'nothing' | 'settled-before' | 'alone';
  /** Calls the engine. Must run before the next request of the dataset is drawn. */
  send(engine: Engine): Promise<unknown>;
}

const NEEDS: Readonly<Record<Effect['kind'], PlannedRequest['needs']>> = {
  append: 'nothing',
  define: 'nothing',
  'delete-tags': 'settled-before',
  rename: 'alone',
  cut: 'settled-before',
  correct: 'alone',
  undo: 'alone',
  status: 'settled-before',
  'set-dataset': 'alone',
  'delete-dataset': 'alone',
};

/** Draws requests. It knows the state that all requests drawn so far lead to. */
export class Workload {
  readonly admitted = new Map<string, ReferenceDataset>();
  readonly #random: SeededRandom;
  readonly #options: WorkloadOptions;
  readonly #timesMs = new Map<string, number>();
  /** Data requests that were sent, to be sent again. */
  readonly #sent: { readonly dataset: string; readonly runs: readonly Run[] }[] = [];

  constructor(random: SeededRandom, options: WorkloadOptions) {
    this.#random = random;
    this.#options = options;
    for (const name of options.datasets) this.admitted.set(name, new ReferenceDataset(name));
  }

  /** Takes over a state that differs from what was drawn: after a crash or a refused request. */
  reset(dataset: string, effects: readonly Effect[]): void {
    const state = ReferenceDataset.after(dataset, effects);
    this.admitted.set(dataset, state);
    this.#timesMs.set(
      dataset,
      Math.max(this.#timesMs.get(dataset) ?? this.#options.startMs, state.newestPoint?.ms ?? 0),
    );
  }

  /** The next request. Deleting a dataset is drawn by `drawDatasetDeletion` only. */
  draw(): PlannedRequest {
    const random = this.#random;
    const state = this.#state(random.pick(this.#options.datasets));
    if (state.definition === undefined) return random.chance(0.7) ? this.#setDataset(state) : this.#define(state);
    const tagNames = [...state.tags.keys()];
    const choice = random.unit();
    if (choice < 0.06 || tagNames.length === 0) return this.#define(state);
    if (choice < 0.09) return this.#deleteTags(state, tagNames);
    if (choice < 0.11) return this.#cut(state, tagNames);
    if (choice < 0.13) return this.#status(state);
    if (choice < 0.15) return this.#setDataset(state);
    if (choice < 0.17) return this.#correct(state, tagNames) ?? this.#append(state);
    if (choice < 0.18) return this.#undo(state) ?? this.#append(state);
    if (choice < 0.2) return this.#rename(state, tagNames) ?? this.#append(state);
    if (choice < 0.27 && this.#sent.length > 0) return this.#retry() ?? this.#append(state);
    return random.chance(0.3) ? this.#sweep(state) : this.#append(state);
  }

  /** Undefined when no dataset is there. */
  drawDatasetDeletion(): PlannedRequest | undefined {
    const present = [...this.admitted.values()].filter((state) => state.definition !== undefined);
    if (present.length === 0) return undefined;
    const { name } = this.#random.pick(present);
    return this.#plan(name, [{ kind: 'delete-dataset' }], (engine) => engine.deleteDataset(name));
  }

  #state(name: string): ReferenceDataset {
    return this.admitted.get(name) as ReferenceDataset;
  }

  /** @param given taken one by one, each when those before it are applied */
  #plan(dataset: string, given: Iterable<Effect>, send: (engine: Engine) => Promise<unknown>): PlannedRequest {
    const state = this.#state(dataset);
    const effects: Effect[] = [];
    for (const effect of given) {
      const createsDataset = effect.kind === 'append' || effect.kind === 'define';
      if (state.definition === undefined && createsDataset) {
        const definition = { name: dataset, purgeAgeDays: 0, purgeSizeGb: 0 };
        effects.push({ kind: 'set-dataset', definition });
        state.apply({ kind: 'set-dataset', definition });
      }
      effects.push(effect);
      state.apply(effect);
    }
    return { dataset, effects, needs: NEEDS[(effects.at(-1) as Effect).kind], send };
  }

  #setDataset(state: ReferenceDataset): PlannedRequest {
    const isNew = state.definition === undefined;
    const takesLate = isNew ? this.#random.chance(0.4) : state.takesLate;
    const purgeAgeDays = this.#random.chance(0.5) ? this.#options.purgeAgeDays : 0;
    const late = takesLate ? 'accept' : 'ignore';
    const definition: DatasetDefinition = { name: state.name, purgeAgeDays, purgeSizeGb: this.#random.below(3), late };
    return this.#plan(state.name, [{ kind: 'set-dataset', definition }], (engine) =>
      isNew ? engine.createDataset(definition) : engine.updateDataset(definition),
    );
  }

  #tagName(): string {
    return `Tag ${this.#random.below(this.#options.tagCount)}/ä`;
  }

  #define(state: ReferenceDataset): PlannedRequest {
    const names = new Set(Array.from({ length: this.#random.between(1, 3) }, () => this.#tagName()));
    const changes = [...names].map((name) => this.#drawChange(name));
    return this.#plan(state.name, [{ kind: 'define', changes }], (engine) => engine.defineTags(state.name, changes));
  }

  #drawChange(name: string): TagChange {
    const random = this.#random;
    return {
      name,
      ...(random.chance(0.5) ? { type: drawType(random) } : {}),
      ...(random.chance(0.3) ? { description: `description ${random.below(5)}` } : {}),
      ...(random.chance(0.3) ? { format: '0.00' } : {}),
      ...(random.chance(0.3) ? { units: new Map([[random.between(-5, 5), 'l/h']]) } : {}),
      ...(random.chance(0.3) ? { fields: new Map([['Area', `A${random.below(5)}`]]) } : {}),
    };
  }

  #deleteTags(state: ReferenceDataset, tagNames: readonly string[]): PlannedRequest {
    const names = this.#random.shuffled(tagNames).slice(0, this.#random.between(1, 2));
    return this.#plan(state.name, [{ kind: 'delete-tags', names }], (engine) => engine.deleteTags(state.name, names));
  }

  /** The former name is free at once; undefined where no name is. */
  #rename(state: ReferenceDataset, tagNames: readonly string[]): PlannedRequest | undefined {
    const from = this.#random.pick(tagNames);
    const to = this.#tagName();
    if (state.tags.has(to)) return undefined;
    const rename = { from, to, forwards: this.#random.chance(0.5), keepMs: 0 };
    return this.#plan(state.name, [{ kind: 'rename', from, to }], (engine) => engine.renameTag(state.name, rename));
  }

  #cut(state: ReferenceDataset, tagNames: readonly string[]): PlannedRequest {
    const names = this.#random.shuffled(tagNames).slice(0, this.#random.between(1, 2));
    const points = names.flatMap((name) => state.tags.get(name)?.points ?? []);
    const chosen = points.length > 0 ? this.#random.pick(points.slice(-20)) : { ms: 0, ticks: 0 };
    const start = { ms: chosen.ms, ticks: chosen.ticks };
    return this.#plan(state.name, [{ kind: 'cut', names, start }], (engine) =>
      engine.deletePoints(state.name, names, start),
    );
  }

  /** Undefined where there is nothing to correct. */
  #correct(state: ReferenceDataset, tagNames: readonly string[]): PlannedRequest | undefined {
    const tag = state.tags.get(this.#random.pick(tagNames)) as ReferenceTag;
    const correction = drawCorrection(this.#random, tag, this.#expiryMs(state.name));
    if (correction === undefined) return undefined;
    return this.#plan(state.name, [{ kind: 'correct', correction }], (engine) =>
      sendCorrection(engine, state.name, correction),
    );
  }

  /** Undefined where there is nothing to undo. */
  #undo(state: ReferenceDataset): PlannedRequest | undefined {
    const expiryMs = this.#expiryMs(state.name);
    const undoable = [...state.tags.values()].flatMap((tag) =>
      tag.corrections.filter((one) => one.id !== undefined && one.end.ms > expiryMs && !tag.isUndone(one)),
    );
    if (undoable.length === 0) return undefined;
    const correction = this.#random.pick(undoable);
    const id = correction.id as number;
    return this.#plan(state.name, [{ kind: 'undo', correction }], (engine) =>
      engine.undoCorrection(state.name, id, 'tester', 'undone'),
    );
  }

  /** Statuses that start no watch, each later than those before. */
  #status(state: ReferenceDataset): PlannedRequest {
    let ms = state.statuses.at(-1)?.ms ?? 0;
    const points = Array.from({ length: this.#random.between(1, 2) }, (): Point => {
      ms = Math.max(ms + 1, this.#nextTime(state.name).ms);
      return { ms, ticks: 0, type: ValueType.Open, value: null, quality: this.#random.pick([24, 28]) };
    });
    const statuses = points.map(({ ms, ticks, quality }): StatusPoint => ({ time: { ms, ticks }, quality }));
    return this.#plan(state.name, [{ kind: 'status', points }], (engine) => engine.postStatus(state.name, statuses));
  }

  #append(state: ReferenceDataset): PlannedRequest {
    const random = this.#random;
    const names = new Set(Array.from({ length: random.between(1, 4) }, () => this.#tagName()));
    const runs = [...names].map((name) => this.#drawRun(state, name));
    return this.#data(state.name, runs);
  }

  /** A collector's request: a few new points of every tag, whatever the types. */
  #sweep(state: ReferenceDataset): PlannedRequest {
    const runs = this.#random.shuffled([...state.tags.values()]).map(({ definition }): Run => {
      const { name } = definition;
      const type = definition.type === ValueType.Open ? drawType(this.#random) : definition.type;
      const count = this.#random.between(1, 3);
      return { name, type, points: Array.from({ length: count }, () => this.#newPoint(state.name, name, type)) };
    });
    return this.#data(state.name, runs);
  }

  /** Later than all points of the dataset. */
  #newPoint(dataset: string, name: string, type: ValueType): Point {
    const ms = this.#nextTime(dataset).ms + 1;
    this.#timesMs.set(dataset, ms);
    const value = drawValue(this.#random, type);
    return { ms, ticks: 0, type, value, quality: isSteady(name) ? GOOD_QUALITY : drawQuality(this.#random) };
  }

  /** An earlier request once more; undefined when a tag now has another type, or the dataset is gone. */
  #retry(): PlannedRequest | undefined {
    const { dataset, runs } = this.#random.pick(this.#sent);
    const state = this.#state(dataset);
    const isCorrected = runs.some(({ name }) => (state.tags.get(name)?.corrections.length ?? 0) > 0);
    // Whether a late point that a correction hides is known when it comes again depends on how long ago it came.
    if (state.takesLate && isCorrected) return undefined;
    const fits = runs.every((run) => {
      const mayExpire = state.accept(run).points.filter(({ ms }) => ms <= this.#expiryMs(dataset)).length > 1;
      return !mayExpire && (state.tags.get(run.name)?.definition.type ?? run.type) === run.type;
    });
    return fits && state.definition !== undefined ? this.#data(dataset, runs) : undefined;
  }

  #data(dataset: string, runs: readonly Run[]): PlannedRequest {
    this.#sent.push({ dataset, runs });
    const state = this.#state(dataset);
    const accepted = runs.map((run) => state.accept(run));
    const { takesLate } = state;
    return this.#plan(dataset, this.#batches(state, runs), async (engine) => {
      const receipt = await engine.append(dataset, buildBatch(engine, dataset, runs));
      for (const [i, { name, points }] of runs.entries()) {
        checkCounts(name, receipt.tags.get(name), points, takesLate ? undefined : accepted[i]?.points);
      }
    });
  }

  *#batches(state: ReferenceDataset, runs: readonly Run[]): Generator<Effect> {
    const { batches: limits } = this.#options;
    for (const batch of limits === undefined ? [runs] : cutRequest(runs, limits)) {
      const sentCount = batch.reduce((sum, { points }) => sum + points.length, 0);
      yield { kind: 'append', runs: batch.map((run) => state.accept(run)), sentCount };
    }
  }

  #drawRun(state: ReferenceDataset, name: string): Run {
    const random = this.#random;
    const tag = state.tags.get(name);
    const steady = isSteady(name);
    const isNullsOnly = !steady && random.chance(0.05);
    let type = tag?.definition.type ?? ValueType.Open;
    if (type === ValueType.Open && !isNullsOnly) type = drawType(random);
    const count = random.chance(0.15) ? random.between(1, this.#options.runPoints) : random.between(1, 5);
    const points = Array.from({ length: count }, (_, i): Point => {
      const isNull = isNullsOnly || (!steady && i > 0 && random.chance(0.1));
      const point = this.#drawPoint(state, tag?.points, type, isNull);
      return steady ? { ...point, ticks: 0, quality: GOOD_QUALITY } : point;
    });
    const distinct = [
      ...new Map(points.map((point) => [`${point.ms} ${point.ticks} ${String(point.value)}`, point])).values(),
    ];
    const isUncertain = (point: Point): boolean => state.takesLate && tag !== undefined && isTimeTaken(tag, point);
    const drawn = tag && tag.corrections.length > 0 ? distinct.filter((point) => !isUncertain(point)) : distinct;
    return { name, type, points: random.chance(0.2) ? random.shuffled(drawn) : drawn };
  }

  #drawPoint(state: ReferenceDataset, stored: readonly Point[] | undefined, type: ValueType, isNull: boolean): Point {
    const random = this.#random;
    const newest = stored?.at(-1);
    // Nothing is late and nothing a tie if purge may have taken the newest point that a removal has left.
    const isLeft = newest !== undefined && newest.ms > this.#expiryMs(state.name);
    const { takesLate } = state;
    const isTie = isLeft && !takesLate && random.chance(0.08);
    const isLate = isLeft && random.chance(takesLate ? 0.25 : 0.04);
    let time: Instant = isTie ? { ms: newest.ms, ticks: newest.ticks } : this.#nextTime(state.name);
    if (isLate) time = { ms: newest.ms - random.between(1, 100_000), ticks: 0 };
    return { ...time, type, value: isNull ? null : drawValue(random, type), quality: drawQuality(random) };
  }

  /** Purge may take points up to here: of several in a request some would not be stored, which the purge model looks at. */
  #expiryMs(dataset: string): number {
    const { purgeAgeDays, startMs } = this.#options;
    if (purgeAgeDays === 0) return Number.NEGATIVE_INFINITY;
    return (this.#timesMs.get(dataset) ?? startMs) - purgeAgeDays * DAY_MS;
  }

  /** Times of a dataset only grow: mostly by about a second, sometimes by hours. */
  #nextTime(dataset: string): Instant {
    const random = this.#random;
    const step = random.chance(0.01) ? random.between(1, 8 * 3_600_000) : random.between(0, 2000);
    const ms = (this.#timesMs.get(dataset) ?? this.#options.startMs) + step;
    this.#timesMs.set(dataset, ms);
    return { ms, ticks: random.chance(0.1) ? random.below(TICKS_PER_MS) : 0 };
  }
}

/** Half of the tags only have points at whole ms, good and not null, so that whole blocks of every type are of such. */
function isSteady(tagName: string): boolean {
  return /[02468]\//.test(tagName);
}

/** @param accepted undefined: only as many as were sent must be counted, since a late point that is there may be written again */
function checkCounts(
  name: string,
  counts: WriteCounts | undefined,
  sent: readonly Point[],
  accepted: readonly Point[] | undefined,
): void {
  const { written = 0, ignored = 0, repeated = 0, expired = 0 } = counts ?? {};
  if (accepted === undefined) {
    const text = `${written} written, ${repeated} repeated, ${expired} expired of ${sent.length}`;
    if (written + repeated + expired !== sent.length) throw new Error(`${name}: ${text}`);
    return;
  }
  if (written === accepted.length && ignored + repeated === sent.length - accepted.length) return;
  const points = sent.map((point) => (accepted.includes(point) ? '+' : '-') + formatPoint(point));
  throw new Error(`${name}: ${written} written, ${ignored} ignored, ${repeated} repeated of ${points.join(', ')}`);
}
