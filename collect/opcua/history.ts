// Reads what a server has kept of its variables: raw values from an instant on, page after page, in bounds. A server that gives
// pages without end, or the same page again, is left.

import type { ClientSession, DataValue, HistoryReadResult } from 'node-opcua-client';
import type { DescribedNode } from './found-node.ts';
import type { Client } from './library.ts';

const NODES_PER_REQUEST = 20;
const VALUES_PER_NODE = 1000;
const MOST_PAGES = 100_000;

export interface HistoryRead {
  readonly node: DescribedNode;
  readonly from: Date;
}

export interface HistoryPage {
  readonly node: DescribedNode;
  readonly values: readonly DataValue[];
}

export interface HistoryOptions {
  readonly session: ClientSession;
  readonly client: typeof Client;
  readonly to: Date;
  /** Takes a page; the next one is asked for when it resolves. */
  readonly take: (page: HistoryPage) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Gives the nodes whose history could not be read to its end. */
export async function readHistory(reads: readonly HistoryRead[], options: HistoryOptions): Promise<DescribedNode[]> {
  const failed: DescribedNode[] = [];
  for (let from = 0; from < reads.length; from += NODES_PER_REQUEST) {
    if (options.signal.aborted) return failed;
    failed.push(...(await readGroup(reads.slice(from, from + NODES_PER_REQUEST), options)));
  }
  return failed;
}

interface OpenRead extends HistoryRead {
  readonly continuationPoint?: Buffer;
}

/** Nodes of one request begin at the earliest instant of them: what is stored already is told by its time. */
async function readGroup(reads: readonly HistoryRead[], options: HistoryOptions): Promise<DescribedNode[]> {
  const failed: DescribedNode[] = [];
  const start = new Date(Math.min(...reads.map(({ from }) => from.getTime())));
  let open: OpenRead[] = [...reads];
  for (let page = 0; open.length > 0; page++) {
    if (options.signal.aborted || page >= MOST_PAGES) return [...failed, ...open.map(({ node }) => node)];
    const results = await ask(open, start, options);
    const next: OpenRead[] = [];
    for (const [index, read] of open.entries()) {
      const result = results[index];
      if (result === undefined || !result.statusCode.isGood()) {
        failed.push(read.node);
        continue;
      }
      const values = valuesOf(result);
      if (values.length > 0) await options.take({ node: read.node, values });
      const continuationPoint: Buffer | undefined = result.continuationPoint;
      const goesOn = continuationPoint !== undefined && continuationPoint !== null && continuationPoint.length > 0;
      // An empty page that promises more would be asked for without end.
      if (goesOn && values.length > 0) next.push({ ...read, continuationPoint });
      else if (goesOn) failed.push(read.node);
    }
    open = next;
  }
  return failed;
}

async function ask(open: readonly OpenRead[], start: Date, options: HistoryOptions): Promise<HistoryReadResult[]> {
  const { client, session, to } = options;
  const request = new client.HistoryReadRequest({
    historyReadDetails: new client.ReadRawModifiedDetails({
      startTime: start,
      endTime: to,
      isReadModified: false,
      numValuesPerNode: VALUES_PER_NODE,
      returnBounds: false,
    }),
    nodesToRead: open.map(({ node, continuationPoint }) => ({
      nodeId: client.resolveNodeId(node.nodeId),
      ...(continuationPoint === undefined ? {} : { continuationPoint }),
    })),
    releaseContinuationPoints: false,
    timestampsToReturn: client.TimestampsToReturn.Both,
  });
  const response = await session.historyRead(request);
  return response.results ?? [];
}

function valuesOf(result: HistoryReadResult): readonly DataValue[] {
  const data = result.historyData as { readonly dataValues?: readonly DataValue[] | null } | null;
  return data?.dataValues ?? [];
}
