// Every route x every state of a token, of a client's too x every kind of Host x every kind of origin, against what the
// policy says. Over node:http, behind which the policy is the same, each two of these meet but not each three: all of them
// there, too, with EXTENT=full.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { includesRole, ROLES, type Role } from '../../../server/auth/rules/role.ts';
import { ROUTE_NEEDS, type RouteNeed } from '../../../server/auth/rules/route-rules.ts';
import { doorProblemForms } from '../../../server/doors/doors.ts';
import type { HttpAnswer } from '../../support/http-client.ts';
import {
  type AccessServer,
  bearer,
  clientToken,
  makeClient,
  makeToken,
  startAccessServer,
} from './support/access-server.ts';

const FOREIGN = 'http://evil.example';
const ALLOWED = 'https://dashboard.example';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Sample {
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

/** Whose the view is: all that may write here have this name. */
const OWNER = 'Shift';

const clients = {
  read: makeClient('read', ['Line*']),
  write: makeClient('write', ['Line*'], { name: OWNER }),
  admin: makeClient('admin', ['*']),
  revoked: makeClient('admin', ['*'], { revoked: '2026-01-02T00:00:00.000Z' }),
  expired: makeClient('admin', ['*'], { expires: '2026-01-02T00:00:00.000Z' }),
  'other dataset': makeClient('admin', ['Other']),
};

function tokenRequest(id: string, secret: string): object {
  return { grant_type: 'client_credentials', client_id: id, client_secret: secret };
}

const D = '/api/datasets/Line%201';
/** Stands for the id of a view that is there. */
const VIEW_ID = '00000000000000000000';
/** Stands for the id of an annotation that is there. */
const ANNOTATION_ID = '999999999';
const ANNOTATION = { start: '2026-01-01T00:00:00Z', text: 'Shift change' };
const VIEW = { kind: 'trend', name: 'Shared', folder: '', datasets: ['Line 1'], content: {} } as const;
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

const samples: readonly Sample[] = [
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

const made = {
  read: makeToken('read', ['Line*']),
  write: makeToken('write', ['Other', 'Line*'], { name: OWNER }),
  admin: makeToken('admin', ['*ine *']),
  revoked: makeToken('admin', ['*'], { revoked: '2026-01-02T00:00:00.000Z' }),
  expired: makeToken('admin', ['*'], { expires: '2026-01-02T00:00:00.000Z' }),
  'other dataset': makeToken('admin', ['Other', 'Line', 'line*', '*Line']),
};
const unknown = makeToken('admin', ['*']);
const valid = made.admin;

interface TokenState {
  readonly name: string;
  readonly authorization: string | undefined;
  readonly meaning: Role | 'none' | 'invalid' | 'other dataset';
}

const STATES: readonly TokenState[] = [
  { name: 'none', authorization: undefined, meaning: 'none' },
  ...ROLES.map((role) => ({ name: role, authorization: `Bearer ${made[role].token}`, meaning: role })),
  { name: 'scheme in small letters', authorization: `bearer  ${made.read.token}`, meaning: 'read' },
  { name: 'unknown', authorization: `Bearer ${unknown.token}`, meaning: 'invalid' },
  { name: 'revoked', authorization: `Bearer ${made.revoked.token}`, meaning: 'invalid' },
  { name: 'expired', authorization: `Bearer ${made.expired.token}`, meaning: 'invalid' },
  { name: 'secret of another', authorization: `Bearer ${mixed(valid.token, unknown.token)}`, meaning: 'invalid' },
  { name: 'cut off', authorization: `Bearer ${valid.token.slice(0, -1)}`, meaning: 'invalid' },
  { name: 'another scheme', authorization: `Basic ${valid.token}`, meaning: 'invalid' },
  { name: 'two', authorization: `Bearer ${valid.token}, Bearer ${valid.token}`, meaning: 'invalid' },
  { name: 'other dataset', authorization: `Bearer ${made['other dataset'].token}`, meaning: 'other dataset' },
  ...ROLES.map((role) => ({
    name: `client's, ${role}`,
    authorization: `Bearer ${clientToken(clients[role], HOUR_MS)}`,
    meaning: role,
  })),
  {
    name: "client's, other dataset",
    authorization: `Bearer ${clientToken(clients['other dataset'], HOUR_MS)}`,
    meaning: 'other dataset',
  },
  ...[
    clientToken(clients.admin, -1000),
    clientToken(clients.revoked, HOUR_MS),
    clientToken(clients.expired, HOUR_MS),
    mixed(clientToken(clients.admin, HOUR_MS), clientToken(clients.write, HOUR_MS)),
    mixed(clientToken(clients.admin, HOUR_MS), clientToken(clients.admin, 2 * HOUR_MS), 29),
    clients.admin.secret,
    `varve_${clients.admin.entry.id}_${clients.admin.secret}`,
  ].map((token, index) => ({
    name: `client's, ${['lapsed', 'of one revoked', 'of one expired', 'of two', 'prolonged', 'secret', 'secret as token'][index]}`,
    authorization: `Bearer ${token}`,
    meaning: 'invalid' as const,
  })),
];

/** The id of one token with the secret of another; with 29, of a client's, the time of one with the signature of another. */
function mixed(first: string, second: string, length = 15): string {
  return `${first.slice(0, length)}${second.slice(length)}`;
}

const ORIGINS = ['none', 'own', 'foreign', 'allowed'] as const;
const HOSTS = ['own', 'local', 'foreign'] as const;

interface Site {
  readonly host: (typeof HOSTS)[number];
  /** `own`: that of the Host, whatever that is. */
  readonly origin: (typeof ORIGINS)[number];
}

const SITES: readonly Site[] = HOSTS.flatMap((host) => ORIGINS.map((origin) => ({ host, origin })));

/** Refused before anybody looks at what the route is. */
function isCrossSite(sample: Sample, state: TokenState, { host, origin }: Site): boolean {
  if (sample.method === 'GET') return false;
  if (origin === 'foreign') return true;
  if (host !== 'foreign') return false;
  if (sample.need === 'client') return clientStatus(sample, state) !== 200;
  return state.meaning === 'none' || state.meaning === 'invalid';
}

/** The header says who the client is when it is Basic, and this one says nothing. */
function clientStatus(sample: Sample, state: TokenState): number {
  return state.name === 'another scheme' ? 401 : sample.status;
}

const FILTERED = ['/api/datasets', '/api/views', '/metrics', '/api/sources', '/api/copies', '/auth/caller'];
/** Doors whose routes show what the token is for. */
const FILTERED_DOORS = ['/i3x/', '/mcp', '/prometheus/', '/grafana', '/query'];
/** Paths whose errors are in the form of another standard. */
const FOREIGN_FORMS = doorProblemForms([]).map(({ prefix }) => prefix);

function expectedStatus(sample: Sample, state: TokenState, site: Site): number {
  const { need } = sample;
  if (isCrossSite(sample, state, site)) return 403;
  if (need === 'client') return clientStatus(sample, state);
  if (need === 'probe' || need === 'page') return sample.status;
  if (state.meaning === 'none' || state.meaning === 'invalid') return 401;
  // These show what the token is for, and that is nothing here.
  const isFiltered =
    FILTERED_DOORS.some((door) => sample.path.startsWith(door)) ||
    (sample.method === 'GET' && FILTERED.includes(sample.path));
  if (state.meaning === 'other dataset') return isFiltered ? sample.status : 403;
  return includesRole(state.meaning, need) ? sample.status : 403;
}

function hostHeader({ host }: Site, port: number): string {
  return { own: `127.0.0.1:${port}`, local: 'historian-timebase', foreign: `evil.example:${port}` }[host];
}

function originHeader(site: Site, port: number): string | undefined {
  const headers = { none: undefined, own: `http://${hostHeader(site, port)}`, foreign: FOREIGN, allowed: ALLOWED };
  return headers[site.origin];
}

async function prepare({ engine, http, views }: AccessServer): Promise<void> {
  for (const { id } of views.heads()) await views.delete(id, () => {}, 'test');
  const { content: _, ...definition } = VIEW;
  await views.create({ definition, owner: OWNER, content: '{}' }, 'test');
  if (engine.hasDataset('Line 2')) await engine.deleteDataset('Line 2');
  await engine.updateDataset({ name: 'Line 1', purgeAgeDays: 0, purgeSizeGb: 0 });
  const names = (await engine.tags('Line 1')).user.map(({ name }) => name);
  if (names.length > 0) await engine.deleteTags('Line 1', names);
  for (const { id } of engine.annotations('Line 1')) await engine.deleteAnnotation('Line 1', id, () => {});
  const content = { start: { ms: 0, ticks: 0 }, end: undefined, tag: undefined, text: 'Shift change' };
  await engine.createAnnotation('Line 1', content, OWNER);
  const written = await http.post(`${D}/data/T`, [{ v: 1 }], bearer(valid.token));
  assert.equal(written.status, 200, written.text);
}

/** All that a refused request could have changed. */
async function snapshot({ engine, views }: AccessServer): Promise<unknown> {
  const cursor = engine.read('Line 1', { ...NEWEST, tags: ['T'] }).open(0);
  const { points, start, end } = (await cursor.next()) ?? { points: undefined, start: 0, end: 0 };
  cursor.close();
  const rules = engine.datasets().map(({ name, purgeAgeDays }) => [name, purgeAgeDays]);
  return {
    times: points?.timesMs.slice(start, end),
    rules,
    views: views.heads(),
    annotations: engine.annotations('Line 1'),
    tags: (await engine.tags('Line 1')).user,
  };
}

const NEWEST = { range: { kind: 'newest' }, carryIn: false, skipMissing: false, limit: undefined, after: [] } as const;

function send(server: AccessServer, sample: Sample, state: TokenState, site: Site): Promise<HttpAnswer> {
  const origin = originHeader(site, server.port);
  const headers = {
    host: hostHeader(site, server.port),
    ...sample.headers,
    ...(state.authorization === undefined ? {} : { authorization: state.authorization }),
    ...(origin === undefined ? {} : { origin }),
  };
  const path = sample.path
    .replace(VIEW_ID, server.views.heads()[0]?.id ?? '')
    .replace(ANNOTATION_ID, String(annotationIdOf(server)));
  if (sample.method === 'GET') return server.http.get(path, headers);
  if (sample.text !== undefined) return server.http.postText(path, sample.text, headers);
  if (sample.method === 'POST') return server.http.post(path, sample.body, headers);
  if (sample.method === 'PUT') return server.http.put(path, sample.body, headers);
  return server.http.delete(path, sample.body, headers);
}

/** A dataset that a request has deleted has none. */
function annotationIdOf({ engine }: AccessServer): number {
  return engine.hasDataset('Line 1') ? (engine.annotations('Line 1')[0]?.id ?? 0) : 0;
}

function describeRequest(sample: Sample, state: TokenState, { host, origin }: Site): string {
  const body = sample.need === 'client' ? ` ${JSON.stringify(sample.body)}` : '';
  return `${sample.method} ${sample.path}${body}, token ${state.name}, Host ${host}, origin ${origin}`;
}

function assertAnswer(answer: HttpAnswer, sample: Sample, state: TokenState, site: Site): void {
  const what = `${describeRequest(sample, state, site)}: ${answer.text.slice(0, 200)}`;
  const expected = expectedStatus(sample, state, site);
  assert.equal(answer.status, expected, what);
  const allowOrigin = answer.header('access-control-allow-origin');
  assert.equal(allowOrigin, site.origin === 'allowed' ? ALLOWED : undefined, what);
  assert.match(answer.header('content-security-policy') ?? '', /frame-ancestors 'none'/, what);
  assert.equal(answer.header('x-content-type-options'), 'nosniff', what);
  if (expected !== 401 && expected !== 403) return;
  if (expected === 401 && sample.need === 'client') {
    assert.equal(answer.json<{ error: string }>().error, 'invalid_client', what);
    return;
  }
  if (FOREIGN_FORMS.some((prefix) => sample.path.startsWith(prefix))) {
    assert.match(answer.header('content-type') ?? '', /^application\/json/, what);
    assert.ok(answer.json<object>(), what);
  } else {
    assert.equal(answer.header('content-type'), 'application/problem+json', what);
    assert.equal(answer.json<{ status: number }>().status, expected, what);
  }
  const isChallenged = answer.header('www-authenticate')?.startsWith('Bearer realm="varve"') ?? false;
  assert.equal(isChallenged, !isCrossSite(sample, state, site), what);
}

interface Combination {
  readonly sample: Sample;
  readonly state: TokenState;
  readonly site: Site;
}

function combinations(): Combination[] {
  return samples.flatMap((sample) => STATES.flatMap((state) => SITES.map((site) => ({ sample, state, site }))));
}

/** Of each route with each token one, from all sites in turn. */
function pairs(): Combination[] {
  return samples.flatMap((sample, sampleIndex) =>
    STATES.map((state, stateIndex) => {
      const site = SITES[(sampleIndex + stateIndex) % SITES.length] as Site;
      return { sample, state, site };
    }),
  );
}

const COMBINATIONS = (Object.keys(ROUTE_NEEDS).length + 5) * 24 * 12;
const isFull = process.env.EXTENT === 'full';
for (const [transport, chosen, count] of [
  ['uws', combinations(), COMBINATIONS],
  isFull ? (['node', combinations(), COMBINATIONS] as const) : (['node', pairs(), COMBINATIONS / 12] as const),
] as const) {
  describe(`access by route, token, Host and origin (${transport})`, () => {
    it('each combination is answered as the policy says, and a refused one changes nothing', async (context) => {
      const entries = [...Object.values(made), ...Object.values(clients)].map(({ entry }) => entry);
      const server = await startAccessServer(context, transport, entries, {
        allowedOrigins: [ALLOWED],
        host: '0.0.0.0',
      });
      let tried = 0;
      let isFresh = false;
      for (const { sample, state, site } of chosen) {
        server.clock.monotonicMs += DAY_MS; // So that the limit on attempts has no part in it.
        if (!isFresh) await prepare(server);
        const isRefused = [401, 403].includes(expectedStatus(sample, state, site));
        const isWatched = isRefused && sample.method !== 'GET';
        const before = isWatched ? await snapshot(server) : undefined;
        assertAnswer(await send(server, sample, state, site), sample, state, site);
        if (isWatched) assert.deepEqual(await snapshot(server), before, describeRequest(sample, state, site));
        isFresh = isRefused || sample.method === 'GET';
        tried++;
      }
      context.diagnostic(`${tried} combinations`);
      assert.equal(tried, count);
      const log = JSON.stringify(server.auditLines);
      for (const { token } of [...Object.values(made), unknown]) assert.ok(!log.includes(token.slice(15)));
      for (const client of Object.values(clients)) {
        assert.ok(!log.includes(client.secret));
        assert.ok(!log.includes(clientToken(client).slice(-43)));
      }
      const passed = server.auditLines.filter(({ action }) => action === 'host.pass');
      assert.deepEqual(new Set(passed.map(({ reason }) => reason)), new Set(['local name', 'valid token']));
    });
  });
}
