// A thread for pure computation: it shares memory with the main thread, and uses no files.

import { Worker } from 'node:worker_threads';

const FIRST_CODE = new URL('worker-thread.cjs', import.meta.url);
/** The thread creates little garbage: small heaps keep its memory small. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/** The export `startWork` of a thread's module: gets the shared data, returns the handler of messages. */
export type StartWork<Shared> = (shared: Shared) => (message: number) => void;

export interface ThreadEvents {
  /** The thread has loaded its module. */
  readonly onReady: () => void;
  /** The work of a message is done; in the order of sending. */
  readonly onDone: (message: number) => void;
  /** The thread has ended, and pending work will not be done. Called for the fault first, then for the end. */
  readonly onFault: (error: unknown) => void;
}

/** A thread that runs a module; ends with `end`, or with the process. */
export interface Thread {
  /** Keeps the process alive until the work is done. */
  send(message: number): void;
  end(): Promise<void>;
}

/**
 * Starts a thread with a module; later failures are reported to `onFault`. Throws when the system cannot start a thread.
 * @param shared argument of `startWork`: shared memory, and data that can be copied
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
    this.#worker.on('message', (message: number | undefined) => this.#onMessage(message));
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

  #onMessage(message: number | undefined): void {
    if (message === undefined) {
      this.#events.onReady();
      return;
    }
    if (--this.#underWay === 0) this.#worker.unref();
    this.#events.onDone(message);
  }
}
