// One connection's batches, in order: sent one at a time; stored on disk while the server is away, and then forwarded
// before anything newer. A tag always uses the same lane, so its points arrive in order.

import type { HttpBody } from '../client/http-link.ts';
import type { BatchStore, StoredBatch } from './batch-store.ts';
import { RunEndedError } from './errors.ts';
import { UnavailableError } from './historian-client.ts';
import type { LinkState } from './link-state.ts';
import { sleep } from './sleep.ts';

/** Batches that may wait in memory besides the one under way. */
const QUEUE_LENGTH = 1;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5000;

export interface LaneOptions {
  readonly client: { readonly postData: (body: HttpBody) => Promise<unknown> };
  readonly store: BatchStore;
  readonly linkState: LinkState;
  /** Aborted when the run ends: nothing new is sent then. */
  readonly signal: AbortSignal;
  /** Told of a failure at once; else whoever offers a batch, or waits for one, is. */
  readonly onFailure?: (error: unknown) => void;
}

export class Lane {
  readonly #options: LaneOptions;
  readonly #queue: HttpBody[] = [];
  readonly #stored: StoredBatch[] = [];
  #waiters: (() => void)[] = [];
  #retryMs = FIRST_RETRY_MS;
  #failure: unknown;
  readonly #loop: Promise<void>;

  constructor(options: LaneOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#wake());
    this.#loop = this.#run().catch((error: unknown) => {
      this.#failure = error;
      options.onFailure?.(error);
      this.#wake();
    });
  }

  /** Takes a batch; waits while the queue is full. After the end of the run the batch is dropped: it can be generated again. */
  async offer(body: HttpBody): Promise<void> {
    while (this.#queue.length > QUEUE_LENGTH && this.#isRunning()) await this.#change();
    this.#throwFailure();
    if (!this.#isRunning()) return;
    this.#queue.push(body);
    this.#wake();
  }

  /** Takes a batch that is on disk: it goes after all that is stored, and before anything that is offered. */
  offerStored(batch: StoredBatch): void {
    this.#throwFailure();
    this.#stored.push(batch);
    this.#options.linkState.stored();
    this.#wake();
  }

  /** Resolves when nothing is queued: everything is acknowledged or stored. Rejects when the run ended before. */
  async settled(): Promise<void> {
    while (this.#queue.length > 0 && this.#isRunning()) await this.#change();
    this.#throwFailure();
    if (this.#queue.length > 0) throw new RunEndedError();
  }

  /** Resolves when also nothing is stored any more, or the run ends. */
  async forwarded(): Promise<void> {
    while (this.#queue.length + this.#stored.length > 0 && this.#isRunning()) await this.#change();
    this.#throwFailure();
  }

  /** Resolves when the loop has ended, after the signal. */
  async ended(): Promise<void> {
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#isRunning()) {
      if (this.#stored.length > 0) await this.#forwardOldest();
      else if (this.#queue.length > 0) await this.#sendNext();
      else await this.#change();
    }
    // A last try to keep what is queued: it saves generating it again.
    while (this.#failure === undefined && this.#queue.length > 0 && this.#stored.length > 0) {
      if (!(await this.#storeNext())) return;
    }
  }

  async #sendNext(): Promise<void> {
    const body = this.#queue[0] as HttpBody;
    if (await this.#trySend(body)) this.#queue.shift();
    else await this.#storeNext();
    this.#wake();
  }

  async #forwardOldest(): Promise<void> {
    const { store, linkState } = this.#options;
    const oldest = this.#stored[0] as StoredBatch;
    if (await this.#trySend(await store.read(oldest))) {
      await store.remove(oldest);
      this.#stored.shift();
      linkState.forwarded();
      this.#wake();
    } else {
      await this.#storeWhileWaiting();
    }
  }

  async #trySend(body: HttpBody): Promise<boolean> {
    const { client, linkState } = this.#options;
    try {
      await client.postData(body);
      linkState.succeeded();
      this.#retryMs = FIRST_RETRY_MS;
      return true;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      linkState.failed(error.message);
      return false;
    }
  }

  /** Moves the first queued batch to disk; false when there is no room. */
  async #storeNext(): Promise<boolean> {
    const { store, linkState } = this.#options;
    const body = this.#queue[0];
    if (body === undefined) return false;
    if (!store.hasRoomFor(body)) {
      linkState.storeIsFull(store.limitBytes);
      if (this.#stored.length === 0) await sleep(this.#nextRetryMs(), this.#options.signal);
      return false;
    }
    this.#stored.push(await store.add(body));
    linkState.stored();
    this.#queue.shift();
    this.#wake();
    return true;
  }

  /** Until the next try, what comes goes to disk. */
  async #storeWhileWaiting(): Promise<void> {
    const retryAtMs = performance.now() + this.#nextRetryMs();
    for (;;) {
      const leftMs = retryAtMs - performance.now();
      if (leftMs <= 0 || !this.#isRunning()) return;
      if (this.#queue.length > 0 && (await this.#storeNext())) continue;
      const waiting = new AbortController();
      await Promise.race([sleep(leftMs, waiting.signal), this.#change()]);
      waiting.abort();
    }
  }

  #nextRetryMs(): number {
    const retryMs = this.#retryMs;
    this.#retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
    return retryMs;
  }

  #isRunning(): boolean {
    return this.#failure === undefined && !this.#options.signal.aborted;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }
}
