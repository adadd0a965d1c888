// One machine under a random load: an engine on a disk in memory, the requests sent to it, what it has acknowledged and
// shown, and power cuts taken at random operations.

import {
  type Durability,
  type Engine,
  EngineError,
  type EngineEvent,
  type EngineTunables,
  type WriteCounts,
} from '../../engine/index.ts';
import { DEFAULT_TUNABLES } from '../../engine/limits.ts';
import { type Effect, ReferenceDataset } from '../model/reference.ts';
import { findDifference, type Scope, type Snapshot, takeSnapshot } from '../model/snapshot.ts';
import { type PlannedRequest, Workload } from '../model/workload.ts';
import { drawThreads } from '../support/late-threads.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { MemoryVfs } from '../support/memory-vfs.ts';
import type { PowerCut } from '../support/power-cut.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { openTestEngine } from '../support/test-engine.ts';

export const DATASETS = ['plant', 'Kessel 2'] as const;
/** Most requests that are under way at once. */
const MOST_IN_FLIGHT = 12;
/** Turns of the event loop within which every request must be settled. */
const SETTLE_TURNS = 200_000;
const DAY_MS = 86_400_000;

/** The requests of one dataset in the order of their admission. */
interface History {
  effects: Effect[];
  /** Number of the first requests that must survive. */
  certain: number;
  /** Number of the first requests that survive at every level: a dataset's own changes are not in the journal. */
  folderCertain: number;
}

export interface HistoryView {
  readonly effects: readonly Effect[];
  readonly certain: number;
  /** `tags`: the rules of the dataset may be newer than its tags. */
  readonly scope: 'everything' | 'tags';
}

/** What may be on the disk after a power cut. */
export interface CrashPoint {
  readonly disk: MemoryVfs;
  readonly nowMs: number;
  readonly cut: string;
  readonly histories: ReadonlyMap<string, HistoryView>;
}

export interface MachineOptions {
  readonly random: SeededRandom;
  readonly disk: MemoryVfs;
  readonly tunables: Partial<EngineTunables>;
  readonly durability: Durability;
  /** `errors`: now and then a write or sync fails, and the disk is full for a while. */
  readonly faults: 'none' | 'errors';
  readonly startMs: number;
}

export class CrashMachine {
  readonly engine: Engine;
  readonly clock: ManualClock;
  readonly events: EngineEvent[];
  readonly histories = new Map<string, History>();
  readonly crashPoints: CrashPoint[] = [];
  readonly workload: Workload;
  /** Set once a failed sync has ended all writing. */
  poisoned = false;
  readonly #options: MachineOptions;
  readonly #random: SeededRandom;
  readonly #inFlight = new Map<Promise<void>, string>();
  /** Requests under way that do more than add points: what they define may show before it is durable. */
  #changesUnderWay = 0;
  /** Requests of a few points are several batches: until they are answered, the first of them may show. */
  readonly #cutsRequests: boolean;
  #failure: unknown;

  private constructor(engine: Engine, clock: ManualClock, events: EngineEvent[], options: MachineOptions) {
    this.engine = engine;
    this.clock = clock;
    this.events = events;
    this.#options = options;
    this.#random = options.random;
    const batches = { ...DEFAULT_TUNABLES, ...options.tunables };
    this.#cutsRequests = Math.min(batches.batchTags, batches.batchPoints) < DEFAULT_TUNABLES.batchTags;
    for (const name of DATASETS) this.histories.set(name, { effects: [], certain: 0, folderCertain: 0 });
    this.workload = new Workload(options.random.fork(), {
      datasets: DATASETS,
      tagCount: 6,
      runPoints: 80,
      purgeAgeDays: 1,
      startMs: options.startMs - 4 * DAY_MS,
      batches,
    });
  }

