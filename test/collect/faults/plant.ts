// A plant whose values are known: they change all the time, and go to every server that runs. A server that is started has the
// values of before in its history, as one with a logger of its own does.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestVariable } from '../support/opcua-server.ts';
import type { Order } from './plant-server.ts';

const SPACING_MS = 130;
const MOST_REPLAYED = 3000;

export const LOGGED = 'Logged';
export const PLAIN = 'Plain';
export const VARIABLES: readonly TestVariable[] = [{ name: LOGGED, hasHistory: true }, { name: PLAIN }];

export interface SetValue {
  readonly name: string;
  readonly value: number;
  readonly timeMs: number;
}

export class Plant {
  readonly folder: string;
  /** Path of the one that all its servers have. */
  readonly certificate: string;
  readonly ports: readonly number[];
  /** Every value that there was. */
  readonly values: SetValue[] = [];
  readonly #servers = new Map<number, ChildProcess>();
  readonly #timer: NodeJS.Timeout;
  readonly #removed = new Set<string>();
  #next = 1;
  #aheadMs = 0;

  constructor(folder: string, ports: readonly number[]) {
    this.folder = folder;
    this.certificate = join(folder, 'pki/own/certs/certificate.pem');
    this.ports = ports;
    this.#timer = setInterval(() => this.#change(), SPACING_MS);
  }

  async start(port: number): Promise<void> {
    const words = [this.folder, String(port), JSON.stringify(VARIABLES)];
    const child = fork(join(import.meta.dirname, 'plant-server.ts'), words, {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('the OPC UA server does not start'))),
    ]);
    for (const { name, value, timeMs } of this.values.slice(-MOST_REPLAYED))
      if (name === LOGGED) child.send({ do: 'set', name, value, timeMs, isLive: false } satisfies Order);
    this.#servers.set(port, child);
  }

  async end(port: number, how: 'stop' | 'kill'): Promise<void> {
    const child = this.#servers.get(port);
    this.#servers.delete(port);
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    if (how === 'kill') child.kill('SIGKILL');
    else child.send({ do: 'stop' } satisfies Order);
    await exited;
  }

  setLevel(port: number, level: number): void {
    this.#servers.get(port)?.send({ do: 'level', level } satisfies Order);
  }

  /** Servers that are started from now on have another one. */
  renewCertificate(): void {
    rmSync(this.certificate);
  }

  /** All clocks of the plant go on from then. */
  turnClock(byMs: number): void {
    this.#aheadMs += byMs;
  }

  remove(name: string): void {
    this.#removed.add(name);
    this.#order({ do: 'remove', name });
  }

  /** A logged variable comes back with what it had. */
  restore(name: string): void {
    const variable = VARIABLES.find((each) => each.name === name);
    if (variable === undefined) throw new Error(`no variable ${name}`);
    this.#order({ do: 'add', variable });
    if (name === LOGGED)
      for (const value of this.values.slice(-MOST_REPLAYED))
        if (value.name === name) this.#order({ do: 'set', ...value, isLive: false });
    this.#removed.delete(name);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const port of this.ports) await this.end(port, 'kill');
  }

  #change(): void {
    const timeMs = Date.now() + this.#aheadMs;
    for (const { name } of VARIABLES) {
      // A variable that there is not has no values.
      if (this.#removed.has(name)) continue;
      const value = { name, value: this.#next++, timeMs };
      this.values.push(value);
      this.#order({ do: 'set', ...value, isLive: true });
    }
  }

  #order(order: Order): void {
    for (const child of this.#servers.values()) if (child.connected) child.send(order);
  }
}
