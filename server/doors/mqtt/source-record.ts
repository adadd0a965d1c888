// What a source has counted, its state, and the last messages that were bad; says them in the log at a bounded rate.

import type { Logger } from 'pino';
import { PointRate } from '../../../collect/point-rate.ts';
import { type BadMessage, SOURCE_COUNTS, type SourceCount, type SourceState } from '../../metrics/source-figures.ts';

const KEPT_BAD = 10;
const SHOWN_BYTES = 120;
const SHOWN_TOPIC = 300;
/** One line about bad messages in so long. */
const BAD_LINE_MS = 10_000;
/** The same trouble with the broker is told again after so long. */
const TROUBLE_LINE_MS = 60_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be shown
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

export class SourceRecord {
  readonly counts = Object.fromEntries(SOURCE_COUNTS.map(([name]) => [name, 0])) as Record<SourceCount, number>;
  readonly badMessages: BadMessage[] = [];
  state: SourceState = 'connecting';
  connectedSince: string | undefined;
  lastError: string | undefined;
  /** How long the last stored points had waited since their message came. */
  lagMs: number | undefined;
  readonly #rate = new PointRate();
  readonly #name: string;
  readonly #logger: Logger;
  #unsaidBad = 0;
  #badLineMs = Number.NEGATIVE_INFINITY;
  #trouble = '';
  #troubleLineMs = Number.NEGATIVE_INFINITY;

  constructor(name: string, logger: Logger) {
    this.#name = name;
    this.#logger = logger;
  }

  addStored(pointCount: number, arrivalMs: number): void {
    const nowMs = Date.now();
    this.counts.written += pointCount;
    this.#rate.add(pointCount, nowMs);
    this.lagMs = Math.max(0, nowMs - arrivalMs);
  }

  get pointsPerSecond(): number {
    return this.#rate.perSecond(Date.now());
  }

  addBad(topic: string, payload: Uint8Array, reason: string): void {
    this.counts.bad++;
    const start = Buffer.from(payload.subarray(0, SHOWN_BYTES)).toString('utf8').replace(CONTROLS, '·');
    const bad = { time: new Date().toISOString(), topic: topic.slice(0, SHOWN_TOPIC), reason, payload: start };
    this.badMessages.unshift(bad);
    this.badMessages.length = Math.min(this.badMessages.length, KEPT_BAD);
    this.#unsaidBad++;
    const nowMs = performance.now();
    if (nowMs - this.#badLineMs < BAD_LINE_MS) return;
    this.#badLineMs = nowMs;
    const details = { source: this.#name, topic: bad.topic, reason, payload: start, sinceLastLine: this.#unsaidBad };
    this.#logger.warn(details, 'An MQTT message could not become points.');
    this.#unsaidBad = 0;
  }

  up(): void {
    this.state = 'connected';
    this.connectedSince = new Date().toISOString();
    this.counts.connections++;
    this.#trouble = '';
    this.#logger.info({ source: this.#name }, 'The MQTT broker is connected.');
  }

  down(reason: string): void {
    this.state = 'waiting';
    this.connectedSince = undefined;
    this.tell(reason, 'The MQTT broker is not connected; trying again.');
  }

  /** Says what is wrong, the same again only after a while. */
  tell(reason: string, message: string): void {
    this.lastError = `${new Date().toISOString()} ${reason}`;
    const nowMs = performance.now();
    if (reason === this.#trouble && nowMs - this.#troubleLineMs < TROUBLE_LINE_MS) return;
    this.#trouble = reason;
    this.#troubleLineMs = nowMs;
    this.#logger.warn({ source: this.#name, reason }, message);
  }
}
