// Encodes the blocks of all datasets on a thread of its own. When that thread is unavailable, blocks are encoded on the main
// thread: only speed depends on it.

import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StartThread, Thread } from '../io/worker-thread.ts';
import type { EngineListener } from '../types.ts';
import { EncodingBatch } from './encoding-batch.ts';
import type { EncodingShare } from './encoding-work.ts';

/** With the extension of this file: TypeScript in a clone, JavaScript in a package. */
const WORK = new URL(`encoding-work${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
const BATCHES = 4;

export class EncodingThread {
  readonly #startThread: StartThread;
  readonly #blockPoints: number;
  readonly #listener: EngineListener;
  readonly #batches: EncodingBatch[] = [];
  #free: EncodingBatch[] = [];
  #thread: Thread | undefined;
  #state: 'idle' | 'starting' | 'ready' | 'ended' = 'idle';
  /** Resolvers of the batches under way, in order. */
  #waiting: ((outcome: 'encoded' | 'lost') => void)[] = [];
  #onFree: (() => void)[] = [];

  constructor(startThread: StartThread, blockPoints: number, listener: EngineListener) {
    this.#startThread = startThread;
    this.#blockPoints = blockPoints;
    this.#listener = listener;
  }

  /** Whether a batch will become free when there is none. */
  get isRunning(): boolean {
    return this.#state === 'ready';
  }

  /** An empty batch, to be filled and then encoded or released; undefined when all are in use or the thread is not running. */
  take(): EncodingBatch | undefined {
    if (this.#state === 'idle') this.#start();
    if (this.#state !== 'ready') return undefined;
    const batch = this.#free.pop();
    batch?.clear();
    return batch;
  }

  /** Resolves when a batch is released, or never will be. */
  whenFree(): Promise<void> {
    if (this.#free.length > 0 || !this.isRunning) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onFree.push(resolve);
    });
  }

  /** Encodes the blocks of a batch; `lost` when the thread ended before it was done. */
  encode(batch: EncodingBatch): Promise<'encoded' | 'lost'> {
    if (!this.isRunning) return Promise.resolve('lost');
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#thread?.send(this.#batches.indexOf(batch));
    });
  }

  release(batch: EncodingBatch): void {
    this.#free.push(batch);
    // Wake all waiters: the first may not need it any more, and then the others would wait for ever.
    for (const resolve of this.#onFree.splice(0)) resolve();
  }

  async close(): Promise<void> {
    this.#end();
    await this.#thread?.end();
  }

  /** Started with the first block: the thread costs memory that a small server may never need. */
  #start(): void {
    this.#state = 'starting';
    try {
      this.#thread = this.#startWork();
    } catch (error) {
      this.#noteFault(error); // no memory, or no more threads for this process
    }
  }

  #startWork(): Thread {
    for (let i = 0; i < BATCHES; i++) this.#batches.push(new EncodingBatch());
    const share: EncodingShare = {
      memory: this.#batches.map((batch) => batch.memory),
      blockPoints: this.#blockPoints,
    };
    return this.#startThread(WORK, share, {
      onReady: () => {
        if (this.#state !== 'starting') return;
        this.#free = [...this.#batches];
        this.#state = 'ready';
      },
      onDone: () => this.#waiting.shift()?.('encoded'),
      onFault: (error) => this.#noteFault(error),
    });
  }

  #noteFault(error: unknown): void {
    if (this.#state === 'ended') return;
    this.#end();
    const message = `The thread that encodes blocks has ended (${String(error)}); they are encoded on the main thread.`;
    this.#listener({ level: 'warn', event: 'blocks.thread-ended', message });
  }

  #end(): void {
    this.#state = 'ended';
    for (const resolve of this.#waiting.splice(0)) resolve('lost');
    for (const resolve of this.#onFree.splice(0)) resolve();
  }
}
