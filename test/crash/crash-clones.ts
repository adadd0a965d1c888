// Power cuts at random operations of random loads, on a disk that drops what was not synced. After each, every
// acknowledged request is there whole, in order and exact (D1); every other one whole or not at all (D2); recovering again,
// also after a cut in the middle of recovery, gives the same (D8); and writing goes on.
//
// Command: npm run campaign crash -- [--seed <n>] [--count <n>] [--extent slice|full]

import type { Durability } from '../../engine/index.ts';
import type { Effect } from '../model/reference.ts';
import { takeSnapshot } from '../model/snapshot.ts';
import { runAsProgram } from '../support/campaign.ts';
import type { MemoryVfs } from '../support/memory-vfs.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { drawTunables, makeDisk } from '../support/test-engine.ts';
import { CrashMachine, type CrashPoint, DATASETS, findState, type MachineOptions, turnUntil } from './crash-machine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const CLONES_PER_LOAD = 5;
const MOST_STEPS = 400;

export interface CampaignOptions {
  readonly seed: number;
  readonly cloneCount: number;
  /** `noop`: the negative control, on which the campaign must fail. */
  readonly syncs: 'real' | 'noop';
}

/** Everything of one load that its crash points share. */
type Settings = Pick<MachineOptions, 'tunables' | 'durability'>;

export interface CampaignResult {
  readonly cloneCount: number;
  readonly loadCount: number;
  /** Power cuts taken in the middle of a recovery. */
  readonly nestedCount: number;
}

/** Throws at the first clone that breaks one of these; the message holds the seed that shows it again. */
export async function runCrashCampaign({ seed, cloneCount, syncs }: CampaignOptions): Promise<CampaignResult> {
  const totals = { cloneCount: 0, loadCount: 0, nestedCount: 0 };
  for (let load = 0; totals.cloneCount < cloneCount; load++) {
    const loadSeed = (seed + load) >>> 0;
    try {
      const wanted = Math.min(CLONES_PER_LOAD, cloneCount - totals.cloneCount);
      totals.nestedCount += await runLoad(loadSeed, wanted, syncs);
      totals.cloneCount += wanted;
      totals.loadCount++;
    } catch (error) {
      throw new Error(`seed ${loadSeed}: ${(error as Error).message}`, { cause: error });
    }
  }
  return totals;
}

async function runLoad(seed: number, cloneCount: number, syncs: 'real' | 'noop'): Promise<number> {
  const random = new SeededRandom(seed);
  const settings = {
    tunables: drawTunables(random),
    durability: random.pick<Durability>(['group', 'group', 'group', 'interval', 'os']),
  };
  const faults = random.chance(0.2) ? 'errors' : 'none';
  const disk = makeDisk({ random: random.fork(), syncIsNoop: syncs === 'noop', nowMs: () => START_MS });
  const machine = await CrashMachine.start({ ...settings, random, disk, faults, startMs: START_MS });
  machine.planCrashes(cloneCount, random.pick([20, 100, 400]));
  for (let i = 0; i < MOST_STEPS && machine.crashPoints.length < cloneCount && !machine.poisoned; i++) {
    await machine.step();
  }
  while (machine.crashPoints.length < cloneCount) machine.takeCrashPoint();
  disk.halt();
  let nestedCount = 0;
  for (const point of machine.crashPoints) nestedCount += await checkCrashPoint(point, settings, random.fork());
  return nestedCount;
}

/** Gives the number of cuts that were taken while this one was recovered from. */
async function checkCrashPoint(point: CrashPoint, settings: Settings, random: SeededRandom): Promise<number> {
  let nested: MemoryVfs | undefined;
  point.disk.atOperation(random.between(1, 150), () => {
    nested = point.disk.crashClone({ content: 'any', entries: 'any', random: random.fork() });
  });
  try {
    const recovered = await recover(point.disk, point, settings, random);
    const states = await findStates(recovered, point);
    if (nested !== undefined) {
      const again = await recover(nested, point, settings, random);
      await checkSameStates(again, states);
      again.engine.close().catch(() => undefined);
      nested.halt();
    }
    await goOn(recovered, states, point, settings, random);
  } catch (error) {
    throw new Error(`${point.cut} (${settings.durability}): ${(error as Error).message}`, { cause: error });
  }
  return nested === undefined ? 0 : 1;
}

async function recover(
  disk: MemoryVfs,
  point: CrashPoint,
  settings: Settings,
  random: SeededRandom,
): Promise<CrashMachine> {
  const machine = await CrashMachine.start({ ...settings, disk, random, faults: 'none', startMs: point.nowMs + 1000 });
  return machine;
}

/** The requests of each dataset that are there. */
async function findStates(machine: CrashMachine, point: CrashPoint): Promise<Map<string, Effect[]>> {
  const states = new Map<string, Effect[]>();
  for (const name of DATASETS) {
    const history = point.histories.get(name);
    if (history === undefined) throw new Error(`BUG: no history of ${name}`);
    const snapshot = await takeSnapshot(machine.engine, name);
    const effects = history.effects.slice(0, findState(name, snapshot, history));
    const { definition } = snapshot;
    if (history.scope === 'tags' && definition !== undefined) effects.push({ kind: 'set-dataset', definition });
    states.set(name, effects);
  }
  return states;
}

async function checkSameStates(machine: CrashMachine, states: ReadonlyMap<string, readonly Effect[]>): Promise<void> {
  machine.adopt(states);
  await machine.checkSettled();
}

/** Writes on; then the state survives a power cut that loses everything unsynced, and a clean stop. */
async function goOn(
  machine: CrashMachine,
  states: ReadonlyMap<string, readonly Effect[]>,
  point: CrashPoint,
  settings: Settings,
  random: SeededRandom,
): Promise<void> {
  machine.adopt(states);
  for (let i = 0; i < 8; i++) await machine.step();
  await machine.settle();
  await machine.checkSettled();
  const written = new Map([...machine.histories].map(([name, history]) => [name, history.effects]));
  const cut = { content: 'nothing', entries: 'nothing', random } as const;
  if (settings.durability === 'group') {
    const afterCut = await recover(point.disk.crashClone(cut), point, settings, random);
    await checkSameStates(afterCut, written);
  }
  await turnUntil(machine.engine.close(), machine.clock);
  const open = point.disk.openPaths();
  if (open.length > 0) throw new Error(`a closed engine left open ${open.join(', ')}`);
  const reopened = await recover(point.disk.crashClone(cut), point, settings, random);
  await checkSameStates(reopened, written);
}

/** Trials: what the tests run, and the whole, in power cuts. */
export const COUNTS = { slice: 200, full: 500 } as const;

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'power cuts in memory', counts: COUNTS }, async ({ seed, count }) => {
    try {
      const { cloneCount, loadCount, nestedCount } = await runCrashCampaign({ seed, cloneCount: count, syncs: 'real' });
      console.log(`${cloneCount} power cuts in ${loadCount} loads, and ${nestedCount} during recovery`);
      return { trials: cloneCount, failures: [] };
    } catch (error) {
      return { trials: count, failures: [(error as Error).message] };
    }
  });
