// From the command line's options to a finished run: reads the configuration, opens the state and the target, resumes, and
// drives the simulation until it is complete or stopped.

import { createHash, randomInt } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { EXIT, messageOf, RunError } from '../forward/errors.ts';
import { lockFolder } from '../forward/folder-lock.ts';
import type { SimulatorArguments } from './arguments.ts';
import { runningClock, type SimulatorClock, standingClock } from './clock.ts';
import { Collector } from './collector/collector.ts';
import type { Plant } from './config/model.ts';
import { parsePlant } from './config/plant.ts';
import { configurationError } from './errors.ts';
import { OutFile } from './out-file.ts';
import type { ProgressDisplay } from './progress.ts';
import { Simulation, type SimulationOptions } from './simulation.ts';
import type { PointSink } from './sink.ts';
import { planResume } from './state/resume.ts';
import { StateFolder, targetFolderName } from './state/state-folder.ts';
import type { SavedState } from './state/state-model.ts';

export interface RunOptions extends SimulatorArguments {
  readonly progress: ProgressDisplay;
  /** Aborted to end the run in order. */
  readonly signal: AbortSignal;
}

interface TimedOptions extends RunOptions {
  readonly running: SimulatorClock;
}

const SAVE_AT_END_MS = 10_000;

interface Target {
  readonly sink: PointSink;
  readonly state: SavedState | undefined;
  readonly newestMs: ReadonlyMap<string, number>;
  readonly stateExtras: () => Pick<SavedState, 'out'>;
  /** Called before the first points of a present definition, behind the last ones of a former one. */
  readonly createTags: SimulationOptions['createTags'];
  /** Called when the run is complete (`--once`). */
  readonly complete: () => Promise<void>;
}

export async function readPlant(path: string): Promise<Plant> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new RunError(EXIT.usage, `cannot read the configuration ${path}: ${messageOf(error)}`, error);
  });
  const result = parsePlant(text);
  if (!result.ok) throw configurationError(path, result.faults);
  return result.plant;
}

/** Runs until everything is generated (`once`) or the signal is aborted. Throws a RunError. */
export async function runSimulator(options: RunOptions): Promise<void> {
  // From here on time runs, also while the server is waited for.
  const running = runningClock(options.nowMs);
  const plant = await readPlant(options.config);
  const path = join(stateRoot(options, plant), targetName(options));
  const folder = await StateFolder.open(path, (line) => options.progress.log(line));
  const lock = await lockFolder({ path: folder.path, name: 'state folder', program: 'simulator' });
  try {
    if (options.out === undefined) await runToDataset({ ...options, running }, plant, folder);
    else await runToFile({ ...options, running }, options.out, plant, folder);
  } finally {
    await lock.release();
  }
}

/** `--state`, or the configuration's State as seen from its folder, or a folder beside the configuration. */
function stateRoot(options: RunOptions, plant: Plant): string {
  if (options.state !== undefined) return resolve(options.state);
  const folder = dirname(resolve(options.config));
  const fileName = basename(options.config).replace(/\.json$/i, '');
  return plant.stateFolder === undefined ? join(folder, `${fileName}.state`) : resolve(folder, plant.stateFolder);
}

function targetName(options: RunOptions): string {
  if (options.out === undefined) return targetFolderName(options.dataset ?? '');
  return `out-${createHash('sha256').update(resolve(options.out)).digest('hex').slice(0, 16)}`;
}

/** A run that ends by itself has one now, that of the moment when it can begin. */
function clockOf({ mode, nowMs, running }: TimedOptions): SimulatorClock {
  return mode === 'once' ? standingClock(nowMs ?? running.nowMs()) : running;
}

async function runToDataset(options: TimedOptions, plant: Plant, folder: StateFolder): Promise<void> {
  const collector = await Collector.open({
    target: { baseUrl: options.url, token: options.token },
    dataset: options.dataset ?? '',
    storeFolder: join(folder.path, 'store'),
    signal: options.signal,
    log: (line) => options.progress.log(line),
  });
  const state = await folder.read();
  const tags = plant.sequences.flatMap((sequence) => sequence.instances).flatMap((instance) => instance.tags);
  try {
    await collector.start();
    if (options.signal.aborted) return;
    const names = new Set(tags.map((tag) => tag.object.n));
    for (const saved of state?.instances ?? []) for (const name of saved.position.carries.keys()) names.add(name);
    const newestMs = await collector.readNewest([...names]);
    if (options.signal.aborted) return;
    await drive(options, plant, folder, {
      sink: collector.sink,
      state,
      newestMs,
      stateExtras: () => ({}),
      createTags: async (tags) => {
        // What follows a former definition must be there before a tag's type changes.
        await collector.forwarded();
        await collector.postTags(tags.map((tag) => tag.object));
      },
      complete: () => collector.forwarded(),
    });
  } finally {
    await collector.end();
  }
}

