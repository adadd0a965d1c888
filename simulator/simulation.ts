// The run itself: generates cycle after cycle, always of the instance whose next cycle starts first, until every instance
// reaches past now; then waits and goes on. Between cycles it saves where it is, once what was sent is safe.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SimulatorClock } from './clock.ts';
import type { Column } from './generate/column.ts';
import { InstanceRun, type PointTaker } from './generate/instance-run.ts';
import { Schedule } from './generate/schedule.ts';
import { type PointSink, RunEndedError, type TagWriter } from './sink.ts';
import type { ResumePoint } from './state/resume.ts';
import type { SavedDefinition, SavedState } from './state/state-model.ts';

/** A cycle is generated when now comes this near to its start, so that there always are points up to now. */
export const AHEAD_MS = 10_000;

const LEAST_SAVE_INTERVAL_MS = 1000;
/** Saving takes at most about this share of the time. */
const SAVE_SHARE = 0.05;
const LONGEST_SLEEP_MS = 1000;
/** The longest the loop runs without letting the event loop turn. */
const TURN_MS = 4;

export interface SimulationOptions {
  readonly resume: readonly ResumePoint[];
  readonly seed: number;
  readonly sink: PointSink;
  readonly clock: SimulatorClock;
  /** Points up to these times are in the dataset already and are not sent again. */
  readonly newestMs: ReadonlyMap<string, number>;
  readonly save: (state: SavedState) => Promise<void>;
  /** Adds what belongs to the state besides the instances; called when all points so far have been handed on. */
  readonly stateExtras: () => Pick<SavedState, 'out'>;
  readonly signal: AbortSignal;
  /** How often the state is saved at most; a second by default. */
  readonly leastSaveIntervalMs?: number;
}

export class Simulation {
  readonly #options: SimulationOptions;
  readonly #schedule: Schedule;
  readonly #successors = new Map<InstanceRun, InstanceRun['definition']>();
  readonly #takers = new WeakMap<InstanceRun, PointTaker>();
  readonly #originsMs = new Map<string, number>();
  #saving: Promise<void> | undefined;
  #saveFailure: unknown;
  #nextSaveMs = 0;
  /** Cycles were generated since the last state was taken. */
  #isAhead = false;
  /** A cycle was left before its end: instances have no position any more. */
  #isBroken = false;
  #turnStartedMs = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    const runs = options.resume.map((point) => {
      const run = new InstanceRun(point.definition, point.key, options.seed, point.position);
      if (point.successor !== undefined) this.#successors.set(run, point.successor);
      this.#originsMs.set(point.key, point.position.startMs);
      return run;
    });
    this.#schedule = new Schedule(runs);
  }

  /** Fraction of the way from where this run began to now, over all instances. */
  progress(): number {
    const nowMs = this.#options.clock.nowMs();
    const runs = this.#schedule.runs();
    let sum = 0;
    for (const run of runs) {
      const originMs = this.#originsMs.get(run.key) ?? nowMs;
      sum += originMs >= nowMs ? 1 : Math.min(1, Math.max(0, (run.reachedMs - originMs) / (nowMs - originMs)));
    }
    return runs.length === 0 ? 1 : sum / runs.length;
  }

  /** Must be called, and be through, before the first point goes out: a run that is killed must find its random start. */
  async saveStart(): Promise<void> {
    await this.#options.save(this.#captureState());
  }

  /** Finishes, by their former definitions, cycles that the dataset has points of; then every definition is the present one. */
  async finishFormerDefinitions(): Promise<void> {
    const behind: InstanceRun[] = [];
    for (const run of this.#schedule.runs()) {
      if (!this.#successors.has(run)) continue;
      while (this.#isBegun(run) && this.#isDue(run)) {
        if (!(await this.#generate(run))) return;
      }
      behind.push(run);
    }
    if (behind.length > 0) await this.#options.sink.flush();
    const replaced = new Map(behind.map((run) => [run, this.#succeed(run)]));
    this.#schedule.rebuild(this.#schedule.runs().map((run) => replaced.get(run) ?? run));
  }

  /** Generates until every instance reaches past now. */
  async catchUp(): Promise<void> {
    for (;;) {
      const run = this.#schedule.first();
      if (run === undefined || !this.#isDue(run)) break;
      if (!(await this.#generate(run))) return;
      this.#schedule.moveFirst();
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

  /** Waits until the next cycle is due, or for a second. */
  async waitForNext(): Promise<void> {
    const { clock, signal } = this.#options;
    const first = this.#schedule.first();
    const untilMs = first === undefined ? LONGEST_SLEEP_MS : first.startMs - AHEAD_MS - clock.nowMs();
    await clock.sleep(Math.min(LONGEST_SLEEP_MS, Math.max(1, untilMs)), signal);
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

  /** Generates one cycle; false when the run was stopped before its end. */
  async #generate(run: InstanceRun): Promise<boolean> {
    const { sink, signal } = this.#options;
    this.#isAhead = true;
    this.#isBroken = true;
    for (const _ of run.generateCycle(this.#takerOf(run))) {
      if (signal.aborted) return false;
      if (sink.isFull) await sink.drain();
      if (performance.now() - this.#turnStartedMs > TURN_MS) {
        await nextTurn();
        this.#turnStartedMs = performance.now();
      }
    }
    this.#isBroken = false;
    return !signal.aborted;
  }

  #isDue(run: InstanceRun): boolean {
    return run.startMs <= this.#options.clock.nowMs() + AHEAD_MS;
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
      taker = new FreshPoints(run, this.#options.sink, this.#options.newestMs);
      this.#takers.set(run, taker);
    }
    return taker;
  }
}

/** Hands an instance's points on, but for those that the dataset has. */
class FreshPoints implements PointTaker {
  readonly #writers: TagWriter[];
  readonly #heldMs: Float64Array;

  constructor(run: InstanceRun, sink: PointSink, newestMs: ReadonlyMap<string, number>) {
    const { tags } = run.definition;
    this.#writers = tags.map((tag) => sink.tagWriter(tag.object.n));
    this.#heldMs = Float64Array.from(tags, (tag) => newestMs.get(tag.object.n) ?? -Infinity);
  }

  numbers(place: number, column: Column): void {
    const heldMs = this.#heldMs[place] ?? -Infinity;
    let from = 0;
    if ((column.timesMs[0] ?? 0) <= heldMs) {
      while (from < column.count && (column.timesMs[from] ?? 0) <= heldMs) from++;
    }
    if (from < column.count) this.#writers[place]?.numbers(column, from);
  }

  json(place: number, timeMs: number, json: string): void {
    if (timeMs > (this.#heldMs[place] ?? -Infinity)) this.#writers[place]?.json(timeMs, json);
  }
}
