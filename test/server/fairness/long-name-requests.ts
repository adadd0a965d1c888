// What is asked of tags with the longest names and with long definitions: menus of charting tools, lists, pages for models.

import assert from 'node:assert/strict';
import {
  type ExpensiveRequest,
  type FairnessContext,
  inSlice,
  odd,
  sized,
  take,
  takeAll,
} from './expensive-request.ts';

const DATASET = 'FairLongNames';
const DEFINED = 'FairDefinitions';
/** Without it short names of other datasets fill the list, where all rows share a server. */
const SELECTOR = encodeURIComponent(`varve_value{dataset="${DATASET}"}`);
const JSON_TYPE = { 'content-type': 'application/json' };
const MCP_TYPES = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };
const NAMES_A_WRITE = 3000;
/** The most tags of a page for models, and the most calls of a body. */
const PAGE_TAGS = 500;
const CALLS = 20;
/** Not ASCII, as descriptions often are: 32,200 characters take 60,000 bytes. */
const DESCRIPTION = 'рецепт '.repeat(4600);

/** 1,024 bytes, of which JSON makes twice as many. */
function nameOf(i: number): string {
  return `T${i}/`.padEnd(1024, '"');
}

async function post(context: FairnessContext, path: string, body: object): Promise<void> {
  const { status } = await take(context, 'POST', path, { headers: JSON_TYPE, body: JSON.stringify(body) });
  assert.equal(status, 200, path);
}

function longNames(context: FairnessContext): Promise<void> {
  return context.once('long names', async () => {
    const count = sized(context, 9000, 40_000);
    for (let from = 0; from < count; from += NAMES_A_WRITE) {
      const names = Array.from({ length: NAMES_A_WRITE }, (_, i) => nameOf(from + i));
      const points = Object.fromEntries(names.map((name, i) => [name, [{ v: i }]]));
      await post(context, `/api/datasets/${DATASET}/data`, points);
    }
  });
}

function define(context: FairnessContext): Promise<void> {
  const tags = Array.from({ length: 250 }, (_, i) => ({ n: `M${i}`, d: DESCRIPTION }));
  return post(context, `/api/datasets/${DEFINED}/tags`, tags);
}

function ofLongNames(name: string, path: string, body?: object): ExpensiveRequest {
  return {
    name,
    setUp: longNames,
    send: (context) =>
      takeAll(context, path, { minBytes: 9_000_000, ...(body && { body: JSON.stringify(body), headers: JSON_TYPE }) }),
  };
}

function pagesForModels(name: string, dataset: string, setUp: ExpensiveRequest['setUp']): ExpensiveRequest {
  const params = { name: 'list_tags', arguments: { dataset, limit: PAGE_TAGS } };
  const calls = Array.from({ length: CALLS }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  return {
    name,
    ...(setUp && { setUp }),
    send: (context) =>
      takeAll(context, '/mcp', { headers: MCP_TYPES, body: JSON.stringify(calls), minBytes: 2_000_000 }),
  };
}

export const longNameRequests: readonly ExpensiveRequest[] = [
  inSlice(ofLongNames('a menu of tags with very long names', '/grafana/variable', { payload: { target: DATASET } })),
  ofLongNames('values of a label that are very long', `/prometheus/api/v1/label/tag/values?match%5B%5D=${SELECTOR}`),
  pagesForModels('twenty pages of tags with very long names', DATASET, longNames),
  odd({ name: 'definitions with long descriptions', send: define }),
  inSlice(pagesForModels('twenty pages of tags with long descriptions', DEFINED, define)),
];
