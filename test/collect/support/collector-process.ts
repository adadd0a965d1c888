// `varve collect` as a child process.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILT_PROGRAM, projectFolder } from '../../support/server-process.ts';

const LIMIT_MS = 30_000;
const LOOK_MS = 100;

/** Looks again and again until there is something. */
export async function until<T>(
  what: string | (() => string),
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadlineMs = Date.now() + LIMIT_MS;
  while (Date.now() < deadlineMs) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(LOOK_MS);
  }
  throw new Error(`waited too long for ${typeof what === 'string' ? what : what()}`);
}

export class CollectorProcess {
  readonly #child: ChildProcess;
  /** Path of its file. */
  readonly config: string;
  log = '';

  constructor(config: string) {
    this.config = config;
    this.#child = spawn(process.execPath, [BUILT_PROGRAM, 'collect', config], {
      cwd: projectFolder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.log += chunk.toString();
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.hasEnded) return this.#child.exitCode;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    const [code] = await ended;
    return code as number | null;
  }

  async said(pattern: RegExp): Promise<void> {
    await until(
      () => `${pattern} in:\n${this.log}`,
      () => pattern.test(this.log) || undefined,
    );
  }
}
