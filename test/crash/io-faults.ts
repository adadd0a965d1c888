// One fault at the N-th operation of the disk, for every N, once and for ever: an engine under a mixed load must refuse
// in the words of its contract, acknowledge nothing after a failed sync, and after a power cut and a restart hold all that
// it has acknowledged, every other request whole or not at all.
//
// Command: npm run campaign io -- [--seed <n>] [--count <n; 0: every operation>]
// [--extent slice|full]

import { type Engine, EngineError, type EngineEvent, type EngineTunables } from '../../engine/index.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { readNumbers, writeNumbers } from '../support/engine-points.ts';
import { drawThreads } from '../support/late-threads.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type MemoryVfs, type OperationKind, systemError } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../support/test-engine.ts';
import { turnUntil } from './crash-machine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const REQUESTS = 60;
const TAGS = 4;
const DATASET = 'plant';
const TUNABLES: Partial<EngineTunables> = {
  blockPoints: 8,
  headLimitBytes: 4_000,
  journalFileBytes: 1_000,
  journalLimitBytes: 2_000,
  retiredFileMs: 0,
  maxSpills: 1,
  tagFileBytes: 500,
  tagFileSpanMs: 20_000,
  purgeIntervalMs: 5_000,
  systemTagIntervalMs: 0,
  diskReserveBytes: 0,
};

/** How a disk fails: with which error, and whether it ever works again. */
interface Fault {
  readonly operation: number;
  readonly code: 'EIO' | 'ENOSPC' | 'EMFILE';
  readonly lasting: 'once' | 'for ever';
}

export interface FaultRun extends CampaignRun {
  /** `noop`: the negative control, on which the campaign must fail. */
  readonly syncs: 'real' | 'noop';
}

/** `count` trials spread evenly over all faults; 0: every one. */
export async function injectFaults({ seed, count, syncs }: FaultRun): Promise<CampaignReport> {
  const sound = new Trial(seed, undefined, syncs);
  await sound.run();
  const faults = faultsOf(sound.operationCount);
  const step = count === 0 ? 1 : Math.max(1, Math.floor(faults.length / count));
  const failures: string[] = [];
  let trials = 0;
  for (let i = seed % step; i < faults.length; i += step) {
    const fault = faults[i] as Fault;
    const reason = await new Trial(seed, fault, syncs).run();
    if (reason !== undefined)
      failures.push(`seed ${seed}, ${fault.code} ${fault.lasting} at operation ${fault.operation}: ${reason}`);
    trials++;
  }
  return { trials, failures };
}

function faultsOf(operationCount: number): Fault[] {
  const codes = ['EIO', 'ENOSPC', 'EMFILE'] as const;
  const lastings = ['once', 'for ever'] as const;
  return Array.from({ length: operationCount }, (_, i) => i + 1).flatMap((operation) =>
    codes.flatMap((code) => lastings.map((lasting) => ({ operation, code, lasting }))),
  );
}

/** What each error can meet: a full disk refuses what grows, a process with too many files what opens one. */
const KINDS: Readonly<Record<Fault['code'], ReadonlySet<OperationKind>>> = {
  EIO: new Set<OperationKind>([
    'open',
    'read',
    'write',
    'write-done',
    'sync',
    'sync-done',
    'truncate',
    'stat',
    'list',
    'make-directory',
    'rename',
    'remove',
    'sync-directory',
    'sync-directory-done',
  ]),
  ENOSPC: new Set<OperationKind>(['open', 'write', 'write-done', 'make-directory', 'rename']),
  EMFILE: new Set<OperationKind>(['open', 'list', 'sync-directory']),
};
const SYNCS = new Set<OperationKind>(['sync', 'sync-done', 'sync-directory', 'sync-directory-done']);

/** One engine, one fault. The `k`-th request writes the value `k` to two tags. */
class Trial {
  readonly #fault: Fault | undefined;
  readonly #disk: MemoryVfs;
  readonly #clock = new ManualClock(START_MS);
  readonly #random: SeededRandom;
  readonly #acknowledged = new Set<number>();
  readonly #events: EngineEvent[] = [];
  #wasPoisoned = false;
  /** The kind of operation that failed first. */
  #met: OperationKind | undefined;
  operationCount = 0;

