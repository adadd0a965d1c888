// A real broker for tests: Debian's mosquitto on a free port, with its sessions on disk, killed and started again.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = '/usr/sbin/mosquitto';
const START_LIMIT_MS = 20_000;
const LOOK_MS = 10;

/** For the option `skip` of a test. */
export const skipWithoutBroker = existsSync(PROGRAM) ? false : 'mosquitto is not installed';

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export class Broker {
  readonly port: number;
  readonly #folder: string;
  readonly #lines: readonly string[];
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(folder: string, port: number, lines: readonly string[]) {
    this.#folder = folder;
    this.port = port;
    this.#lines = lines;
  }

  /** `lines` are further lines of its configuration; with a `listener` line of their own they replace the usual one. */
  static async start(folder: string, lines: readonly string[] = []): Promise<Broker> {
    mkdirSync(folder, { recursive: true });
    const broker = new Broker(folder, await freePort(), lines);
    await broker.start();
    return broker;
  }

  /** Ends with the test, and its folder with it. */
  static async forTest(context: TestContext, lines: readonly string[] = []): Promise<Broker> {
    const folder = mkdtempSync(join(tmpdir(), 'varve-broker-'));
    const broker = await Broker.start(folder, lines);
    context.after(async () => {
      await broker.end();
      rmSync(folder, { recursive: true, force: true });
    });
    return broker;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child?.pid as number;
  }

  /** When it has written its sessions to disk the last time: what it acknowledged later it may lose. */
  get savedMs(): number {
    return statSync(join(this.#folder, 'mosquitto.db'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  async start(): Promise<void> {
    const file = join(this.#folder, 'mosquitto.conf');
    const access = this.#lines.some((line) => line.startsWith('allow_anonymous')) ? [] : ['allow_anonymous true'];
    const usual = [
      `listener ${this.port} 127.0.0.1`,
      ...access,
      'persistence true',
      `persistence_location ${this.#folder}/`,
      'autosave_on_changes true',
      'autosave_interval 50',
      'max_queued_messages 0',
      'max_inflight_messages 0',
      'set_tcp_nodelay true',
      // A broker that is started as root would become somebody who may not write here.
      'user root',
    ];
    writeFileSync(file, `${[...usual, ...this.#lines].join('\n')}\n`);
    const child = spawn(PROGRAM, ['-c', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-4000);
      });
    child.unref();
    for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref();
    this.#child = child;
    await this.#untilItListens(child);
  }

  async #untilItListens(child: ChildProcess): Promise<void> {
    const endMs = performance.now() + START_LIMIT_MS;
    while (performance.now() < endMs && child.exitCode === null) {
      if (await accepts(this.port)) return;
      await sleep(LOOK_MS);
    }
    child.kill('SIGKILL');
    throw new Error(`mosquitto does not listen\n${this.#output}`);
  }

  /** Makes it write its sessions to disk now; until then it may lose a new subscription when it is killed. */
  async save(): Promise<void> {
    const before = this.savedMs;
    const endMs = performance.now() + START_LIMIT_MS;
    this.#child?.kill('SIGUSR1');
    while (this.savedMs <= before) {
      if (performance.now() > endMs) throw new Error('mosquitto does not save');
      await sleep(LOOK_MS);
    }
  }

  /** Ends it, by SIGKILL or in order; then it has saved its sessions. */
  async end(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
