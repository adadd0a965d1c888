// How long the event loop was held: for each tick that came late, the smaller of the time that went by and the
// processor time that this process used meanwhile. A process that was only not given the processor has no pause.

const TICK_MS = 5;

export class LoopPauses {
  #longestMs = 0;
  #lastMs = performance.now();
  #lastCpu = process.cpuUsage();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  /** The longest pause since the last call, in ms. */
  takeLongestMs(): number {
    this.#tick();
    const longestMs = this.#longestMs;
    this.#longestMs = 0;
    return longestMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const nowMs = performance.now();
    const { user, system } = process.cpuUsage(this.#lastCpu);
    const pauseMs = Math.min(nowMs - this.#lastMs, (user + system) / 1000);
    this.#longestMs = Math.max(this.#longestMs, pauseMs);
    this.#lastMs = nowMs;
    this.#lastCpu = process.cpuUsage();
  }
}
