// Access control over both transports, beyond the table of routes: lists, limits, hosts, CORS, the audit log.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HEADERS } from '../../../server/api/openapi/components.ts';
import { describeTransports } from '../http/support/test-server.ts';
import { type AccessServer, bearer, makeToken, startAccessServer } from './support/access-server.ts';

const reader = makeToken('read', ['Line*']);
const writer = makeToken('write', ['Line*']);
const admin = makeToken('admin', ['*']);
const entries = [reader.entry, writer.entry, admin.entry];
const DEFINITIONS = ['Line 1', 'Line 2', 'Mill'].map((n) => ({ n, pa: 0, ps: 0 }));

async function createDatasets({ http }: AccessServer): Promise<void> {
  for (const definition of DEFINITIONS) {
    const answer = await http.post('/api/datasets', definition, bearer(admin.token));
    assert.equal(answer.status, 201, answer.text);
  }
}

function actionsOf({ auditLines }: AccessServer): unknown[] {
  return auditLines.map(({ action, token, dataset, reason }) => [action, token, dataset ?? reason]);
}

describeTransports('access control', (transport) => {
  it('a list has only the datasets that the token may read', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    await createDatasets(server);
    const listed = async (token: string): Promise<unknown> => {
      const answer = await server.http.get('/api/datasets', bearer(token));
      return answer.json<{ n: string }[]>().map(({ n }) => n);
    };
    assert.deepEqual(await listed(reader.token), ['Line 1', 'Line 2']);
    assert.deepEqual(await listed(admin.token), ['Line 1', 'Line 2', 'Mill']);
    for (const headers of [{}, bearer(admin.token)]) {
      const page = await server.http.get('/', headers);
      assert.equal(page.status, 200);
      assert.doesNotMatch(page.text, /Line|Mill/);
    }
  });

  it('a caller learns what it may do', async (context) => {
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const named = makeToken('write', ['Line*', 'Mill'], { name: 'Line 4', expires });
    const closed = await startAccessServer(context, transport, [...entries, named.entry]);
    const told = async (server: AccessServer, headers = {}): Promise<unknown> =>
      (await server.http.get('/auth/caller', headers)).json();
    const read = { access: 'token', role: 'read', datasets: ['Line*'], name: '' };
    assert.deepEqual(await told(closed, bearer(reader.token)), read);
    const write = { access: 'token', role: 'write', datasets: ['Line*', 'Mill'], name: 'Line 4', expires };
    assert.deepEqual(await told(closed, bearer(named.token)), write);
    assert.equal((await closed.http.get('/auth/caller')).status, 401);
    const open = await startAccessServer(context, transport);
    assert.deepEqual(await told(open), { access: 'open', role: 'admin', datasets: ['*'], name: '' });
  });

  it('a dataset outside of the patterns is 403 whether it exists or not, and a write does not make it', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    await createDatasets(server);
    const texts = new Set<string>();
    for (const dataset of ['Mill', 'None']) {
      const answer = await server.http.get(`/api/datasets/${dataset}/exists`, bearer(writer.token));
      assert.equal(answer.status, 403);
      texts.add(answer.text.replaceAll(dataset, '…'));
      assert.equal(
        (await server.http.post(`/api/datasets/${dataset}/data/T`, [{ v: 1 }], bearer(writer.token))).status,
        403,
      );
    }
    assert.equal(texts.size, 1);
    const other = await server.http.post('/api/datasets', { n: 'None', pa: 0, ps: 0 }, bearer(writer.token));
    assert.equal(other.status, 403);
    assert.equal(server.engine.hasDataset('None'), false);
    // The name counts as it is decoded.
    assert.equal((await server.http.get('/api/datasets/%4Cine%201', bearer(writer.token))).status, 200);
    assert.equal((await server.http.get('/api/datasets/Line%2F..%2FMill', bearer(writer.token))).status, 404);
  });

  it('failed attempts are 429 above the limit, a valid token passes all the same', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const guess = async (): Promise<{ status: number; retryAfter: string | undefined }> => {
      const answer = await server.http.get('/api/datasets', bearer(makeToken('admin', ['*']).token));
      return { status: answer.status, retryAfter: answer.header('retry-after') };
    };
    for (let i = 0; i < 10; i++) assert.deepEqual(await guess(), { status: 401, retryAfter: undefined });
    for (let i = 0; i < 30; i++) assert.deepEqual(await guess(), { status: 429, retryAfter: '6' });
    assert.equal((await server.http.get('/api/datasets', bearer(reader.token))).status, 200);
    assert.equal((await server.http.get('/api/datasets')).status, 401, 'no token is no attempt');
    assert.equal((await server.http.get('/health', bearer('x'))).status, 200);
    server.clock.monotonicMs += 6000;
    assert.equal((await guess()).status, 401);
    assert.equal((await guess()).status, 429);
    const problem = (await server.http.get('/api/datasets', bearer('x'))).json<{ key: string }>();
    assert.equal(problem.key, 'Error.TooManyAttempts');
    assert.deepEqual(actionsOf(server), [
      ['refused', null, 'unknown token'],
      ['refused', null, 'no token'],
    ]);
  });

  it('what administrators do is in the audit log, and so is what was refused', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const { http } = server;
    const as = bearer(admin.token);
    await http.post('/api/datasets', { n: 'A', pa: 0, ps: 0 }, as);
    await http.post('/api/datasets', { n: 'A', pa: 0, ps: 0 }, as);
    await http.post('/api/datasets/A', { n: 'A', pa: 5, ps: 0 }, as);
    await http.post('/api/datasets/B', { n: 'B', pa: 5, ps: 0 }, as);
    await http.post('/api/datasets/Line/data', { T: [{ v: 1 }], U: [{ v: 1 }], V: [{ v: 1 }] }, bearer(writer.token));
    await http.post('/api/datasets/Line/data', { T: [{ v: 2 }] }, bearer(writer.token));
    await http.post('/api/datasets/Line%202/tags', [{ n: 'T' }], bearer(writer.token));
    await http.delete('/api/datasets/Line/data?tagname=T&start=2020-01-01T00:00:00Z', undefined, as);
    await http.delete('/api/datasets/Line/tags/T', undefined, as);
    await http.post('/api/datasets/Line/tags', ['U'], as);
    await http.delete('/api/datasets/Line/tags', ['V'], as);
    await http.delete('/api/datasets/Line/tags', ['No such'], as);
    await http.delete('/api/datasets/Line', undefined, bearer(writer.token));
    await http.delete('/api/datasets/Line', undefined, as);
    const [a, w] = [admin.entry.id, writer.entry.id];
    assert.deepEqual(actionsOf(server), [
      ['dataset.create', a, 'A'],
      ['dataset.update', a, 'A'],
      ['dataset.create', a, 'B'],
      ['dataset.create', w, 'Line'],
      ['dataset.create', w, 'Line 2'],
      ['points.remove', a, 'Line'],
      ['tags.delete', a, 'Line'],
      ['tags.delete', a, 'Line'],
      ['tags.delete', a, 'Line'],
      ['refused', w, 'Line'],
      ['dataset.delete', a, 'Line'],
    ]);
    assert.deepEqual(
      server.auditLines.filter(({ action }) => action === 'tags.delete').map(({ tags }) => tags),
      [['T'], ['U'], ['V']],
    );
    assert.ok(server.auditLines.every(({ remote, audit }) => remote === '127.0.0.1' && audit === true));
  });

  it('a dataset that several writes find missing is in the audit log once, also when one of them is refused', async (context) => {
    const server = await startAccessServer(context, transport);
    const bodies = [{ T: [{ v: 1 }] }, { U: [{ v: 1 }] }, { T: [{ v: 'text' }] }];
    const answers = await Promise.all(bodies.map((body) => server.http.post('/api/datasets/A/data', body)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 400],
    );
    await server.http.post('/api/datasets/A/data', { T: [{ v: 2 }] });
    assert.deepEqual(actionsOf(server), [['dataset.create', null, 'A']]);
    await server.http.delete('/api/datasets/A');
    await server.http.post('/api/datasets', { n: 'A', pa: 0, ps: 0 });
    assert.deepEqual(
      server.auditLines.map(({ action }) => action),
      ['dataset.create', 'dataset.delete', 'dataset.create'],
    );
  });

  it('without tokens everybody may do everything, and it is in the audit log', async (context) => {
    const server = await startAccessServer(context, transport);
    await server.http.post('/api/datasets/A/data/T', [{ v: 1 }]);
    assert.equal((await server.http.delete('/api/datasets/A', undefined, bearer('whatever'))).status, 200);
    assert.deepEqual(actionsOf(server), [
      ['dataset.create', null, 'A'],
      ['dataset.delete', null, 'A'],
    ]);
  });

  it('without tokens a name that an outsider points here reads nothing; with tokens it needs one', async (context) => {
    const open = await startAccessServer(context, transport, undefined, { allowedHosts: ['historian.example'] });
    const statusFor = async (server: AccessServer, path: string, host: string, headers = {}): Promise<number> =>
      (await server.http.get(path, { host, ...headers })).status;
    for (const path of ['/', '/api/datasets', '/api/help', '/api/v1.json']) {
      assert.equal(await statusFor(open, path, `evil.example:${open.port}`), 403, path);
      assert.equal(await statusFor(open, path, 'historian.example'), 200, path);
      assert.equal(await statusFor(open, path, `localhost:${open.port}`), 200, path);
    }
    for (const path of ['/health', '/ready']) assert.equal(await statusFor(open, path, 'evil.example'), 200, path);
    assert.deepEqual(actionsOf(open), [['refused', null, 'host']]);
    const closed = await startAccessServer(context, transport, entries);
    assert.equal(await statusFor(closed, '/api/datasets', 'evil.example'), 401);
    assert.equal(await statusFor(closed, '/api/datasets', 'evil.example', bearer(reader.token)), 200);
  });

  it('what is checked passes under any Host with a valid token, as under a local name of an open server', async (context) => {
    const server = await startAccessServer(context, transport, entries, { host: '0.0.0.0' });
    const post = async (host: string, headers = {}): Promise<number> =>
      (await server.http.post('/api/datasets/Line/data/T', [{ v: 1 }], { host, ...headers })).status;
    assert.equal(await post('historian.example', bearer(writer.token)), 200);
    assert.equal(await post('historian.example:8443', bearer(writer.token)), 200);
    assert.equal(await post('historian.example'), 403);
    assert.equal(await post('historian.example', bearer('x')), 403);
    assert.equal(await post('historian.example', { authorization: 'Basic eDp5' }), 403);
    assert.equal(await post('historian.example', { ...bearer(writer.token), origin: 'http://other.example' }), 403);
    assert.equal(await post('historian-timebase:4511'), 401);
    assert.equal(await post('historian-timebase:4511', bearer(writer.token)), 200);
    for (let i = 0; i < 100; i++) await post('historian.example', bearer(writer.token));
    const passed = server.auditLines.filter(({ action }) => action === 'host.pass');
    assert.deepEqual(
      passed.map(({ token, remote, reason, host }) => [token, remote, reason, host]),
      [
        [writer.entry.id, '127.0.0.1', 'valid token', 'historian.example'],
        [null, '127.0.0.1', 'local name', 'historian-timebase:4511'],
      ],
      'and one of each a minute',
    );
  });

  it('tokens cannot be guessed faster under a foreign Host, for a write as for a WebSocket', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const host = 'historian.example';
    const socket = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const ask = async (token: string): Promise<number[]> => {
      const headers = { host, ...bearer(token) };
      const written = await server.http.post('/api/datasets/Line/data/T', [{ v: 1 }], headers);
      const opened = await server.http.get('/api/datasets/None/live', { ...headers, ...socket });
      return [written.status, opened.status];
    };
    for (let i = 0; i < 5; i++) assert.deepEqual(await ask(makeToken('admin', ['*']).token), [403, 403]);
    assert.deepEqual(await ask(makeToken('admin', ['*']).token), [429, 429]);
    assert.equal((await server.http.get('/api/datasets', bearer('x'))).status, 429, 'they count together');
    assert.deepEqual(await ask(admin.token), [200, 404]);
  });

  it('an open server without tokens takes local names, also for reads, and no name of an outsider', async (context) => {
    const server = await startAccessServer(context, transport, undefined, { host: '0.0.0.0' });
    for (const host of ['historian:4511', 'plant.local', 'a.b.internal', 'box.lan:80', 'nas.home.arpa']) {
      assert.equal((await server.http.get('/api/datasets', { host })).status, 200, host);
      const origin = `http://${host}`;
      const written = await server.http.post('/api/datasets/A/data/T', [{ v: 1 }], { host, origin });
      assert.equal(written.status, 200, host);
    }
    for (const host of ['evil.example', 'local.evil.example', 'historian.evil']) {
      assert.equal((await server.http.get('/api/datasets', { host })).status, 403, host);
      assert.equal((await server.http.post('/api/datasets/A/data/T', [{ v: 1 }], { host })).status, 403, host);
      // Without tokens none is valid.
      const headers = { host, ...bearer(admin.token) };
      assert.equal((await server.http.post('/api/datasets/A/data/T', [{ v: 1 }], headers)).status, 403, host);
    }
  });

  it('a request of another site is refused before its token is looked at, and audited', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const headers = { ...bearer(admin.token), origin: 'http://evil.example' };
    const answer = await server.http.post('/api/datasets', DEFINITIONS[0], headers);
    assert.equal(answer.status, 403);
    assert.deepEqual(actionsOf(server), [['refused', null, 'other site']]);
    assert.equal(server.engine.datasets().length, 0);
  });

  it('without configured origins there is no CORS, also not for the question whether there is', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const answer = await preflight(server, 'https://dashboard.example');
    assert.deepEqual(corsHeaders(answer.headers), []);
    assert.equal(answer.header('vary'), undefined);
  });

  it('a page of a configured origin is told that it may, one of another is not', async (context) => {
    const origin = 'https://dashboard.example';
    const server = await startAccessServer(context, transport, entries, { allowedOrigins: [origin] });
    const asked = await preflight(server, origin);
    assert.equal(asked.status, 204);
    assert.equal(asked.header('access-control-allow-origin'), origin);
    assert.match(asked.header('access-control-allow-methods') ?? '', /PUT, DELETE/);
    assert.match(asked.header('access-control-allow-headers') ?? '', /Authorization.*If-Match/);
    assert.equal(asked.header('access-control-allow-credentials'), undefined);
    const created = await server.http.post('/api/datasets', DEFINITIONS[0], { ...bearer(admin.token), origin });
    assert.equal(created.status, 201);
    assert.equal(created.header('access-control-allow-origin'), origin);
    const exposed = created.header('access-control-expose-headers')?.split(', ') ?? [];
    for (const name of Object.keys(HEADERS)) assert.ok(exposed.includes(name), name);
    for (const other of [
      'https://evil.example',
      `${origin}.evil.example`,
      `${origin}:8443`,
      'null',
      'HTTPS://DASHBOARD.EXAMPLE',
    ]) {
      const answer = await preflight(server, other);
      assert.deepEqual(corsHeaders(answer.headers), [], other);
      assert.match(answer.header('vary') ?? '', /Origin/);
    }
  });
});

function preflight({ http }: AccessServer, origin: string): ReturnType<AccessServer['http']['send']> {
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  return http.send('OPTIONS', '/api/datasets', { headers });
}

function corsHeaders(headers: object): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}