  constructor(seed: number, fault: Fault | undefined, syncs: FaultRun['syncs']) {
    this.#fault = fault;
    this.#random = new SeededRandom(seed);
    this.#disk = makeDisk({
      random: this.#random.fork(),
      nowMs: () => this.#clock.nowMs(),
      syncIsNoop: syncs === 'noop',
    });
  }

  /** What is wrong, in words; undefined when all is well. */
  async run(): Promise<string | undefined> {
    const heal = this.#breakDisk();
    try {
      await this.#load();
      this.operationCount = this.#disk.operationCount;
      this.#checkPoison();
      heal();
      await this.#checkRestart();
      return undefined;
    } catch (error) {
      return `${this.#met ?? 'nothing'} failed: ${(error as Error).message}`;
    }
  }

  #breakDisk(): () => void {
    const fault = this.#fault;
    if (fault === undefined) return () => undefined;
    let left = fault.lasting === 'once' ? 1 : Number.POSITIVE_INFINITY;
    return this.#disk.watch(({ index, kind, path }) => {
      if (index < fault.operation || left <= 0 || !KINDS[fault.code].has(kind)) return;
      left--;
      this.#met ??= kind;
      throw systemError(fault.code, kind, path);
    });
  }

  async #load(): Promise<void> {
    const engine = await this.#open().catch((error: unknown) => this.#noteUnopened(error));
    if (engine === undefined) return;
    for (let k = 0; k < REQUESTS; k++) {
      await this.#send(engine, k);
      await this.#doSomethingElse(engine, k);
    }
    this.#disk.halt();
  }

  #open(): Promise<Engine> {
    const { disk, clock, random } = { disk: this.#disk, clock: this.#clock, random: this.#random.fork() };
    const listener = (event: EngineEvent) => this.#events.push(event);
    return turnUntil(
      openTestEngine({ vfs: disk, clock, random, tunables: TUNABLES, listener, threads: drawThreads(random) }),
      clock,
    );
  }

  /** The system's error is the contract here. */
  #noteUnopened(error: unknown): undefined {
    if (!(error instanceof EngineError) && (error as NodeJS.ErrnoException).code !== this.#fault?.code) throw error;
    this.#disk.halt();
    return undefined;
  }

  async #send(engine: Engine, k: number): Promise<void> {
    const point = { ms: START_MS + k * 1000, value: k };
    const tags = { [`T${k % TAGS}`]: [point], [`T${(k + 1) % TAGS}`]: [point] };
    if (await this.#attempt(`request ${k}`, writeNumbers(engine, DATASET, tags))) {
      if (this.#wasPoisoned) throw new Error(`request ${k} was acknowledged after writing had stopped`);
      this.#acknowledged.add(k);
    }
  }

  async #doSomethingElse(engine: Engine, k: number): Promise<void> {
    if (k % 7 === 3) this.#clock.advance(6_000);
    if (k % 11 === 5) {
      const definition = { name: DATASET, purgeAgeDays: 1000 + k, purgeSizeGb: 0 };
      await this.#attempt('new rules', engine.updateDataset(definition));
    }
    if (k % 13 === 6) await this.#attempt('tags', engine.defineTags(DATASET, [{ name: 'T0', description: `${k}` }]));
    if (k % 17 === 8) await this.#attempt('a purge', engine.purge());
    if (k % 19 === 9) await this.#attempt('another dataset', this.#replaceOther(engine));
  }

  async #replaceOther(engine: Engine): Promise<void> {
    if (engine.hasDataset('other')) await engine.deleteDataset('other');
    else await engine.createDataset({ name: 'other', purgeAgeDays: 0, purgeSizeGb: 0 });
  }

  /** Whether it worked. Throws when it was refused otherwise than the contract says. */
  async #attempt(what: string, work: Promise<unknown>): Promise<boolean> {
    try {
      await turnUntil(work, this.#clock);
      return true;
    } catch (error) {
      const code = error instanceof EngineError ? error.code : undefined;
      if (code === 'POISONED') this.#wasPoisoned = true;
      if (code === 'POISONED' || code === 'DISK_FULL') return false;
      if (this.#met !== undefined && (code === 'IO' || code === 'UNAVAILABLE' || code === 'DATASET_NOT_FOUND'))
        return false;
      throw new Error(`${what} was refused with ${String(error)}`, { cause: error });
    }
  }

  /** D11: the first failed sync is final. */
  #checkPoison(): void {
    const isSaid = this.#events.some(({ event }) => event === 'engine.poisoned');
    if (this.#wasPoisoned && !isSaid) throw new Error('writing stopped, and no event says so');
    const isOpenFailed = this.#acknowledged.size === 0 && !this.#wasPoisoned;
    if (this.#fault?.code === 'EIO' && this.#met !== undefined && SYNCS.has(this.#met) && !isSaid && !isOpenFailed)
      throw new Error('a sync failed, and writing went on');
  }

  async #checkRestart(): Promise<void> {
    const cut = { content: 'nothing', entries: 'nothing', random: this.#random } as const;
    const disk = this.#disk.crashClone(cut, { random: this.#random.fork() });
    const clock = new ManualClock(this.#clock.nowMs());
    const random = this.#random.fork();
    const engine = await turnUntil(openTestEngine({ vfs: disk, clock, random, tunables: TUNABLES }), clock);
    const found = Array.from({ length: TAGS }, () => new Set<number>());
    for (const [tag, values] of found.entries()) await this.#readAll(engine, tag, values);
    for (let k = 0; k < REQUESTS; k++) {
      const count = [k % TAGS, (k + 1) % TAGS].filter((tag) => found[tag]?.has(k)).length;
      if (count === 1) throw new Error(`request ${k} is there by half`);
      if (count === 0 && this.#acknowledged.has(k)) throw new Error(`request ${k} was acknowledged, and is gone`);
    }
    await turnUntil(engine.close(), clock);
    if (disk.openPaths().length > 0) throw new Error(`left open: ${disk.openPaths().join(', ')}`);
  }

  async #readAll(engine: Engine, tag: number, values: Set<number>): Promise<void> {
    const tags = engine.hasDataset(DATASET) ? [...(await engine.tags(DATASET)).user] : [];
    const isThere = tags.some(({ name }) => name === `T${tag}`);
    if (!isThere) return;
    const { points, gaps } = await readNumbers(engine, DATASET, `T${tag}`);
    if (gaps.length > 0) throw new Error(`T${tag} has gaps: ${JSON.stringify(gaps)}`);
    for (const { ms, value } of points) {
      if (value === null || ms !== START_MS + value * 1000) throw new Error(`T${tag} has ${value} at ${ms}`);
      if (values.has(value)) throw new Error(`T${tag} has ${value} twice`);
      values.add(value);
    }
  }
}

/** Trials: what the tests run, and the whole, which is every operation. */
export const COUNTS = { slice: 100, full: 0 } as const;

if (process.argv[1] === import.meta.filename) {
  await runAsProgram({ name: 'I/O errors', counts: COUNTS }, ({ seed, count }) =>
    injectFaults({ seed, count, syncs: 'real' }),
  );
}
