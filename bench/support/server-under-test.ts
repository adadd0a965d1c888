// The real server in a process of its own, for measurements.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atEnd } from './clean-up.ts';

const PROJECT_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const READY = /Varve is listening on (http:\/\/\S+)/;
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 120_000;
const WARM_UP_LIMIT_MS = 10_000;
const LOOK_MS = 250;
/** Used between two looks, at most. */
const IDLE_CPU_SECONDS = 0.02;

/** Jiffies a second of /proc/<pid>/stat on Linux. */
const CLOCK_TICKS = 100;

export interface ServerOptions {
  /** Flags of the server besides its folder and port. */
  readonly flags?: readonly string[];
  /** A module that the server's process loads first; it may talk to us by messages. */
  readonly preload?: string;
}

export class ServerUnderTest {
  readonly url: string;
  /** From the start of the process to the ready line; ms. */
  readonly readyMs: number;
  /** Resident memory as it became ready, before it warmed up; MB. */
  readonly emptyMb: number;
  readonly child: ChildProcess;
  readonly #callOff: () => void;

  private constructor(child: ChildProcess, url: string, readyMs: number, callOff: () => void) {
    this.child = child;
    this.url = url;
    this.readyMs = readyMs;
    this.#callOff = callOff;
    this.emptyMb = this.residentMb;
  }

  /** Starts the server on a free port over a data folder. Rejects when it does not become ready. */
  static start(dataFolder: string, options: ServerOptions = {}): Promise<ServerUnderTest> {
    const startedMs = performance.now();
    const child = spawn(process.execPath, argumentsFor(dataFolder, options), {
      cwd: PROJECT_FOLDER,
      stdio: options.preload === undefined ? ['ignore', 'pipe', 'inherit'] : ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const callOff = atEnd(() => child.kill('SIGKILL'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`the server was not ready after ${START_LIMIT_MS} ms`));
      }, START_LIMIT_MS);
      child.once('exit', (code) => {
        clearTimeout(timer);
        callOff();
        reject(new Error(`the server ended with code ${code}`));
      });
      let output = '';
      child.stdout?.on('data', (data: Buffer) => {
        output += data.toString();
        const url = READY.exec(output)?.[1];
        if (!url) return;
        clearTimeout(timer);
        resolve(new ServerUnderTest(child, url, performance.now() - startedMs, callOff));
      });
    });
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

  /** Resolves once it has warmed up, which it begins when it is ready: it does next to nothing for a while then. */
  async idle(): Promise<void> {
    const limitMs = performance.now() + WARM_UP_LIMIT_MS;
    for (let used = -1; this.cpuSeconds > used + IDLE_CPU_SECONDS && performance.now() < limitMs; ) {
      used = this.cpuSeconds;
      await delay(LOOK_MS);
    }
  }

  /** SIGTERM; resolves to the ms until the process is gone. Rejects when it does not end, or ends with an error. */
  async stop(): Promise<number> {
    const elapsedMs = await this.#end('SIGTERM');
    const { exitCode, signalCode } = this.child;
    if (exitCode !== 0) throw new Error(`the server ended with ${signalCode ?? `code ${exitCode}`}; want code 0`);
    return elapsedMs;
  }

  kill(): Promise<number> {
    return this.#end('SIGKILL');
  }

  #end(signal: NodeJS.Signals): Promise<number> {
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

function argumentsFor(dataFolder: string, { flags = [], preload }: ServerOptions): string[] {
  const loaders = preload === undefined ? ['--import', 'tsx'] : ['--import', 'tsx', '--import', preload];
  // Requests are made before the port is known, so their Host has none.
  const host = ['--port', '0', '--allow-host', '127.0.0.1'];
  return [...loaders, 'server/main.ts', '--data', dataFolder, ...host, '--log-level', 'error', ...flags];
}

/** Starts a server, hands it to `work`, and sees that it ends: in order, or by force after a failure. */
export async function withServer<T>(
  dataFolder: string,
  options: ServerOptions,
  work: (server: ServerUnderTest) => Promise<T>,
): Promise<T> {
  const server = await ServerUnderTest.start(dataFolder, options);
  try {
    await server.idle();
    const result = await work(server);
    await server.stop();
    return result;
  } finally {
    await server.kill();
  }
}
