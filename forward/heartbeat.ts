// A collector's heartbeat: the dataset's status, posted every few seconds until the run ends. The server makes it 64 when it is
// not seen for ten seconds.

import { messageOf } from './errors.ts';
import { type HistorianClient, UnavailableError } from './historian-client.ts';
import { sleep } from './sleep.ts';

const HEARTBEAT_MS = 5000;

export const STATUS = { good: 192, sourceLost: 24, shutDown: 28 } as const;

export interface HeartbeatOptions {
  readonly client: HistorianClient;
  /** Asked at every beat. */
  readonly status: () => number;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Resolves when the signal is aborted. */
export async function keepBeating({ client, status, signal, log }: HeartbeatOptions): Promise<void> {
  while (!signal.aborted) {
    // A lost heartbeat is no news: the lanes tell when the server is away.
    await client.postStatus(status(), Date.now()).catch((error: unknown) => {
      if (!(error instanceof UnavailableError)) log(messageOf(error));
    });
    await sleep(HEARTBEAT_MS, signal);
  }
}
