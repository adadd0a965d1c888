// Every route x every state of a token, of a client's too x every kind of Host x every kind of origin, against what the
// policy says. In full all of them meet, in a slice each two. A refused request changes nothing.
//
// Command: npm run campaign access -- [--transport uws|node]
// [--only <part of a route>] [--extent slice|full]

import assert from 'node:assert/strict';
import {
  type CampaignReport,
  type Extent,
  parseExtent,
  parseOptions,
  parseTransports,
  secondsSince,
} from '../../../support/campaign.ts';
import type { HttpAnswer } from '../../../support/http-client.ts';
import type { Transport } from '../../../support/server-process.ts';
import { type AccessServer, bearer, clientToken, startAccessServer } from '../support/access-server.ts';
import {
  allCombinations,
  type Combination,
  expectedStatus,
  FOREIGN_FORMS,
  isCrossSite,
  pairs,
  type Site,
} from './policy.ts';
import { ANNOTATION_ID, D, type Sample, VIEW, VIEW_ID } from './samples.ts';
import { clients, made, OWNER, type TokenState, unknown, valid } from './tokens.ts';

const FOREIGN = 'http://evil.example';
const ALLOWED = 'https://dashboard.example';
const DAY_MS = 86_400_000;
/** Failures that are shown of a table that fails everywhere. */
const MOST_FAILURES = 20;

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
  const names = [...(await engine.tags('Line 1')).user].map(({ name }) => name);
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
    tags: [...(await engine.tags('Line 1')).user],
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

export interface AccessRun {
  readonly transport: Transport;
  readonly extent: Extent;
  /** A part of the method and path of a route. */
  readonly only?: string;
}

export async function runAccessTable({ transport, extent, only = '' }: AccessRun): Promise<CampaignReport> {
  const all = extent === 'full' ? allCombinations() : pairs();
  const chosen = all.filter(({ sample }) => `${sample.method} ${sample.path}`.includes(only));
  const closing: (() => unknown)[] = [];
  const entries = [...Object.values(made), ...Object.values(clients)].map(({ entry }) => entry);
  const options = { allowedOrigins: [ALLOWED], host: '0.0.0.0' };
  const after = (close: () => unknown): void => void closing.push(close);
  const server = await startAccessServer({ after } as AccessContext, transport, entries, options);
  try {
    const failures = await tryEach(server, chosen);
    if (failures.length === 0 && only === '') assertAudited(server);
    return { trials: chosen.length, failures };
  } finally {
    for (const close of closing) await close();
  }
}

type AccessContext = Parameters<typeof startAccessServer>[0];

async function tryEach(server: AccessServer, chosen: readonly Combination[]): Promise<string[]> {
  const failures: string[] = [];
  let isFresh = false;
  for (const { sample, state, site } of chosen) {
    server.clock.monotonicMs += DAY_MS; // The limit on attempts has no part in this.
    if (!isFresh) await prepare(server);
    const isRefused = [401, 403].includes(expectedStatus(sample, state, site));
    try {
      await tryOne(server, { sample, state, site }, isRefused && sample.method !== 'GET');
    } catch (error) {
      failures.push((error as Error).message);
      if (failures.length === MOST_FAILURES) break;
    }
    isFresh = isRefused || sample.method === 'GET';
  }
  return failures;
}

/** `isWatched`: whatever it could have changed is compared. */
async function tryOne(server: AccessServer, { sample, state, site }: Combination, isWatched: boolean): Promise<void> {
  const before = isWatched ? await snapshot(server) : undefined;
  assertAnswer(await send(server, sample, state, site), sample, state, site);
  if (isWatched) assert.deepEqual(await snapshot(server), before, describeRequest(sample, state, site));
}

/** The log has no secret, and why a foreign Host was let pass. */
function assertAudited({ auditLines }: AccessServer): void {
  const log = JSON.stringify(auditLines);
  for (const { token } of [...Object.values(made), unknown]) assert.ok(!log.includes(token.slice(15)));
  for (const client of Object.values(clients)) {
    assert.ok(!log.includes(client.secret));
    assert.ok(!log.includes(clientToken(client).slice(-43)));
  }
  const passed = auditLines.filter(({ action }) => action === 'host.pass');
  assert.deepEqual(new Set(passed.map(({ reason }) => reason)), new Set(['local name', 'valid token']));
}

async function main(): Promise<void> {
  const { transport, only, extent } = parseOptions(['transport', 'only', 'extent']);
  for (const each of parseTransports(transport)) {
    const startMs = performance.now();
    const run = { transport: each, extent: parseExtent(extent), ...(only === undefined ? {} : { only }) };
    const { trials, failures } = await runAccessTable(run);
    for (const failure of failures) console.log(`FAILED ${failure}`);
    console.log(`access over ${each}: ${trials} trials, ${failures.length} failures (${secondsSince(startMs)} s)`);
    if (failures.length > 0 || trials === 0) process.exitCode = 1;
  }
}

if (process.argv[1] === import.meta.filename) await main();
