// Messages that wait a short time: those that have overtaken others of their edge node, for these, and data of which a birth
// has not declared the metrics, for that birth. They are taken when it has come, or is given up. In memory they are bounded in
// count and bytes.

import type { Message } from '../mapping/mapped-point.ts';
import type { EdgeNode } from './edge-node.ts';

export type HostMessage = Message & { readonly isRepeated: boolean };

interface HeldMessage {
  readonly message: HostMessage;
  readonly waitsFor: 'numbers' | 'birth';
  readonly seq: number | undefined;
  /** Empty for messages of the node itself. */
  readonly device: string;
  /** Time of the payload. */
  readonly timeMs: number | undefined;
}

export const MOST_HELD = 2048;
const MOST_BYTES = 4 * 1_048_576;

export class HeldMessages {
  readonly #limitMs: number;
  /** The node that holds for the longest time first. */
  readonly #byNode = new Map<EdgeNode, HeldMessage[]>();
  /** To be taken next, in this order, whatever is missing before them. */
  #ready: HostMessage[] = [];
  /** By messages that wait no longer: when that was decided. */
  readonly #givenUpMs = new WeakMap<HostMessage, number>();
  /** Messages whose numbers were looked at before they were held. */
  readonly #counted = new WeakSet<HostMessage>();
  #count = 0;
  #bytes = 0;

  /** @param limitMs how long a message waits; 0 holds none */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** When it was decided that the message waits no longer; else when it came. */
  decidedMs(message: HostMessage): number {
    return this.#givenUpMs.get(message) ?? message.arrivalMs;
  }

  /** Whether the number of the message was looked at when it began to wait for a birth. */
  isCounted(message: HostMessage): boolean {
    return this.#counted.has(message);
  }

  /** Whether the message is held from now on. */
  hold(node: EdgeNode, one: HeldMessage): boolean {
    const { message, waitsFor } = one;
    if (this.#limitMs === 0 || this.#givenUpMs.has(message) || message.payload.length > MOST_BYTES) return false;
    while (this.#count >= MOST_HELD || this.#bytes + message.payload.length > MOST_BYTES)
      this.#giveUp(this.#byNode.keys().next().value as EdgeNode, message.arrivalMs);
    this.#count++;
    this.#bytes += message.payload.length;
    if (waitsFor === 'birth') this.#counted.add(message);
    const held = this.#byNode.get(node);
    if (held === undefined) this.#byNode.set(node, [one]);
    else held.push(one);
    return true;
  }

  /**
   * Whether messages of the node from before this birth are held: then they are taken first, and the birth behind them. What is
   * not earlier has overtaken it, and goes on waiting, as does what waits for a birth.
   */
  holdBirth(node: EdgeNode, message: HostMessage, birthMs = Number.POSITIVE_INFINITY): boolean {
    return this.#holdBehind(
      node,
      message,
      ({ waitsFor, timeMs = Number.NEGATIVE_INFINITY }) => waitsFor === 'numbers' && timeMs < birthMs,
    );
  }

  /** Whether messages of the node are held: then they are taken first, and its death behind them. */
  holdDeath(node: EdgeNode, message: HostMessage): boolean {
    return this.#holdBehind(node, message, () => true);
  }

  #holdBehind(node: EdgeNode, message: HostMessage, isBefore: (one: HeldMessage) => boolean): boolean {
    if (this.#givenUpMs.has(message) || !this.#giveUp(node, message.arrivalMs, isBefore)) return false;
    this.#makeReady(message, message.arrivalMs);
    return true;
  }

  /** The next one to take: those before it have come, or are given up by now. */
  next(nowMs: number): HostMessage | undefined {
    if (this.#count === 0 && this.#ready.length === 0) return undefined;
    for (const [node, held] of this.#byNode) if (this.#isOver(held, nowMs)) this.#giveUp(node, nowMs);
    const ready = this.#ready.shift();
    if (ready !== undefined) return ready;
    for (const [node, held] of this.#byNode) {
      const found = held.find((one) => isDue(node, one));
      if (found === undefined) continue;
      this.#remove(node, (one) => one === found);
      return found.message;
    }
    return undefined;
  }

  /** All are to be taken now. */
  giveUpAll(nowMs: number): void {
    for (const node of [...this.#byNode.keys()]) this.#giveUp(node, nowMs);
  }

  /** How long until the first is given up; undefined when none is held. */
  waitMs(nowMs: number): number | undefined {
    let waitMs: number | undefined;
    for (const held of this.#byNode.values())
      waitMs = Math.min(waitMs ?? this.#limitMs, Math.max(0, sinceMs(held) + this.#limitMs - nowMs));
    return waitMs;
  }

  /** Forgets those that come again. */
  drop(comesAgain: (message: HostMessage) => boolean): void {
    for (const node of [...this.#byNode.keys()]) this.#remove(node, ({ message }) => comesAgain(message));
    this.#ready = this.#ready.filter((message) => !comesAgain(message));
  }

  /** A clock that was set back makes none wait for longer. */
  #isOver(held: readonly HeldMessage[], nowMs: number): boolean {
    const passedMs = nowMs - sinceMs(held);
    return passedMs < 0 || passedMs >= this.#limitMs;
  }

  /** Makes what is held of the node ready in the order of its numbers; false when there is none. */
  #giveUp(node: EdgeNode, nowMs: number, isMeant: (one: HeldMessage) => boolean = () => true): boolean {
    const removed = this.#remove(node, isMeant);
    removed.sort((a, b) => (node.missingBefore(a.seq) ?? 0) - (node.missingBefore(b.seq) ?? 0));
    for (const { message } of removed) this.#makeReady(message, nowMs);
    return removed.length > 0;
  }

  #makeReady(message: HostMessage, nowMs: number): void {
    this.#givenUpMs.set(message, nowMs);
    this.#ready.push(message);
  }

  #remove(node: EdgeNode, isMeant: (one: HeldMessage) => boolean): HeldMessage[] {
    const removed: HeldMessage[] = [];
    const left: HeldMessage[] = [];
    for (const one of this.#byNode.get(node) ?? []) (isMeant(one) ? removed : left).push(one);
    if (left.length === 0) this.#byNode.delete(node);
    else this.#byNode.set(node, left);
    this.#count -= removed.length;
    for (const { message } of removed) this.#bytes -= message.payload.length;
    return removed;
  }
}

function isDue(node: EdgeNode, { waitsFor, seq, device }: HeldMessage): boolean {
  return waitsFor === 'birth' ? node.isBorn(device) : node.missingBefore(seq) === 0;
}

function sinceMs(held: readonly HeldMessage[]): number {
  return held[0]?.message.arrivalMs ?? 0;
}
