// An OPC UA source over all its connections: the server that serves best is taken, the next one when it goes, and again, without
// end, until the signal is aborted.

import { messageOf } from '../../forward/errors.ts';
import { sleep } from '../../forward/sleep.ts';
import { type Candidate, chooseServer } from './choose-server.ts';
import { ConnectionLife, type LifeEnd, type LifeOptions } from './connection-life.ts';
import { watchLevels } from './service-levels.ts';
import type { OpenSession, SessionOpener } from './session-opener.ts';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 5000;

export interface SourceOptions extends Omit<LifeOptions, 'open' | 'onUp' | 'reasonToEnd'> {
  readonly opener: SessionOpener;
  readonly onState: (isUp: boolean) => void;
  /** Before a connection is used. */
  readonly onOpen: () => Promise<void>;
  readonly reasonToEnd: () => string | undefined;
}

export class OpcUaSource {
  readonly #options: SourceOptions;
  readonly #told = new Map<string, string>();
  #filteredCount = 0;
  #overflowedCount = 0;
  #isUp = false;
  #endpoint: string | undefined;
  #lastError: string | undefined;
  #life: ConnectionLife | undefined;

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  get filteredCount(): number {
    return this.#filteredCount + (this.#life?.filteredCount ?? 0);
  }

  get overflowedCount(): number {
    return this.#overflowedCount + (this.#life?.overflowedCount ?? 0);
  }

  get variableCount(): number {
    return this.#life?.variableCount ?? 0;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Address of the server that is connected. */
  get endpoint(): string | undefined {
    return this.#endpoint;
  }

  /** Its time, and what went wrong last, in words. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  async run(): Promise<void> {
    const { signal, opener, config } = this.#options;
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      const chosen = await chooseServer({
        candidates: config.endpoints.map((endpoint) => this.#open(endpoint)),
        close: (open) => void opener.close(open, 'for good'),
        signal,
      });
      const wasUp = chosen !== undefined && (await this.#live(chosen));
      retryMs = wasUp ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, retryMs * 2);
      await sleep(retryMs, signal);
    }
  }

  async #open(endpoint: string): Promise<Candidate<OpenSession> | undefined> {
    const { opener } = this.#options;
    try {
      const open = await opener.open(endpoint);
      const level = await opener.readServiceLevel(open).catch(() => 0);
      this.#told.delete(endpoint);
      return { open, level };
    } catch (error) {
      this.#tellOnce(endpoint, messageOf(error));
      return undefined;
    }
  }

  /** Whether it came to be up. */
  async #live({ open, level }: Candidate<OpenSession>): Promise<boolean> {
    const { onOpen, opener, log, signal, record } = this.#options;
    let wasUp = false;
    await onOpen();
    log(`connected to ${open.endpoint}`);
    this.#endpoint = open.endpoint;
    const life = new ConnectionLife({
      ...this.#options,
      open,
      onUp: () => {
        wasUp = true;
        this.#setUp(true);
      },
      reasonToEnd: this.#reasonLooker(open, level),
    });
    this.#life = life;
    const end = await life.run().catch(endOf);
    this.#filteredCount += life.filteredCount;
    this.#overflowedCount += life.overflowedCount;
    this.#life = undefined;
    this.#endpoint = undefined;
    if (!signal.aborted) {
      this.#setUp(false);
      this.#tell(`${open.endpoint} is left: ${end.reason}`);
    }
    // A broken connection is left to itself: the next one is opened at once.
    if (end.isBroken) void opener.close(open, 'for the next connection');
    else {
      await opener.close(open, 'for good');
      await record.clear();
    }
    return wasUp;
  }

  #setUp(isUp: boolean): void {
    this.#isUp = isUp;
    this.#options.onState(isUp);
  }

  #reasonLooker(open: OpenSession, level: number): () => Promise<string | undefined> {
    const { config, opener, reasonToEnd } = this.#options;
    const look = watchLevels({
      level,
      readLevel: () => opener.readServiceLevel(open),
      readOthers: () => this.#levelOfOthers(open.endpoint),
      now: () => performance.now(),
    });
    const hasOthers = config.endpoints.length > 1;
    return async () => reasonToEnd() ?? (hasOthers ? await look() : undefined);
  }

  async #levelOfOthers(endpoint: string): Promise<{ level: number; endpoint: string } | undefined> {
    const { config, opener, signal } = this.#options;
    const others = config.endpoints.filter((each) => each !== endpoint);
    const found = await chooseServer({
      candidates: others.map((each) => this.#open(each)),
      close: (open) => void opener.close(open, 'for good'),
      signal,
    });
    if (found === undefined) return undefined;
    void opener.close(found.open, 'for good');
    return { level: found.level, endpoint: found.open.endpoint };
  }

  #tellOnce(endpoint: string, reason: string): void {
    if (this.#told.get(endpoint) === reason) return;
    this.#told.set(endpoint, reason);
    this.#tell(`${endpoint} cannot be reached: ${reason}; trying again until it can`);
  }

  #tell(line: string): void {
    this.#lastError = `${new Date().toISOString()} ${line}`;
    this.#options.log(line);
  }
}

function endOf(error: unknown): LifeEnd {
  return { reason: messageOf(error).split('\n')[0] ?? '', isBroken: true };
}
