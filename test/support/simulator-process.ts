// The simulator as a child process, to be watched, stopped and killed; ended with the test's process whatever happens.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class SimulatorProcess {
  readonly lines: string[] = [];
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(args: readonly string[]) {
    const child = spawn(process.execPath, ['--import', 'tsx', 'simulator/main.ts', ...args], {
      cwd: projectFolder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.add(child);
    createInterface({ input: child.stderr }).on('line', (line) => this.lines.push(line));
    this.#child = child;
    this.ended = new Promise((resolve) => {
      child.once('close', (code) => {
        running.delete(child);
        resolve(code);
      });
    });
  }

  /** Waits for a line of the log; throws when it does not come in time, or the process ends before. */
  async waitFor(pattern: RegExp, limitMs = 30_000): Promise<void> {
    const endMs = performance.now() + limitMs;
    while (!this.lines.some((line) => pattern.test(line))) {
      const isOver = performance.now() > endMs || (this.#child.exitCode ?? this.#child.signalCode) !== null;
      if (isOver) throw new Error(`no line ${pattern} in:\n${this.lines.join('\n')}`);
      await delay(20);
    }
  }

  /** Ends it in order; gives its exit code. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
