// One connection to a server, from finding the variables to its end: definitions, subscriptions, then what an earlier connection
// has missed: from the server's history, and from the subscriptions that it left. Values that come meanwhile wait, so that every
// tag's points go out in order.

import type { DataValue } from 'node-opcua-client';
import type { TagObject } from '../../forward/historian-client.ts';
import { sleep } from '../../forward/sleep.ts';
import type { CollectConfig } from '../config.ts';
import type { TagTimes } from '../newest-times.ts';
import type { NamedPoint } from '../point.ts';
import { isAfterOverflow } from './data-value.ts';
import { EarlierSubscriptions } from './earlier-subscriptions.ts';
import { type HistoryRead, readHistory } from './history.ts';
import type { Client } from './library.ts';
import { MissedValues } from './missed-values.ts';
import { findNodes } from './nodes/browse.ts';
import { groupByVariable, type Variable } from './nodes/found-node.ts';
import { LostNodes } from './nodes/lost-nodes.ts';
import { type OperationLimits, readOperationLimits } from './nodes/operation-limits.ts';
import { describeNodes } from './nodes/tag-definitions.ts';
import { PointFlow } from './point-flow.ts';
import { holdAcknowledgements, publishEngineOf } from './publish-engine.ts';
import type { OpenSession } from './session-opener.ts';
import type { SourceClocks } from './source-clocks.ts';
import type { SubscriptionRecord } from './subscription-record.ts';
import { subscribe } from './subscriptions.ts';

const MOST_ROUNDS = 10;
const SILENCE_MS = 12_000;
const LOOK_MS = 1000;
const SHOWN_FAULTS = 5;
/** Recovered points that may wait for the disk. */
const MOST_UNWRITTEN = 5000;
/** BadNodeIdInvalid and BadNodeIdUnknown: what servers say of a variable that is no more. */
const GONE_CODES = [0x80330000, 0x80340000];

export interface LifeOptions {
  readonly open: OpenSession;
  readonly client: typeof Client;
  readonly config: CollectConfig;
  readonly record: SubscriptionRecord;
  readonly timesOf: (tags: readonly string[]) => Promise<(tag: string) => TagTimes | undefined>;
  /** Known over all connections. */
  readonly clocks: SourceClocks;
  readonly define: (tags: readonly TagObject[]) => void;
  readonly store: (points: readonly NamedPoint[]) => void;
  /** Resolves when what was stored is on disk. */
  readonly written: () => Promise<void>;
  /** Resolves at the same moment without hurrying it. */
  readonly kept: () => Promise<void>;
  readonly onUp: () => void;
  /** A reason to begin anew, looked for now and then. */
  readonly reasonToEnd: () => Promise<string | undefined>;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface LifeEnd {
  readonly reason: string;
  /** The connection has broken: its subscriptions may be taken over by the next one. */
  readonly isBroken: boolean;
}

export class ConnectionLife {
  readonly #options: LifeOptions;
  readonly #flow: PointFlow;
  readonly #ended = new AbortController();
  readonly #caughtUp: Promise<void>;
  #tellCaughtUp: () => void = () => undefined;
  #lost: LostNodes | undefined;
  /** Variables whose queue at the server was too short, each with the time from which their history is read. */
  #overflowed = new Map<Variable, number>();
  #isCaughtUp = false;
  #limits: OperationLimits | undefined;
  readonly #missed: MissedValues;
  /** Ids of variables that have had a value on this connection. */
  readonly #seen = new Set<string>();
  #variableCount = 0;
  #end: LifeEnd | undefined;
  #signMs = performance.now();
  #recoveredCount = 0;
  #unwrittenCount = 0;

