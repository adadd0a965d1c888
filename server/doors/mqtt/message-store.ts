// Messages to points to datasets: each message that `store` gives back is either durable or judged bad. While a dataset cannot
// take points, it waits and tries again. One message after the other, each in steps: the birth or the death
// of an edge node may be about very many metrics.

import { setTimeout as sleep } from 'node:timers/promises';
import type { TagChange } from '../../../engine/index.ts';
import { createPacer } from '../../process/pacer.ts';
import type { IncomingMessage } from './broker-link.ts';
import type { SourceConfig } from './config/mqtt-config.ts';
import type { DatasetStatuses } from './dataset-statuses.ts';
import { ExceptionFilters } from './exception-filters.ts';
import { PayloadFault } from './mapping/faults.ts';
import type { MappedPoint } from './mapping/mapped-point.ts';
import type { Steps } from './mapping/steps.ts';
import type { MessageMapper } from './message-mapper.ts';
import { type PointWriter, refusalOf, type SourcedPoint } from './point-writer.ts';
import type { SourceRecord } from './source-record.ts';
import { emptyOutcome, type LifeSign, type SparkplugOutcome } from './sparkplug/sparkplug-host.ts';

/** Points that are written together at most, of one message or of several. */
const MOST_POINTS = 20_000;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** Datasets that are shown. */
const MOST_SHOWN = 1_000;

type Point = SourcedPoint<IncomingMessage> & MappedPoint;

export interface StoreParts {
  readonly config: SourceConfig;
  readonly record: SourceRecord;
  readonly mapper: MessageMapper;
  readonly writer: PointWriter;
  readonly statuses: DatasetStatuses;
}

/** The server stops while points wait for their dataset; the broker keeps them. */
class Stopped extends Error {}

export class MessageStore {
  readonly #parts: StoreParts;
  readonly #datasets = new Set<string>();
  readonly #stop = new AbortController();
  readonly #pacer = createPacer();
  readonly #filters = new ExceptionFilters<Point>();
  #holding = 0;
  #points = new Map<string, Point[]>();
  #pointCount = 0;
  #signs: LifeSign[] = [];

  constructor(parts: StoreParts) {
    this.#parts = parts;
  }

