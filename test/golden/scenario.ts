// Makes one golden folder: an engine on a disk in memory, with a clock that stands still and repeatable chance, takes
// requests one at a time; beside it is kept what the folder holds by what was sent, never by what was read back.

import {
  type Annotation,
  type AnnotationContent,
  compareInstants,
  type DatasetDefinition,
  type Engine,
  type EngineTunables,
  type Instant,
  openEngine,
  type PointBatch,
  type StatusPoint,
  type TagChange,
  type TagDefinition,
  type TagRename,
  TICKS_PER_MS,
  ValueType,
} from '../../engine/index.ts';
import { buildBatch, type Point, type Run } from '../model/points.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { type HeldDataset, type HeldTag, type Holds, holdAnnotation, holdTag } from './holds.ts';
import { formatInstant } from './notation.ts';

export const FOLDER = 'data';
/** When the folders are made, by their own clock. Their points lie in the month before. */
const NOW_MS = Date.UTC(2026, 1, 1);
const SEED = 20_260_201;
/** Turns of the event loop without work for the disk, after which the engine has nothing more to do. */
const QUIET_TURNS = 5;
const MOST_TURNS = 10_000;

/** Retired journals are kept for an hour. */
const RETIRED_MS = 3_601_000;

/** Blocks are small, so that folders are; what goes by real time or by the machine is off. */
export const GOLDEN_TUNABLES: Partial<EngineTunables> = {
  blockPoints: 300,
  systemTagIntervalMs: 0,
  purgeIntervalMs: 1e15,
  diskReserveBytes: 0,
};

/** `State` of the dataset, by what the server does. */
const State = { Stopped: 0, Starting: 1, Running: 3, Stopping: 4 } as const;

interface ExpectedTag {
  definition: TagDefinition;
  points: Point[];
  lost?: number;
}

interface ExpectedDataset {
  rules: Omit<DatasetDefinition, 'name'>;
  readonly tags: Map<string, ExpectedTag>;
  readonly system: Map<string, ExpectedTag>;
  annotations: Annotation[];
}

/** A finished folder: the files by their paths in it, and what they hold. */
export interface MadeFolder {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly holds: Omit<Holds, 'shows'>;
}

export class Scenario {
  readonly clock = new ManualClock(NOW_MS);
  readonly vfs = new MemoryVfs({ nowMs: () => this.clock.nowMs() });
  readonly #random = new SeededRandom(SEED);
  readonly #tunables: Partial<EngineTunables>;
  readonly #expected = new Map<string, ExpectedDataset>();
  #engine: Engine | undefined;
  readonly #findings: string[] = [];

  private constructor(tunables: Partial<EngineTunables>) {
    this.#tunables = { ...GOLDEN_TUNABLES, ...tunables };
  }

  static async begin(tunables: Partial<EngineTunables> = {}): Promise<Scenario> {
    const scenario = new Scenario(tunables);
    await scenario.start();
    return scenario;
  }

