// The status of every dataset that sources feed, as a collector posts it: 192 every 5 seconds while all is well, 24 once
// while a broker or an edge node is away, 28 at the end.

import { type Engine, GOOD_QUALITY } from '../../../engine/index.ts';

const BEAT_MS = 5_000;
const SOURCE_LOST = 24;
const SHUT_DOWN = 28;
/** Datasets may be named by topics; of more than these none gets a status. */
const MOST_DATASETS = 1_000;
const MOST_DEAD = 10_000;

interface FedDataset {
  readonly sources: Set<string>;
  /** Edge nodes and devices that have died. */
  readonly dead: Set<string>;
  posted: number | undefined;
}

export class DatasetStatuses {
  readonly #engine: Engine;
  readonly #datasets = new Map<string, FedDataset>();
  /** By source: whether its broker is connected. Absent until that is known. */
  readonly #isUp = new Map<string, boolean>();
  #timer: NodeJS.Timeout | undefined;
  #posting: Promise<void> = Promise.resolve();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  start(): void {
    this.#timer = setInterval(() => this.#post('beat'), BEAT_MS);
  }

  /** The dataset gets points of the source. */
  feed(dataset: string, source: string): void {
    const known = this.#datasets.get(dataset);
    if (known !== undefined) known.sources.add(source);
    else if (this.#datasets.size < MOST_DATASETS)
      this.#datasets.set(dataset, { sources: new Set([source]), dead: new Set(), posted: undefined });
  }

  setSource(source: string, isUp: boolean): void {
    if (this.#isUp.get(source) === isUp) return;
    this.#isUp.set(source, isUp);
    this.#post('change');
  }

  setNode(dataset: string, who: string, isAlive: boolean): void {
    const known = this.#datasets.get(dataset);
    if (known === undefined) return;
    if (isAlive) known.dead.delete(who);
    else if (known.dead.size < MOST_DEAD) known.dead.add(who);
    this.#post('change');
  }

  /** Resolves when all that was to be posted has been tried. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#posting;
    for (const dataset of this.#datasets.keys()) await this.#postOne(dataset, SHUT_DOWN);
  }

  /** One round at a time; a round that begins later sees the newer state. */
  #post(occasion: 'beat' | 'change'): void {
    this.#posting = this.#posting.then(async () => {
      for (const [dataset, known] of this.#datasets) {
        const quality = this.#qualityOf(known);
        const isDue = quality !== known.posted || (occasion === 'beat' && quality === GOOD_QUALITY);
        if (quality !== undefined && isDue && (await this.#postOne(dataset, quality))) known.posted = quality;
      }
    });
  }

  #qualityOf({ sources, dead }: FedDataset): number | undefined {
    const states = [...sources].map((source) => this.#isUp.get(source));
    if (states.includes(false) || dead.size > 0) return SOURCE_LOST;
    return states.includes(undefined) ? undefined : GOOD_QUALITY;
  }

  /** A status that could not be posted is no news: the engine tells what is wrong with the dataset. */
  async #postOne(dataset: string, quality: number): Promise<boolean> {
    if (!this.#engine.hasDataset(dataset)) return false;
    try {
      await this.#engine.postStatus(dataset, [{ time: undefined, quality }]);
      return true;
    } catch {
      return false;
    }
  }
}
