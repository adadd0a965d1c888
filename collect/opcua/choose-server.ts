// Which of several servers is taken: all are tried at once, so that one that does not answer holds up nobody for long.

import { sleep } from '../../forward/sleep.ts';

/** Levels from here on are healthy (OPC 10000-4, 6.6.2.4.2). */
export const HEALTHY_LEVEL = 200;
/** How long a healthy server waits for those that come before it in the list. */
const GRACE_MS = 1500;

export interface Candidate<T> {
  readonly open: T;
  /** Its ServiceLevel. */
  readonly level: number;
}

export interface Choice<T> {
  /** One for each server, in the order of preference; undefined where it does not open. */
  readonly candidates: readonly Promise<Candidate<T> | undefined>[];
  /** For those that are not taken, whenever they come to be open. */
  readonly close: (open: T) => void;
  readonly signal: AbortSignal;
}

/** The first healthy server of the list; else the one that serves best. */
export async function chooseServer<T>({ candidates, close, signal }: Choice<T>): Promise<Candidate<T> | undefined> {
  const settled: (Candidate<T> | undefined)[] = [];
  const done = new AbortController();
  const decided = new Promise<void>((resolve) => {
    let openCount = candidates.length;
    if (openCount === 0) resolve();
    for (const [index, candidate] of candidates.entries())
      void candidate.then((found) => {
        settled[index] = found;
        openCount--;
        const isFirst = candidates.slice(0, index).every((_, before) => before in settled);
        if (openCount === 0 || (isHealthy(found) && isFirst)) resolve();
        else if (isHealthy(found)) void sleep(GRACE_MS, done.signal).then(resolve);
      });
    signal.addEventListener('abort', () => resolve(), { signal: done.signal });
  });
  if (!signal.aborted) await decided;
  done.abort();
  const found = settled.filter((candidate) => candidate !== undefined);
  const taken = signal.aborted ? undefined : (found.find(isHealthy) ?? best(found));
  for (const candidate of candidates)
    void candidate.then((other) => {
      if (other !== undefined && other !== taken) close(other.open);
    });
  return taken;
}

function isHealthy<T>(candidate: Candidate<T> | undefined): boolean {
  return candidate !== undefined && candidate.level >= HEALTHY_LEVEL;
}

/** The first one of those that are equal. */
function best<T>(found: readonly Candidate<T>[]): Candidate<T> | undefined {
  return found.reduce<Candidate<T> | undefined>(
    (so, next) => (so === undefined || next.level > so.level ? next : so),
    undefined,
  );
}
