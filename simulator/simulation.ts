// The run itself: generates cycle after cycle, always of the instance whose next points come first, until every instance
// has reached now; then waits and goes on. Between cycles it saves where it is, once what was sent is safe.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { RunEndedError } from '../forward/errors.ts';
import type { SimulatorClock } from './clock.ts';
import type { InstanceDefinition, TagDefinition } from './config/model.ts';

import { FreshPoints } from './fresh-points.ts';
import { type CyclePause, InstanceRun, type PointTaker } from './generate/instance-run.ts';
import { Schedule } from './generate/schedule.ts';
import type { PointSink } from './sink.ts';
import type { ResumePoint } from './state/resume.ts';
import type { SavedDefinition, SavedState } from './state/state-model.ts';

/** Whole cycles: one is generated when now comes this near to its start, so that there always are points up to now. */
const CYCLE_AHEAD_MS = 10_000;
/**
 * Points as time comes: one goes out when now comes this near to its time. More than the loop sleeps, so that there always
 * are points up to now; less than the interval of the heartbeats, so that the newest value is the present state.
 */
export const POINT_AHEAD_MS = 2000;

const LEAST_SAVE_INTERVAL_MS = 1000;
/** Saving takes at most about this share of the time. */
const SAVE_SHARE = 0.05;
const SLEEP_MS = 1000;
/** The longest the loop runs without letting the event loop turn. */
const TURN_MS = 4;

/** Whether the cycle that reaches past now is given as a whole, or each point of it when its time comes. */
export type Pace = 'whole cycles' | 'as time comes';

/** `waits`: its next points are not due yet. */
type CycleEnd = 'complete' | 'waits' | 'stopped';

export interface SimulationOptions {
  readonly pace: Pace;
  readonly resume: readonly ResumePoint[];
  readonly seed: number;
  readonly sink: PointSink;
  readonly clock: SimulatorClock;
  /** Points up to these times are in the dataset already and are not sent again. */
  readonly newestMs: ReadonlyMap<string, number>;
  readonly save: (state: SavedState) => Promise<void>;
  /** Called before the first points of a definition when it takes the place of a former one, and all points of that are sent. */
  readonly createTags: (tags: readonly TagDefinition[]) => Promise<void>;
  /** Adds what belongs to the state besides the instances; called when all points so far have been handed on. */
  readonly stateExtras: () => Pick<SavedState, 'out'>;
  readonly signal: AbortSignal;
  /** How often the state is saved at most; a second by default. */
  readonly leastSaveIntervalMs?: number;
}