  constructor(options: LifeOptions) {
    this.#options = options;
    const { client, session } = options.open;
    this.#caughtUp = new Promise((resolve) => {
      this.#tellCaughtUp = resolve;
    });
    this.#flow = new PointFlow({ typeNames: options.client.DataType, store: options.store });
    this.#missed = new MissedValues({
      ...options.open,
      client: options.client,
      clocks: options.clocks,
      flow: this.#flow,
      onRecovered: (count) => this.#recovered(count),
      written: options.written,
      log: options.log,
      signal: this.#ended.signal,
    });
    client.on('connection_lost', () => this.#break('the connection is lost'));
    client.on('close', () => this.#break('the connection is closed'));
    session.on('session_closed', () => this.#break('the session is closed'));
    session.on('keepalive_failure', () => this.#break('the server does not answer'));
    const stop = (): void => this.#stop('the collector stops');
    if (options.signal.aborted) stop();
    options.signal.addEventListener('abort', stop, { signal: this.#ended.signal });
  }

  get filteredCount(): number {
    return this.#flow.filteredCount;
  }

  get overflowedCount(): number {
    return this.#flow.overflowedCount;
  }

  get variableCount(): number {
    return this.#variableCount;
  }

  /** Resolves when it has ended. */
  async run(): Promise<LifeEnd> {
    try {
      await this.#begin();
      await this.#watch();
    } finally {
      this.#ended.abort();
      this.#flow.close();
    }
    return this.#end ?? { reason: '', isBroken: true };
  }

  async #begin(): Promise<void> {
    const { open, client, record, onUp } = this.#options;
    const limits = await readOperationLimits(open.session, client);
    this.#limits = limits;
    const { variables, reads } = await this.#find(limits);
    this.#variableCount = variables.length;
    const engine = publishEngineOf(open.session);
    holdAcknowledgements(engine, async () => {
      await this.#caughtUp;
      await this.#options.kept();
    });
    const earlier = new EarlierSubscriptions(open.session, client, engine);
    await earlier.takeOver(await record.read(open.endpoint));
    const { nodeIds } = earlier;
    this.#flow.catchUpWith(reads.map(({ variable }) => variable));
    this.#flow.catchUpWith(variables.filter(({ nodeId }) => nodeIds.has(nodeId)));
    await this.#subscribe(variables, limits);
    onUp();
    await this.#readHistory(reads, limits);
    await this.#readEarlier(earlier, variables);
    if (this.#ended.signal.aborted) return;
    this.#flow.settle();
    this.#isCaughtUp = true;
    this.#tellCaughtUp();
    if (this.#recoveredCount > 0)
      this.#options.log(`${this.#recoveredCount} points are recovered from ${open.endpoint}`);
  }

  async #find(limits: OperationLimits): Promise<{ variables: Variable[]; reads: HistoryRead[] }> {
    const { open, client, config, define, timesOf } = this.#options;
    const { session } = open;
    const beganMs = performance.now();
    const found = await findNodes({ session, client, limits }, config.nodes);
    const browsedInMs = performance.now() - beganMs;
    const { nodes, tags, faults } = await describeNodes({ session, client, limits }, found.nodes);
    this.#tell([...found.faults, ...faults]);
    define(tags);
    const times = await timesOf(nodes.map(({ tag }) => tag));
    for (const node of nodes) this.#flow.add(node, times(node.tag));
    const ids = new Set(nodes.map(({ nodeId }) => nodeId));
    this.#lost = new LostNodes({ session, client, limits, selections: config.nodes, found: ids, browsedInMs });
    for (const nodeId of found.missing) this.#lost.add(nodeId);
    const variables = groupByVariable(nodes);
    this.#missed.watch(variables, times);
    const reads = variables.flatMap((variable): HistoryRead[] => {
      const lasts = variable.nodes.flatMap(({ tag }) => times(tag)?.last.timeMs ?? []);
      return variable.hasHistory && lasts.length > 0 ? [{ variable, fromMs: Math.min(...lasts) }] : [];
    });
    return { variables, reads };
  }

  async #subscribe(variables: readonly Variable[], limits: OperationLimits): Promise<void> {
    const { open, client, config, record, log } = this.#options;
    const { subscriptions, refused } = await subscribe(variables, {
      session: open.session,
      client,
      publishingMs: config.publishingMs,
      itemsPerRequest: limits.monitor,
      onValue: (variable, value) => this.#take(variable, value),
      onSign: () => this.#sign(),
      onEnd: (reason) => this.#break(reason),
    });
    await record.write(open.endpoint, subscriptions);
    for (const { nodeId } of refused.keys()) this.#lost?.add(nodeId);
    this.#tell([...refused].map(([{ nodeId }, reason]) => `${nodeId} cannot be monitored: ${reason}`));
    log(`${variables.length - refused.size} variables of ${open.endpoint} are subscribed`);
  }

  async #readHistory(reads: readonly HistoryRead[], limits: OperationLimits): Promise<void> {
    if (reads.length === 0) return;
    const { open, client, log } = this.#options;
    const { signal } = this.#ended;
    const failed = new Set<Variable>();
    let why = '';
    for (let round = 0; round === 0 || (round < MOST_ROUNDS && this.#flow.restart()); round++) {
      const outcome = await readHistory(reads, {
        session: open.session,
        client,
        nodesPerRequest: limits.historyRead,
        take: async ({ variable, values }) => {
          for (const value of values) await this.#recovered(this.#flow.takeEarlier(variable, value));
        },
        signal,
      });
      for (const variable of outcome.failed) failed.add(variable);
      why ||= outcome.reason;
    }
    if (signal.aborted) return;
    for (const { variable } of reads)
      if (failed.has(variable)) this.#flow.openHole(variable);
      else this.#flow.fillHole(variable, 'by history');
    if (failed.size > 0)
      log(`the history of ${failed.size} variables cannot be read (${why}): what is missing of them is marked as bad`);
  }

  /** Values that the server has kept for an earlier connection; where its queues were too short, history fills the hole or nothing. */
  async #readEarlier(earlier: EarlierSubscriptions, variables: readonly Variable[]): Promise<void> {
    const { nodeIds } = earlier;
    if (nodeIds.size === 0) return;
    const byId = new Map<string, Variable[]>();
    for (const variable of variables) byId.set(variable.nodeId, [...(byId.get(variable.nodeId) ?? []), variable]);
    const values = await earlier.read();
    if (this.#ended.signal.aborted) return;
    for (const nodeId of nodeIds) for (const variable of byId.get(nodeId) ?? []) this.#flow.fillHole(variable, 'none');
    for (const { nodeId, value } of values)
      for (const variable of byId.get(nodeId) ?? []) await this.#recovered(this.#flow.takeKept(variable, value));
    await this.#options.written();
    await earlier.end();
  }

  async #recovered(count: number): Promise<void> {
    this.#sign();
    this.#recoveredCount += count;
    this.#unwrittenCount += count;
    if (this.#unwrittenCount < MOST_UNWRITTEN) return;
    this.#unwrittenCount = 0;
    await this.#options.written();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#ended;
    const over = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    while (!signal.aborted) {
      await sleep(LOOK_MS, signal);
      if (signal.aborted) return;
      if (performance.now() - this.#signMs > SILENCE_MS) this.#break('the server is silent');
      // Looking at other servers may take long.
      const reason = await Promise.race([this.#lookForReason(), over]);
      if (reason !== undefined) this.#stop(reason);
    }
  }

  async #lookForReason(): Promise<string | undefined> {
    await this.#readOverflowed();
    if (this.#limits !== undefined) await this.#missed.read(this.#limits.historyRead);
    return (await this.#options.reasonToEnd()) ?? (await this.#lost?.look());
  }

  /** What a queue at the server has lost on the way, its history may have. */
  async #readOverflowed(): Promise<void> {
    const overflowed = this.#overflowed;
    if (overflowed.size === 0 || this.#limits === undefined) return;
    this.#overflowed = new Map();
    await this.#readHistory(
      [...overflowed].map(([variable, fromMs]) => ({ variable, fromMs })),
      this.#limits,
    );
    if (this.#ended.signal.aborted) return;
    // Variables whose queue was too short again meanwhile wait for another look.
    this.#flow.settleSome([...overflowed.keys()].filter((variable) => !this.#overflowed.has(variable)));
  }

  /** From now on its values wait for the history. */
  #overflow(variable: Variable): void {
    const fromMs = this.#flow.lastMs(variable);
    if (!this.#isCaughtUp || !variable.hasHistory || fromMs === undefined || this.#overflowed.has(variable)) return;
    this.#overflowed.set(variable, fromMs);
    this.#flow.openHole(variable);
    this.#flow.catchUpWith([variable]);
  }

  #take(variable: Variable, value: DataValue): void {
    if (this.#ended.signal.aborted) return;
    const isChange = this.#seen.has(variable.nodeId);
    // A node that never was there is seen to be absent first: else a server that says so of one it has would be asked without end.
    if (!GONE_CODES.includes(value.statusCode.value)) this.#seen.add(variable.nodeId);
    else if (this.#seen.has(variable.nodeId)) this.#lost?.addGone(variable.nodeId);
    else this.#lost?.add(variable.nodeId);
    if (isAfterOverflow(value)) this.#overflow(variable);
    // The first value of a connection is of any age.
    if (isChange) this.#missed.see(variable, value);
    this.#flow.takeLive(variable, value);
  }

  #sign(): void {
    this.#signMs = performance.now();
  }

  #tell(faults: readonly string[]): void {
    const { log } = this.#options;
    for (const fault of faults.slice(0, SHOWN_FAULTS)) log(fault);
    if (faults.length > SHOWN_FAULTS) log(`and ${faults.length - SHOWN_FAULTS} more of these`);
  }

  #break(reason: string): void {
    this.#finish({ reason, isBroken: true });
  }

  #stop(reason: string): void {
    this.#finish({ reason, isBroken: false });
  }

  #finish(end: LifeEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#ended.abort();
  }
}
