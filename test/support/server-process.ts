// The real server as a child process: started on a free port over a data folder of its own, stopped, killed, restarted.
// Every process is ended by its id, and every wait is bounded.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EngineTunables } from '../../engine/index.ts';

export type Transport = 'uws' | 'node';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
const READY_LINE = /^Varve is listening on (https?:\/\/(.+):(\d+))$/;
const READY_LIMIT_MS = 240_000;
const STOP_LIMIT_MS = 90_000;
const LOG_LIMIT_MS = 60_000;
/**
 * In the project's folder: the program as it is built from the sources that are here now, as `npm start` runs it. It starts in
 * half the processor time of the sources.
 */
export const BUILT_PROGRAM = 'bin/varve.mjs';
/** An older state of the project may not have it. */
const BUILDER = 'scripts/clone-build.mjs';
const FROM_SOURCES = ['--import', 'tsx'];
const SOURCES = 'server/main.ts';
const TURNED_CLOCK = new URL('./turned-clock.mjs', import.meta.url).href;
const TUNED_LIMITS = new URL('./tuned-limits.mjs', import.meta.url).href;

export interface ServerOptions {
  readonly transport?: Transport;
  /** Kept when the server ends; without one the server gets a temporary folder that goes with it. */
  readonly dataFolder?: string;
  /** Replace `--data`, `--port` and `--http` as well. */
  readonly bareFlags?: readonly string[];
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Runs all clocks of the process this far ahead (negative: behind), and lets `turnClock` move them on. */
  readonly clockOffsetMs?: number;
  /** Its clocks are moved by `turnClock` alone; only together with `clockOffsetMs`. */
  readonly clockStands?: boolean;
  /** Limits of the engine, whatever the settings say. */
  readonly limits?: Partial<EngineTunables>;
  /** Folder of another state of the project, whose server is to run. */
  readonly project?: string | undefined;
}

export interface ProcessEnd {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Processes that are still running; ended with this one, whatever happens. */
const running = new Set<WatchedProcess>();
process.on('exit', () => {
  for (const started of running) started.signal('SIGKILL');
});

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'varve-test-'));
}

/** `group`: the process leads a group of its own, as a command at a terminal does; signals go to the whole group. */
type Scope = 'process' | 'group';

/** A child with its output by lines. */
class WatchedProcess {
  readonly child: ChildProcess;
  readonly stdoutLines: string[] = [];
  readonly stderrLines: string[] = [];
  readonly ended: Promise<ProcessEnd>;
  private readonly scope: Scope;
  private readonly listeners = new Set<() => void>();

