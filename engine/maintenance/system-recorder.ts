// Records each dataset's system tags: a value is stored when it changes.

import type { Dataset } from '../dataset/dataset.ts';
import { type DatasetState, SystemTagId } from '../dataset/system-tags.ts';
import { appendSystemPoints } from '../ingest/append-batch.ts';
import { isTooManyFiles } from '../io/system-errors.ts';
import type { Tag } from '../tag/tag.ts';
import { oneTickAfter, PointColumns, type PointRun } from '../types.ts';

/** Resource use of the process; one measurement serves all datasets. */
export interface ProcessUse {
  readonly memoryMb: number;
  readonly cpuPercent: number;
}

/** Measures the process from one call to the next. */
export class ProcessMeter {
  #cpu = process.cpuUsage();
  #atMs: number;
  #memoryBytes = 0;

  constructor(monotonicMs: number) {
    this.#atMs = monotonicMs;
  }

  measure(monotonicMs: number): ProcessUse {
    const elapsedMs = Math.max(1, monotonicMs - this.#atMs);
    const { user, system } = process.cpuUsage(this.#cpu);
    this.#cpu = process.cpuUsage();
    this.#atMs = monotonicMs;
    this.#measureMemory();
    return {
      memoryMb: round(this.#memoryBytes / 1e6, 10),
      cpuPercent: round((user + system) / 1000 / elapsedMs, 1000) * 100,
    };
  }

  /** Without a free file descriptor the last measurement is kept. */
  #measureMemory(): void {
    try {
      this.#memoryBytes = process.memoryUsage.rss();
    } catch (error) {
      if (!isTooManyFiles(error)) throw error;
    }
  }
}

interface Recorded {
  written: number;
  ignored: number;
  read: number;
  atMs: number;
}

export class SystemRecorder {
  readonly #dataset: Dataset;
  #before: Recorded;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
    this.#before = this.#counters();
  }

  recordState(state: DatasetState): void {
    this.#store(new Map([[SystemTagId.State, state]]));
  }

  /** Stores the values that have changed since the last call. */
  record(use: ProcessUse, sizeBytes: number): void {
    const { context, tags } = this.#dataset;
    const before = this.#before;
    const now = this.#counters();
    this.#before = now;
    const seconds = Math.max(0.001, (now.atMs - before.atMs) / 1000);
    const local = new Date(context.clock.nowMs());
    this.#store(
      new Map<number, number>([
        [SystemTagId.Size, round(sizeBytes / 1e9, 1e6)],
        [SystemTagId.Tags, tags.names.size],
        [SystemTagId.Reads, round((now.read - before.read) / seconds, 10)],
        [SystemTagId.Writes, round((now.written - before.written) / seconds, 10)],
        [SystemTagId.WritesLate, round((now.ignored - before.ignored) / seconds, 10)],
        [SystemTagId.Space, round(context.disk.freeBytes / 1e9, 100)],
        [SystemTagId.Memory, use.memoryMb],
        [SystemTagId.Cpu, use.cpuPercent],
        [SystemTagId.Second, local.getSeconds()],
        [SystemTagId.Minute, local.getMinutes()],
        [SystemTagId.Hour, local.getHours()],
        ...copyFigures(this.#dataset),
      ]),
    );
  }

  #counters(): Recorded {
    const { written, ignored, read } = this.#dataset.counters;
    return { written, ignored, read, atMs: this.#dataset.context.clock.monotonicMs() };
  }

  #store(values: ReadonlyMap<number, number>): void {
    const dataset = this.#dataset;
    if (dataset.deleted || dataset.context.health.poisoned || dataset.context.disk.full) return;
    const points = new PointColumns(values.size);
    const runs: PointRun[] = [];
    for (const [id, value] of values) {
      const tag = dataset.tags.byId.get(id) as Tag;
      if (tag.accepted?.value === value) continue;
      addPoint(points, tag, value, dataset.context.clock.nowMs());
      runs.push({ name: tag.name, tag, type: tag.type, start: runs.length, count: 1, rejected: 0, stamped: 1 });
    }
    if (runs.length === 0) return;
    appendSystemPoints(dataset, { points, runs }, 'lazy').catch(() => undefined); // the journal has reported why
  }
}

/** None where nothing is copied; of several copies the one that is furthest behind. */
function copyFigures({ context, audience: { followers } }: Dataset): [number, number][] {
  if (followers.size === 0) return [];
  const nowMs = context.clock.nowMs();
  const notes = [...followers];
  const lags = notes.map(({ copiedUntilMs, sinceMs }) => nowMs - (copiedUntilMs ?? sinceMs));
  return [
    [SystemTagId.CopyLag, round(Math.max(0, ...lags) / 1000, 10)],
    [SystemTagId.CopyWaiting, Math.max(...notes.map(({ state }) => state.waitingTags))],
    [SystemTagId.CopyFailures, Math.max(...notes.map(({ state }) => state.failures))],
  ];
}

/** When the clock steps back, the server's own history continues one tick after its newest point. */
function addPoint(points: PointColumns, { accepted: newest }: Tag, value: number, nowMs: number): void {
  const i = points.count++;
  const time = newest !== undefined && newest.ms >= nowMs ? oneTickAfter(newest) : { ms: nowMs, ticks: 0 };
  points.timesMs[i] = time.ms;
  points.ticks[i] = time.ticks;
  points.numbers[i] = value;
  points.qualities[i] = 192;
}

function round(value: number, scale: number): number {
  return Math.round(value * scale) / scale;
}
