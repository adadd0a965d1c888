// Prometheus itself, Debian's, on a free port over a folder of its own that holds given samples.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../mqtt/support/broker.ts';

const PROGRAM = '/usr/bin/prometheus';
const TOOL = '/usr/bin/promtool';
const START_LIMIT_MS = 60_000;
const LOOK_MS = 50;

/** For the option `skip` of a test. */
export const skipWithoutPrometheus = existsSync(PROGRAM) && existsSync(TOOL) ? false : 'prometheus is not installed';

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class PrometheusProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /** @param samples as OpenMetrics, of one metric after the other, without the line that ends them */
  static async start(folder: string, samples: string): Promise<PrometheusProcess> {
    const data = join(folder, 'data');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(folder, 'samples'), `${samples}# EOF\n`);
    writeFileSync(join(folder, 'prometheus.yml'), 'global: {}\n');
    const made = spawnSync(TOOL, ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'samples'), data], {
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(`promtool: ${made.stderr}`);
    const port = await freePort();
    const flags = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${data}`,
      '--storage.tsdb.retention.time=100y',
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ];
    const child = spawn(PROGRAM, flags, { stdio: 'ignore' });
    running.add(child);
    const started = new PrometheusProcess(`http://127.0.0.1:${port}`, child);
    await started.#untilReady();
    return started;
  }

  async #untilReady(): Promise<void> {
    for (const endMs = performance.now() + START_LIMIT_MS; performance.now() < endMs; await sleep(LOOK_MS)) {
      if (this.#child.exitCode !== null) throw new Error(`prometheus ended with ${this.#child.exitCode}`);
      const answer = await fetch(`${this.url}/-/ready`).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok) return;
    }
    throw new Error('prometheus does not become ready');
  }

  async end(): Promise<void> {
    running.delete(this.#child);
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }
}
