// The real server in a process of its own, for measurements.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const READY = /Varve is listening on (http:\/\/\S+)/;
const START_LIMIT_MS = 120_000;

/** Jiffies a second of /proc/<pid>/stat on Linux. */
const CLOCK_TICKS = 100;

export class ServerUnderTest {
  readonly url: string;
  /** From the start of the process to the ready line; ms. */
  readonly readyMs: number;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, url: string, readyMs: number) {
    this.#child = child;
    this.url = url;
    this.readyMs = readyMs;
  }

  /** Starts the server on a free port over a data folder. Rejects when it does not become ready. */
  static start(dataFolder: string, flags: readonly string[] = []): Promise<ServerUnderTest> {
    const startedMs = performance.now();
    const args = [
      '--import',
      'tsx',
      'server/main.ts',
      '--data',
      dataFolder,
      '--port',
      '0',
      '--log-level',
      'error',
      ...flags,
    ];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`the server was not ready after ${START_LIMIT_MS} ms`));
      }, START_LIMIT_MS);
      child.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
      let output = '';
      child.stdout?.on('data', (data: Buffer) => {
        output += data.toString();
        const url = READY.exec(output)?.[1];
        if (!url) return;
        clearTimeout(timer);
        child.removeAllListeners('exit');
        resolve(new ServerUnderTest(child, url, performance.now() - startedMs));
      });
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Resident memory in MB (10^6 bytes). */
  get residentMb(): number {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1];
    return (Number(kb) * 1024) / 1e6;
  }

  /** Processor time used so far, all threads; s. */
  get cpuSeconds(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
  }

  /** SIGTERM; resolves to the ms until the process is gone. */
  stop(): Promise<number> {
    return this.#end('SIGTERM');
  }

  kill(): Promise<number> {
    return this.#end('SIGKILL');
  }

  #end(signal: NodeJS.Signals): Promise<number> {
    const startedMs = performance.now();
    return new Promise((resolve) => {
      this.#child.once('exit', () => resolve(performance.now() - startedMs));
      this.#child.kill(signal);
    });
  }
}
