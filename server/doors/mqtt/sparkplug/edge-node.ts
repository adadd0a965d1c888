// What a host knows of one edge node: what it and its devices have declared at their births, and the number of its next
// message.

import { RebirthLimit } from './rebirth-limit.ts';
import type { SparkplugMetric } from './sparkplug-payload.ts';

/** A metric as a birth has declared it. */
export interface KnownMetric {
  readonly name: string;
  /** Empty for metrics of the node itself. */
  readonly device: string;
  readonly dataType: number;
}

/** Aliases hold within one birth: two devices of a node may use the same ones. */
class Birth {
  isAlive = true;
  readonly byName = new Map<string, KnownMetric>();
  readonly byAlias = new Map<bigint, KnownMetric>();
}

const SEQ_COUNT = 256;
/** Numbers so far away are not ahead: they are of messages that have been, or of a birth that was not seen. */
const FAR = SEQ_COUNT / 2;
/** The node itself, among its devices. */
const NODE_ITSELF = '';

export class EdgeNode {
  /** Number of the birth in force; undefined when none was seen or it has died. */
  bdSeq: bigint | undefined;
  isAlive = false;
  /** Whether something is missing that a birth would bring. */
  needsBirth = false;
  readonly rebirths = new RebirthLimit();
  #births = new Map<string, Birth>();
  #metricCount = 0;
  #nextSeq: number | undefined;
  /** Numbers that were passed over; their messages may come all the same. */
  readonly #missed = new Set<number>();

  /** Metrics of the node and all its devices. */
  get metricCount(): number {
    return this.#metricCount;
  }

  /** How many it would have if the device, or the node with all its devices, were born without any. */
  metricCountBeside(device: string): number {
    return device === NODE_ITSELF ? 0 : this.#metricCount - (this.#births.get(device)?.byName.size ?? 0);
  }

  /** Metrics of one device, or of the node and all its devices. */
  *metrics(device: string): Iterable<KnownMetric> {
    if (device !== NODE_ITSELF) yield* this.#births.get(device)?.byName.values() ?? [];
    else for (const { byName } of this.#births.values()) yield* byName.values();
  }

  /** Nothing that was known of the node and its devices holds any longer. */
  beginBirth(bdSeq: bigint | undefined): void {
    this.#births = new Map([[NODE_ITSELF, new Birth()]]);
    this.#metricCount = 0;
    this.bdSeq = bdSeq;
    this.isAlive = true;
    this.needsBirth = false;
  }

  /** Nothing that was known of the device holds any longer. */
  beginDeviceBirth(device: string): void {
    this.#metricCount -= this.#births.get(device)?.byName.size ?? 0;
    this.#births.set(device, new Birth());
  }

  /** For the device whose birth has begun. */
  declare(metric: SparkplugMetric, device: string): KnownMetric {
    const { byName, byAlias } = this.#births.get(device) as Birth;
    const name = metric.name ?? '';
    const known = { name, device, dataType: metric.dataType };
    if (!byName.has(name)) this.#metricCount++;
    byName.set(name, known);
    if (metric.alias !== undefined) byAlias.set(metric.alias, known);
    return known;
  }

  /** Whether the node, and the device if one is meant, have been born and have not died since. */
  isBorn(device: string): boolean {
    return this.isAlive && this.#births.get(device)?.isAlive === true;
  }

  /** What the device has declared is still known: its data may be on their way. */
  endDevice(device: string): void {
    const birth = this.#births.get(device);
    if (birth !== undefined) birth.isAlive = false;
  }

  /** The metric that is meant, by its name or its alias; undefined when no birth of the device has declared it. */
  find({ name, alias }: SparkplugMetric, device: string): KnownMetric | undefined {
    const birth = this.#births.get(device);
    if (name !== undefined && name !== '') return birth?.byName.get(name);
    return alias === undefined ? undefined : birth?.byAlias.get(alias);
  }

  /** How many messages are missing before the one of this number; undefined where the number does not tell. */
  missingBefore(seq: number | undefined): number | undefined {
    const expected = this.#nextSeq;
    if (seq === undefined || expected === undefined) return undefined;
    const missing = (seq - expected + SEQ_COUNT) % SEQ_COUNT;
    return missing < FAR ? missing : undefined;
  }

  /**
   * Whether a message is the one that was to come, or one that was passed over. A repetition of the last one passes when the
   * broker says that it is one. Any other number that is not ahead leaves the next one as it is.
   */
  takeSeq(seq: number | undefined, isBirth: boolean, isRepeated: boolean): boolean {
    const expected = this.#nextSeq;
    if (seq === undefined) return false;
    if (isRepeated && expected !== undefined && (seq + 1) % SEQ_COUNT === expected) return true;
    const missing = this.missingBefore(seq);
    if (isBirth) this.#missed.clear();
    else if (missing !== 0 && this.#missed.delete(seq)) return true;
    else for (let i = 0; i < (missing ?? 0); i++) this.#missed.add(((expected ?? 0) + i) % SEQ_COUNT);
    if (!isBirth && expected !== undefined && missing === undefined) return false;
    this.#missed.delete(seq);
    this.#missed.delete((seq + FAR) % SEQ_COUNT);
    this.#nextSeq = (seq + 1) % SEQ_COUNT;
    return isBirth || missing === 0;
  }
}