  get engine(): Engine {
    if (!this.#engine) throw new Error('BUG: the engine is not running');
    return this.#engine;
  }

  async start(): Promise<void> {
    const { vfs, clock } = this;
    this.#engine = await openEngine({ folder: FOLDER, vfs, clock, random: this.#random, tunables: this.#tunables });
    for (const dataset of this.#expected.values()) this.#noteStart(dataset);
    await this.settle();
  }

  async stop(): Promise<void> {
    await this.engine.close();
    this.#engine = undefined;
    for (const dataset of this.#expected.values()) {
      this.#noteState(dataset, State.Stopping);
      this.#noteState(dataset, State.Stopped);
    }
    await this.settle();
  }

  /** Stops and starts again: heads go into a spill, and journals are retired. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Lets the journals go that are retired, where they are not what a folder is there for. */
  async forgetJournals(): Promise<void> {
    await this.restart();
    this.clock.advance(RETIRED_MS);
    await this.settle();
  }

  /** Resolves when the engine has no more work. */
  async settle(): Promise<void> {
    let quiet = 0;
    for (let turn = 0, seen = -1; quiet < QUIET_TURNS; turn++) {
      if (turn > MOST_TURNS) throw new Error('the engine never rests');
      quiet = this.vfs.operationCount === seen ? quiet + 1 : 0;
      seen = this.vfs.operationCount;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.settle();
  }

  async create(definition: DatasetDefinition): Promise<void> {
    await this.engine.createDataset(definition);
    const { name, ...rules } = definition;
    const expected: ExpectedDataset = { rules, tags: new Map(), system: new Map(), annotations: [] };
    this.#expected.set(name, expected);
    this.#noteStart(expected);
    await this.settle();
  }

  async update(definition: DatasetDefinition): Promise<void> {
    await this.engine.updateDataset(definition);
    const { name, ...rules } = definition;
    const expected = this.#dataset(name);
    expected.rules = { ...expected.rules, ...rules };
    await this.settle();
  }

  async deleteDataset(name: string): Promise<void> {
    await this.engine.deleteDataset(name);
    this.#expected.delete(name);
    await this.settle();
  }

  async define(dataset: string, changes: readonly TagChange[]): Promise<void> {
    await this.engine.defineTags(dataset, changes);
    const { tags } = this.#dataset(dataset);
    for (const change of changes) {
      const tag = tags.get(change.name);
      const definition = { type: ValueType.Open, ...tag?.definition, ...change };
      tags.set(change.name, { definition, points: tag?.points ?? [] });
    }
    await this.settle();
  }

  async rename(dataset: string, rename: TagRename): Promise<void> {
    await this.engine.renameTag(dataset, rename);
    const { from, to, forwards, keepMs } = rename;
    const expected = this.#dataset(dataset);
    const tag = expected.tags.get(from) as ExpectedTag;
    const { former = { count: 0, names: [] } } = tag.definition;
    const renamedMs = this.clock.nowMs();
    const untilMs = keepMs === undefined ? undefined : renamedMs + keepMs;
    const others = former.names.filter(({ name }) => name !== to);
    const names = [...others, { name: from, renamedMs, untilMs, forwards }];
    tag.definition = { ...tag.definition, name: to, former: { count: former.count + 1, names } };
    expected.tags.delete(from);
    expected.tags.set(to, tag);
    expected.annotations = expected.annotations.map((one) => (one.tag === from ? { ...one, tag: to } : one));
    await this.settle();
  }

  async deleteTags(dataset: string, names: readonly string[]): Promise<void> {
    await this.engine.deleteTags(dataset, names);
    for (const name of names) this.#dataset(dataset).tags.delete(name);
    await this.settle();
  }

  /** One request. All its points must be newer than what their tags have. `stamped`: they carry the server's time. */
  async write(dataset: string, runs: readonly Run[], stamped: 'stamped' | undefined = undefined): Promise<void> {
    await this.#append(dataset, runs, stamped === 'stamped');
    await this.settle();
  }

  /** One request with points that are earlier than the newest of their tags, in a dataset that accepts such. */
  async writeLate(dataset: string, runs: readonly Run[]): Promise<void> {
    await this.#append(dataset, runs, false);
    for (const { name } of runs) {
      // In its place behind others of its time: those that were stored in time come first.
      const tag = this.#dataset(dataset).tags.get(name) as ExpectedTag;
      tag.points = tag.points.toSorted(compareInstants);
    }
    await this.settle();
  }

  /** Requests that are sent before any of them is answered. */
  async writeTogether(dataset: string, requests: readonly (readonly Run[])[]): Promise<void> {
    await Promise.all(requests.map((runs) => this.#append(dataset, runs, false)));
    await this.settle();
  }

  async cut(dataset: string, names: readonly string[], start: Instant): Promise<void> {
    await this.engine.deletePoints(dataset, names, start);
    for (const name of names) {
      const tag = this.#dataset(dataset).tags.get(name);
      if (tag) tag.points = tag.points.filter((point) => compareInstants(point, start) < 0);
    }
    await this.settle();
  }

  /** Gives its id. */
  async annotate(dataset: string, content: AnnotationContent, by: string | undefined): Promise<number> {
    const { id } = await this.engine.createAnnotation(dataset, content, by);
    const nowMs = this.clock.nowMs();
    const about = { id, revision: 1, author: by, createdMs: nowMs, changedBy: undefined, changedMs: nowMs };
    this.#dataset(dataset).annotations.push({ ...content, ...about });
    await this.settle();
    return id;
  }

  async changeAnnotation(dataset: string, id: number, content: AnnotationContent, by: string): Promise<void> {
    await this.engine.changeAnnotation(dataset, id, { content, by, check: () => {} });
    const { annotations } = this.#dataset(dataset);
    const index = annotations.findIndex((annotation) => annotation.id === id);
    const old = annotations[index] as Annotation;
    const about = { revision: old.revision + 1, changedBy: by, changedMs: this.clock.nowMs() };
    annotations[index] = { ...old, ...content, ...about };
    await this.settle();
  }

  async deleteAnnotation(dataset: string, id: number): Promise<void> {
    await this.engine.deleteAnnotation(dataset, id, () => {});
    const expected = this.#dataset(dataset);
    expected.annotations = expected.annotations.filter((annotation) => annotation.id !== id);
    await this.settle();
  }

  async postStatus(dataset: string, statuses: readonly (StatusPoint & { readonly time: Instant })[]): Promise<void> {
    await this.engine.postStatus(dataset, statuses);
    for (const { time, quality } of statuses) {
      const point = { ...time, type: ValueType.Open, value: null, quality };
      this.#noteSystem(this.#dataset(dataset), 'Status', point);
    }
    await this.settle();
  }

  /** Applies the purge rules; `cutMsOf` gives the cut that hides points, each tag's newest at or before it stays. */
  async purge(dataset: string, cutMsOf: () => number): Promise<void> {
    await this.engine.purge();
    await this.settle();
    const cutMs = cutMsOf();
    for (const tag of this.#dataset(dataset).tags.values()) {
      const kept = tag.points.findLastIndex(
        ({ ms, ticks }) => compareInstants({ ms, ticks }, { ms: cutMs, ticks: 0 }) <= 0,
      );
      tag.points = tag.points.slice(Math.max(0, kept));
    }
  }

  /** Takes the folder as it is while the engine runs, or once it has stopped. */
  async leave(left: Holds['left']): Promise<MadeFolder> {
    if (left === 'stopped') await this.stop();
    const prefix = `${FOLDER}/`;
    const files = new Map(this.vfs.files().map((path) => [path.slice(prefix.length), this.vfs.content(path)]));
    const now = formatInstant({ ms: this.clock.nowMs(), ticks: TICKS_PER_MS - 1 });
    const datasets = Object.fromEntries(
      [...this.#expected].sort(byName).map(([name, dataset]) => [name, holdDataset(dataset)]),
    );
    const made = { files, holds: { left, now, findings: this.#findings, datasets } };
    if (this.#engine) await this.#engine.close();
    return made;
  }

  /** The oldest points of a tag are lost, with the file that is removed; the check will have something to say. */
  lose(dataset: string, name: string, count: number, file: string): void {
    const tag = this.#dataset(dataset).tags.get(name);
    if (!tag) throw new Error(`BUG: there is no tag '${name}'`);
    tag.points = tag.points.slice(count);
    tag.lost = count;
    this.#findings.push(`warn ${file}`);
    this.vfs.removeSync(`${FOLDER}/${file}`);
  }

  async #append(dataset: string, runs: readonly Run[], isStamped: boolean): Promise<void> {
    const batch = buildBatch(this.engine, dataset, runs);
    const expected = this.#dataset(dataset);
    const count = runs.reduce((sum, { points }) => sum + points.length, 0);
    const receipt = await this.engine.append(dataset, isStamped ? stamp(batch) : batch);
    if (receipt.written !== count) throw new Error(`${receipt.written} of ${count} points were stored`);
    for (const run of runs) {
      const tag = expected.tags.get(run.name) ?? { definition: { name: run.name, type: ValueType.Open }, points: [] };
      if (tag.definition.type === ValueType.Open) tag.definition = { ...tag.definition, type: run.type };
      tag.points.push(...run.points);
      expected.tags.set(run.name, tag);
    }
  }

  #dataset(name: string): ExpectedDataset {
    const dataset = this.#expected.get(name);
    if (!dataset) throw new Error(`BUG: dataset '${name}' was not created`);
    return dataset;
  }

  #noteStart(dataset: ExpectedDataset): void {
    this.#noteState(dataset, State.Starting);
    this.#noteState(dataset, State.Running);
  }

  /** The server's own points are at its clock, or a tick behind the newest one. */
  #noteState(dataset: ExpectedDataset, value: number): void {
    const ms = this.clock.nowMs();
    const newest = dataset.system.get('State')?.points.at(-1);
    const ticks = newest?.ms === ms ? newest.ticks + 1 : 0;
    this.#noteSystem(dataset, 'State', { ms, ticks, type: ValueType.Int32, value, quality: 192 });
  }

  #noteSystem(dataset: ExpectedDataset, name: string, point: Point): void {
    const definition = { name, type: name === 'State' ? ValueType.Int32 : ValueType.Open };
    const tag: ExpectedTag = dataset.system.get(name) ?? { definition, points: [] };
    tag.points.push(point);
    dataset.system.set(name, tag);
  }
}

function stamp(batch: PointBatch): PointBatch {
  return { ...batch, runs: batch.runs.map((run) => ({ ...run, stamped: run.count })) };
}

function holdDataset({ rules, tags, system, annotations }: ExpectedDataset): HeldDataset {
  const hold = (held: ReadonlyMap<string, ExpectedTag>) =>
    Object.fromEntries([...held].sort(byName).map(([name, tag]) => [name, holdExpected(tag)]));
  const held = { rules, tags: hold(tags), system: hold(system) };
  return annotations.length === 0 ? held : { ...held, annotations: annotations.map(holdAnnotation) };
}

function holdExpected({ definition, points, lost }: ExpectedTag): HeldTag {
  const tag = holdTag(definition, points);
  return lost === undefined ? tag : { ...tag, lost };
}

/** The engine's order: by UTF-16 unit. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
