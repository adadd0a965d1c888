// A whole run: some batches of files at a time, each in a process of its own, over one temporary folder. However it ends, its
// processes have ended and the folder is gone.

import { type BatchOutcome, BatchRun } from './batch-run.ts';
import { endedChildrenCpuMs } from './cpu-time.ts';
import {
  countFiles,
  countOutcomes,
  type Detail,
  formatBatch,
  formatFailures,
  formatSlowest,
  formatSuite,
  formatTotals,
} from './report.ts';
import { TempRoot } from './temp-root.ts';
import { suiteOf, type TestBatch } from './test-files.ts';

/** Without a line for so long a run says how far it is. */
const PROGRESS_MS = 60_000;

export interface RunOptions {
  /** Holds the files of the batches, whose paths are relative to it. */
  readonly folder: string;
  /** In the order to start them; at least one. */
  readonly batches: readonly TestBatch[];
  readonly processesAtOnce: number;
  /** How long a batch may take. */
  readonly limitMs: number;
  readonly detail: Detail;
  readonly print: (text: string) => void;
}

export class TestRun {
  readonly #options: RunOptions;
  readonly #temp = new TempRoot();
  readonly #running = new Set<BatchRun>();
  readonly #outcomes: BatchOutcome[] = [];
  readonly #waiting: TestBatch[];
  readonly #startMs = performance.now();
  #lastLineMs = this.#startMs;
  #isInterrupted = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#waiting = [...options.batches];
  }

  /** Gives whether all is well: every file ran, holds a test, and none failed. */
  async run(): Promise<'passed' | 'failed'> {
    const progress = setInterval(() => this.#tellProgress(), PROGRESS_MS / 4);
    try {
      await Promise.all(Array.from({ length: this.#options.processesAtOnce }, () => this.#runNext()));
    } finally {
      clearInterval(progress);
      this.#temp.remove();
    }
    this.#printEnd();
    if (this.#isInterrupted) this.#print(`Interrupted: ${this.#progress()}.`);
    const isComplete = this.#outcomes.length === this.#options.batches.length;
    return isComplete && countOutcomes(this.#outcomes).failed === 0 ? 'passed' : 'failed';
  }

  /** Ends all processes; `run` resolves once they have ended. */
  async interrupt(): Promise<void> {
    this.#isInterrupted = true;
    this.#waiting.length = 0;
    await Promise.all([...this.#running].map((batch) => batch.end()));
  }

  async #runNext(): Promise<void> {
    for (let batch = this.#waiting.shift(); batch !== undefined; batch = this.#waiting.shift()) {
      const run = new BatchRun(this.#options.folder, batch, this.#temp);
      this.#running.add(run);
      const outcome = await run.outcome(this.#options.limitMs);
      this.#running.delete(run);
      if (this.#isInterrupted) return;
      this.#outcomes.push(outcome);
      this.#printOutcome(outcome);
    }
  }

  #printOutcome(outcome: BatchOutcome): void {
    if (this.#options.detail === 'verbose') this.#print(formatBatch(outcome));
    const { failed } = countOutcomes([outcome]);
    if (failed > 0) this.#print(`${outcome.name}: ${failed} FAILED (the reasons follow at the end)`);
    const suite = suiteOf(outcome);
    const isOfSuite = (batch: TestBatch): boolean => suiteOf(batch) === suite;
    const ended = this.#outcomes.filter(isOfSuite);
    if (ended.length === this.#options.batches.filter(isOfSuite).length) this.#print(formatSuite(ended));
  }

  #tellProgress(): void {
    if (performance.now() - this.#lastLineMs < PROGRESS_MS) return;
    const now = [...this.#running].map(({ batch }) => batch.name).join(', ');
    this.#print(`${this.#progress()}; running: ${now}`);
  }

  #progress(): string {
    return `${countFiles(this.#outcomes)} of ${countFiles(this.#options.batches)} files have ended`;
  }

  #printEnd(): void {
    const wallMs = performance.now() - this.#startMs;
    const failures = formatFailures(this.#outcomes);
    this.#print(formatSlowest(this.#outcomes));
    if (failures !== '') this.#print(`\n${failures}\n`);
    this.#print(formatTotals(this.#outcomes, wallMs, endedChildrenCpuMs()));
  }

  #print(text: string): void {
    this.#lastLineMs = performance.now();
    this.#options.print(text);
  }
}
