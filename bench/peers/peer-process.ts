// A peer's server as a child process with its output in a file. It is ended with this process, however that ends.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { atEnd } from '../support/clean-up.ts';
import { endTree } from '../support/process-tree.ts';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;
const ABORT_LIMIT_MS = 5000;
const LOOK_MS = 50;
const VERSION_LIMIT_MS = 20_000;

export interface PeerLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** Whom it runs as; as this process when absent. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Asks it to end in order. */
  readonly stopSignal: NodeJS.Signals;
  /** Ends it at once. */
  readonly abortSignal: NodeJS.Signals;
}

export class PeerProcess {
  readonly #child: ChildProcess;
  readonly #launch: PeerLaunch;
  readonly #logPath: string;
  #hasEnded = false;
  #failure = '';

  constructor(launch: PeerLaunch) {
    const { command, args, folder, user } = launch;
    this.#launch = launch;
    this.#logPath = `${folder}/server.log`;
    const log = openSync(this.#logPath, 'a');
    this.#child = spawn(command, args, { cwd: folder, stdio: ['ignore', log, log], ...user });
    closeSync(log);
    const callOff = atEnd(() => endTree(this.pid, launch.abortSignal, ABORT_LIMIT_MS));
    const ended = (why: string) => {
      this.#hasEnded = true;
      this.#failure = why;
      callOff();
    };
    this.#child.once('error', (error) => ended(error.message));
    this.#child.once('exit', (code, signal) => ended(`it ended with ${signal ?? `code ${code}`}`));
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Resolves when `look` does; rejects when the process ends before, or never lets it succeed. */
  async untilReady(look: () => Promise<unknown>): Promise<void> {
    const endMs = performance.now() + START_LIMIT_MS;
    for (;;) {
      try {
        await look();
        return;
      } catch (error) {
        if (this.#hasEnded)
          throw new Error(`${this.#launch.command} did not start: ${this.#failure}${this.#lastLog()}`);
        if (performance.now() > endMs) throw new Error(`${this.#launch.command} was not ready in time: ${error}`);
      }
      await delay(LOOK_MS);
    }
  }

  /** Resolves when it is gone, by force when it takes too long. */
  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const gone = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    const timer = setTimeout(() => endTree(this.pid, this.#launch.abortSignal, ABORT_LIMIT_MS), STOP_LIMIT_MS);
    this.#child.kill(this.#launch.stopSignal);
    await gone;
    clearTimeout(timer);
  }

  #lastLog(): string {
    const text = readFileSync(this.#logPath, 'utf8').trim();
    return text === '' ? '' : `; its log ends with: ${text.slice(-500)}`;
  }
}

/** Path of a program, given as a path or to be looked for in PATH; undefined when there is none. */
function findProgram(name: string): string | undefined {
  const folders = name.includes('/') ? [''] : (process.env.PATH ?? '').split(':').map((folder) => `${folder}/`);
  return folders.map((folder) => folder + name).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What an installed program says of its version, or its Debian package does; undefined when it is not installed. */
export function installedVersion(program: string, flag: string, debianPackage: string): string | undefined {
  if (findProgram(program) === undefined) return undefined;
  const said = firstLine(program, flag);
  if (/\d\.\d/.test(said)) return said;
  return firstLine('dpkg-query', '-W', debianPackage).replace('\t', ' ') || 'of unknown version';
}

function firstLine(command: string, ...args: string[]): string {
  const { stdout } = spawnSync(command, args, { encoding: 'utf8', timeout: VERSION_LIMIT_MS });
  return (stdout ?? '').trim().split('\n')[0] ?? '';
}
