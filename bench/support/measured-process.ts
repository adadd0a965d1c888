// A server in a process of its own that says where it listens, and what the system knows of the process.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { atEnd } from './clean-up.ts';

const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 120_000;

/** Jiffies a second of /proc/<pid>/stat on Linux. */
const CLOCK_TICKS = 100;
const KEPT_LOG_LENGTH = 500;

export interface Launch {
  /** Arguments of Node. */
  readonly args: readonly string[];
  /** The line it writes when it is ready; the first group is its address. */
  readonly ready: RegExp;
  /** `messages` opens a channel to a module in the process. */
  readonly channel?: 'none' | 'messages';
  readonly cwd?: string;
}

export class MeasuredProcess {
  readonly url: string;
  /** From the start of the process to the ready line; ms. */
  readonly readyMs: number;
  readonly child: ChildProcess;
  readonly #callOff: () => void;
  readonly #lastLog: () => string;

  constructor({ child, url, readyMs, callOff, lastLog }: LaunchedProcess) {
    this.child = child;
    this.url = url;
    this.readyMs = readyMs;
    this.#callOff = callOff;
    this.#lastLog = lastLog;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Resident memory in MB (10^6 bytes). */
  get residentMb(): number {
    return this.#statusMb('VmRSS');
  }

  /** The most memory that was ever resident; MB. */
  get peakMb(): number {
    return this.#statusMb('VmHWM');
  }

  /** Processor time used so far, all threads; s. */
  get cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
  }

  /** What it has said on standard error at last, for messages; empty when nothing. */
  get lastLog(): string {
    return this.#lastLog();
  }

  kill(): Promise<number> {
    return this.end('SIGKILL');
  }

  /** Resolves to the ms until the process is gone, by force when it takes too long. */
  protected end(signal: NodeJS.Signals): Promise<number> {
    const startedMs = performance.now();
    const { child } = this;
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      const done = () => {
        clearTimeout(timer);
        this.#callOff();
        resolve(performance.now() - startedMs);
      };
      if (child.exitCode !== null || child.signalCode !== null) return done();
      child.once('exit', done);
      child.kill(signal);
    });
  }

  #statusMb(field: string): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return (Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6;
  }
}

export interface LaunchedProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly readyMs: number;
  /** The process need not be ended any more when this one ends. */
  readonly callOff: () => void;
  readonly lastLog: () => string;
}

/** Starts a process; it is ended with this one. Rejects, with the process gone, when it does not become ready. */
export function launch({ args, ready, channel = 'none', cwd }: Launch): Promise<LaunchedProcess> {
  const startedMs = performance.now();
  const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe', ...(channel === 'none' ? [] : ['ipc' as const])];
  const child = spawn(process.execPath, args, { cwd, stdio });
  const callOff = atEnd(() => child.kill('SIGKILL'));
  const lastLog = keepLastLog(child);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the server was not ready after ${START_LIMIT_MS} ms`));
    }, START_LIMIT_MS);
    child.once('close', (code) => {
      clearTimeout(timer);
      callOff();
      reject(new Error(`the server ended with code ${code}${lastLog()}`));
    });
    let output = '';
    child.stdout?.on('data', (data: Buffer) => {
      output += data.toString();
      const url = ready.exec(output)?.[1];
      if (!url) return;
      clearTimeout(timer);
      resolve({ child, url, readyMs: performance.now() - startedMs, callOff, lastLog });
    });
  });
}

/** Its log is not shown: the lines of what is done in order (`"audit":true`) would stand between tables. */
function keepLastLog({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.on('data', (data: Buffer) => {
    text = (text + data.toString()).slice(-KEPT_LOG_LENGTH);
  });
  return () => (text.trim() === '' ? '' : `; its log ends with: ${text.trim()}`);
}
