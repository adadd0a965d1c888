// How much a server lets be asked for in one request. What it does not say, or does not limit, has the limits of this project.

import type { ClientSession } from 'node-opcua-client';
import type { Client } from '../library.ts';

export interface OperationLimits {
  readonly read: number;
  readonly browse: number;
  readonly monitor: number;
  readonly historyRead: number;
}

const OWN: OperationLimits = { read: 600, browse: 50, monitor: 1000, historyRead: 20 };
/** MaxNodesPerRead, MaxNodesPerBrowse, MaxMonitoredItemsPerCall, MaxNodesPerHistoryReadData. */
const NODES: Readonly<Record<keyof OperationLimits, string>> = {
  read: 'ns=0;i=11705',
  browse: 'ns=0;i=11710',
  monitor: 'ns=0;i=11714',
  historyRead: 'ns=0;i=12165',
};

export async function readOperationLimits(session: ClientSession, client: typeof Client): Promise<OperationLimits> {
  const names = Object.keys(OWN) as (keyof OperationLimits)[];
  const limits = { ...OWN };
  for (const name of names) {
    const answer = await session.read({ nodeId: NODES[name], attributeId: client.AttributeIds.Value });
    const told: unknown = answer.statusCode.isGood() ? answer.value.value : undefined;
    if (typeof told === 'number' && told > 0) limits[name] = Math.min(limits[name], told);
  }
  return limits;
}
