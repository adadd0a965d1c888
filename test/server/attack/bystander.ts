// Another client, which must go on being served while the server is under attack: it reads and writes, one request
// after the other, each on a connection that is kept.

import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpClient } from '../../support/http-client.ts';
import { countsThreadTimes, readThreadTimes } from '../fairness/thread-cpu.ts';
import { DATASET } from './attack-context.ts';

const PAUSE_MS = 20;
/** A client that waits longer gives up. Time in which a busy machine let nobody run is not the server's. */
const WAIT_LIMIT_MS = 10_000;
const isCounted = countsThreadTimes();

export interface BystanderFigures {
  readonly servedCount: number;
  readonly longestWaitMs: number;
  readonly failures: readonly string[];
}

export class Bystander {
  readonly #http: HttpClient;
  readonly #pid: number;
  readonly #done: Promise<void>;
  #isOver = false;
  #starvedMs = 0;
  #servedCount = 0;
  #longestWaitMs = 0;
  readonly #failures: string[] = [];

  /** @param pid the server's */
  constructor(port: number, pid: number) {
    this.#http = new HttpClient(`http://127.0.0.1:${port}`);
    this.#pid = pid;
    this.#done = this.#run();
  }

  async stop(): Promise<BystanderFigures> {
    this.#isOver = true;
    await this.#done;
    this.#http.close();
    return { servedCount: this.#servedCount, longestWaitMs: this.#longestWaitMs, failures: this.#failures };
  }

  async #run(): Promise<void> {
    for (let round = 0; !this.#isOver && this.#failures.length === 0; round++) {
      const startMs = this.#nowMs();
      try {
        const answer = await (round % 2 === 0 ? this.#read() : this.#write());
        if (answer.status !== 200) this.#failures.push(`another client was answered ${answer.status} ${answer.text}`);
      } catch (error) {
        this.#failures.push(`another client was not served: ${(error as Error).message}`);
      }
      const waitMs = this.#nowMs() - startMs;
      if (waitMs > WAIT_LIMIT_MS) this.#failures.push(`another client waited ${waitMs.toFixed(0)} ms`);
      this.#longestWaitMs = Math.max(this.#longestWaitMs, waitMs);
      this.#servedCount++;
      await delay(PAUSE_MS);
    }
  }

  /** A clock that stands still while the server's main thread is ready to run, and the machine runs others. */
  #nowMs(): number {
    if (isCounted && existsSync(`/proc/${this.#pid}`)) this.#starvedMs = readThreadTimes(this.#pid).waitedMs;
    return performance.now() - this.#starvedMs;
  }

  #read() {
    return this.#http.get(`${DATASET}/data?tagname=Big`);
  }

  #write() {
    return this.#http.post(`${DATASET}/data/Bystander`, [{ v: 1 }]);
  }
}