export class Simulation {
  readonly #options: SimulationOptions;
  readonly #schedule: Schedule;
  readonly #horizonMs: () => number;
  readonly #successors = new Map<InstanceRun, InstanceDefinition>();
  /** Runs that took the place of a former definition; their tags are created with their first points. */
  readonly #withoutTags = new Set<InstanceRun>();
  readonly #takers = new WeakMap<InstanceRun, PointTaker>();
  /** Cycles that wait for the time of their next points. */
  readonly #cycles = new Map<InstanceRun, Generator<CyclePause, void>>();
  /** Key of the instance that has the tag by the present configuration. */
  readonly #owners = new Map<string, string>();
  readonly #originsMs = new Map<string, number>();
  #saving: Promise<void> | undefined;
  #saveFailure: unknown;
  #nextSaveMs = 0;
  /** Cycles were completed since the last state was taken. */
  #isAhead = false;
  /** A slice was left before its end: what was handed on belongs to no state. */
  #isBroken = false;
  #turnStartedMs = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    const runs = options.resume.map((point) => {
      const run = new InstanceRun(point.definition, point.key, options.seed, point.position);
      if (point.successor !== undefined) this.#successors.set(run, point.successor);
      this.#originsMs.set(point.key, point.position.startMs);
      for (const tag of (point.successor ?? point.definition).tags) this.#owners.set(tag.object.n, point.key);
      return run;
    });
    this.#schedule = new Schedule(runs);
    const { pace, clock } = options;
    this.#horizonMs = pace === 'whole cycles' ? () => Infinity : () => clock.nowMs() + POINT_AHEAD_MS;
  }

  /** Fraction of the way from where this run began to now, over all instances. */
  progress(): number {
    const nowMs = this.#options.clock.nowMs();
    const runs = this.#schedule.runs();
    let sum = 0;
    for (const run of runs) {
      const originMs = this.#originsMs.get(run.key) ?? nowMs;
      sum += originMs >= nowMs ? 1 : Math.min(1, Math.max(0, (run.dueMs - originMs) / (nowMs - originMs)));
    }
    return runs.length === 0 ? 1 : sum / runs.length;
  }

  /** Must be called, and be through, before the first point goes out: a run that is killed must find its random start. */
  async saveStart(): Promise<void> {
    await this.#options.save(this.#captureState());
  }

  /**
   * Goes on, by their former definitions, with cycles that the dataset has points of. Cycles that time allows to be finished
   * now are; then the present definition takes their place, as it does with cycles that have not begun.
   */
  async finishFormerDefinitions(): Promise<void> {
    const behind: InstanceRun[] = [];
    for (const run of this.#schedule.runs()) {
      if (!this.#successors.has(run)) continue;
      let end: CycleEnd = 'complete';
      while (end === 'complete' && this.#isBegun(run) && this.#isDue(run)) end = await this.#generate(run);
      if (end === 'stopped') return;
      if (end === 'complete') behind.push(run);
    }
    if (behind.length > 0) await this.#options.sink.flush();
    const replaced = new Map(behind.map((run) => [run, this.#succeed(run)]));
    this.#schedule.rebuild(this.#schedule.runs().map((run) => replaced.get(run) ?? run));
  }

  /** The tags of all instances that are generated by their present definition. */
  tagsInForce(): TagDefinition[] {
    const runs = this.#schedule.runs().filter((run) => !this.#successors.has(run));
    return runs.flatMap((run) => run.definition.tags);
  }

  /** Generates until every instance has reached now. */
  async catchUp(): Promise<void> {
    for (;;) {
      const run = this.#schedule.first();
      if (run === undefined || !this.#isDue(run)) break;
      const end = await this.#generate(run);
      if (end === 'stopped') return;
      if (end === 'complete' && this.#successors.has(run)) this.#replaceFirst(run);
      else this.#schedule.moveFirst();
      await this.saveWhenDue();
    }
    await this.#options.sink.flush();
  }

  /** Begins to save the state when it has changed and the last time was long enough ago. */
  async saveWhenDue(): Promise<void> {
    if (this.#saveFailure !== undefined) throw this.#saveFailure;
    const isDue = performance.now() >= this.#nextSaveMs && this.#saving === undefined;
    if (isDue && this.#isAhead && !this.#isBroken) await this.#beginSave();
  }

  /** Waits until there may be more points that are due. */
  async waitForNext(): Promise<void> {
    const { clock, signal } = this.#options;
    await clock.sleep(SLEEP_MS, signal);
  }

  /** Saves the state with everything so far; resolves when that is done. A run that left a cycle keeps its last state. */
  async saveNow(): Promise<void> {
    await this.#saving;
    if (this.#saveFailure === undefined && !this.#isBroken) {
      await this.#beginSave();
      await this.#saving;
    }
    if (this.#saveFailure !== undefined) throw this.#saveFailure;
  }

  /** Resolves when no save is under way. */
  async idle(): Promise<void> {
    await this.#saving;
  }

  /** Generates one cycle, or as much of it as time allows. */
  async #generate(run: InstanceRun): Promise<CycleEnd> {
    const { sink, signal } = this.#options;
    const cycle = this.#cycles.get(run) ?? run.generateCycle(this.#takerOf(run), this.#horizonMs);
    if (this.#withoutTags.has(run)) await this.#createTags(run);
    this.#isBroken = true;
    let pause = cycle.next();
    while (!pause.done && pause.value !== 'horizon') {
      if (signal.aborted) return 'stopped';
      if (sink.isFull) await sink.drain();
      if (performance.now() - this.#turnStartedMs > TURN_MS) {
        await nextTurn();
        this.#turnStartedMs = performance.now();
      }
      pause = cycle.next();
    }
    this.#isBroken = false;
    if (signal.aborted) return 'stopped';
    if (!pause.done) {
      this.#cycles.set(run, cycle);
      return 'waits';
    }
    this.#cycles.delete(run);
    this.#isAhead = true;
    return 'complete';
  }

  #isDue(run: InstanceRun): boolean {
    const { pace, clock } = this.#options;
    return run.dueMs <= clock.nowMs() + (pace === 'whole cycles' ? CYCLE_AHEAD_MS : POINT_AHEAD_MS);
  }

  /** Whether the dataset has points of the run's next cycle. */
  #isBegun(run: InstanceRun): boolean {
    const { newestMs } = this.#options;
    return run.definition.tags.some((tag) => (newestMs.get(tag.object.n) ?? -Infinity) >= run.startMs);
  }

  #succeed(run: InstanceRun): InstanceRun {
    const definition = this.#successors.get(run) ?? run.definition;
    this.#successors.delete(run);
    return new InstanceRun(definition, run.key, this.#options.seed, run.position());
  }

  /** The first instance has finished what its former definition began. */
  #replaceFirst(run: InstanceRun): void {
    const successor = this.#succeed(run);
    this.#withoutTags.add(successor);
    this.#schedule.replaceFirst(successor);
  }

  async #createTags(run: InstanceRun): Promise<void> {
    this.#withoutTags.delete(run);
    await this.#options.sink.flush();
    await this.#options.createTags(run.definition.tags);
  }

  /** Flushes, notes where every instance is, and writes that once it is safe, while the run goes on. */
  async #beginSave(): Promise<void> {
    const { sink, save } = this.#options;
    await sink.flush();
    const startedMs = performance.now();
    const state = this.#captureState();
    const capturedMs = performance.now() - startedMs;
    this.#isAhead = false;
    const write = async (): Promise<void> => {
      await sink.settled();
      const writeStartedMs = performance.now();
      await save(state);
      const pauseMs = (capturedMs + performance.now() - writeStartedMs) / SAVE_SHARE;
      const leastMs = this.#options.leastSaveIntervalMs;
      this.#nextSaveMs = performance.now() + (leastMs ?? Math.max(LEAST_SAVE_INTERVAL_MS, pauseMs));
    };
    // A failure is thrown by the next call that saves.
    this.#saving = write()
      .catch((error: unknown) => {
        if (!(error instanceof RunEndedError)) this.#saveFailure = error;
      })
      .finally(() => {
        this.#saving = undefined;
      });
  }

  #captureState(): SavedState {
    const definitions = new Map<string, SavedDefinition>();
    const instances = this.#schedule.runs().map((run) => {
      const { sequence, index } = run.definition;
      definitions.set(sequence.hash, { name: sequence.name, source: sequence.source });
      return { key: run.key, definitionHash: sequence.hash, index, position: run.position() };
    });
    return { seed: this.#options.seed, definitions, instances, ...this.#options.stateExtras() };
  }

  #takerOf(run: InstanceRun): PointTaker {
    let taker = this.#takers.get(run);
    if (taker === undefined) {
      const { sink, newestMs } = this.#options;
      const isElsewhere = (name: string): boolean => (this.#owners.get(name) ?? run.key) !== run.key;
      taker = new FreshPoints(run, sink, newestMs, isElsewhere);
      this.#takers.set(run, taker);
    }
    return taker;
  }
}
