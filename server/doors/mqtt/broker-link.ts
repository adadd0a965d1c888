// One connection to a broker, over mqtt.js, from the connect to its end. Messages of QoS 1 are acknowledged by `acknowledge`
// alone, many at a time and in any number under way: mqtt.js itself would take the next message only after the
// acknowledgement of the one before, and no two could share a sync of the disk.

import { setTimeout as sleep } from 'node:timers/promises';
import type { IClientOptions, MqttClient } from 'mqtt';
import type { SourceConfig } from './config/mqtt-config.ts';
import type { Message } from './mapping/mapped-point.ts';
import { HostState } from './sparkplug/host-state.ts';

export interface IncomingMessage extends Message {
  readonly link: BrokerLink;
  /** To acknowledge it by; undefined for QoS 0. */
  readonly packetId: number | undefined;
  /** The broker says that it has sent it before. */
  readonly isRepeated: boolean;
  /** The broker had kept it for new subscribers. */
  readonly isRetained: boolean;
}

/** Whether the broker sends a message again when this connection is over. */
export function comesAgain({ link, packetId }: IncomingMessage, over: BrokerLink): boolean {
  return link === over && packetId !== undefined;
}

export interface LinkEvents {
  /** The broker has answered to the subscriptions. */
  onUp(): void;
  /** Called once. */
  onDown(reason: string): void;
  onRefusedTopics(reason: string): void;
  /** The next message comes after `resume` was called. */
  onMessage(message: IncomingMessage, resume: () => void): void;
}

const CONNECT_LIMIT_MS = 10_000;
const END_LIMIT_MS = 2_000;
/** Greater messages than are wanted must still come, to be counted: a broker drops without a word what is above this. */
const PACKET_ROOM = 2 * 1_048_576;
/** From edge nodes to here, after they have heard that this host goes. */
const ON_ITS_WAY_MS = 500;
const PUBACK = 0x40;
/** MQTT 5: retained messages only with a new subscription, not each time that it is renewed. */
const RETAINED_FOR_NEW = 1;
const FIRST_REFUSAL = 128;
const KEPT = { qos: 1, retain: true } as const;

export class BrokerLink {
  readonly #config: SourceConfig;
  readonly #client: MqttClient;
  readonly #events: LinkEvents;
  /** State of a primary host of Sparkplug; undefined for others. */
  readonly #state: HostState | undefined;
  #isOver = false;
  #isLeaving = false;

