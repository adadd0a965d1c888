// Keeps long work from holding the main thread: work in slices, and let the event loop run in between.

const SLICE_MS = 10;

export interface Pacer {
  /** True when the present slice has lasted long enough. */
  isDue(): boolean;
  /** Lets everything else run, then begins a new slice. */
  yield(): Promise<void>;
}

export function createPacer(): Pacer {
  let sliceStartMs = performance.now();
  return {
    isDue: () => performance.now() - sliceStartMs >= SLICE_MS,
    async yield() {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      sliceStartMs = performance.now();
    },
  };
}
