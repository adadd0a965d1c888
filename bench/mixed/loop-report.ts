// What the watch in the server's process tells about its event loop.

/** Shorter ones are ordinary work. */
export const PAUSE_LIMIT_MS = 20;

export interface Pause {
  readonly durationMs: number;
  /** Part of it that was spent collecting garbage on the main thread. */
  readonly gcMs: number;
  /** Places in which samples fell, the most first. */
  readonly causes: readonly { readonly place: string; readonly ms: number }[];
}

export interface LoopReport {
  readonly pauses: readonly Pause[];
  readonly longestCollectionMs: number;
  readonly collectionMs: number;
}

/** One line about each of the longest pauses. */
export function formatPauses({ pauses }: LoopReport, most: number): string[] {
  const longest = [...pauses].sort((a, b) => b.durationMs - a.durationMs).slice(0, most);
  return longest.map(({ durationMs, gcMs, causes }) => {
    const shares = causes.map(({ place, ms }) => `${place} ${ms.toFixed(0)} ms`).join(', ');
    const told = shares === '' ? 'not scheduled by the system' : shares;
    return `a pause of ${durationMs.toFixed(0)} ms, of it ${gcMs.toFixed(0)} ms garbage collection: ${told}`;
  });
}
