// The test files of one batch in a process of their own, which leads a group: what a test has left running ends with it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TempRoot } from './temp-root.ts';
import type { TestBatch } from './test-files.ts';
import { type FileResults, parseResults, type TestResult } from './test-result.ts';

const PROGRAM = fileURLToPath(new URL('./batch-process.ts', import.meta.url));
const REPORTER = fileURLToPath(new URL('./result-reporter.ts', import.meta.url));
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** How long a process that was asked to end may take to end its own. */
const END_LIMIT_MS = 5000;

export interface BatchOutcome extends TestBatch {
  readonly results: readonly TestResult[];
  readonly output: string;
  /** What is wrong with the batch as a whole. */
  readonly fault: string | undefined;
  readonly wallMs: number;
  readonly cpuMs: number;
}

export class BatchRun {
  readonly batch: TestBatch;
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #reports: { readonly results: string; readonly output: string; readonly cpu: string };
  readonly #startMs = performance.now();

  constructor(folder: string, batch: TestBatch, temp: TempRoot) {
    this.batch = batch;
    this.#folder = folder;
    const report = join(temp.reports, batch.name.replaceAll('/', '.'));
    this.#reports = { results: `${report}.results`, output: `${report}.output`, cpu: `${report}.cpu` };
    const reporting = [`--test-reporter=${REPORTER}`, `--test-reporter-destination=${this.#reports.results}`];
    const output = openSync(this.#reports.output, 'w');
    this.#child = spawn(
      process.execPath,
      ['--import', 'tsx', ...reporting, PROGRAM, this.#reports.cpu, ...batch.paths.map((path) => join(folder, path))],
      { cwd: PROJECT, env: temp.environment, stdio: ['ignore', output, output], detached: true },
    );
    closeSync(output);
  }

  /** Resolves when the process has ended, at the latest after the limit. */
  async outcome(limitMs: number): Promise<BatchOutcome> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void this.end();
    }, limitMs);
    const [code, signal] = (await once(this.#child, 'exit')) as [number | null, NodeJS.Signals | null];
    clearTimeout(timer);
    this.#killGroup();
    const told = parseResults(readReport(this.#reports.results));
    const ended = isLate ? `it was ended at its limit of ${limitMs / 1000} s` : faultOf(told, code, signal);
    const outcome = {
      ...this.batch,
      results: told.results.map((result) => ({ ...result, file: this.#pathOf(result) })),
      output: readReport(this.#reports.output),
      fault: ended ?? this.#emptyFile(told),
      wallMs: performance.now() - this.#startMs,
      cpuMs: Number(readReport(this.#reports.cpu)),
    };
    for (const report of Object.values(this.#reports)) rmSync(report, { force: true });
    return outcome;
  }

  /** Asks the process to end, then ends it and all of its group. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#killGroup(), END_LIMIT_MS);
    await once(this.#child, 'exit');
    clearTimeout(timer);
    this.#killGroup();
  }

  /** File in which a test was defined, relative to the folder of the run; the one file of a batch of one, whatever it imports. */
  #pathOf({ file }: TestResult): string {
    const { name, paths } = this.batch;
    return paths.length === 1 || file === undefined ? name : relative(this.#folder, file).replaceAll('\\', '/');
  }

  /** The first file that no test came from. */
  #emptyFile({ results }: FileResults): string | undefined {
    const tests = results.filter(({ isSuite }) => !isSuite);
    const seen = new Set(tests.map((result) => this.#pathOf(result)));
    const empty = this.batch.paths.find((path) => !seen.has(path));
    return empty === undefined ? undefined : `no test ran in ${empty} to its end`;
  }

  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function readReport(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function faultOf(told: FileResults, code: number | null, signal: string | null): string | undefined {
  const { results, isComplete } = told;
  if (signal !== null) return `its process was ended by ${signal}`;
  if (!results.some(({ isSuite }) => !isSuite) && code === 0) return 'no test ran in it to its end';
  if (!isComplete) return `its process ended with exit code ${code} before its last test did`;
  if (code !== 0 && !results.some(({ verdict }) => verdict === 'failed'))
    return `its process ended with exit code ${code} although no test failed`;
  return undefined;
}
