// A start on a disk with one kind of fault, from its N-th operation on, for every N, once or until the disk is mended: a
// dataset is never gone. It is read whole or said to be unavailable, nothing is created in its place, and once the disk is
// mended it takes writes by itself; a power cut then loses nothing that was ever acknowledged.
//
// Command: npm run campaign start -- [--seed <n>] [--count <n; 0: every operation>]
// [--extent slice|full]

import { type Engine, EngineError, type EngineEvent, type EngineTunables } from '../../engine/index.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { readNumbers, writeNumbers } from '../support/engine-points.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type MemoryVfs, type OperationKind, systemError } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../support/test-engine.ts';
import { turnUntil } from './crash-machine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const REQUESTS = 40;
const TAGS = 3;
const DATASET = 'Plant';
const FOLDER = `${DATA_FOLDER}/${DATASET}`;
/** Longer than the longest pause between two attempts. */
const PATIENCE_S = 40;
const TUNABLES: Partial<EngineTunables> = {
  blockPoints: 8,
  headLimitBytes: 2_000,
  journalFileBytes: 1_000,
  journalLimitBytes: 20_000,
  retiredFileMs: 0,
  maxSpills: 2,
  tagFileBytes: 500,
  systemTagIntervalMs: 0,
  diskReserveBytes: 0,
};

interface Fault {
  readonly operation: number;
  readonly code: 'ENOSPC' | 'EIO' | 'EMFILE' | 'EACCES';
  readonly lasting: 'once' | 'until mended';
}

/** What each error can meet. */
const KINDS: Readonly<Record<Fault['code'], ReadonlySet<OperationKind>>> = {
  ENOSPC: new Set<OperationKind>(['open', 'write', 'write-done', 'make-directory', 'rename']),
  EIO: new Set<OperationKind>([
    'open',
    'read',
    'write',
    'sync',
    'sync-done',
    'truncate',
    'stat',
    'list',
    'rename',
    'sync-directory',
  ]),
  EMFILE: new Set<OperationKind>(['open', 'list', 'sync-directory']),
  EACCES: new Set<OperationKind>(['open', 'list', 'make-directory', 'rename', 'remove', 'truncate']),
};

export interface StartFaultRun extends CampaignRun {
  /** `noop`: the negative control, on which the campaign must fail. */
  readonly syncs: 'real' | 'noop';
}

export interface StartFaultReport extends CampaignReport {
  /** Trials in which the dataset could be read and took no writes, and in which it could not be opened. */
  readonly readOnly: number;
  readonly unavailable: number;
}

/** What was on the disk when the process ended, and what it had acknowledged. */
interface Wreck {
  readonly disk: MemoryVfs;
  readonly acknowledged: ReadonlySet<number>;
}

/** `count` trials spread evenly over all faults of a start after a kill, and of one with a damaged catalog; 0: every one. */
export async function startWithFaults({ seed, count, syncs }: StartFaultRun): Promise<StartFaultReport> {
  const trials: Trial[] = [];
  for (const kind of ['killed', 'power cut', 'damaged'] as const) {
    const wreck = await makeWreck(new SeededRandom(seed), kind);
    const sound = new Trial(seed, kind, wreck, undefined, 'real');
    const reason = await sound.run();
    if (reason !== undefined)
      return { trials: 1, failures: [`seed ${seed}, ${kind}, no fault: ${reason}`], readOnly: 0, unavailable: 0 };
    for (const fault of faultsOf(sound.operationCount)) trials.push(new Trial(seed, kind, wreck, fault, syncs));
  }
  const step = count === 0 ? 1 : Math.max(1, Math.floor(trials.length / count));
  const failures: string[] = [];
  const made: Trial[] = [];
  for (let i = seed % step; i < trials.length; i += step) {
    const trial = trials[i] as Trial;
    const reason = await trial.run();
    if (reason !== undefined) failures.push(`seed ${seed}, ${trial.name}: ${reason}`);
    made.push(trial);
  }
  const countOf = (state: Seen): number => made.filter((trial) => trial.seen === state).length;
  return { trials: made.length, failures, readOnly: countOf('read-only'), unavailable: countOf('unavailable') };
}

function faultsOf(operationCount: number): Fault[] {
  const faults: Fault[] = [];
  for (let operation = 1; operation <= operationCount; operation++) {
    for (const code of ['ENOSPC', 'EIO', 'EMFILE', 'EACCES'] as const) {
      for (const lasting of ['once', 'until mended'] as const) faults.push({ operation, code, lasting });
    }
  }
  return faults;
}

