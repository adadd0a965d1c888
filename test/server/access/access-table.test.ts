// Every route x every state of a token x every kind of origin, over both transports, against what the policy says.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Engine } from '../../../engine/index.ts';
import { includesRole, ROLES, type Role } from '../../../server/access/role.ts';
import { ROUTE_NEEDS, type RouteNeed } from '../../../server/access/route-rules.ts';
import type { HttpAnswer } from '../../support/http-client.ts';
import { type AccessServer, bearer, makeToken, startAccessServer } from './support/access-server.ts';

const FOREIGN = 'http://evil.example';
const ALLOWED = 'https://dashboard.example';
const DAY_MS = 86_400_000;

interface Sample {
  readonly need: RouteNeed;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** When it is admitted. */
  readonly status: number;
}

const D = '/api/datasets/Line%201';
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
  'POST /api/datasets/{dataset}/read': { path: `${D}/read`, body: { tagname: ['T'] }, status: 200 },
  // With a tag that is there it would not end.
  'GET /api/datasets/{dataset}/live': { path: `${D}/live?tagname=none`, status: 404 },
  'GET /api/datasets/{dataset}/status': { path: `${D}/status`, status: 200 },
  'POST /api/datasets/{dataset}/status': { path: `${D}/status`, body: { q: 192 }, status: 200 },
  'GET /metrics': { path: '/metrics', status: 200 },
  'GET /': { path: '/', status: 200 },
  // These servers have no built page.
  'GET /explorer/{file}': { path: '/explorer/index.js', status: 404 },
  'GET /api/help': { path: '/api/help', status: 200 },
  'GET /api/help/{file}': { path: '/api/help/start.js', status: 200 },
  'GET /api/v1.json': { path: '/api/v1.json', status: 200 },
  'GET /health': { path: '/health', status: 200 },
  'GET /ready': { path: '/ready', status: 200 },
};

const samples: readonly Sample[] = [
  ...Object.entries(ROUTE_NEEDS).map(([key, need]) => {
    const sample = SAMPLES[key];
    assert.ok(sample, `no sample for ${key}`);
    return { ...sample, need, method: key.split(' ')[0] as string };
  }),
  // The body makes a deletion of it.
  { need: 'admin', method: 'POST', path: `${D}/tags`, body: ['T'], status: 200 },
];

const made = {
  read: makeToken('read', ['Line*']),
  write: makeToken('write', ['Other', 'Line*']),
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
];

/** The id of one token with the secret of another. */
function mixed(first: string, second: string): string {
  return `${first.slice(0, 15)}${second.slice(15)}`;
}

const ORIGINS = ['none', 'own', 'foreign', 'allowed'] as const;
type OriginKind = (typeof ORIGINS)[number];

function expectedStatus(sample: Sample, state: TokenState, origin: OriginKind): number {
  const { need } = sample;
  if (origin === 'foreign' && sample.method !== 'GET') return 403;
  if (need === 'probe' || need === 'page') return sample.status;
  if (state.meaning === 'none' || state.meaning === 'invalid') return 401;
  // These show what the token is for, and that is nothing here.
  const isFiltered = sample.method === 'GET' && (sample.path === '/api/datasets' || sample.path === '/metrics');
  if (state.meaning === 'other dataset') return isFiltered ? 200 : 403;
  return includesRole(state.meaning, need) ? sample.status : 403;
}

function originHeader(origin: OriginKind, port: number): string | undefined {
  const headers = { none: undefined, own: `http://127.0.0.1:${port}`, foreign: FOREIGN, allowed: ALLOWED };
  return headers[origin];
}

