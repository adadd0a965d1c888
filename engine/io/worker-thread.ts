// A thread for work that needs a processor and nothing else: it shares memory with this one, and touches no file.

import { Worker } from 'node:worker_threads';

const FIRST_CODE = new URL('worker-thread.cjs', import.meta.url);
/** It makes little garbage: small spaces for it keep it small. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/** What a module for a thread exports as `startWork`: gets what both share, and gives what is done for each message. */
export type StartWork<Shared> = (shared: Shared) => (message: number) => void;

export interface ThreadEvents {
  /** It has loaded its module. */
  readonly onReady: () => void;
  /** Work is done, in the order it was sent. */
  readonly onDone: (message: number) => void;
  /** It has ended; what was sent and is not done will not be. A fault is told first, then the end itself. */
  readonly onFault: (error: unknown) => void;
}

/** A thread that runs a module; ends with `end`, or with the process. */
export interface Thread {
  /** The process does not end by itself before it is done. */
  send(message: number): void;
  end(): Promise<void>;
}

/**
 * Starts a thread over a module; one that fails later is a fault. Throws when the system has none to give.
 * @param shared what `startWork` gets: shared memory, and what can be copied
 */
export type StartThread = (module: URL, shared: unknown, events: ThreadEvents) => Thread;

/** Threads of Node. */
export const nodeThreads: StartThread = (module, shared, events) => new WorkerThread(module, shared, events);

class WorkerThread implements Thread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  #underWay = 0;

  constructor(module: URL, shared: unknown, events: ThreadEvents) {
    const workerData = { module: module.href, shared };
    this.#events = events;
    this.#worker = new Worker(FIRST_CODE, { workerData, execArgv: [], resourceLimits: RESOURCE_LIMITS });
    this.#worker.unref();
    this.#worker.on('message', (message: number | undefined) => this.#hear(message));
    this.#worker.once('error', events.onFault);
    this.#worker.once('exit', (code) => events.onFault(`exit code ${code}`));
  }

  send(message: number): void {
    if (this.#underWay++ === 0) this.#worker.ref();
    this.#worker.postMessage(message);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(message: number | undefined): void {
    if (message === undefined) {
      this.#events.onReady();
      return;
    }
    if (--this.#underWay === 0) this.#worker.unref();
    this.#events.onDone(message);
  }
}
