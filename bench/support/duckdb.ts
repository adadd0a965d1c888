// DuckDB as a yardstick: an analytical engine in a process of its own, if it is installed.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../.engines/duckdb', import.meta.url));
const PACKAGE = `${FOLDER}/node_modules/@duckdb/node-api/package.json`;
const PROGRAM = fileURLToPath(new URL('../programs/duckdb-averages.ts', import.meta.url));

/** What the process computes: averages by time of tags of the benchmark's dataset. */
export interface DuckDbJob {
  /** URL of the server that has the points. */
  readonly url: string;
  readonly tags: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
  readonly intervalMs: number;
}

export interface DuckDbAnswer {
  readonly ms: number;
  /** Processor time of all threads. */
  readonly cpuSeconds: number;
  /** Results, and their sum. */
  readonly count: number;
  readonly sum: number;
}

/** What is used of DuckDB's package. */
export interface DuckDbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
  createAppender(table: string): Promise<DuckDbAppender>;
}

export interface DuckDbAppender {
  appendInteger(value: number): void;
  appendDouble(value: number): void;
  endRow(): void;
  flushSync(): void;
  closeSync(): void;
}

/** A connection of this process to a database: a file, or `:memory:`. Rejects when DuckDB is not installed. */
export async function connectDuckDb(database: string): Promise<DuckDbConnection> {
  const path = createRequire(`${FOLDER}/package.json`).resolve('@duckdb/node-api');
  const { DuckDBInstance } = (await import(pathToFileURL(path).href)) as {
    readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }> };
  };
  return (await DuckDBInstance.create(database)).connect();
}

/** Undefined when it is not installed. */
export function duckDbVersion(): string | undefined {
  if (!existsSync(PACKAGE)) return undefined;
  return (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;
}

/** Starts the process, hands it over when it has the points, and ends it. */
export async function withDuckDb<T>(
  job: DuckDbJob,
  work: (compute: () => Promise<DuckDbAnswer>) => Promise<T>,
): Promise<T> {
  const argument = JSON.stringify(job);
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, argument], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await nextLine(lines, child);
    return await work(async () => {
      child.stdin.write('compute\n');
      return JSON.parse(await nextLine(lines, child)) as DuckDbAnswer;
    });
  } finally {
    child.kill();
  }
}

async function nextLine(lines: AsyncIterator<string>, child: ChildProcess): Promise<string> {
  const { value, done } = await lines.next();
  if (done) throw new Error(`DuckDB's process ended with ${child.exitCode ?? child.signalCode}`);
  return value;
}
