// How a client gets its tokens, and what becomes of them, over both transports.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { formatTokenFile } from '../../../../server/auth/tokens/token-file.ts';
import type { HttpAnswer } from '../../../support/http-client.ts';
import { describeTransports } from '../../http/support/test-server.ts';
import { type AccessServer, bearer, makeClient, makeToken, startAccessServer } from '../support/access-server.ts';

const TYPE = 'client_credentials';
const HOUR_MS = 3_600_000;
const FORM = 'application/x-www-form-urlencoded';

const client = makeClient('write', ['Line*'], { client: 'pulse.1_x-y' });
const ending = makeClient('read', ['*']);
const revoked = makeClient('admin', ['*'], { revoked: '2026-01-02T00:00:00.000Z' });
const expired = makeClient('admin', ['*'], { expires: '2026-01-02T00:00:00.000Z' });
const admin = makeToken('admin', ['*']);
const entries = [client, ending, revoked, expired, admin].map(({ entry }) => entry);

interface Issued {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
}

function askByForm({ http }: AccessServer, body: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return http.send('POST', '/auth/token', { headers: { 'content-type': FORM, ...headers }, body });
}

function formOf(id: string, secret: string): string {
  return new URLSearchParams({ grant_type: TYPE, client_id: id, client_secret: secret }).toString();
}

