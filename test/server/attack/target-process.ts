// Starts and ends the server that is attacked, and asks it for its figures.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TransportName } from '../../../server/transport.ts';
import type { TargetFigures, TargetMessage } from './attack-target.ts';

const PROGRAM = new URL('./attack-target.ts', import.meta.url);
const START_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 60_000;
/** A child's last words. */
const KEPT_OUTPUT_CHARS = 4000;

export class TargetProcess {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child;
    this.#folder = folder;
    this.port = port;
  }

  static async start(transport: TransportName, slowReaderMs: number): Promise<TargetProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'varve-attack-'));
    const child = fork(PROGRAM, [transport, folder, String(slowReaderMs)], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let lastWords = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-KEPT_OUTPUT_CHARS);
    });
    const port = await receive(child, (message) => ('port' in message ? message.port : undefined), START_LIMIT_MS);
    if (port === undefined) {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`the server did not start\n${lastWords}`);
    }
    return new TargetProcess(child, folder, port);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get isUp(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Figures since the last call. Throws when the process is gone or does not answer. */
  async figures(): Promise<TargetFigures> {
    if (!this.isUp) throw new Error('the server is gone');
    const answer = receive(
      this.#child,
      (message) => ('figures' in message ? message.figures : undefined),
      ANSWER_LIMIT_MS,
    );
    this.#child.send('figures');
    const figures = await answer;
    if (figures === undefined) throw new Error('the server gave no figures');
    return figures;
  }

  async stop(): Promise<void> {
    if (this.isUp) {
      const gone = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The first message that `pick` takes; undefined when the process ends or time is up. */
function receive<T>(
  child: ChildProcess,
  pick: (message: TargetMessage) => T | undefined,
  limitMs: number,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const finish = (result: T | undefined): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(result);
    };
    const onMessage = (message: unknown): void => {
      const result = pick(message as TargetMessage);
      if (result !== undefined) finish(result);
    };
    const onExit = (): void => finish(undefined);
    const timer = setTimeout(() => finish(undefined), limitMs);
    child.on('message', onMessage);
    child.once('exit', onExit);
  });
}
