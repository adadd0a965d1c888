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

  /** Asks from now on; resolves when it has had its first answers, which do not count. */
  async begin(): Promise<void> {
    await this.#ask('begin');
  }

  /** Asks no more; gives the figures since `begin`. */
  async end(): Promise<ProbeFigures> {
    return (await this.#ask('end')) as ProbeFigures;
  }

  #ask(what: 'begin' | 'end'): Promise<unknown> {
    const answer = this.#message();
    this.#child.send(what);
    return answer;
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