  constructor(
    command: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    { scope = 'process', cwd = projectFolder }: { readonly scope?: Scope; readonly cwd?: string | undefined } = {},
  ) {
    this.scope = scope;
    this.child = spawn(command, args, {
      cwd,
      env: { ...cleanEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: scope === 'group',
    });
    running.add(this);
    this.collect('stdout', this.stdoutLines);
    this.collect('stderr', this.stderrLines);
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code) => {
        running.delete(this);
        resolve({ code, stdout: this.stdoutLines.join('\n'), stderr: this.stderrLines.join('\n') });
      });
    });
    this.ended.catch(() => undefined);
  }

  /** Does nothing when it has ended. */
  signal(name: NodeJS.Signals): void {
    const { pid } = this.child;
    if (this.scope === 'process' || pid === undefined) {
      this.child.kill(name);
      return;
    }
    try {
      process.kill(-pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  private collect(stream: 'stdout' | 'stderr', lines: string[]): void {
    const input = this.child[stream];
    if (input === null) throw new Error(`BUG: no ${stream}`);
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      for (const listener of this.listeners) listener();
    });
  }

  /** Resolves with the first result of `find` that is not undefined; tried at every line. Undefined when the process ends or time is up. */
  watch<T>(find: () => T | undefined, limitMs: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const finish = (result: T | undefined): void => {
        clearTimeout(timer);
        this.listeners.delete(listener);
        resolve(result);
      };
      const listener = (): void => {
        const result = find();
        if (result !== undefined) finish(result);
      };
      const timer = setTimeout(() => finish(undefined), limitMs);
      this.listeners.add(listener);
      this.ended.then(
        () => finish(find()),
        () => finish(undefined),
      );
      listener();
    });
  }

  async endWithin(limitMs: number): Promise<ProcessEnd> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.signal('SIGKILL');
        reject(new Error(`the process did not end within ${limitMs} ms\n${this.stderrLines.slice(-20).join('\n')}`));
      }, limitMs);
    });
    try {
      return await Promise.race([this.ended, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** This process's environment without settings of the server or of the test runner. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('VARVE_') && name !== 'NODE_TEST_CONTEXT',
  );
  return Object.fromEntries(entries);
}

export class ServerProcess {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  readonly dataFolder: string;
  private readonly process: WatchedProcess;
  private readonly removeAtEnd: readonly string[];
  private readonly clockFile: string | undefined;
  private clockOffsetMs: number;

  private constructor(process: WatchedProcess, ready: RegExpMatchArray, folders: StartFolders, options: ServerOptions) {
    const [, url = '', host = '', port = ''] = ready;
    this.process = process;
    this.url = url;
    this.host = host;
    this.port = Number(port);
    this.pid = process.child.pid ?? 0;
    this.dataFolder = folders.dataFolder;
    this.removeAtEnd = folders.removeAtEnd;
    this.clockFile = folders.clockFile;
    this.clockOffsetMs = options.clockOffsetMs ?? 0;
  }

  /** Resolves once the ready line was printed. Throws with the process's output when it ends or takes 30 s. */
  static async start(options: ServerOptions = {}): Promise<ServerProcess> {
    const folders = prepareFolders(options);
    const environment = {
      ...options.environment,
      ...(options.limits && { TUNED_LIMITS: JSON.stringify(options.limits) }),
      ...clockEnvironment(folders.clockFile, options),
    };
    const started = new WatchedProcess(process.execPath, serverArguments(options, folders), environment, {
      cwd: options.project,
    });
    const ready = await started.watch(() => matchReadyLine(started.stdoutLines), READY_LIMIT_MS);
    if (ready === undefined) {
      started.signal('SIGKILL');
      const { code, stdout, stderr } = await started.endWithin(STOP_LIMIT_MS);
      removeFolders(folders.removeAtEnd);
      throw new Error(`the server did not become ready (exit code ${code})\n${stdout}\n${stderr}`);
    }
    return new ServerProcess(started, ready, folders, options);
  }

  get stdoutLines(): readonly string[] {
    return this.process.stdoutLines;
  }

  /** Everything that was logged so far, on either stream. */
  get logLines(): readonly string[] {
    return [...this.process.stderrLines, ...this.process.stdoutLines.filter((line) => !READY_LINE.test(line))];
  }

  get ended(): Promise<ProcessEnd> {
    return this.process.ended;
  }

  /** The first log line that matches, waiting for it up to 10 s; undefined when there is none. */
  findLog(pattern: RegExp): Promise<string | undefined> {
    return this.process.watch(() => this.logLines.find((line) => pattern.test(line)), LOG_LIMIT_MS);
  }

  signal(name: 'SIGTERM' | 'SIGINT'): void {
    this.process.signal(name);
  }

  /** Waits until the process has ended by itself. */
  async waitForEnd(): Promise<ProcessEnd> {
    const end = await this.process.endWithin(STOP_LIMIT_MS);
    removeFolders(this.removeAtEnd);
    return end;
  }

  /** Ends it by SIGTERM. Throws when it exits with anything but 0. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    const { code, stderr } = await this.waitForEnd();
    if (code !== 0) throw new Error(`the server stopped with exit code ${code}\n${stderr}`);
  }

  /** Ends it by SIGKILL. */
  async kill(): Promise<void> {
    this.process.signal('SIGKILL');
    await this.waitForEnd();
  }

  /** Moves all clocks of the process on; for servers started with `clockOffsetMs`. */
  async turnClock(byMs: number): Promise<void> {
    if (this.clockFile === undefined) throw new Error('start the server with clockOffsetMs to turn its clock');
    this.clockOffsetMs += byMs;
    writeFileSync(this.clockFile, String(this.clockOffsetMs));
    this.process.signal('SIGUSR2');
    const acknowledgement = `clock turned to ${this.clockOffsetMs}`;
    const found = await this.process.watch(
      () => this.process.stderrLines.find((line) => line === acknowledgement),
      LOG_LIMIT_MS,
    );
    if (found === undefined) throw new Error('the server did not turn its clock');
  }
}

interface StartFolders {
  readonly dataFolder: string;
  readonly removeAtEnd: readonly string[];
  readonly clockFile: string | undefined;
}

function prepareFolders(options: ServerOptions): StartFolders {
  const removeAtEnd: string[] = [];
  let dataFolder = options.dataFolder;
  if (dataFolder === undefined) {
    const folder = temporaryFolder();
    removeAtEnd.push(folder);
    dataFolder = join(folder, 'data');
  }
  if (options.clockOffsetMs === undefined) return { dataFolder, removeAtEnd, clockFile: undefined };
  const folder = temporaryFolder();
  removeAtEnd.push(folder);
  const clockFile = join(folder, 'offset-ms');
  writeFileSync(clockFile, String(options.clockOffsetMs));
  return { dataFolder, removeAtEnd, clockFile };
}

function removeFolders(folders: readonly string[]): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function clockEnvironment(
  clockFile: string | undefined,
  { clockStands = false }: ServerOptions,
): Record<string, string> {
  if (clockFile === undefined) return {};
  return { TURNED_CLOCK_FILE: clockFile, ...(clockStands ? { TURNED_CLOCK_STANDS: 'yes' } : {}) };
}

function serverArguments(options: ServerOptions, folders: StartFolders): string[] {
  const usual = ['--data', folders.dataFolder, '--port', '0', '--http', options.transport ?? 'uws'];
  const flags = options.bareFlags ?? [...usual, ...(options.flags ?? [])];
  const preloaded = [
    ...(folders.clockFile === undefined ? [] : ['--import', TURNED_CLOCK]),
    ...(options.limits === undefined ? [] : ['--import', TUNED_LIMITS]),
  ];
  const { project = projectFolder } = options;
  return existsSync(join(project, BUILDER))
    ? [...preloaded, BUILT_PROGRAM, ...flags]
    : [...FROM_SOURCES, ...preloaded, SOURCES, ...flags];
}

function matchReadyLine(lines: readonly string[]): RegExpMatchArray | undefined {
  for (const line of lines) {
    const match = READY_LINE.exec(line);
    if (match !== null) return match;
  }
  return undefined;
}

/** Runs the server with these flags until it ends by itself: for starts that must fail. */
export function runServerToEnd(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ProcessEnd> {
  return new WatchedProcess(process.execPath, [BUILT_PROGRAM, ...flags], environment).endWithin(READY_LIMIT_MS);
}

/** Runs a command that starts a server, works with its address once it is ready, and ends it as Ctrl-C at a terminal does. */
export async function runUntilReady(
  command: string,
  args: readonly string[],
  whileReady: (url: string) => Promise<void>,
  place: { readonly cwd?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<ProcessEnd> {
  const started = new WatchedProcess(command, args, place.environment ?? {}, { scope: 'group', cwd: place.cwd });
  const ready = await started.watch(() => matchReadyLine(started.stdoutLines), READY_LIMIT_MS);
  try {
    if (ready === undefined)
      throw new Error(`not ready\n${[...started.stdoutLines, ...started.stderrLines].join('\n')}`);
    await whileReady(ready[1] ?? '');
  } finally {
    started.signal('SIGINT');
  }
  return started.endWithin(STOP_LIMIT_MS);
}
