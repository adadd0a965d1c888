// What a host knows of one edge node: its births, its metrics by alias, and the number of its next message.

import type { SparkplugMetric } from './sparkplug-payload.ts';

/** A metric as a birth has declared it. */
export interface KnownMetric {
  readonly name: string;
  /** Empty for metrics of the node itself. */
  readonly device: string;
  readonly dataType: number;
  /** Time of its newest value; -Infinity before the first. */
  newestMs: number;
}

const SEQ_COUNT = 256;

export class EdgeNode {
  /** Of the birth in force; undefined when none was seen or it has died. */
  bdSeq: bigint | undefined;
  isAlive = false;
  /** How far this server's clock is ahead of the times of the node's last message. */
  aheadMs = 0;
  lastRebirthMs = Number.NEGATIVE_INFINITY;
  readonly #byAlias = new Map<bigint, KnownMetric>();
  #byName = new Map<string, KnownMetric>();
  /** Before the birth in force. */
  #earlier: ReadonlyMap<string, KnownMetric> = new Map();
  #nextSeq: number | undefined;

  get metricCount(): number {
    return this.#byName.size;
  }

  /** Of the node and all its devices. */
  metrics(): Iterable<KnownMetric> {
    return this.#byName.values();
  }

  /** A birth of the node: nothing that was known holds any longer, but the times of its newest values. */
  beginBirth(bdSeq: bigint | undefined): void {
    this.#earlier = this.#byName;
    this.#byName = new Map();
    this.#byAlias.clear();
    this.bdSeq = bdSeq;
    this.isAlive = true;
    this.lastRebirthMs = Number.NEGATIVE_INFINITY;
  }

  declare(metric: SparkplugMetric, device: string): KnownMetric {
    const name = metric.name ?? '';
    const key = keyOf(device, name);
    const newestMs = (this.#byName.get(key) ?? this.#earlier.get(key))?.newestMs ?? Number.NEGATIVE_INFINITY;
    const known = { name, device, dataType: metric.dataType, newestMs };
    this.#byName.set(key, known);
    if (metric.alias !== undefined) this.#byAlias.set(metric.alias, known);
    return known;
  }

  /** The metric that is meant, by its alias or its name; undefined when no birth has declared it. */
  find({ name, alias }: SparkplugMetric, device: string): KnownMetric | undefined {
    if (name !== undefined && name !== '') return this.#byName.get(keyOf(device, name));
    return alias === undefined ? undefined : this.#byAlias.get(alias);
  }

  /** Whether a message is the one that was to come. A repetition of the last one passes when the broker says that it is one. */
  takeSeq(seq: number | undefined, isBirth: boolean, isRepeated: boolean): boolean {
    const expected = this.#nextSeq;
    if (seq === undefined) return false;
    if (isRepeated && expected !== undefined && (seq + 1) % SEQ_COUNT === expected) return true;
    this.#nextSeq = (seq + 1) % SEQ_COUNT;
    return isBirth || seq === expected;
  }
}

function keyOf(device: string, name: string): string {
  return `${device}\0${name}`;
}
