// One source: keeps a connection to its broker, stores what comes in batches, and acknowledges what is durable.

import type { IClientOptions, MqttClient } from 'mqtt';
import type { Logger } from 'pino';
import type { SourceSnapshot } from '../../metrics/source-figures.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { BrokerLink, type IncomingMessage } from './broker-link.ts';
import type { SourceConfig } from './config/mqtt-config.ts';
import type { DatasetStatuses } from './dataset-statuses.ts';
import { MessageMapper } from './message-mapper.ts';
import { MessageQueue } from './message-queue.ts';
import { MessageStore } from './message-store.ts';
import type { PointWriter } from './point-writer.ts';
import { SourceRecord } from './source-record.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A connection that has held so long starts the waits anew. */
const STEADY_MS = 10_000;

export type Connect = (url: string, options: IClientOptions) => MqttClient;

export interface SourceParts {
  readonly connect: Connect;
  readonly writer: PointWriter;
  readonly statuses: DatasetStatuses;
  readonly logger: Logger;
}

export class MqttSource {
  readonly #config: SourceConfig;
  readonly #parts: SourceParts;
  readonly #record: SourceRecord;
  readonly #queue = new MessageQueue();
  readonly #acknowledgements = new Acknowledgements();
  readonly #mapper: MessageMapper;
  readonly #store: MessageStore;
  #link: BrokerLink | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #connectedMs = 0;
  #isStopping = false;
  #storing: Promise<void> = Promise.resolve();

  constructor(config: SourceConfig, parts: SourceParts) {
    this.#config = config;
    this.#parts = parts;
    this.#record = new SourceRecord(config.name, parts.logger);
    this.#mapper = new MessageMapper(config);
    const { writer, statuses } = parts;
    this.#store = new MessageStore({ config, record: this.#record, mapper: this.#mapper, writer, statuses });
  }

  start(): void {
    this.#store.feedFixedDatasets();
    this.#storing = this.#storeAll();
    this.#connect();
  }

  /** Stores and acknowledges what it has begun with, then takes leave of the broker, which keeps the rest. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#link?.tellLeaving();
    this.#queue.close();
    this.#store.stop();
    await this.#storing;
    await this.#link?.end();
    this.#record.state = 'stopped';
    this.#record.connectedSince = undefined;
  }

  snapshot(): SourceSnapshot {
    const { state, connectedSince, lastError, counts, pointsPerSecond, lagMs, badMessages } = this.#record;
    const { births, deaths, gaps, rebirthRequests } = this.#mapper.sparkplug;
    return {
      name: this.#config.name,
      url: this.#config.url,
      state: state === 'connected' && this.#store.isHolding ? 'holding' : state,
      ...(connectedSince === undefined ? {} : { connectedSince }),
      ...(lastError === undefined ? {} : { lastError }),
      datasets: this.#store.datasets,
      counts: { ...counts, filtered: this.#store.filteredCount, births, deaths, gaps, rebirths: rebirthRequests },
      pointsPerSecond,
      ...(lagMs === undefined ? {} : { lagSeconds: lagMs / 1000 }),
      pendingMessages: this.#queue.count,
      pendingBytes: this.#queue.bytes,
      badMessages: [...badMessages],
    };
  }

  #connect(): void {
    const record = this.#record;
    record.state = 'connecting';
    try {
      this.#link = this.#openLink();
    } catch (error) {
      // A key that is not that of the certificate, for one.
      this.#lose(undefined, (error as Error).message);
    }
  }

  #openLink(): BrokerLink {
    const record = this.#record;
    const link: BrokerLink = new BrokerLink(this.#parts.connect, this.#config, {
      onUp: () => {
        this.#connectedMs = performance.now();
        record.up();
        this.#parts.statuses.setSource(this.#config.name, true);
      },
      onDown: (reason) => this.#lose(link, reason),
      onRefusedTopics: (reason) => record.tell(reason, 'The MQTT broker does not take all subscriptions.'),
      onMessage: (message, resume) => this.#take(message, resume),
    });
    return link;
  }

  #take(message: IncomingMessage, resume: () => void): void {
    const { counts } = this.#record;
    counts.messages++;
    counts.bytes += message.payload.length;
    if (message.isRepeated) counts.redelivered++;
    this.#acknowledgements.await(message);
    this.#queue.add(message, resume);
  }

  #lose(link: BrokerLink | undefined, reason: string): void {
    if (this.#isStopping) return;
    if (link !== undefined) this.#forget(link);
    const wasUp = this.#record.state === 'connected';
    if (wasUp && performance.now() - this.#connectedMs > STEADY_MS) this.#failures = 0;
    this.#record.down(reason);
    this.#parts.statuses.setSource(this.#config.name, false);
    this.#timer = setTimeout(() => this.#connect(), waitMs(this.#failures++));
  }

  /** What the broker sends again over the next connection. */
  #forget(link: BrokerLink): void {
    this.#queue.dropOf(link);
    this.#mapper.dropHeldOf(link);
    this.#acknowledgements.dropOf(link);
  }

  async #storeAll(): Promise<void> {
    const next = () => this.#queue.take(this.#mapper.heldForMs);
    for (let messages = await next(); messages !== undefined; messages = await next()) {
      this.#acknowledge(await this.#store.store(messages));
      this.#queue.done();
    }
    this.#mapper.endHolding();
    this.#acknowledge(await this.#store.store([]));
    await this.#store.storeHeldBack();
  }

  #acknowledge(messages: readonly IncomingMessage[]): void {
    this.#record.counts.acknowledged += this.#acknowledgements.add(messages);
  }
}

/** Twice as long after each failure, and never the same for all clients of a broker that has come back. */
function waitMs(failures: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 10));
  return longest * (0.5 + Math.random() / 2);
}
