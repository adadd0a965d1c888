// Threads for engines of tests: they do their work some turns of the event loop later, as drawn, and now and then end in
// the middle of it.

import { type EncodingShare, startWork } from '../../engine/encoder/encoding-work.ts';
import type { StartThread } from '../../engine/index.ts';
import type { Thread, ThreadEvents } from '../../engine/io/worker-thread.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Half of all engines have none, and encode their blocks themselves. */
export function drawThreads(random: SeededRandom): StartThread | undefined {
  const own = random.fork();
  return random.chance(0.5) ? lateThreads(own) : undefined;
}

export function lateThreads(random: SeededRandom, faultChance = 0.01): StartThread {
  return (_module, shared, events) => new LateThread(shared as EncodingShare, events, random, faultChance);
}

class LateThread implements Thread {
  readonly #random: SeededRandom;
  readonly #faultChance: number;
  readonly #events: ThreadEvents;
  readonly #work: (message: number) => void;
  #messages: number[] = [];
  #isGoingOn = false;
  #isEnded = false;

  constructor(shared: EncodingShare, events: ThreadEvents, random: SeededRandom, faultChance: number) {
    this.#random = random;
    this.#faultChance = faultChance;
    this.#events = events;
    this.#work = startWork(shared);
    setImmediate(() => events.onReady());
  }

  send(message: number): void {
    this.#messages.push(message);
    if (!this.#isGoingOn) this.#goOn();
  }

  end(): Promise<void> {
    this.#isEnded = true;
    return Promise.resolve();
  }

  #goOn(): void {
    this.#isGoingOn = true;
    setImmediate(() => {
      if (this.#isEnded) return;
      if (this.#random.chance(this.#faultChance)) return this.#fail();
      if (this.#random.chance(0.5)) this.#doNext();
      if (this.#messages.length > 0) this.#goOn();
      else this.#isGoingOn = false;
    });
  }

  #doNext(): void {
    const message = this.#messages.shift() as number;
    this.#work(message);
    this.#events.onDone(message);
  }

  #fail(): void {
    this.#isEnded = true;
    this.#events.onFault('as drawn');
  }
}