async function makeWreck(random: SeededRandom, kind: 'killed' | 'power cut' | 'damaged'): Promise<Wreck> {
  const clock = new ManualClock(START_MS);
  const disk = makeDisk({ random: random.fork(), nowMs: () => clock.nowMs() });
  const engine = await turnUntil(
    openTestEngine({ vfs: disk, clock, random: random.fork(), tunables: TUNABLES }),
    clock,
  );
  const acknowledged = new Set<number>();
  for (let k = 0; k < REQUESTS; k++) {
    await turnUntil(write(engine, k), clock);
    acknowledged.add(k);
    if (k % 9 === 4) clock.advance(1000);
  }
  const keeps = kind === 'power cut' ? 'nothing' : 'everything';
  disk.halt();
  const after = disk.crashClone({ content: keeps, entries: keeps, random: random.fork() }, {});
  if (kind === 'damaged') after.openSync(`${FOLDER}/catalog`, 'write').writeSync(new Uint8Array(40), 0);
  return { disk: after, acknowledged };
}

/** The `k`-th request writes the value `k` to two tags. */
function write(engine: Engine, k: number): Promise<unknown> {
  const point = { ms: START_MS + k * 1000, value: k };
  return writeNumbers(engine, DATASET, { [`T${k % TAGS}`]: [point], [`T${(k + 1) % TAGS}`]: [point] });
}

type Seen = 'in order' | 'read-only' | 'unavailable' | 'not started';

class Trial {
  readonly name: string;
  readonly #fault: Fault | undefined;
  readonly #disk: MemoryVfs;
  readonly #clock = new ManualClock(START_MS + 3_600_000);
  readonly #random: SeededRandom;
  readonly #acknowledged: Set<number>;
  readonly #attempted: Set<number>;
  readonly #events: EngineEvent[] = [];
  #next = REQUESTS;
  #met: OperationKind | undefined;
  operationCount = 0;
  /** What the start has made of the dataset. */
  seen: Seen = 'not started';

