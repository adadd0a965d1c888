// An OPC UA source over all its connections: the server that serves best is taken, the next one when it goes, and again, without
// end, until the signal is aborted.

import { messageOf } from '../../forward/errors.ts';
import { sleep } from '../../forward/sleep.ts';
import { ConnectionLife, type LifeOptions } from './connection-life.ts';
import type { OpenSession, SessionOpener } from './session-opener.ts';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 5000;
/** Levels from here on are healthy (OPC 10000-4, 6.6.2.4.2). */
const HEALTHY_LEVEL = 200;
const LEVEL_LOOK_MS = 5000;

export interface SourceOptions extends Omit<LifeOptions, 'open' | 'onUp' | 'reasonToEnd'> {
  readonly opener: SessionOpener;
  readonly onState: (isUp: boolean) => void;
  /** Before a connection is used. */
  readonly onOpen: () => void;
  readonly reasonToEnd: () => string | undefined;
}

interface ChosenSession {
  readonly open: OpenSession;
  readonly level: number;
}

export class OpcUaSource {
  readonly #options: SourceOptions;
  readonly #told = new Map<string, string>();
  #filteredCount = 0;
  #life: ConnectionLife | undefined;

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  get filteredCount(): number {
    return this.#filteredCount + (this.#life?.filteredCount ?? 0);
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      const chosen = await this.#choose();
      const wasUp = chosen !== undefined && (await this.#live(chosen));
      retryMs = wasUp ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, retryMs * 2);
      await sleep(retryMs, signal);
    }
  }

  /** The first healthy server of the list; else the one that serves best. */
  async #choose(): Promise<ChosenSession | undefined> {
    const { opener, config, signal } = this.#options;
    let best: ChosenSession | undefined;
    for (const endpoint of config.endpoints) {
      if (signal.aborted) break;
      try {
        const open = await opener.open(endpoint);
        const level = await opener.readServiceLevel(open);
        this.#told.delete(endpoint);
        const isBetter = best === undefined || level > best.level;
        const other = isBetter ? best : { open, level };
        if (isBetter) best = { open, level };
        if (other !== undefined) await opener.close(other.open);
        if (level >= HEALTHY_LEVEL) break;
      } catch (error) {
        this.#tellOnce(endpoint, messageOf(error));
      }
    }
    return best;
  }

  /** Whether it came to be up. */
  async #live({ open, level }: ChosenSession): Promise<boolean> {
    const { onOpen, onState, opener, log, signal } = this.#options;
    let isUp = false;
    onOpen();
    log(`connected to ${open.endpoint}`);
    const life = new ConnectionLife({
      ...this.#options,
      open,
      onUp: () => {
        isUp = true;
        onState(true);
      },
      reasonToEnd: this.#reasonLooker(open, level),
    });
    this.#life = life;
    let reason: string;
    try {
      reason = await life.run();
    } catch (error) {
      reason = messageOf(error).split('\n')[0] ?? '';
    }
    this.#filteredCount += life.filteredCount;
    this.#life = undefined;
    if (!signal.aborted) {
      onState(false);
      log(`${open.endpoint} is left: ${reason}`);
    }
    await opener.close(open);
    return isUp;
  }

  /** A server that serves worse than when it was chosen is left where there is another. */
  #reasonLooker(open: OpenSession, level: number): () => Promise<string | undefined> {
    const { config, opener, reasonToEnd } = this.#options;
    let lookedMs = performance.now();
    return async () => {
      const own = reasonToEnd();
      if (own !== undefined || config.endpoints.length === 1) return own;
      if (performance.now() - lookedMs < LEVEL_LOOK_MS) return undefined;
      lookedMs = performance.now();
      const now = await opener.readServiceLevel(open).catch(() => 0);
      return now < Math.min(level, HEALTHY_LEVEL) ? `its service level has fallen to ${now}` : undefined;
    };
  }

  #tellOnce(endpoint: string, reason: string): void {
    if (this.#told.get(endpoint) === reason) return;
    this.#told.set(endpoint, reason);
    this.#options.log(`${endpoint} cannot be reached: ${reason}; trying again until it can`);
  }
}
