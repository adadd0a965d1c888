// Reads what a server has kept of its variables: raw values from an instant on, page after page, in bounds. A server that gives
// pages without end, the same page again, or no service of the kind, is left.

import type { ClientSession, DataValue, HistoryReadResult } from 'node-opcua-client';
import { messageOf } from '../../forward/errors.ts';
import type { Client } from './library.ts';
import type { Variable } from './nodes/found-node.ts';

const VALUES_PER_NODE = 1000;
const MOST_PAGES = 100_000;
/** Variables of one request begin at one instant: the newest points of them lie at most so far from each other. */
const CLOSE_MS = 600_000;
const AHEAD_MS = 86_400_000;
/** Requests in a row that fail as a whole, before no more are tried. */
const MOST_FAILURES = 3;
const HISTORY_REASON = 'its history ends before its values do';

export interface HistoryRead {
  readonly variable: Variable;
  readonly fromMs: number;
}

export interface HistoryPage {
  readonly variable: Variable;
  readonly values: readonly DataValue[];
}

export interface HistoryOptions {
  readonly session: ClientSession;
  readonly client: typeof Client;
  readonly nodesPerRequest: number;
  /** End of what is read; a day behind now unless given. */
  readonly untilMs?: number;
  /** Takes a page; the next one is asked for when it resolves. */
  readonly take: (page: HistoryPage) => Promise<void>;
  readonly signal: AbortSignal;
}

export interface HistoryOutcome {
  /** Variables whose history could not be read to its end. */
  readonly failed: ReadonlySet<Variable>;
  /** Why, of the first of them. */
  readonly reason: string;
}

export async function readHistory(reads: readonly HistoryRead[], options: HistoryOptions): Promise<HistoryOutcome> {
  const reading = new HistoryReading(options);
  const groups = groupByTime(reads, options.nodesPerRequest);
  for (const group of groups) await reading.run(group);
  return { failed: reading.failed, reason: reading.reason };
}

function groupByTime(reads: readonly HistoryRead[], most: number): HistoryRead[][] {
  const groups: HistoryRead[][] = [];
  for (const read of [...reads].sort((a, b) => a.fromMs - b.fromMs)) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && group.length < most && read.fromMs - group[0].fromMs <= CLOSE_MS) group.push(read);
    else groups.push([read]);
  }
  return groups;
}

interface OpenRead extends HistoryRead {
  readonly continuationPoint?: Buffer;
  /** Time of the last value that came. */
  readonly lastMs?: number;
}

class HistoryReading {
  readonly failed = new Set<Variable>();
  reason = '';
  readonly #options: HistoryOptions;
  #failureCount = 0;

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  async run(reads: readonly HistoryRead[]): Promise<void> {
    const startMs = Math.min(...reads.map(({ fromMs }) => fromMs));
    let open: readonly OpenRead[] = reads;
    for (let page = 0; open.length > 0; page++) {
      if (this.#options.signal.aborted || page >= MOST_PAGES || this.#failureCount >= MOST_FAILURES) {
        this.#fail(open, HISTORY_REASON);
        return;
      }
      try {
        const results = await this.#ask(open, startMs);
        this.#failureCount = 0;
        open = await this.#takeAll(open, results);
      } catch (error) {
        await this.#retry(open, messageOf(error).split('\n')[0] ?? '');
        return;
      }
    }
  }

  /** Some servers answer for one variable what they refuse for many. */
  async #retry(open: readonly OpenRead[], reason: string): Promise<void> {
    if (open.length === 1 || this.#options.signal.aborted) {
      this.#failureCount++;
      this.#fail(open, reason);
      return;
    }
    for (const { variable, fromMs, lastMs } of open) await this.run([{ variable, fromMs: lastMs ?? fromMs }]);
  }

  async #takeAll(open: readonly OpenRead[], results: readonly HistoryReadResult[]): Promise<OpenRead[]> {
    const next: OpenRead[] = [];
    for (const [index, read] of open.entries()) {
      const result = results[index];
      if (result === undefined || !result.statusCode.isGood()) {
        this.#fail([read], result?.statusCode.name ?? 'no answer');
        continue;
      }
      const values = valuesOf(result);
      if (values.length > 0) await this.#options.take({ variable: read.variable, values });
      const continuationPoint: Buffer | undefined = result.continuationPoint;
      if (!continuationPoint?.length) continue;
      const lastMs = timeOf(values.at(-1));
      // A page that is empty, or does not go on in time, would be asked for without end.
      if (lastMs !== undefined && lastMs > (read.lastMs ?? Number.NEGATIVE_INFINITY))
        next.push({ ...read, continuationPoint, lastMs });
      else this.#fail([read], HISTORY_REASON);
    }
    return next;
  }

  #fail(reads: readonly HistoryRead[], reason: string): void {
    if (reads.length > 0 && this.reason === '') this.reason = reason;
    for (const { variable } of reads) this.failed.add(variable);
  }

  async #ask(open: readonly OpenRead[], startMs: number): Promise<HistoryReadResult[]> {
    const { client, session, untilMs } = this.#options;
    const request = new client.HistoryReadRequest({
      historyReadDetails: new client.ReadRawModifiedDetails({
        startTime: new Date(startMs),
        // An end before the start asks for the opposite order; a server's clock may be ahead of this one.
        endTime: new Date(untilMs ?? Math.max(Date.now(), startMs) + AHEAD_MS),
        isReadModified: false,
        numValuesPerNode: VALUES_PER_NODE,
        returnBounds: false,
      }),
      nodesToRead: open.map(({ variable, continuationPoint }) => ({
        nodeId: client.resolveNodeId(variable.nodeId),
        ...(continuationPoint === undefined ? {} : { continuationPoint }),
      })),
      releaseContinuationPoints: false,
      timestampsToReturn: client.TimestampsToReturn.Both,
    });
    const response = await session.historyRead(request);
    return response.results ?? [];
  }
}

function valuesOf(result: HistoryReadResult): readonly DataValue[] {
  const data = result.historyData as { readonly dataValues?: readonly DataValue[] | null } | null;
  return data?.dataValues ?? [];
}

function timeOf(value: DataValue | undefined): number | undefined {
  return (value?.sourceTimestamp ?? value?.serverTimestamp)?.getTime();
}
