// Starts and ends the other client, and asks it for its figures.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ProbeFigures } from './probe-program.ts';

const PROGRAM = new URL('./probe-program.ts', import.meta.url);
const ANSWER_LIMIT_MS = 120_000;

export class Probe {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Asks the server on this port, whose process has this id. */
  static async start(port: number, pid: number): Promise<Probe> {
    const child = fork(PROGRAM, [String(port), String(pid)], { execArgv: ['--import', 'tsx'] });
    const probe = new Probe(child);
    await probe.#message();
    return probe;
  }

  /** Figures since the last call. */
  async figures(): Promise<ProbeFigures> {
    const answer = this.#message();
    this.#child.send('figures');
    return (await answer) as ProbeFigures;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  async #message(): Promise<unknown> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error('the probe gave no answer')), ANSWER_LIMIT_MS);
    try {
      const [message] = await once(this.#child, 'message', { signal: limit.signal });
      return message;
    } finally {
      clearTimeout(timer);
    }
  }
}
