// Another client, which must go on being served while the server is under attack: it reads and writes, one request
// after the other, each on a connection that is kept.

import { setTimeout as delay } from 'node:timers/promises';
import { HttpClient } from '../../support/http-client.ts';
import { DATASET } from './attack-context.ts';

const PAUSE_MS = 20;
/** A client that waits longer gives up. */
const WAIT_LIMIT_MS = 10_000;

export interface BystanderFigures {
  readonly servedCount: number;
  readonly longestWaitMs: number;
  readonly failures: readonly string[];
}

export class Bystander {
  readonly #http: HttpClient;
  readonly #done: Promise<void>;
  #isOver = false;
  #servedCount = 0;
  #longestWaitMs = 0;
  readonly #failures: string[] = [];

  constructor(port: number) {
    this.#http = new HttpClient(`http://127.0.0.1:${port}`);
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
      const startMs = performance.now();
      try {
        const answer = await (round % 2 === 0 ? this.#read() : this.#write());
        if (answer.status !== 200) this.#failures.push(`another client was answered ${answer.status} ${answer.text}`);
      } catch (error) {
        this.#failures.push(`another client was not served: ${(error as Error).message}`);
      }
      const waitMs = performance.now() - startMs;
      if (waitMs > WAIT_LIMIT_MS) this.#failures.push(`another client waited ${waitMs.toFixed(0)} ms`);
      this.#longestWaitMs = Math.max(this.#longestWaitMs, waitMs);
      this.#servedCount++;
      await delay(PAUSE_MS);
    }
  }

  #read() {
    return this.#http.get(`${DATASET}/data?tagname=Big`);
  }

  #write() {
    return this.#http.post(`${DATASET}/data/Bystander`, [{ v: 1 }]);
  }
}