  constructor(connect: (url: string, options: IClientOptions) => MqttClient, config: SourceConfig, events: LinkEvents) {
    this.#config = config;
    this.#events = events;
    this.#state = config.sparkplugHost === undefined ? undefined : new HostState(config.sparkplugHost, Date.now());
    const will = this.#state && { will: { topic: this.#state.topic, payload: Buffer.from(this.#state.lost), ...KEPT } };
    this.#client = connect(config.url, { ...connectOptions(config), ...will });
    this.#listen();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Does nothing for messages of a connection that is over: the broker sends them again. */
  acknowledge(packetIds: readonly number[]): void {
    if (this.#isOver || packetIds.length === 0) return;
    const bytes = Buffer.allocUnsafe(packetIds.length * 4);
    for (const [index, id] of packetIds.entries()) {
      bytes.writeUInt16BE((PUBACK << 8) | 2, index * 4);
      bytes.writeUInt16BE(id, index * 4 + 2);
    }
    this.#client.stream.write(bytes);
  }

  publish(topic: string, payload: Uint8Array): void {
    if (!this.#isOver) this.#client.publish(topic, Buffer.from(payload), { qos: 0 }, () => undefined);
  }

  /** A primary host says that it goes; what edge nodes had sent before they heard of it comes meanwhile. */
  async tellLeaving(): Promise<void> {
    const state = this.#state;
    if (this.#isOver || state === undefined) return;
    this.#isLeaving = true;
    const told = new Promise<void>((resolve) => this.#tellState(state.leaving(Date.now()), resolve));
    await Promise.race([told, sleep(END_LIMIT_MS, undefined, { ref: false })]);
    await sleep(ON_ITS_WAY_MS);
  }

  /** Takes leave of the broker, which keeps the session. Resolves when the connection is closed, or after a while. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#client.end(true);
        resolve();
      }, END_LIMIT_MS);
      this.#client.end(false, {}, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #listen(): void {
    const client = this.#client;
    client.on('connect', () => {
      if (!this.#isOver) this.#subscribe();
    });
    client.on('error', (error) =>
      this.#finish(error.message || String((error as NodeJS.ErrnoException).code ?? error)),
    );
    client.on('close', () => this.#finish('the connection was closed'));
    client.on('disconnect', ({ reasonCode }) => this.#finish(`the broker ended the connection (reason ${reasonCode})`));
    // mqtt.js acknowledges what it takes for QoS 1.
    client.on('packetreceive', (packet) => {
      if (packet.cmd === 'publish' && packet.qos === 1) packet.qos = 0;
    });
    client.handleMessage = ({ topic, payload, messageId, dup, retain }, done) => {
      if (this.#isOver) return done();
      if (topic === this.#state?.topic)
        return this.#takeState(this.#state, { payload: Buffer.from(payload), messageId }, done);
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
      const message = { link: this, topic, payload: bytes, packetId: messageId, isRepeated: dup, isRetained: retain };
      this.#events.onMessage({ ...message, arrivalMs: Date.now() }, done);
    };
  }

  #subscribe(): void {
    const topics = this.#config.topics.map(
      ({ pattern, qos }) => [pattern.filter, { qos, rh: RETAINED_FOR_NEW }] as const,
    );
    const own = this.#state === undefined ? [] : [[this.#state.topic, { qos: 1, rh: RETAINED_FOR_NEW }] as const];
    this.#client.subscribe(Object.fromEntries([...topics, ...own]), (error, granted) => {
      if (this.#isOver) return;
      this.#tellOnline();
      this.#events.onUp();
      const refused = (granted ?? []).filter(({ qos }) => qos >= FIRST_REFUSAL).map(({ topic }) => topic);
      if (error) this.#events.onRefusedTopics(error.message);
      else if (refused.length > 0) this.#events.onRefusedTopics(`the broker refuses ${refused.join(', ')}`);
    });
  }

  /** Somebody, such as the broker for an earlier connection, may say that this host is not there. */
  #takeState(
    state: HostState,
    { payload, messageId }: { payload: Uint8Array; messageId: number | undefined },
    done: () => void,
  ): void {
    if (state.mustTellAgain(payload)) this.#tellOnline();
    if (messageId !== undefined) this.acknowledge([messageId]);
    done();
  }

  #tellOnline(): void {
    if (this.#state !== undefined && !this.#isLeaving) this.#tellState(this.#state.online);
  }

  #tellState(payload: string, told: () => void = () => undefined): void {
    this.#client.publish(this.#state?.topic ?? '', payload, KEPT, told);
  }

  #finish(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#client.end(true);
    this.#events.onDown(reason);
  }
}

function connectOptions(config: SourceConfig): IClientOptions {
  const { clientId, version, user, password, ca, certificate, key, sessionSeconds, inFlight } = config;
  const properties = {
    sessionExpiryInterval: sessionSeconds,
    receiveMaximum: inFlight,
    maximumPacketSize: config.maxMessageBytes + PACKET_ROOM,
  };
  return {
    clientId,
    clean: false,
    protocolVersion: version,
    keepalive: config.keepAliveSeconds,
    connectTimeout: CONNECT_LIMIT_MS,
    // A new connection is a new client: the source waits as long as it sees fit.
    reconnectPeriod: 0,
    resubscribe: false,
    ...(version === 5 ? { properties } : {}),
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    rejectUnauthorized: true,
  };
}
