// The seam to time.

export interface Clock {
  /** Wall clock, ms since 1970; may jump. */
  nowMs(): number;
  /** Monotonic clock, ms since some start; never jumps. */
  monotonicMs(): number;
  /** Calls back once after `delayMs`; the returned function cancels. Never keeps the process alive. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The system's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
