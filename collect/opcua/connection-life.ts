// One connection to a server, from finding the variables to its end: definitions, subscriptions, then what the server's history
// has since the newest stored point. Values that come meanwhile wait, so that every tag's points go out in order.

import type { DataValue } from 'node-opcua-client';
import type { TagObject } from '../../forward/historian-client.ts';
import { sleep } from '../../forward/sleep.ts';
import type { CollectConfig } from '../config.ts';
import type { ExceptionRules } from '../exception-filter.ts';
import type { Instant, NamedPoint, SourcePoint } from '../point.ts';
import { TagStream } from '../tag-stream.ts';
import { findNodes } from './browse.ts';
import { toPoint } from './data-value.ts';
import type { DescribedNode } from './found-node.ts';
import { type HistoryRead, readHistory } from './history.ts';
import type { Client } from './library.ts';
import type { OpenSession } from './session-opener.ts';
import { subscribe } from './subscriptions.ts';
import { describeNodes } from './tag-definitions.ts';

const MOST_WAITING = 200_000;
const MOST_ROUNDS = 10;
const SILENCE_MS = 12_000;
const LOOK_MS = 1000;
const AHEAD_MS = 86_400_000;
const SHOWN_FAULTS = 5;

export interface LifeOptions {
  readonly open: OpenSession;
  readonly client: typeof Client;
  readonly config: CollectConfig;
  readonly newestOf: (tags: readonly string[]) => Promise<(tag: string) => Instant | undefined>;
  readonly define: (tags: readonly TagObject[]) => void;
  readonly store: (points: readonly NamedPoint[]) => void;
  /** Resolves when what was stored is on disk. */
  readonly stored: () => Promise<void>;
  readonly onUp: () => void;
  /** A reason to begin anew, looked for now and then. */
  readonly reasonToEnd: () => Promise<string | undefined>;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export class ConnectionLife {
  readonly #options: LifeOptions;
  readonly #streams = new Map<string, TagStream>();
  readonly #ended = new AbortController();
  /** Tags whose history is being read. */
  readonly #catchingUp = new Set<string>();
  #waiting: NamedPoint[] = [];
  #hasOverflown = false;
  #reason = '';
  #signMs = performance.now();
  #recoveredCount = 0;

  constructor(options: LifeOptions) {
    this.#options = options;
    const { client, session } = options.open;
    client.on('connection_lost', () => this.#end('the connection is lost'));
    client.on('close', () => this.#end('the connection is closed'));
    session.on('session_closed', () => this.#end('the session is closed'));
    session.on('keepalive_failure', () => this.#end('the server does not answer'));
    options.signal.addEventListener('abort', () => this.#end('the collector stops'), { signal: this.#ended.signal });
  }

  get filteredCount(): number {
    return [...this.#streams.values()].reduce((sum, stream) => sum + stream.filteredCount, 0);
  }

  /** Resolves with the reason of its end. */
  async run(): Promise<string> {
    try {
      await this.#begin();
      await this.#watch();
    } finally {
      this.#ended.abort();
      this.#storeAll([...this.#streams].map(([tag, stream]) => [tag, stream.flush()]));
    }
    return this.#reason;
  }

  async #begin(): Promise<void> {
    const { open, client, config, define, log, onUp, newestOf } = this.#options;
    const found = await findNodes(open.session, client, config.nodes);
    const { nodes, tags } = await describeNodes(open.session, client, found.nodes);
    this.#tell(found.faults, log);
    define(tags);
    const newest = await newestOf(nodes.map(({ tag }) => tag));
    for (const node of nodes) this.#streams.set(node.tag, new TagStream(rulesOf(node), newest(node.tag)));
    const reads = nodes.flatMap((node): HistoryRead[] => {
      const from = newest(node.tag);
      return node.hasHistory && from !== undefined ? [{ node, from: new Date(from.timeMs) }] : [];
    });
    for (const { node } of reads) this.#catchingUp.add(node.tag);
    const refused = await subscribe(nodes, {
      session: open.session,
      client,
      publishingMs: config.publishingMs,
      onValue: (node, value) => this.#take(node, value),
      onSign: () => this.#sign(),
      onEnd: (reason) => this.#end(reason),
    });
    this.#tell(refused, log);
    log(`${nodes.length} variables of ${open.endpoint} are subscribed, ${reads.length} with history to look into`);
    onUp();
    await this.#catchUp(reads);
  }

  async #catchUp(reads: readonly HistoryRead[]): Promise<void> {
    if (reads.length === 0) return;
    const { open, client, log } = this.#options;
    const failed = new Set<string>();
    for (let round = 0; round < MOST_ROUNDS && (round === 0 || this.#hasOverflown); round++) {
      this.#hasOverflown = false;
      this.#waiting = [];
      const rest = await readHistory(reads, {
        session: open.session,
        client,
        to: new Date(Date.now() + AHEAD_MS),
        take: async ({ node, values }) => {
          this.#sign();
          const before = this.#recoveredCount;
          for (const value of values) this.#recoveredCount += this.#pass(node, value) ? 1 : 0;
          if (this.#recoveredCount > before) await this.#options.stored();
        },
        signal: this.#ended.signal,
      });
      for (const { tag } of rest) failed.add(tag);
    }
    for (const { node } of reads) if (!failed.has(node.tag)) this.#streams.get(node.tag)?.fillHole();
    if (this.#recoveredCount > 0)
      log(`${this.#recoveredCount} points are recovered from the history of ${open.endpoint}`);
    if (failed.size > 0)
      log(
        `the history of ${failed.size} variables cannot be read: what is missing is marked as bad (${[...failed][0]})`,
      );
    this.#catchingUp.clear();
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#storeAll(waiting.map(({ tag, point }) => [tag, this.#streams.get(tag)?.take(point) ?? []]));
  }

  async #watch(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await sleep(LOOK_MS, signal);
      if (signal.aborted) return;
      if (performance.now() - this.#signMs > SILENCE_MS) this.#end('the server is silent');
      else {
        const reason = await this.#options.reasonToEnd();
        if (reason !== undefined) this.#end(reason);
      }
    }
  }

  #take(node: DescribedNode, value: DataValue): void {
    if (this.#ended.signal.aborted) return;
    const point = toPoint(value, this.#options.client.DataType);
    if (point === undefined) return;
    if (!this.#catchingUp.has(node.tag))
      this.#storeAll([[node.tag, this.#streams.get(node.tag)?.takeLive(point) ?? []]]);
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ tag: node.tag, point });
    else this.#hasOverflown = true;
  }

  /** A value of the history; gives whether it is new. */
  #pass(node: DescribedNode, value: DataValue): boolean {
    const point = toPoint(value, this.#options.client.DataType);
    const points = point === undefined ? [] : (this.#streams.get(node.tag)?.take(point) ?? []);
    this.#storeAll([[node.tag, points]]);
    return points.length > 0;
  }

  #storeAll(lists: readonly (readonly [tag: string, points: readonly SourcePoint[]])[]): void {
    const points = lists.flatMap(([tag, list]) => list.map((point) => ({ tag, point })));
    if (points.length > 0) this.#options.store(points);
  }

  #sign(): void {
    this.#signMs = performance.now();
  }

  #tell(faults: readonly string[], log: (line: string) => void): void {
    for (const fault of faults.slice(0, SHOWN_FAULTS)) log(fault);
    if (faults.length > SHOWN_FAULTS) log(`and ${faults.length - SHOWN_FAULTS} more of these`);
  }

  #end(reason: string): void {
    if (this.#reason !== '') return;
    this.#reason = reason;
    this.#ended.abort();
  }
}

/** A deadband in percent is that of the variable's range; where it has none, every value is stored. */
function rulesOf({ selection, span }: DescribedNode): ExceptionRules | undefined {
  const { deadband } = selection;
  if (deadband === undefined) return undefined;
  const { kind, value, shortestMs, longestMs } = deadband;
  if (kind === 'absolute') return { deadband: value, shortestMs, longestMs };
  return span === undefined ? undefined : { deadband: (span * value) / 100, shortestMs, longestMs };
}
