// Keeps the copy of one dataset going: rounds, failures and what is said of them.

import { PassingFailure, type Sink } from '../sink.ts';
import { BackOff } from './back-off.ts';
import { AheadOfEdge, NameTaken } from './copy-faults.ts';
import type { DatasetCopyStatus } from './copy-status.ts';
import type { DatasetCopy } from './dataset-copy.ts';
import { sleep } from './sleep.ts';

export interface CopyEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly dataset: string;
}

export interface KeepCopyingParts {
  /** Name of the dataset here. */
  readonly name: string;
  readonly copy: DatasetCopy;
  readonly sink: Sink;
  readonly nowMs: () => number;
  readonly listener: (event: CopyEvent) => void;
  /** Whether the dataset is still there. */
  readonly isOn: () => boolean;
  /** Ends it after the request that is under way. */
  readonly stopped: AbortSignal;
}

/** After failures that somebody has to mend. */
const LASTING_MS = 60_000;
/** Failures of the system that pass: a full disk, too many open files. */
const PASSING_CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EAGAIN', 'EIO']);

export class KeptCopy {
  readonly #parts: KeepCopyingParts;
  readonly #backOff = new BackOff();
  #state: DatasetCopyStatus['state'] = 'copying';
  #reason: string | undefined;
  #failures = 0;
  #isOpen = false;
  /** Resolves once it has ended: stopped, or the dataset was deleted and the sink knows. */
  readonly ended: Promise<void>;

  constructor(parts: KeepCopyingParts) {
    this.#parts = parts;
    this.ended = this.#run();
  }

  get status(): DatasetCopyStatus {
    const { name, copy, nowMs } = this.#parts;
    const { copiedUntilMs, waitingTags, copiedPoints, dataset } = copy;
    return {
      dataset: name,
      copy: dataset.name,
      state: this.#state,
      reason: this.#reason,
      lagSeconds: copiedUntilMs === null ? undefined : Math.max(0, nowMs() - copiedUntilMs) / 1000,
      waitingTags,
      copiedPoints,
      failures: this.#failures,
    };
  }

  async #run(): Promise<void> {
    while (!this.#parts.stopped.aborted) {
      const wasOn = this.#parts.isOn();
      const isDone = await this.#round();
      if (isDone && !wasOn) return;
      if (isDone) await this.#rest();
      if (this.#state === 'stopped') return;
    }
  }

  /** False when it failed. */
  async #round(): Promise<boolean> {
    const { copy } = this.#parts;
    try {
      if (!this.#isOpen) await this.#parts.sink.open();
      this.#isOpen = true;
      await copy.round();
      if (this.#state !== 'copying') this.#say('info', `The copy to ${this.#parts.sink.name} goes on.`);
      this.#state = 'copying';
      this.#reason = undefined;
      this.#backOff.reset();
      copy.noteState(this.#failures);
      return true;
    } catch (error) {
      await this.#failed(error);
      return false;
    }
  }

  async #rest(): Promise<void> {
    const { sink, copy, stopped } = this.#parts;
    await sleep(sink.pace.lingerMs, stopped);
    await copy.wait();
  }

  async #failed(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    this.#failures++;
    this.#parts.copy.noteState(this.#failures);
    if (this.#reason !== message) this.#say(isPassing(error) ? 'warn' : 'error', `The copy stands still: ${message}`);
    this.#reason = message;
    if (error instanceof AheadOfEdge || error instanceof NameTaken) {
      this.#state = 'stopped';
      return;
    }
    this.#state = 'waiting';
    this.#isOpen = false;
    await sleep(isPassing(error) ? this.#backOff.next() : LASTING_MS, this.#parts.stopped);
  }

  #say(level: CopyEvent['level'], message: string): void {
    this.#parts.listener({ level, message, dataset: this.#parts.name });
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof PassingFailure || PASSING_CODES.has((error as NodeJS.ErrnoException).code ?? '');
}
