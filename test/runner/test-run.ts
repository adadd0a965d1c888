// A whole run: some files at a time, each in a process of its own, over one temporary folder. However it ends, its
// processes have ended and the folder is gone.

import { endedChildrenCpuMs } from './cpu-time.ts';
import { type FileOutcome, FileRun } from './file-run.ts';
import {
  countOutcomes,
  type Detail,
  formatFailures,
  formatFile,
  formatSlowest,
  formatSuite,
  formatTotals,
} from './report.ts';
import { TempRoot } from './temp-root.ts';
import { suiteOf } from './test-files.ts';

/** Without a line for so long a run says how far it is. */
const PROGRESS_MS = 60_000;

export interface RunOptions {
  /** Holds the files of `paths`, which are relative to it. */
  readonly folder: string;
  /** In the order to start them; at least one. */
  readonly paths: readonly string[];
  readonly filesAtOnce: number;
  readonly fileLimitMs: number;
  readonly detail: Detail;
  readonly print: (text: string) => void;
}

export class TestRun {
  readonly #options: RunOptions;
  readonly #temp = new TempRoot();
  readonly #running = new Set<FileRun>();
  readonly #outcomes: FileOutcome[] = [];
  readonly #waiting: string[];
  readonly #startMs = performance.now();
  #lastLineMs = this.#startMs;
  #isInterrupted = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#waiting = [...options.paths];
  }

  /** Gives whether all is well: every file ran, holds a test, and none failed. */
  async run(): Promise<'passed' | 'failed'> {
    const progress = setInterval(() => this.#tellProgress(), PROGRESS_MS / 4);
    try {
      await Promise.all(Array.from({ length: this.#options.filesAtOnce }, () => this.#runNextFiles()));
    } finally {
      clearInterval(progress);
      this.#temp.remove();
    }
    this.#printEnd();
    if (this.#isInterrupted) this.#print(`Interrupted: ${this.#progress()}.`);
    const isComplete = this.#outcomes.length === this.#options.paths.length;
    return isComplete && countOutcomes(this.#outcomes).failed === 0 ? 'passed' : 'failed';
  }

  /** Ends all processes; `run` resolves once they have ended. */
  async interrupt(): Promise<void> {
    this.#isInterrupted = true;
    this.#waiting.length = 0;
    await Promise.all([...this.#running].map((file) => file.end()));
  }

  async #runNextFiles(): Promise<void> {
    for (let path = this.#waiting.shift(); path !== undefined; path = this.#waiting.shift()) {
      const file = new FileRun(this.#options.folder, path, this.#temp);
      this.#running.add(file);
      const outcome = await file.outcome(this.#options.fileLimitMs);
      this.#running.delete(file);
      if (this.#isInterrupted) return;
      this.#outcomes.push(outcome);
      this.#printOutcome(outcome);
    }
  }

  #printOutcome(outcome: FileOutcome): void {
    if (this.#options.detail === 'verbose') this.#print(formatFile(outcome));
    const { failed } = countOutcomes([outcome]);
    if (failed > 0) this.#print(`${outcome.path}: ${failed} FAILED (the reasons follow at the end)`);
    const suite = suiteOf(outcome.path);
    const isOfSuite = (path: string): boolean => suiteOf(path) === suite;
    const ended = this.#outcomes.filter(({ path }) => isOfSuite(path));
    if (ended.length === this.#options.paths.filter(isOfSuite).length) this.#print(formatSuite(ended));
  }

  #tellProgress(): void {
    if (performance.now() - this.#lastLineMs < PROGRESS_MS) return;
    const now = [...this.#running].map(({ path }) => path).join(', ');
    this.#print(`${this.#progress()}; running: ${now}`);
  }

  #progress(): string {
    return `${this.#outcomes.length} of ${this.#options.paths.length} files have ended`;
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