  static async start(options: MachineOptions): Promise<CrashMachine> {
    const clock = new ManualClock(options.startMs);
    const events: EngineEvent[] = [];
    const { disk, durability, tunables } = options;
    const opening = openTestEngine({
      vfs: disk,
      clock,
      random: options.random.fork(),
      durability,
      tunables,
      threads: drawThreads(options.random),
      listener: (event) => events.push(event),
    });
    const engine = await turnUntil(opening, clock);
    return new CrashMachine(engine, clock, events, options);
  }

  /** Goes on from a state that was found after a crash. */
  adopt(histories: ReadonlyMap<string, readonly Effect[]>): void {
    for (const [name, effects] of histories) {
      this.histories.set(name, { effects: [...effects], certain: effects.length, folderCertain: effects.length });
      this.workload.reset(name, effects);
    }
  }

  /** Takes a power cut before each of the next operations, so many apart as drawn. */
  planCrashes(count: number, mostApart: number): void {
    if (count === 0) return;
    this.#options.disk.atOperation(this.#random.between(1, mostApart), () => {
      this.takeCrashPoint();
      this.planCrashes(count - 1, mostApart);
    });
  }

  takeCrashPoint(): void {
    const cut = this.#drawCut();
    // What a failed sync has dropped not even the kernel has any more.
    const isComplete = this.#options.disk.abandonedCount === 0;
    const keepsAll = isComplete && cut.content === 'everything' && cut.entries === 'everything';
    const isSynced = this.#options.durability === 'group' || keepsAll;
    const histories = [...this.histories].map(([name, { effects, certain, folderCertain }]) => {
      const view = isSynced
        ? ({ certain, scope: 'everything' } as const)
        : ({ certain: folderCertain, scope: 'tags' } as const);
      return [name, { effects: [...effects], ...view }] as const;
    });
    const { disk } = this.#options;
    this.crashPoints.push({
      disk: disk.crashClone(cut, { ...disk.options, random: this.#random.fork() }),
      nowMs: this.clock.nowMs(),
      cut: `content ${cut.content}, entries ${cut.entries}, at operation ${disk.operationCount}`,
      histories: new Map(histories),
    });
  }

  /** At `interval` and `os` only whole groups of operations are kept: what is synced, or what the kernel has. */
  #drawCut(): PowerCut {
    const random = this.#random.fork();
    const choice = random.unit();
    if (choice < 0.2) return { content: 'everything', entries: 'everything', random };
    if (choice < 0.4 || this.#options.durability !== 'group') return { content: 'nothing', entries: 'nothing', random };
    return { content: 'any', entries: 'any', random };
  }

  /** One random step: requests, waiting, time, or a look at what the engine shows. */
  async step(): Promise<void> {
    const choice = this.#random.unit();
    if (this.poisoned) await this.#passTime();
    else if (this.#options.faults === 'errors' && choice < 0.2) await this.#faultyBatch();
    else if (choice < 0.6) await this.#sendSome(this.#random.between(1, 4));
    else if (choice < 0.7) await this.settle();
    else if (choice < 0.72) await this.#deleteDataset();
    else if (choice < 0.85) await this.#passTime();
    else if (choice < 0.95) await this.#look();
    await turns(this.#random.between(0, 4));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits until every request is answered. */
  async settle(dataset?: string): Promise<void> {
    const waiting = [...this.#inFlight].filter(([, name]) => dataset === undefined || name === dataset);
    await turnUntil(Promise.all(waiting.map(([promise]) => promise)), this.clock);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Compares all that is shown now with the state that all admitted requests lead to. Nothing must be under way. */
  async checkSettled(): Promise<void> {
    for (const [name, snapshot] of await this.#snapshots()) {
      const { effects } = this.histories.get(name) as History;
      const difference = findDifference(snapshot, ReferenceDataset.after(name, effects), 'everything');
      if (difference !== undefined) throw new Error(`dataset ${name}: ${difference}`);
    }
  }

  async #snapshots(): Promise<Map<string, Snapshot>> {
    const snapshots = new Map<string, Snapshot>();
    for (const name of DATASETS) snapshots.set(name, await takeSnapshot(this.engine, name));
    return snapshots;
  }

  /** The points that are shown must be those of some state between acknowledged and admitted, and survive (D4). */
  async #look(): Promise<void> {
    if (this.#changesUnderWay > 0 || (this.#cutsRequests && this.#inFlight.size > 0)) return;
    const before = new Map([...this.histories].map(([name, { certain }]) => [name, certain]));
    for (const [name, snapshot] of await this.#snapshots()) {
      const history = this.histories.get(name) as History;
      // What was answered during the look may be in a part of what was seen.
      if (history.certain !== before.get(name)) continue;
      history.certain = findState(name, snapshot, { ...history, scope: 'points' });
    }
  }

  async #sendSome(count: number): Promise<void> {
    if (this.#options.faults === 'errors') return this.#sendBatch(count);
    for (let i = 0; i < count && !this.poisoned; i++) {
      if (this.#inFlight.size >= MOST_IN_FLIGHT) await this.settle();
      await this.send(this.workload.draw());
    }
  }

  async send(request: PlannedRequest): Promise<void> {
    if (request.needs !== 'nothing') await this.settle(request.dataset);
    const history = this.histories.get(request.dataset) as History;
    const makesOrRemovesFolder = this.#makesOrRemovesFolder(request);
    history.effects.push(...request.effects);
    const answered = request.send(this.engine).then(
      () => {
        // Found now: requests before it may have been refused since, and forgotten.
        const place = history.effects.lastIndexOf(request.effects.at(-1) as Effect) + 1;
        history.certain = Math.max(history.certain, place);
        if (makesOrRemovesFolder) history.folderCertain = place;
      },
      (error: unknown) => this.#onRefused(request, error),
    );
    const change = request.effects.every((effect) => effect.kind === 'append' || effect.kind === 'status') ? 0 : 1;
    this.#changesUnderWay += change;
    const promise = answered.then(() => {
      this.#inFlight.delete(promise);
      this.#changesUnderWay -= change;
    });
    this.#inFlight.set(promise, request.dataset);
    if (request.needs === 'alone') await this.settle(request.dataset);
  }

  /** Only such a change says something about all that was before it. */
  #makesOrRemovesFolder({ dataset, needs, effects }: PlannedRequest): boolean {
    if (needs !== 'alone') return false;
    return effects[0]?.kind === 'delete-dataset' || !this.engine.hasDataset(dataset);
  }

  #onRefused(request: PlannedRequest, error: unknown): void {
    const code = this.#options.faults === 'errors' && error instanceof EngineError ? error.code : undefined;
    if (code === 'POISONED') {
      this.poisoned = true;
    } else if (code === 'DISK_FULL' || code === 'DATASET_DELETED') {
      // The latter when the request that was to create the dataset again was refused.
      const history = this.histories.get(request.dataset) as History;
      // The dataset that it was to create may be there all the same, without what it was created for.
      const isCreated = request.effects[0]?.kind === 'set-dataset' && this.engine.hasDataset(request.dataset);
      const kept = Math.max(isCreated && request.effects.length > 1 ? 1 : 0, storedEffects(request, error));
      const refused = request.effects.slice(kept);
      history.effects = history.effects.filter((effect) => !refused.includes(effect));
      const last = kept > 0 ? request.effects[kept - 1] : undefined;
      if (last?.kind === 'append') history.certain = Math.max(history.certain, history.effects.lastIndexOf(last) + 1);
    } else {
      const reason = error instanceof Error ? error.message : String(error);
      this.#failure ??= new Error(`a ${request.effects.at(-1)?.kind} was refused: ${reason}`, { cause: error });
    }
  }

  async #faultyBatch(): Promise<void> {
    await this.settle();
    const cancelFault = this.#injectFault();
    await this.#sendBatch(this.#random.between(1, 4));
    cancelFault();
  }

  /** Sends requests that may be refused in one go; what was refused is forgotten before the next are drawn. */
  async #sendBatch(count: number): Promise<void> {
    await this.settle();
    for (let i = 0; i < count && !this.poisoned; i++) {
      const request = this.workload.draw();
      const createsDataset = request.effects[0]?.kind === 'set-dataset';
      if (request.needs === 'nothing') void this.send(request);
      else if (i === 0) await this.send(request);
      // What comes next was drawn as if this were stored; behind a long request it may be stored when this is refused.
      if (createsDataset || request.needs !== 'nothing' || this.#cutsRequests) break;
    }
    await this.settle();
    for (const [name, { effects }] of this.histories) this.workload.reset(name, effects);
  }

  #injectFault(): () => void {
    const { disk } = this.#options;
    const random = this.#random;
    if (random.chance(0.03)) return disk.failAt(random.between(1, 3), random.pick(['sync', 'write-done']), 'EIO');
    if (random.chance(0.7)) return disk.failAt(random.between(1, 4), 'write', 'ENOSPC');
    disk.freeBytes = 0;
    return () => {
      disk.freeBytes = undefined;
    };
  }

  async #deleteDataset(): Promise<void> {
    await this.settle();
    const request = this.poisoned ? undefined : this.workload.drawDatasetDeletion();
    if (request === undefined) return;
    await this.send(request);
    await this.settle();
    this.workload.reset(request.dataset, this.histories.get(request.dataset)?.effects ?? []);
  }

  async #passTime(): Promise<void> {
    this.clock.advance(this.#random.pick([10, 1_500, 6_000, 70_000]));
    await turns(this.#random.between(0, 30));
  }
}

/** How many effects of a refused request are stored, by the counts of its refusal. Throws when these are of no whole batches. */
function storedEffects({ effects }: PlannedRequest, error: unknown): number {
  const stored = (error as EngineError).details.stored as WriteCounts | undefined;
  if (stored === undefined) return 0;
  const taken = stored.written + stored.ignored + stored.repeated + stored.expired;
  let sentCount = 0;
  for (const [i, effect] of effects.entries()) {
    sentCount += effect.kind === 'append' ? effect.sentCount : 0;
    if (sentCount === taken) return i + 1;
  }
  throw new Error(`a refused request says that ${taken} points are stored, which no first batches have`);
}

type StateSearch = Omit<HistoryView, 'scope'> & { readonly scope: Scope };

/** How many of a dataset's requests lead to what was found: at least the certain ones. Throws when none do. */
export function findState(name: string, snapshot: Snapshot, history: StateSearch): number {
  const { effects, certain, scope } = history;
  const state = ReferenceDataset.after(name, effects.slice(0, certain));
  const differences: string[] = [];
  for (let count = certain; ; count++) {
    const difference = findDifference(snapshot, state, scope);
    if (difference === undefined) return count;
    differences.push(`against ${count}: ${difference}`);
    if (count === effects.length) break;
    state.apply(effects[count] as Effect);
  }
  // The difference tells most when both sides have the same tags.
  const telling = differences.filter((difference) => difference.includes(': tag ')).slice(0, 2);
  const shown = telling.length > 0 ? telling : [differences[0], differences.at(-1)];
  throw new Error(`dataset ${name}: no state of ${certain} to ${effects.length} requests; ${shown.join('; ')}`);
}

/** Lets the event loop turn so many times. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for a promise while the clock moves on slowly; throws when it does not settle. */
export async function turnUntil<T>(promise: Promise<T>, clock: ManualClock): Promise<T> {
  let settled = false;
  const done = promise.finally(() => {
    settled = true;
  });
  done.catch(() => undefined);
  for (let i = 0; i < SETTLE_TURNS && !settled; i++) {
    await turns(1);
    if (i % 100 === 99) clock.advance(10);
  }
  if (!settled) throw new Error(`something was not settled within ${SETTLE_TURNS} turns`);
  return done;
}