async function runToFile(options: TimedOptions, path: string, plant: Plant, folder: StateFolder): Promise<void> {
  const runId = outRunId(options, plant);
  const saved = await folder.read();
  const keepBytes = saved?.out?.runId === runId ? saved.out.sizeBytes : 0;
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  const state = keepBytes > 0 && size >= keepBytes ? saved : undefined;
  if (state === undefined) await folder.clear();
  const out = await OutFile.open(path, state === undefined ? 0 : keepBytes);
  try {
    await drive(options, plant, folder, {
      sink: out,
      state,
      newestMs: newestOf(state),
      stateExtras: () => ({ out: { runId, sizeBytes: out.sizeBytes } }),
      createTags: () => Promise.resolve(),
      // A complete file is finished: the next run writes a new one.
      complete: () => folder.clear(),
    });
  } finally {
    await out.close();
  }
}

/** A file is continued only by a run that was asked for the same; a finite one also needs the same configuration. */
function outRunId(options: RunOptions, plant: Plant): string {
  const { mode, seed, nowMs } = options;
  const definitions = mode === 'once' ? [plant.backfillDays, ...plant.sequences.map((sequence) => sequence.hash)] : [];
  return createHash('sha256')
    .update(JSON.stringify([mode, seed, nowMs, definitions]))
    .digest('hex');
}

/** What the file holds, by the state. */
function newestOf(state: SavedState | undefined): Map<string, number> {
  const newestMs = new Map<string, number>();
  for (const saved of state?.instances ?? []) {
    for (const [name, carry] of saved.position.carries) newestMs.set(name, carry.lastTimeMs);
  }
  return newestMs;
}

async function drive(options: TimedOptions, plant: Plant, folder: StateFolder, target: Target): Promise<void> {
  const { progress, signal } = options;
  const clock = clockOf(options);
  const seed = options.seed ?? target.state?.seed ?? randomInt(2 ** 32);
  progress.log(`seed ${seed}${target.state === undefined ? '' : ', going on from the saved state'}`);
  const resume = await planResume({
    plant,
    state: target.state,
    older: () => folder.older(),
    newestMs: target.newestMs,
    seed,
    nowMs: clock.nowMs(),
    log: (line) => progress.log(line),
  });
  const simulation = new Simulation({
    // A file has no newest value that somebody could take for the present state.
    pace: options.mode === 'live' && options.out === undefined ? 'as time comes' : 'whole cycles',
    resume,
    seed,
    sink: target.sink,
    clock,
    newestMs: target.newestMs,
    save: (state) => folder.write(state),
    createTags: target.createTags,
    stateExtras: target.stateExtras,
    signal,
  });
  await simulation.saveStart();
  progress.start({ fraction: () => simulation.progress(), points: () => target.sink.pointCount });
  try {
    await simulation.finishFormerDefinitions();
    if (!signal.aborted) await target.createTags(simulation.tagsInForce());
    if (!signal.aborted) await simulation.catchUp();
  } finally {
    progress.finish();
  }
  if (options.mode === 'live') {
    await live(simulation, options);
    return;
  }
  if (!signal.aborted) await simulation.saveNow();
  if (!signal.aborted) await target.complete();
  if (signal.aborted) {
    throw new RunError(EXIT.failed, 'stopped before the end; the same command goes on from there');
  }
}

async function live(simulation: Simulation, { signal, progress }: RunOptions): Promise<void> {
  if (!signal.aborted) progress.log('the back-fill has reached now; live from here');
  while (!signal.aborted) {
    await simulation.waitForNext();
    if (signal.aborted) break;
    await simulation.catchUp();
    await simulation.saveWhenDue();
  }
  await Promise.race([simulation.saveNow(), new Promise((resolve) => setTimeout(resolve, SAVE_AT_END_MS).unref())]);
}
