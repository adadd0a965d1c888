// Reading the history of servers that answer in every way: in pages, with refusals, with pages without end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientSession } from 'node-opcua-client';
import * as client from 'node-opcua-client';
import { type HistoryRead, readHistory } from '../../../collect/opcua/history.ts';
import type { Variable } from '../../../collect/opcua/nodes/found-node.ts';

const START_MS = 1_700_000_000_000;

interface Asked {
  readonly nodes: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
}

type Page = { readonly times: readonly number[]; readonly more?: boolean } | { readonly refused: client.StatusCode };

/** Answers page by page; `respond` may throw, as a service that fails. */
async function read(reads: readonly HistoryRead[], respond: (node: string, page: number, asked: Asked) => Page) {
  const requests: Asked[] = [];
  const pages = new Map<string, number>();
  const session = {
    historyRead: async (request: client.HistoryReadRequest) => {
      const details = request.historyReadDetails as client.ReadRawModifiedDetails;
      const nodes = (request.nodesToRead ?? []).map(({ nodeId }) => String(nodeId));
      const asked = {
        nodes,
        startMs: Number(details.startTime?.getTime()),
        endMs: Number(details.endTime?.getTime()),
      };
      requests.push(asked);
      return { results: nodes.map((node) => resultOf(respond(node, nextPage(pages, node), asked))) };
    },
  } as unknown as ClientSession;
  const values: string[] = [];
  const outcome = await readHistory(reads, {
    session,
    client,
    nodesPerRequest: 20,
    take: async ({ variable, values: taken }) => {
      for (const { sourceTimestamp } of taken) values.push(`${variable.nodeId} ${Number(sourceTimestamp) - START_MS}`);
    },
    signal: new AbortController().signal,
  });
  return { requests, values, failed: [...outcome.failed].map(({ nodeId }) => nodeId), reason: outcome.reason };
}

function nextPage(pages: Map<string, number>, node: string): number {
  const page = pages.get(node) ?? 0;
  pages.set(node, page + 1);
  return page;
}

function resultOf(page: Page) {
  if ('refused' in page) return { statusCode: page.refused, historyData: null };
  const dataValues = page.times.map((ms) => ({ sourceTimestamp: new Date(START_MS + ms) }));
  const continuationPoint = page.more ? Buffer.from('more') : null;
  return { statusCode: client.StatusCodes.Good, historyData: { dataValues }, continuationPoint };
}

function readsOf(count: number, fromMs = (index: number) => index): HistoryRead[] {
  return Array.from({ length: count }, (_, index) => ({
    variable: { nodeId: `ns=1;i=${index}` } as Variable,
    fromMs: START_MS + fromMs(index),
  }));
}

test('pages are read to their end', async () => {
  const { values, failed, requests } = await read(readsOf(1), (_node, page) => ({ times: [page], more: page < 3 }));
  assert.deepEqual(values, ['ns=1;i=0 0', 'ns=1;i=0 1', 'ns=1;i=0 2', 'ns=1;i=0 3']);
  assert.deepEqual([failed, requests.length], [[], 4]);
});

test('variables whose newest points lie far apart are not read from one instant', async () => {
  const { requests } = await read(
    readsOf(3, (index) => index * 86_400_000),
    () => ({ times: [] }),
  );
  assert.deepEqual(
    requests.map(({ startMs }) => startMs - START_MS),
    [0, 86_400_000, 172_800_000],
  );
});

test('a newest point in the future does not turn the order of reading round', async () => {
  const { requests } = await read(
    readsOf(1, () => 10 * 365 * 86_400_000),
    () => ({ times: [] }),
  );
  assert.ok(requests.every(({ startMs, endMs }) => startMs < endMs));
});

test('pages without end are left: those that are empty, and those that do not go on in time', async () => {
  const empty = await read(readsOf(1), () => ({ times: [], more: true }));
  assert.deepEqual([empty.failed, empty.requests.length], [['ns=1;i=0'], 1]);
  const same = await read(readsOf(1), () => ({ times: [5, 6], more: true }));
  assert.deepEqual([same.failed, same.requests.length], [['ns=1;i=0'], 2]);
  assert.equal(same.reason, 'its history ends before its values do');
});

test('one variable whose history is refused keeps back no other, and the reason is told', async () => {
  const unsupported = client.StatusCodes.BadHistoryOperationUnsupported;
  const { failed, values, reason } = await read(readsOf(3), (node) =>
    node === 'ns=1;i=1' ? { refused: unsupported } : { times: [9] },
  );
  assert.deepEqual(failed, ['ns=1;i=1']);
  assert.deepEqual(values, ['ns=1;i=0 9', 'ns=1;i=2 9']);
  assert.equal(reason, 'BadHistoryOperationUnsupported');
});

test('a request that is too large for the server is asked again for one variable each', async () => {
  const { failed, values } = await read(readsOf(3), (_node, _page, { nodes }) => {
    if (nodes.length > 1) throw new Error('BadTooManyOperations (0x80100000)');
    return { times: [9] };
  });
  assert.deepEqual([failed, values.length], [[], 3]);
});

test('a server without the service is asked a few times only, and everything is marked', async () => {
  const { failed, requests, reason } = await read(readsOf(100), () => {
    throw new Error('BadServiceUnsupported (0x800b0000)\nwith more');
  });
  assert.equal(failed.length, 100);
  assert.ok(requests.length < 10, `${requests.length} requests`);
  assert.equal(reason, 'BadServiceUnsupported (0x800b0000)');
});
