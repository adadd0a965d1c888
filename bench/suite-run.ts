// What a suite works with: the options, and the measuring of one case, several times, bounded in time. A case that fails
// is reported, and the others go on.

import { NotSupportedError } from './client/raw-connection.ts';
import type { BenchOptions } from './options.ts';
import { type CaseResult, joinRuns, type RunFigures } from './report/result.ts';
import { endAll } from './support/clean-up.ts';
import { TimeLimitError, withinLimit } from './support/time-limit.ts';

/** One run of a case, without what was made ready for it. */
const DEFAULT_LIMIT_MS = 300_000;

export interface CaseOptions {
  /** Cases of equal figures stand in one table. */
  readonly table: string;
  readonly name: string;
  /** Limit of each run; ms. */
  readonly limitMs?: number;
  /** Runs; those of the options when absent. */
  readonly runs?: number;
}

export type Note = (text: string) => void;
export type Work = (note: Note) => Promise<RunFigures>;

export interface TurnCase extends CaseOptions {
  readonly work: Work;
}

export class SuiteRun {
  readonly options: BenchOptions;
  readonly cases: CaseResult[] = [];
  readonly #log: (line: string) => void;

  constructor(options: BenchOptions, log: (line: string) => void) {
    this.options = options;
    this.#log = log;
  }

  /** The size for a full or a quick run. */
  size(full: number, quick: number): number {
    return this.options.quick ? quick : full;
  }

  /** Whether the caller wants this case. */
  wants(name: string): boolean {
    const { only } = this.options;
    return only.length === 0 || only.some((part) => name.includes(part));
  }

  /** Says what is going on, for whoever waits. */
  progress(line: string): void {
    this.#log(line);
  }

  /** Notes that the suite itself could not go on. */
  fail(error: unknown): void {
    this.cases.push({ table: 'suite', name: 'suite', figures: [], ...failureOf(error, new Set()) });
  }

  /** Measures a case: calls `work` once for each run. */
  async measure(options: CaseOptions, work: Work): Promise<void> {
    await this.measureInTurns([{ ...options, work }]);
  }

  /** Measures cases round by round, so that a slow spell of the machine falls on all of them. */
  async measureInTurns(entries: readonly TurnCase[]): Promise<void> {
    const started = entries.filter(({ name }) => this.wants(name)).map((entry) => new StartedCase(entry));
    const rounds = Math.max(0, ...started.map(({ entry }) => this.#runsOf(entry)));
    for (let run = 0; run < rounds; run++) {
      for (const one of started) {
        if (one.failure !== undefined || run >= this.#runsOf(one.entry)) continue;
        if (run === 0 || started.length > 1) this.progress(`  ${one.entry.name}`);
        await one.run();
      }
    }
    this.cases.push(...started.map((one) => one.result()));
  }

  #runsOf({ runs = this.options.runs }: TurnCase): number {
    return runs;
  }
}

/** A case of which some runs were made. */
class StartedCase {
  readonly entry: TurnCase;
  readonly #runs: RunFigures[] = [];
  readonly #notes = new Set<string>();
  failure: Pick<CaseResult, 'notes' | 'error'> | undefined;

  constructor(entry: TurnCase) {
    this.entry = entry;
  }

  async run(): Promise<void> {
    const { name, limitMs = DEFAULT_LIMIT_MS, work } = this.entry;
    try {
      this.#runs.push(await bounded(() => work((text) => this.#notes.add(text)), limitMs, name));
    } catch (error) {
      this.failure = failureOf(error, this.#notes);
    }
  }

  result(): CaseResult {
    const { table, name } = this.entry;
    if (this.failure) return { table, name, figures: [], ...this.failure };
    return { table, name, figures: joinRuns(this.#runs), notes: [...this.#notes] };
  }
}

function failureOf(error: unknown, notes: ReadonlySet<string>): Pick<CaseResult, 'notes' | 'error'> {
  if (error instanceof NotSupportedError) return { notes: [...notes, 'not supported by this server'] };
  return { notes: [...notes], error: error instanceof Error ? error.message : String(error) };
}

/** After the limit everything that was started is ended, which makes the work fail; it is waited for. */
async function bounded(work: () => Promise<RunFigures>, limitMs: number, what: string): Promise<RunFigures> {
  const running = work();
  try {
    return await withinLimit(running, limitMs, what);
  } catch (error) {
    if (error instanceof TimeLimitError) {
      endAll();
      await running.catch(() => undefined);
    }
    throw error;
  }
}
