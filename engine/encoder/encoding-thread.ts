// Encodes the blocks of all datasets on a thread of its own. Where it cannot, for whatever reason, they are encoded on this
// one: nothing depends on it but speed.

import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StartThread, Thread } from '../io/worker-thread.ts';
import type { EngineListener } from '../types.ts';
import { EncodingBatch } from './encoding-batch.ts';
import type { EncodingShare } from './encoding-work.ts';

/** TypeScript in a clone, JavaScript in a package, as this file is. */
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
  /** Told, in order, of batches that are done; by whether their blocks are made. */
  #waiting: ((outcome: 'encoded' | 'lost') => void)[] = [];
  #onFree: (() => void)[] = [];

  constructor(startThread: StartThread, blockPoints: number, listener: EngineListener) {
    this.#startThread = startThread;
    this.#blockPoints = blockPoints;
    this.#listener = listener;
  }

  /** Whether there will be a batch again when there is none. */
  get isRunning(): boolean {
    return this.#state === 'ready';
  }

  /** An empty batch, to be filled and encoded or given back; undefined when all are in use, or the thread is not there. */
  take(): EncodingBatch | undefined {
    if (this.#state === 'idle') this.#start();
    if (this.#state !== 'ready') return undefined;
    const batch = this.#free.pop();
    batch?.clear();
    return batch;
  }

  /** Resolves when a batch was given back, or will never be. */
  whenFree(): Promise<void> {
    if (this.#free.length > 0 || !this.isRunning) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onFree.push(resolve);
    });
  }

  /** Has the blocks of a batch made. `lost` when the thread ended before. */
  encode(batch: EncodingBatch): Promise<'encoded' | 'lost'> {
    if (!this.isRunning) return Promise.resolve('lost');
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#thread?.send(this.#batches.indexOf(batch));
    });
  }

  release(batch: EncodingBatch): void {
    this.#free.push(batch);
    // All of them: the first may have no use for it any more, and the others would wait for ever.
    for (const resolve of this.#onFree.splice(0)) resolve();
  }

  async close(): Promise<void> {
    this.#end();
    await this.#thread?.end();
  }

  /** At the first block, not before: most of its memory is Node's, and a small server may never need it. */
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