async function prepare({ engine, http }: AccessServer): Promise<void> {
  if (engine.hasDataset('Line 2')) await engine.deleteDataset('Line 2');
  await engine.updateDataset({ name: 'Line 1', purgeAgeDays: 0, purgeSizeGb: 0 });
  const names = engine.tags('Line 1').user.map(({ name }) => name);
  if (names.includes('New')) await engine.deleteTags('Line 1', ['New']);
  if (names.includes('T') && (await newestValue(http)) === 1) return;
  if (names.includes('T')) await engine.deleteTags('Line 1', ['T']);
  const written = await http.post(`${D}/data/T`, [{ v: 1 }], bearer(valid.token));
  assert.equal(written.status, 200, written.text);
}

async function newestValue(http: AccessServer['http']): Promise<unknown> {
  const read = await http.get(`${D}/data/T`, bearer(valid.token));
  return read.json<{ d: { v: unknown }[] }>().d[0]?.v;
}

async function snapshot({ engine, http }: AccessServer): Promise<unknown> {
  return { value: await newestValue(http), ...rulesOf(engine), tags: engine.tags('Line 1').user };
}

function rulesOf(engine: Engine): object {
  return { rules: engine.datasets().map(({ name, purgeAgeDays }) => [name, purgeAgeDays]) };
}

function send(server: AccessServer, sample: Sample, state: TokenState, origin: OriginKind): Promise<HttpAnswer> {
  const originValue = originHeader(origin, server.port);
  const headers = {
    ...(state.authorization === undefined ? {} : { authorization: state.authorization }),
    ...(originValue === undefined ? {} : { origin: originValue }),
  };
  if (sample.method === 'GET') return server.http.get(sample.path, headers);
  if (sample.method === 'POST') return server.http.post(sample.path, sample.body, headers);
  return server.http.delete(sample.path, sample.body, headers);
}

function assertAnswer(answer: HttpAnswer, sample: Sample, state: TokenState, origin: OriginKind): void {
  const what = `${sample.method} ${sample.path}, token ${state.name}, origin ${origin}: ${answer.text.slice(0, 200)}`;
  const expected = expectedStatus(sample, state, origin);
  assert.equal(answer.status, expected, what);
  const allowOrigin = answer.header('access-control-allow-origin');
  assert.equal(allowOrigin, origin === 'allowed' ? ALLOWED : undefined, what);
  assert.match(answer.header('content-security-policy') ?? '', /frame-ancestors 'none'/, what);
  assert.equal(answer.header('x-content-type-options'), 'nosniff', what);
  if (expected !== 401 && expected !== 403) return;
  assert.equal(answer.header('content-type'), 'application/problem+json', what);
  assert.equal(answer.json<{ status: number }>().status, expected, what);
  const isCrossSite = origin === 'foreign' && sample.method !== 'GET';
  assert.equal(answer.header('www-authenticate')?.startsWith('Bearer realm="varve"') ?? false, !isCrossSite, what);
}

for (const transport of ['uws', 'node'] as const) {
  describe(`access by route, token and origin (${transport})`, () => {
    it('every combination is answered as the policy says, and a refused one changes nothing', async (context) => {
      const server = await startAccessServer(
        context,
        transport,
        Object.values(made).map(({ entry }) => entry),
        { allowedOrigins: [ALLOWED] },
      );
      let tried = 0;
      for (const sample of samples) {
        for (const state of STATES) {
          for (const origin of ORIGINS) {
            server.clock.monotonicMs += DAY_MS; // So that the limit on attempts has no part in it.
            await prepare(server);
            const isRefused = [401, 403].includes(expectedStatus(sample, state, origin));
            const before = isRefused ? await snapshot(server) : undefined;
            assertAnswer(await send(server, sample, state, origin), sample, state, origin);
            if (isRefused) assert.deepEqual(await snapshot(server), before);
            tried++;
          }
        }
      }
      context.diagnostic(`${tried} combinations`);
      assert.equal(tried, 30 * 13 * 4);
      const log = JSON.stringify(server.auditLines);
      for (const { token } of [...Object.values(made), unknown]) assert.ok(!log.includes(token.slice(15)));
    });
  });
}
