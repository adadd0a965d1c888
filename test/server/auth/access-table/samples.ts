// A request to each route, and what answers it when it is admitted.

import assert from 'node:assert/strict';
import { ROUTE_NEEDS, type RouteNeed } from '../../../../server/auth/rules/route-rules.ts';
import { clients } from './tokens.ts';

export interface Sample {
  readonly need: RouteNeed;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The body, as it stands. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** When it is admitted. */
  readonly status: number;
}

function tokenRequest(id: string, secret: string): object {
  return { grant_type: 'client_credentials', client_id: id, client_secret: secret };
}

export const D = '/api/datasets/Line%201';
/** Stands for the id of a view that is there. */
export const VIEW_ID = '00000000000000000000';
/** Stands for the id of an annotation that is there. */
export const ANNOTATION_ID = '999999999';
const ANNOTATION = { start: '2026-01-01T00:00:00Z', text: 'Shift change' };
export const VIEW = { kind: 'trend', name: 'Shared', folder: '', datasets: ['Line 1'], content: {} } as const;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const SAMPLES: Readonly<Record<string, Omit<Sample, 'need' | 'method'>>> = {
  'GET /api/datasets': { path: '/api/datasets', status: 200 },
  'POST /api/datasets': { path: '/api/datasets', body: { n: 'Line 2', pa: 0, ps: 0 }, status: 201 },
  'GET /api/datasets/{dataset}': { path: D, status: 200 },
  'POST /api/datasets/{dataset}': { path: D, body: { n: 'Line 1', pa: 9, ps: 0 }, status: 200 },
  'DELETE /api/datasets/{dataset}': { path: D, status: 200 },
  'GET /api/datasets/{dataset}/exists': { path: `${D}/exists`, status: 200 },
  'GET /api/datasets/{dataset}/tags': { path: `${D}/tags`, status: 200 },
  'POST /api/datasets/{dataset}/tags': { path: `${D}/tags`, body: [{ n: 'New' }], status: 200 },
  'DELETE /api/datasets/{dataset}/tags': { path: `${D}/tags`, body: ['T'], status: 200 },
  'GET /api/datasets/{dataset}/tags/{tagname}': { path: `${D}/tags/T`, status: 200 },
  'POST /api/datasets/{dataset}/tags/{tagname}': { path: `${D}/tags/T`, body: { n: 'T', d: 'x' }, status: 200 },
  'DELETE /api/datasets/{dataset}/tags/{tagname}': { path: `${D}/tags/T`, status: 200 },
  'POST /api/datasets/{dataset}/tags/{tagname}/rename': {
    path: `${D}/tags/T/rename`,
    body: { name: 'T2' },
    status: 200,
  },
  'GET /api/datasets/{dataset}/data': { path: `${D}/data?tagname=T`, status: 200 },
  'POST /api/datasets/{dataset}/data': { path: `${D}/data`, body: { T: [{ v: 2 }] }, status: 200 },
  'DELETE /api/datasets/{dataset}/data': {
    path: `${D}/data?tagname=T&start=2000-01-01T00:00:00Z`,
    status: 200,
  },
  'GET /api/datasets/{dataset}/data/{tagname}': { path: `${D}/data/T`, status: 200 },
  'POST /api/datasets/{dataset}/data/{tagname}': { path: `${D}/data/T`, body: [{ v: 2 }], status: 200 },
  'GET /api/datasets/{dataset}/statistics': { path: `${D}/statistics?tagname=T&relativeStart=-1d`, status: 200 },
  'POST /api/datasets/{dataset}/statistics': {
    path: `${D}/statistics`,
    body: { tagname: ['T'], relativeStart: '-1d' },
    status: 200,
  },
  'GET /api/datasets/{dataset}/changes': { path: `${D}/changes`, status: 200 },
  'POST /api/datasets/{dataset}/changes': { path: `${D}/changes`, body: {}, status: 200 },
  'GET /api/datasets/{dataset}/corrections': { path: `${D}/corrections`, status: 200 },
  'POST /api/datasets/{dataset}/corrections': {
    path: `${D}/corrections?tagname=T&kind=delete&start=2000-01-01T00:00:00Z&preview=true`,
    status: 200,
  },
  'GET /api/datasets/{dataset}/corrections/{correction}': { path: `${D}/corrections/1`, status: 404 },
  'POST /api/datasets/{dataset}/corrections/{correction}/undo': { path: `${D}/corrections/1/undo`, status: 404 },
  'POST /api/datasets/{dataset}/read': { path: `${D}/read`, body: { tagname: ['T'] }, status: 200 },
  // With a tag that is there it would not end.
  'GET /api/datasets/{dataset}/live': { path: `${D}/live?tagname=none`, status: 404 },
  'GET /api/datasets/{dataset}/status': { path: `${D}/status`, status: 200 },
  'POST /api/datasets/{dataset}/status': { path: `${D}/status`, body: { q: 192 }, status: 200 },
  'GET /api/datasets/{dataset}/annotations': { path: `${D}/annotations`, status: 200 },
  'POST /api/datasets/{dataset}/annotations': { path: `${D}/annotations`, body: ANNOTATION, status: 201 },
  'GET /api/datasets/{dataset}/annotations/{annotation}': { path: `${D}/annotations/${ANNOTATION_ID}`, status: 200 },
  'PUT /api/datasets/{dataset}/annotations/{annotation}': {
    path: `${D}/annotations/${ANNOTATION_ID}`,
    body: ANNOTATION,
    headers: { 'if-match': '*' },
    status: 200,
  },
  'DELETE /api/datasets/{dataset}/annotations/{annotation}': { path: `${D}/annotations/${ANNOTATION_ID}`, status: 200 },
  'GET /api/views': { path: '/api/views', status: 200 },
  'POST /api/views': { path: '/api/views', body: VIEW, status: 201 },
  'GET /api/views/{view}': { path: `/api/views/${VIEW_ID}`, status: 200 },
  'PUT /api/views/{view}': { path: `/api/views/${VIEW_ID}`, body: VIEW, headers: { 'if-match': '*' }, status: 200 },
  'DELETE /api/views/{view}': { path: `/api/views/${VIEW_ID}`, status: 200 },
  'GET /metrics': { path: '/metrics', status: 200 },
  'GET /api/sources': { path: '/api/sources', status: 200 },
  'POST /api/sources/opcua': { path: '/api/sources/opcua', body: { endpoint: 'none' }, status: 400 },
  'POST /api/sources/opcua/browse': { path: '/api/sources/opcua/browse', body: {}, status: 404 },
  'DELETE /api/sources/opcua': { path: '/api/sources/opcua', status: 200 },
  'GET /api/copies': { path: '/api/copies', status: 200 },
  'POST /mcp': { path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'ping' }, status: 200 },
  'GET /i3x/v1/info': { path: '/i3x/v1/info', status: 200 },
  'GET /i3x/v1/namespaces': { path: '/i3x/v1/namespaces', status: 200 },
  'GET /i3x/v1/objecttypes': { path: '/i3x/v1/objecttypes', status: 200 },
  'POST /i3x/v1/objecttypes/query': { path: '/i3x/v1/objecttypes/query', body: { elementIds: [] }, status: 200 },
  'GET /i3x/v1/relationshiptypes': { path: '/i3x/v1/relationshiptypes', status: 200 },
  'POST /i3x/v1/relationshiptypes/query': {
    path: '/i3x/v1/relationshiptypes/query',
    body: { elementIds: [] },
    status: 200,
  },
  'GET /i3x/v1/objects': { path: '/i3x/v1/objects', status: 200 },
  'POST /i3x/v1/objects/list': { path: '/i3x/v1/objects/list', body: { elementIds: [] }, status: 200 },
  'POST /i3x/v1/objects/related': { path: '/i3x/v1/objects/related', body: { elementIds: [] }, status: 200 },
  'POST /i3x/v1/objects/value': { path: '/i3x/v1/objects/value', body: { elementIds: [] }, status: 200 },
  'POST /i3x/v1/objects/history': {
    path: '/i3x/v1/objects/history',
    body: { elementIds: [], startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' },
    status: 200,
  },
  'PUT /i3x/v1/objects/value': { path: '/i3x/v1/objects/value', body: { updates: [] }, status: 200 },
  'PUT /i3x/v1/objects/history': { path: '/i3x/v1/objects/history', body: { updates: [] }, status: 200 },
  'POST /i3x/v1/subscriptions': { path: '/i3x/v1/subscriptions', body: { clientId: 'c' }, status: 200 },
  'POST /i3x/v1/subscriptions/list': {
    path: '/i3x/v1/subscriptions/list',
    body: { clientId: 'c', subscriptionIds: [] },
    status: 200,
  },
  'POST /i3x/v1/subscriptions/register': {
    path: '/i3x/v1/subscriptions/register',
    body: { clientId: 'c', subscriptionId: 'none', elementIds: [] },
    status: 404,
  },
  'POST /i3x/v1/subscriptions/unregister': {
    path: '/i3x/v1/subscriptions/unregister',
    body: { clientId: 'c', subscriptionId: 'none', elementIds: [] },
    status: 404,
  },
  'POST /i3x/v1/subscriptions/sync': {
    path: '/i3x/v1/subscriptions/sync',
    body: { clientId: 'c', subscriptionId: 'none', elementIds: [] },
    status: 404,
  },
  'POST /i3x/v1/subscriptions/stream': {
    path: '/i3x/v1/subscriptions/stream',
    body: { clientId: 'c', subscriptionId: 'none', elementIds: [] },
    status: 404,
  },
  'POST /i3x/v1/subscriptions/delete': {
    path: '/i3x/v1/subscriptions/delete',
    body: { clientId: 'c', subscriptionIds: [] },
    status: 200,
  },
  'GET /i3x/namespaces': { path: '/i3x/namespaces', status: 200 },
  'GET /i3x/objects': { path: '/i3x/objects', status: 200 },
  'POST /i3x/objects/list': { path: '/i3x/objects/list', body: { elementIds: [] }, status: 200 },
  'POST /i3x/objects/value': { path: '/i3x/objects/value', body: { elementIds: [] }, status: 200 },
  'POST /i3x/objects/history': {
    path: '/i3x/objects/history',
    body: { elementIds: [], startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' },
    status: 200,
  },
  // Without a dataset in their path these leave out what the token may not read.
  'GET /prometheus/api/v1/query': { path: '/prometheus/api/v1/query?query=varve_value', status: 200 },
  'GET /prometheus/api/v1/query_range': {
    path: '/prometheus/api/v1/query_range?query=varve_value&start=0&end=60&step=30',
    status: 200,
  },
  'GET /prometheus/api/v1/labels': { path: '/prometheus/api/v1/labels', status: 200 },
  'GET /prometheus/api/v1/label/{label}/values': { path: '/prometheus/api/v1/label/tag/values', status: 200 },
  'GET /prometheus/api/v1/series': { path: '/prometheus/api/v1/series?match%5B%5D=varve_value', status: 200 },
  'GET /prometheus/api/v1/metadata': { path: '/prometheus/api/v1/metadata', status: 200 },
  'GET /prometheus/api/v1/status/buildinfo': { path: '/prometheus/api/v1/status/buildinfo', status: 200 },
  'GET /prometheus/api/v1/rules': { path: '/prometheus/api/v1/rules', status: 200 },
  'GET /prometheus/api/v1/query_exemplars': { path: '/prometheus/api/v1/query_exemplars?query=test', status: 200 },
  'POST /prometheus/api/v1/query': { path: '/prometheus/api/v1/query?query=varve_value', headers: FORM, status: 200 },
  'POST /prometheus/api/v1/query_range': {
    path: '/prometheus/api/v1/query_range?query=varve_value&start=0&end=60&step=30',
    headers: FORM,
    status: 200,
  },
  'POST /prometheus/api/v1/labels': { path: '/prometheus/api/v1/labels', headers: FORM, status: 200 },
  'POST /prometheus/api/v1/label/{label}/values': {
    path: '/prometheus/api/v1/label/tag/values',
    headers: FORM,
    status: 200,
  },
  'POST /prometheus/api/v1/series': {
    path: '/prometheus/api/v1/series?match%5B%5D=varve_value',
    headers: FORM,
    status: 200,
  },
  'POST /prometheus/api/v1/metadata': { path: '/prometheus/api/v1/metadata', headers: FORM, status: 200 },
  'POST /prometheus/api/v1/status/buildinfo': {
    path: '/prometheus/api/v1/status/buildinfo',
    headers: FORM,
    status: 200,
  },
  'POST /prometheus/api/v1/rules': { path: '/prometheus/api/v1/rules', headers: FORM, status: 200 },
  'POST /prometheus/api/v1/query_exemplars': {
    path: '/prometheus/api/v1/query_exemplars?query=test',
    headers: FORM,
    status: 200,
  },
  'GET /grafana': { path: '/grafana', status: 200 },
  'POST /grafana/metrics': { path: '/grafana/metrics', body: {}, status: 200 },
  'POST /grafana/metric-payload-options': { path: '/grafana/metric-payload-options', body: {}, status: 200 },
  'POST /grafana/query': {
    path: '/grafana/query',
    body: { range: { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }, targets: [] },
    status: 200,
  },
  'POST /grafana/variable': { path: '/grafana/variable', body: {}, status: 200 },
  'POST /grafana/tag-keys': { path: '/grafana/tag-keys', body: {}, status: 200 },
  'POST /grafana/tag-values': { path: '/grafana/tag-values', body: {}, status: 200 },
  'GET /odata': { path: '/odata', status: 200 },
  'GET /odata/{resource}': { path: '/odata/Datasets', status: 200 },
  'POST /auth/token': {
    path: '/auth/token',
    body: tokenRequest(clients.read.id, clients.read.secret),
    status: 200,
  },
  'GET /auth/.well-known/openid-configuration': { path: '/auth/.well-known/openid-configuration', status: 200 },
  'GET /auth/caller': { path: '/auth/caller', status: 200 },
  'GET /': { path: '/', status: 200 },
  // These servers have no built page.
  'GET /explorer/{file}': { path: '/explorer/index.js', status: 404 },
  'GET /api/help': { path: '/api/help', status: 200 },
  'GET /docs': { path: '/docs', status: 200 },
  'GET /docs/{page}': { path: '/docs/explorer', status: 200 },
  'GET /docs/images/{file}': { path: '/docs/images/explorer-dark.png', status: 200 },
  'GET /api/help/{file}': { path: '/api/help/start.js', status: 200 },
  'GET /api/v1.json': { path: '/api/v1.json', status: 200 },
  'GET /health': { path: '/health', status: 200 },
  'GET /ready': { path: '/ready', status: 200 },
  'GET /ping': { path: '/ping', status: 204 },
  'POST /write': { path: '/write?db=Line%201', text: 'T,new=1 v=2 1', status: 204 },
  'POST /api/v2/write': { path: '/api/v2/write?bucket=Line%201', text: 'T,new=2 v=2 1', status: 204 },
  'GET /query': { path: '/query?q=SHOW+DATABASES', status: 200 },
  'POST /query': { path: '/query?q=SHOW+DATABASES', status: 200 },
};

export const samples: readonly Sample[] = [
  ...Object.entries(ROUTE_NEEDS).map(([key, need]) => {
    const sample = SAMPLES[key];
    assert.ok(sample, `no sample for ${key}`);
    return { ...sample, need, method: key.split(' ')[0] as string };
  }),
  // The body makes a deletion of it.
  { need: 'admin', method: 'POST', path: `${D}/tags`, body: ['T'], status: 200 },
  ...[
    tokenRequest(clients.read.id, clients.write.secret),
    tokenRequest('nobody', clients.read.secret),
    tokenRequest(clients.revoked.id, clients.revoked.secret),
    tokenRequest(clients.expired.id, clients.expired.secret),
  ].map((body) => ({ need: 'client', method: 'POST', path: '/auth/token', body, status: 401 }) as const),
];