  get datasets(): string[] {
    return [...this.#datasets];
  }

  /** Whether points wait because their dataset does not take them. */
  get isHolding(): boolean {
    return this.#holding > 0;
  }

  /** Points that say no more than the line between those that are stored. */
  get filteredCount(): number {
    return this.#filters.filteredCount;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Datasets that are known before the first message. */
  feedFixedDatasets(): void {
    const nothing = { levels: [], named: {} };
    for (const { dataset } of this.#parts.config.topics) if (dataset.isFixed) this.#feed(dataset.render(nothing));
  }

  #feed(dataset: string): void {
    if (this.#datasets.has(dataset) || this.#datasets.size >= MOST_SHOWN) return;
    this.#datasets.add(dataset);
    const { config, statuses } = this.#parts;
    if (config.hasHeartbeat) statuses.feed(dataset, config.name);
  }

  /**
   * Stores these messages, but for those that are to wait for others, and earlier ones that wait no longer. Gives back what is
   * to be acknowledged: nothing when the server stops before all are stored.
   */
  async store(messages: readonly IncomingMessage[]): Promise<readonly IncomingMessage[]> {
    const stored: IncomingMessage[] = [];
    const isStored = await this.#unlessStopped(async () => {
      await this.#takeHeld(stored);
      for (const message of messages) {
        if (await this.#take(message)) stored.push(message);
        await this.#takeHeld(stored);
      }
      await this.#commit();
    });
    return isStored ? stored : [];
  }

  /** The end: stores what the exception rules have held back. */
  async storeHeldBack(): Promise<void> {
    await this.#unlessStopped(async () => {
      for (const point of this.#filters.flush()) await this.#put(point);
      await this.#commit();
    });
  }

  /** False when the server stops before the work is done. */
  async #unlessStopped(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      this.#points.clear();
      return false;
    }
  }

  async #takeHeld(stored: IncomingMessage[]): Promise<void> {
    const { mapper } = this.#parts;
    for (let held = mapper.nextHeld(); held !== undefined; held = mapper.nextHeld())
      if (await this.#take(held)) stored.push(held);
  }

  /** False when the message is held. */
  async #take(message: IncomingMessage): Promise<boolean> {
    const outcome = emptyOutcome();
    const steps = this.#map(message, outcome);
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      if (outcome.points.length >= MOST_POINTS) await this.#add(outcome, message);
      if (this.#pacer.isDue()) await this.#pacer.yield();
    }
    if (step.value) {
      this.#tell(outcome, message);
      await this.#add(outcome, message);
    }
    if (this.#pacer.isDue()) await this.#pacer.yield();
    return !outcome.isHeld;
  }

  /** Whether there is an outcome. */
  *#map(message: IncomingMessage, outcome: SparkplugOutcome): Steps<boolean> {
    const { mapper, record } = this.#parts;
    try {
      const isMapped = yield* mapper.map(message, outcome);
      if (!isMapped) record.counts.unmapped++;
      return isMapped;
    } catch (error) {
      const isFault = error instanceof PayloadFault;
      record.addBad(message.topic, message.payload, isFault ? error.message : `fault of the program: ${String(error)}`);
      return false;
    }
  }

  /** The edge node and the record, what they are to know of a message. */
  #tell({ rebirth, leftOut, leftOutReason }: SparkplugOutcome, message: IncomingMessage): void {
    if (rebirth !== undefined) message.link.publish(rebirth.topic, rebirth.payload);
    if (leftOut === 0) return;
    this.#parts.record.counts.rejected += leftOut;
    this.#parts.record.addBad(message.topic, message.payload, leftOutReason ?? '');
  }

  /** Takes out of the outcome what is there of it by now. */
  async #add(outcome: SparkplugOutcome, message: IncomingMessage): Promise<void> {
    const definitions = outcome.definitions.splice(0);
    if (definitions.length > 0) {
      for (const point of this.#filters.flush()) await this.#put(point);
      await this.#commit(); // values of before are of the types of before
      await this.#define(definitions, message);
    }
    const { rules } = outcome;
    for (const { dataset, tag, text, serverMs } of outcome.points.splice(0)) {
      const point = { dataset, tag, text, serverMs, message };
      for (const one of rules === undefined ? [point] : this.#filters.take(point, rules)) await this.#put(one);
    }
    this.#signs.push(...outcome.signs.splice(0)); // told with the last of its points, or later
  }

  async #put(point: Point): Promise<void> {
    const points = this.#points.get(point.dataset);
    if (points === undefined) this.#points.set(point.dataset, [point]);
    else points.push(point);
    if (++this.#pointCount >= MOST_POINTS) await this.#commit();
  }

  async #define(definitions: SparkplugOutcome['definitions'], message: IncomingMessage): Promise<void> {
    const byDataset = new Map<string, TagChange[]>();
    for (const { dataset, change } of definitions) {
      const changes = byDataset.get(dataset);
      if (changes === undefined) byDataset.set(dataset, [change]);
      else changes.push(change);
    }
    for (const [dataset, changes] of byDataset) {
      await this.#inHalves(
        changes,
        (some) => this.#parts.writer.define(dataset, some),
        () => message,
      );
    }
  }

  async #commit(): Promise<void> {
    const points = this.#points;
    const signs = this.#signs;
    this.#points = new Map();
    this.#pointCount = 0;
    this.#signs = [];
    await Promise.all([...points].map(([dataset, some]) => this.#write(dataset, some)));
    const { config, statuses } = this.#parts;
    if (!config.hasHeartbeat) return;
    for (const { dataset, who, isAlive } of signs) statuses.setNode(dataset, who, isAlive);
  }

  async #write(dataset: string, points: readonly Point[]): Promise<void> {
    const { record, writer } = this.#parts;
    await this.#inHalves(
      points,
      async (some) => {
        const { written, ignored, repeated, expired, rejected, faults } = await writer.write(dataset, some);
        this.#feed(dataset);
        const last = some.at(-1);
        if (last !== undefined) record.addStored(written, last.message.arrivalMs);
        record.counts.ignored += ignored;
        record.counts.repeated += repeated;
        record.counts.expired += expired;
        record.counts.rejected += rejected;
        for (const [message, reason] of new Map(faults.map((fault) => [fault.message, fault.reason])))
          record.addBad(message.topic, message.payload, reason);
      },
      ({ message }) => message,
    );
  }

  /** What is refused together is tried in halves, down to the single entries that are to blame. */
  async #inHalves<T>(
    entries: readonly T[],
    work: (entries: readonly T[]) => Promise<void>,
    messageOf: (entry: T) => IncomingMessage,
  ): Promise<void> {
    const reason = await this.#untilDecided(() => work(entries));
    if (reason === undefined) return;
    if (entries.length > 1) {
      const middle = entries.length >> 1;
      await this.#inHalves(entries.slice(0, middle), work, messageOf);
      return this.#inHalves(entries.slice(middle), work, messageOf);
    }
    const { topic, payload } = messageOf(entries[0] as T);
    this.#parts.record.counts.rejected++;
    this.#parts.record.addBad(topic, payload, reason);
  }

  /** Why it is refused; undefined once it is done. */
  async #untilDecided(work: () => Promise<void>): Promise<string | undefined> {
    const { record } = this.#parts;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs)) {
      try {
        await work();
        return undefined;
      } catch (error) {
        const reason = refusalOf(error);
        if (reason !== undefined) return reason;
        record.counts.retries++;
        record.tell(String(error), 'Points of MQTT cannot be stored; trying again.');
      }
      await this.#wait(waitMs);
    }
  }

  async #wait(waitMs: number): Promise<void> {
    this.#holding++;
    try {
      await sleep(waitMs, undefined, { signal: this.#stop.signal });
    } catch {
      throw new Stopped();
    } finally {
      this.#holding--;
    }
  }
}
