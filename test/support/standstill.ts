// For what is said of clients that go on sending: with many cases and servers on one machine a test's own process may stand
// still for longer than a server waits for anybody.

import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Shorter than any wait of a server for the next bytes. */
const STANDSTILL_MS = 900;
const MOST_TRIES = 10;

/** What `act` gives, of a try during which this process did not stand still, or of the last try. */
export async function withoutStandstill<T>(act: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  try {
    for (let tries = 1; ; tries++) {
      delay.reset();
      const result = await act();
      if (delay.max < STANDSTILL_MS * 1e6 || tries === MOST_TRIES) return result;
    }
  } finally {
    delay.disable();
  }
}
