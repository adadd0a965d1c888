// The periodic work of an engine: maintenance of each dataset every second, recording of system tags, and purge.

import type { EngineContext } from '../dataset/dataset.ts';
import { SystemTagId } from '../dataset/system-tags.ts';
import { DAY_MS, HOUR_MS } from '../limits.ts';
import type { DatasetMaintenance } from '../maintenance/dataset-maintenance.ts';
import { ProcessMeter } from '../maintenance/system-recorder.ts';
import type { DatasetRegistry } from './dataset-registry.ts';

const TICK_MS = 1000;
/** After a longer pause than this the clock is not trusted at once: purge of system tags waits an hour. */
const LONGEST_PAUSE_MS = DAY_MS;

export class Scheduler {
  readonly #context: EngineContext;
  readonly #registry: DatasetRegistry;
  readonly #meter: ProcessMeter;
  #cancel: (() => void) | undefined;
  #recordedAtMs: number;
  #purgedAtMs: number;
  #purging: Promise<void> | undefined;
  #stopped = false;
  /** How many of the datasets opened after the start have been compared with the clock. */
  #judgedCount = 0;

  constructor(context: EngineContext, registry: DatasetRegistry) {
    const nowMs = context.clock.monotonicMs();
    this.#context = context;
    this.#registry = registry;
    this.#meter = new ProcessMeter(nowMs);
    this.#recordedAtMs = nowMs;
    this.#purgedAtMs = nowMs;
  }

  /** Applies the purge rules and starts the periodic work. Call it once datasets are open, before system tags are recorded. */
  async open(): Promise<void> {
    this.#judgeClock();
    await this.purge();
    this.#start();
  }

  #start(): void {
    this.#cancel = this.#context.clock.after(TICK_MS, () => {
      this.#tick();
      if (!this.#stopped) this.#start();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  /** Applies the purge rules of every dataset now. */
  async purge(): Promise<void> {
    this.#lookAtClock();
    for (const maintenance of this.#datasets) {
      if (this.#stopped) return;
      await maintenance.purge(this.#context.clockWatch).catch((error: unknown) => {
        maintenance.dataset.report('error', 'purge.failed', `Purge failed: ${String(error)}.`);
      });
    }
  }

  #tick(): void {
    const nowMs = this.#context.clock.monotonicMs();
    const { systemTagIntervalMs, purgeIntervalMs } = this.#context.tunables;
    this.#lookAtClock();
    this.#registry.tick();
    if (this.#registry.waiting.openedCount > this.#judgedCount) this.#judgeClock();
    for (const maintenance of this.#datasets) maintenance.tick();
    if (systemTagIntervalMs > 0 && nowMs - this.#recordedAtMs >= systemTagIntervalMs) {
      this.#recordedAtMs = nowMs;
      const use = this.#meter.measure(nowMs);
      for (const maintenance of this.#datasets) maintenance.recorder.record(use, maintenance.size.sizeBytes);
    }
    if (nowMs - this.#purgedAtMs >= purgeIntervalMs) {
      this.#purgedAtMs = nowMs;
      this.#purgeUnlessUnderWay();
    }
  }

  get #datasets(): DatasetMaintenance[] {
    return this.#registry.all();
  }

  /** Compares the clock with the newest points of the datasets. */
  #judgeClock(): void {
    if (isStrange(this.#context.clock.nowMs(), this.#datasets)) this.#context.clockWatch.distrust();
    this.#judgedCount = this.#registry.waiting.openedCount;
  }

  #purgeUnlessUnderWay(): void {
    this.#purging ??= this.purge().finally(() => {
      this.#purging = undefined;
    });
  }

  #lookAtClock(): void {
    const jumpedMs = this.#context.clockWatch.look();
    if (jumpedMs === undefined) return;
    const seconds = Math.round(jumpedMs / 1000);
    const message = `The wall clock jumped by ${seconds} s; purge by age waits until it has been steady for an hour.`;
    this.#context.listener({ level: 'warn', event: 'clock.jumped', message, details: { jumpedMs } });
  }
}

/** Whether the clock at a start is before the newest point recorded by the server, or long after all recorded points. */
function isStrange(nowMs: number, datasets: readonly DatasetMaintenance[]): boolean {
  const recordedMs = datasets.map(({ dataset }) => dataset.tags.byId.get(SystemTagId.Second)?.newest?.ms ?? Number.NaN);
  const clientsMs = datasets.map(({ dataset }) => dataset.progress.newestClientMs);
  if (recordedMs.some((ms) => ms > nowMs + HOUR_MS)) return true;
  return [recordedMs, clientsMs].some((times) => {
    const known = times.filter(Number.isFinite);
    return known.length > 0 && nowMs > Math.max(...known) + LONGEST_PAUSE_MS;
  });
}