  constructor(
    seed: number,
    kind: string,
    { disk, acknowledged }: Wreck,
    fault: Fault | undefined,
    syncs: 'real' | 'noop',
  ) {
    this.#random = new SeededRandom(seed);
    this.#fault = fault;
    this.name = `${kind}, ${fault?.code} ${fault?.lasting} from operation ${fault?.operation}`;
    this.#acknowledged = new Set(acknowledged);
    this.#attempted = new Set(acknowledged);
    const keeps = { content: 'everything', entries: 'everything', random: this.#random.fork() } as const;
    const options = { random: this.#random.fork(), nowMs: () => this.#clock.nowMs(), syncIsNoop: syncs === 'noop' };
    this.#disk = disk.crashClone(keeps, options);
  }

  /** What is wrong, in words; undefined when all is well. */
  async run(): Promise<string | undefined> {
    const mend = this.#breakDisk();
    try {
      const engine = await this.#open();
      this.operationCount = this.#disk.operationCount;
      if (engine) await this.#look(engine, mend);
      mend();
      this.#disk.halt();
      await this.#checkAfterPowerCut();
      return undefined;
    } catch (error) {
      return `${this.#met ?? 'nothing'} failed: ${(error as Error).message}`;
    }
  }

  #breakDisk(): () => void {
    const fault = this.#fault;
    if (fault === undefined) return () => undefined;
    const first = this.#disk.operationCount + fault.operation;
    let left = fault.lasting === 'once' ? 1 : Number.POSITIVE_INFINITY;
    return this.#disk.watch(({ index, kind, path }) => {
      // The data folder itself cannot be done without.
      if (index < first || left <= 0 || !KINDS[fault.code].has(kind) || !path.startsWith(FOLDER)) return;
      left--;
      this.#met ??= kind;
      throw systemError(fault.code, kind, path);
    });
  }

  /** Undefined when a write or sync has failed: then the process ends, and starts again. */
  async #open(): Promise<Engine | undefined> {
    const listener = (event: EngineEvent) => this.#events.push(event);
    const random = this.#random.fork();
    const opening = openTestEngine({ vfs: this.#disk, clock: this.#clock, random, tunables: TUNABLES, listener });
    try {
      return await turnUntil(opening, this.#clock);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'POISONED') return undefined;
      throw error;
    }
  }

  async #look(engine: Engine, mend: () => void): Promise<void> {
    const [info] = engine.datasets();
    if (info?.name !== DATASET || !engine.hasDataset(DATASET)) throw new Error('the dataset is not in the list');
    this.seen = info.state ?? 'in order';
    if (this.seen !== 'in order' && !this.#events.some(({ event }) => event === EVENT_OF[this.seen]))
      throw new Error(`it is ${this.seen}, and no event says so`);
    const isReadable = await this.#readAll(engine);
    if (isReadable !== (info.state !== 'unavailable'))
      throw new Error(`it is ${this.seen}, and readable: ${isReadable}`);
    await this.#write(engine);
    await this.#createAgain(engine);
    const pauses = this.#random.between(0, 3);
    for (let i = 0; i < pauses; i++) await this.#wait(1);
    await this.#readAll(engine);
    mend();
    await this.#wait(PATIENCE_S);
    if (this.#isPoisoned) return;
    const state = engine.datasets()[0]?.state;
    if (state !== undefined) throw new Error(`the disk is mended, and the dataset is ${state}`);
    if (!(await this.#write(engine))) throw new Error('the disk is mended, and a write is refused');
    if (!(await this.#readAll(engine))) throw new Error('the disk is mended, and it cannot be read');
  }

  get #isPoisoned(): boolean {
    return this.#events.some(({ event }) => event === 'engine.poisoned');
  }

  async #wait(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      this.#clock.advance(1000);
      for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Whether it was taken. */
  async #write(engine: Engine): Promise<boolean> {
    const k = this.#next++;
    this.#attempted.add(k);
    try {
      await turnUntil(write(engine, k), this.#clock);
      this.#acknowledged.add(k);
      return true;
    } catch (error) {
      this.#requireKnown(error, 'a write', ['DISK_FULL', 'UNAVAILABLE', 'POISONED']);
      return false;
    }
  }

  /** No second dataset gets its name. */
  async #createAgain(engine: Engine): Promise<void> {
    try {
      const outcome = await turnUntil(
        engine.createDataset({ name: DATASET, purgeAgeDays: 0, purgeSizeGb: 0 }),
        this.#clock,
      );
      if (outcome !== 'existing') throw new Error('a second dataset was created');
    } catch (error) {
      this.#requireKnown(error, 'a creation', ['DISK_FULL', 'UNAVAILABLE', 'POISONED']);
    }
    const others = this.#disk.files().filter((path) => !path.startsWith(`${FOLDER}/`));
    if (others.length > 0) throw new Error(`there is more than the dataset: ${others.join(', ')}`);
  }

  #requireKnown(error: unknown, what: string, codes: readonly string[]): void {
    if (!(error instanceof EngineError) || !codes.includes(error.code))
      throw new Error(`${what} was refused with ${String(error)}`, { cause: error });
  }

  /** Whether it can be read; then all that was acknowledged must be there. */
  async #readAll(engine: Engine): Promise<boolean> {
    const found = Array.from({ length: TAGS }, () => new Set<number>());
    for (const [tag, values] of found.entries()) {
      try {
        const { points, gaps } = await turnUntil(readNumbers(engine, DATASET, `T${tag}`), this.#clock);
        if (gaps.length > 0) throw new Error(`T${tag} has gaps: ${JSON.stringify(gaps)}`);
        for (const { value } of points) values.add(value as number);
      } catch (error) {
        // While the disk fails, a file that is needed cannot be opened either.
        if ((error as NodeJS.ErrnoException).code === this.#fault?.code && this.#met !== undefined)
          return this.seen !== 'unavailable';
        this.#requireKnown(error, 'a read', ['UNAVAILABLE']);
        return false;
      }
    }
    this.#compare(found);
    return true;
  }

  #compare(found: readonly ReadonlySet<number>[]): void {
    for (const k of this.#attempted) {
      const count = [k % TAGS, (k + 1) % TAGS].filter((tag) => found[tag]?.has(k)).length;
      if (count === 1) throw new Error(`request ${k} is there by half`);
      if (count === 0 && this.#acknowledged.has(k)) throw new Error(`request ${k} was acknowledged, and is gone`);
    }
  }

  async #checkAfterPowerCut(): Promise<void> {
    const cut = { content: 'nothing', entries: 'nothing', random: this.#random } as const;
    const disk = this.#disk.crashClone(cut, { random: this.#random.fork() });
    const clock = new ManualClock(this.#clock.nowMs());
    const engine = await turnUntil(
      openTestEngine({ vfs: disk, clock, random: this.#random.fork(), tunables: TUNABLES }),
      clock,
    );
    if (!(await this.#readAll(engine))) throw new Error('after the power cut it cannot be read');
    await turnUntil(engine.close(), clock);
    if (disk.openPaths().length > 0) throw new Error(`left open: ${disk.openPaths().join(', ')}`);
  }
}

const EVENT_OF: Readonly<Record<Seen, string>> = {
  'in order': '',
  'not started': '',
  'read-only': 'dataset.read-only',
  unavailable: 'dataset.unopened',
};

/** Trials: what the tests run, and the whole, which is every operation. */
export const COUNTS = { slice: 100, full: 0 } as const;

if (process.argv[1] === import.meta.filename) {
  await runAsProgram({ name: 'faults of a start', counts: COUNTS }, ({ seed, count }) =>
    startWithFaults({ seed, count, syncs: 'real' }),
  );
}
