// Keeps long work from holding the main thread: work in slices, and let the event loop run in between.

const SLICE_MS = 4;
/** The clock is asked this often at most: a look at it costs as much as a small entry of an answer. */
const CALLS_A_LOOK = 4;

export interface Pacer {
  /** True when the present slice has lasted long enough. */
  isDue(): boolean;
  /** Lets everything else run, then begins a new slice. */
  yield(): Promise<void>;
}

export function createPacer(): Pacer {
  let sliceStartMs = performance.now();
  let calls = 0;
  return {
    isDue: () => ++calls % CALLS_A_LOOK === 0 && performance.now() - sliceStartMs >= SLICE_MS,
    async yield() {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      sliceStartMs = performance.now();
    },
  };
}
