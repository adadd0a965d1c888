// Waiting that a signal ends, and work that has a limit.

/** Waits that long, or until the signal is aborted. Never rejects. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish);
  });
}

/** The work's result, or undefined when it takes longer; a failure that comes later is nobody's. */
export async function atMost<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, sleep(limitMs, done.signal).then(() => undefined)]);
  } finally {
    done.abort();
  }
}
