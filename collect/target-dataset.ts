// The dataset at the historian that a collector fills: made where it is missing, its tags, their newest times, and its status.

import { HttpLink } from '../client/http-link.ts';
import { keepBeating, STATUS } from '../forward/heartbeat.ts';
import { HistorianClient, type TagObject } from '../forward/historian-client.ts';
import { atMost } from '../forward/sleep.ts';
import type { CollectConfig } from './config.ts';
import { postDefinitions } from './definitions.ts';
import type { NewestTimes, TagTimes } from './newest-times.ts';

const FAREWELL_MS = 5000;
const ASK_LIMIT_MS = 5000;

export class TargetDataset {
  readonly client: HistorianClient;
  readonly #status: HistorianClient;
  readonly #links: HttpLink[] = [];
  readonly #target: CollectConfig['target'];
  readonly #newest: NewestTimes;
  readonly #log: (line: string) => void;
  #tags: readonly TagObject[] = [];
  #isDatasetThere = false;
  #areTagsThere = true;
  #isMadeTold = false;
  /** Tags whose newest time the historian has been asked for in this run. */
  readonly #asked = new Set<string>();
  #isUp = false;

  constructor(target: CollectConfig['target'], newest: NewestTimes, log: (line: string) => void) {
    this.#target = target;
    this.#newest = newest;
    this.#log = log;
    this.client = this.#connect();
    this.#status = this.#connect();
  }

  define(tags: readonly TagObject[]): void {
    this.#tags = tags;
    this.#areTagsThere = false;
  }

  /** What was there need not be there when the historian is back. */
  forget(): void {
    this.#isDatasetThere = false;
    this.#areTagsThere = this.#tags.length === 0;
  }

  async prepare(): Promise<void> {
    if (!this.#isDatasetThere) {
      const how = await this.client.createDataset({ late: 'accept' });
      this.#isDatasetThere = true;
      if (!this.#isMadeTold || how === 'created')
        this.#log(`the dataset ${this.#target.dataset} ${how === 'created' ? 'is made' : 'is there'}`);
      this.#isMadeTold = true;
    }
    if (this.#areTagsThere) return;
    const tags = this.#tags;
    await postDefinitions(this.client, tags, this.#log);
    this.#areTagsThere ||= this.#tags === tags;
  }

  /**
   * The file of newest times may be a second behind, and be lost: every tag is asked for once in a run, where the historian can be
   * asked now.
   */
  async timesOf(tags: readonly string[]): Promise<(tag: string) => TagTimes | undefined> {
    const unknown = tags.filter((tag) => !this.#asked.has(tag));
    if (unknown.length > 0) {
      const found = await atMost(
        ASK_LIMIT_MS,
        this.client.readNewest(unknown).catch(() => undefined),
      );
      for (const [tag, timeMs] of found ?? []) this.#newest.advanceTo(tag, { timeMs, ticks: 0 });
      if (found !== undefined) for (const tag of unknown) this.#asked.add(tag);
    }
    return (tag) => this.#newest.get(tag);
  }

  /** Whether there is a connection to the source. */
  setUp(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    void this.#status.postStatus(this.#quality(), Date.now()).catch(() => undefined);
  }

  keepBeating(signal: AbortSignal): Promise<void> {
    return keepBeating({ client: this.#status, status: () => this.#quality(), signal, log: () => undefined });
  }

  async sayGoodbye(): Promise<void> {
    await atMost(
      FAREWELL_MS,
      this.#status.postStatus(STATUS.shutDown, Date.now()).catch(() => undefined),
    );
    for (const link of this.#links) link.close();
  }

  #quality(): number {
    return this.#isUp ? STATUS.good : STATUS.sourceLost;
  }

  #connect(): HistorianClient {
    const { url, token, dataset } = this.#target;
    const link = new HttpLink({ baseUrl: url, token }, { connections: 1, program: 'Varve collector' });
    this.#links.push(link);
    return new HistorianClient(link, dataset);
  }
}