function basic(id: string, secret: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

async function fetchToken(server: AccessServer, { id, secret } = client): Promise<string> {
  const answer = await askByForm(server, formOf(id, secret));
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Issued>().access_token;
}

function assertFault(answer: HttpAnswer, status: number, error: string, what: string): void {
  assert.equal(answer.status, status, `${what}: ${answer.text}`);
  assert.equal(answer.header('content-type'), 'application/json', what);
  assert.equal(answer.header('cache-control'), 'no-store', what);
  const fault = answer.json<{ error: string; error_description: string }>();
  assert.equal(fault.error, error, what);
  assert.match(fault.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, what);
}

describeTransports('client credentials', (transport) => {
  it('a token is given to a form, to JSON and to Basic, and is good for what the client is', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const { http } = server;
    const asked = [
      await askByForm(server, formOf(client.id, client.secret)),
      await askByForm(server, `${formOf(client.id, client.secret)}&scope=anything&more=1`),
      await http.post('/auth/token', { grant_type: TYPE, client_id: client.id, client_secret: client.secret }),
      await askByForm(server, `grant_type=${TYPE}`, basic(client.id, client.secret)),
      await askByForm(server, `grant_type=${TYPE}&client_id=${client.id}`, basic(client.id, client.secret)),
      await askByForm(server, formOf(client.id, client.secret), { 'content-type': 'text/plain' }),
      // A program that sends its old token with every request.
      await askByForm(server, formOf(client.id, client.secret), bearer('varve_00000000_x')),
      await http.post('/auth/token', { grant_type: TYPE, client_id: null }, basic(client.id, client.secret)),
    ];
    for (const [index, answer] of asked.entries()) {
      assert.equal(answer.status, 200, `${index}: ${answer.text}`);
      assert.equal(answer.header('cache-control'), 'no-store');
      assert.equal(answer.header('pragma'), 'no-cache');
      const { access_token, token_type, expires_in } = answer.json<Issued>();
      assert.deepEqual([token_type, expires_in], ['Bearer', 3600]);
      const wrote = await http.post('/api/datasets/Line%201/data/T', [{ v: index }], bearer(access_token));
      assert.equal(wrote.status, 200, wrote.text);
      assert.equal((await http.get('/api/datasets/Mill', bearer(access_token))).status, 403);
      assert.equal((await http.delete('/api/datasets/Line%201', undefined, bearer(access_token))).status, 403);
    }
    const created = server.auditLines.find(({ action }) => action === 'dataset.create');
    assert.equal(created?.token, client.entry.id);
    const issued = server.auditLines.filter(({ action }) => action === 'token.issue');
    assert.deepEqual(
      issued.map(({ token, remote }) => [token, remote]),
      [[client.entry.id, '127.0.0.1']],
    );
  });

  it('whatever else is sent has the answer of RFC 6749', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const form = formOf(client.id, client.secret);
    const cases: readonly (readonly [string, number, string])[] = [
      ['', 400, 'invalid_request'],
      ['grant_type=', 400, 'invalid_request'],
      ['{', 400, 'invalid_request'],
      ['{"grant_type":1}', 400, 'invalid_request'],
      [`{"grant_type":"${TYPE}","client_id":["x"]}`, 400, 'invalid_request'],
      ['['.repeat(10_000), 400, 'invalid_request'],
      ['{"a":'.repeat(2000), 400, 'invalid_request'],
      [`${form}&client_id=other`, 400, 'invalid_request'],
      ['grant_type=password&username=a&password=b', 400, 'unsupported_grant_type'],
      ['grant_type=CLIENT_CREDENTIALS', 400, 'unsupported_grant_type'],
      [`grant_type=${TYPE}`, 401, 'invalid_client'],
      [`grant_type=${TYPE}&client_id=${client.id}`, 401, 'invalid_client'],
      [`grant_type=${TYPE}&client_secret=${client.secret}`, 401, 'invalid_client'],
    ];
    for (const [body, status, error] of cases)
      assertFault(await askByForm(server, body), status, error, body.slice(0, 80));
    const bytes = Buffer.concat([Buffer.from(`grant_type=${TYPE}&client_id=`), Buffer.from([0xff, 0xfe])]);
    assertFault(await server.http.send('POST', '/auth/token', { body: bytes }), 400, 'invalid_request', 'not UTF-8');
    const both = await askByForm(server, form, basic(client.id, client.secret));
    assertFault(both, 400, 'invalid_request', 'two ways');
    const other = await askByForm(server, `grant_type=${TYPE}&client_id=x`, basic(client.id, client.secret));
    assertFault(other, 400, 'invalid_request', 'two clients');
    assert.equal(both.header('www-authenticate'), undefined);
  });

  it('an unknown client, another secret, one revoked or expired are told the same, Basic with its challenge', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const wrong: readonly (readonly [string, string, string])[] = [
      ['nobody', client.secret, 'unknown client'],
      [client.id, ending.secret, 'unknown client'],
      [client.id.toUpperCase(), client.secret, 'unknown client'],
      [client.entry.id, client.secret, 'unknown client'],
      [client.id, client.entry.hash, 'unknown client'],
      [admin.entry.id, admin.token, 'unknown client'],
      [revoked.id, revoked.secret, 'revoked client'],
      [expired.id, expired.secret, 'expired client'],
    ];
    const texts = new Set<string>();
    for (const [id, secret, reason] of wrong) {
      server.clock.monotonicMs += HOUR_MS;
      const byForm = await askByForm(server, formOf(id, secret));
      assertFault(byForm, 401, 'invalid_client', id);
      assert.equal(byForm.header('www-authenticate'), undefined, id);
      const byBasic = await askByForm(server, `grant_type=${TYPE}`, basic(id, secret));
      assertFault(byBasic, 401, 'invalid_client', id);
      assert.match(byBasic.header('www-authenticate') ?? '', /^Basic realm="varve"/);
      texts.add(byForm.text).add(byBasic.text);
      assert.equal(server.auditLines.at(-1)?.reason, reason);
    }
    assert.equal(texts.size, 1);
    for (const header of ['Basic', 'Basic ', 'Basic !!!', `Basic ${Buffer.from('no colon').toString('base64')}`]) {
      const answer = await askByForm(server, `grant_type=${TYPE}`, { authorization: header });
      assertFault(answer, 401, 'invalid_client', header);
      assert.match(answer.header('www-authenticate') ?? '', /^Basic/);
    }
  });

  it('failed attempts count with those of tokens; a right secret passes all the same, and a lapsed token is none', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const guess = (): Promise<HttpAnswer> => askByForm(server, formOf(client.id, 'x'));
    const token = await fetchToken(server);
    server.clock.aheadMs = HOUR_MS + 1000;
    for (let i = 0; i < 50; i++)
      assert.equal((await server.http.get('/api/datasets', bearer(token))).status, 401, `${i}`);
    for (let i = 0; i < 10; i++) assert.equal((await guess()).status, 401, `${i}`);
    const refused = await guess();
    assert.deepEqual([refused.status, refused.header('retry-after')], [429, '6']);
    assert.equal((await server.http.get('/api/datasets', bearer('x'))).status, 429);
    assert.equal((await server.http.get('/api/datasets', bearer(token))).status, 401);
    assert.equal((await server.http.get('/api/datasets', bearer(await fetchToken(server)))).status, 200);
  });

  it('a token ends after its time, and with its client', async (context) => {
    const inTenMinutes = { ...ending.entry, expires: new Date(Date.now() + 600_500).toISOString() };
    const server = await startAccessServer(context, transport, [client.entry, inTenMinutes, admin.entry]);
    const answer = await askByForm(server, formOf(ending.id, ending.secret));
    const { expires_in, access_token } = answer.json<Issued>();
    assert.ok(expires_in <= 600 && expires_in > 500, `${expires_in}`);
    const statusOf = async (token: string): Promise<number> =>
      (await server.http.get('/api/datasets', bearer(token))).status;
    const lasting = await fetchToken(server);
    assert.deepEqual([await statusOf(access_token), await statusOf(lasting)], [200, 200]);
    server.clock.aheadMs = 601_000;
    assert.deepEqual([await statusOf(access_token), await statusOf(lasting)], [401, 200]);
    server.clock.aheadMs = HOUR_MS + 1000;
    assert.equal(await statusOf(lasting), 401);
    server.clock.aheadMs = 0;
    const revokedNow = { ...client.entry, revoked: new Date().toISOString() };
    writeFileSync(server.tokenPath, formatTokenFile([revokedNow, admin.entry]));
    await server.tokens.check();
    assert.equal(await statusOf(lasting), 401);
    assert.equal((await askByForm(server, formOf(client.id, client.secret))).status, 401);
  });

  it('a token outlives a restart, and a client made again has tokens of its own', async (context) => {
    const token = await fetchToken(await startAccessServer(context, transport, entries));
    const restarted = await startAccessServer(context, transport, entries);
    assert.equal((await restarted.http.get('/api/datasets', bearer(token))).status, 200);
    const again = makeClient('write', ['*'], { client: client.id });
    const gone = { ...client.entry, revoked: '2026-01-02T00:00:00.000Z' };
    const other = await startAccessServer(context, transport, [gone, again.entry, { ...gone, id: '00000000' }]);
    assert.equal((await other.http.get('/api/datasets', bearer(token))).status, 401);
    await fetchToken(other, again);
  });

  it('a body above 16 KiB is 413, also when it only unpacks to that', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const form = formOf(client.id, client.secret);
    assert.equal((await askByForm(server, `${form}&x=${'x'.repeat(16_000)}`)).status, 200);
    assert.equal((await askByForm(server, `${form}&x=${'x'.repeat(17_000)}`)).status, 413);
  });

  it('without tokens there is nothing to fetch, and the answer says why', async (context) => {
    const server = await startAccessServer(context, transport);
    for (const answer of [
      await askByForm(server, formOf(client.id, client.secret)),
      await server.http.get('/auth/.well-known/openid-configuration'),
    ]) {
      assert.equal(answer.status, 404);
      assert.match(answer.text, /Access control is off.*varve token create/);
    }
  });

  it('discovery names the addresses as the client has them', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const discover = async (headers: Record<string, string>): Promise<Record<string, unknown>> =>
      (await server.http.get('/auth/.well-known/openid-configuration', headers)).json();
    const found = await discover({ host: 'historian:4511' });
    assert.equal(found.issuer, 'http://historian:4511/auth');
    assert.equal(found.token_endpoint, 'http://historian:4511/auth/token');
    assert.deepEqual(found.grant_types_supported, [TYPE]);
    const behindProxy = await discover({ host: 'historian.example', 'x-forwarded-proto': 'https' });
    assert.equal(behindProxy.token_endpoint, 'https://historian.example/auth/token');
    assert.equal((await server.http.get('/auth/token')).status, 405);
  });
});
