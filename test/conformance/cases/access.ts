// Who is let in: Hosts that are not plainly the server's, and clients that fetch their tokens.

import assert from 'node:assert/strict';
import { runServerToEnd } from '../../support/server-process.ts';
import type { CaseContext } from '../case-context.ts';
import { proves } from '../registry.ts';
import { assertProblem, assertStatus } from '../steps.ts';

/** A server that other hosts reach, over a folder with a token, or a client, or nothing. */
async function openServer(c: CaseContext, ...words: string[]): Promise<{ open: CaseContext; secret: string }> {
  const folder = c.folder();
  let secret = '';
  if (words.length > 0) {
    const made = await runServerToEnd(['token', ...words, '--data', folder]);
    assert.equal(made.code, 0, made.stderr);
    secret = made.stdout;
  }
  const bareFlags = ['--data', folder, '--port', '0', '--host', '0.0.0.0', '--http', c.transport];
  return { open: await c.withServer({ bareFlags }), secret };
}

const LOCAL = ['historian', 'historian-timebase:4511', 'plant.local', 'a.internal', 'box.lan', 'nas.home.arpa'];
const FOREIGN = ['evil.example', 'local.evil.example', 'home.arpa'];

proves('Access/Host check', 'an open server without tokens takes local names only', async (c) => {
  const { open } = await openServer(c);
  for (const host of LOCAL) assertStatus(await open.post('/data/T', [{ v: 1 }], { host }), 200);
  for (const host of LOCAL) assertStatus(await open.get('/data/T', { host }), 200);
  for (const host of FOREIGN) {
    assertProblem(await open.post('/data/T', [{ v: 1 }], { host, origin: `http://${host}` }), 403);
    assertProblem(await open.get('/data/T', { host }), 403);
  }
  const audited = await open.server.findLog(/"action":"host\.pass".*"reason":"local name","host":"historian"/);
  assert.ok(audited);
});

proves('Access/Host check', 'a request with a valid token may be for any Host', async (c) => {
  const { open, secret } = await openServer(c, 'create', '--role', 'write');
  for (const host of [...LOCAL, ...FOREIGN]) {
    assertStatus(await open.post('/data/T', [{ v: 1 }], { host, authorization: `Bearer ${secret}` }), 200);
  }
  for (const host of FOREIGN) {
    assertProblem(await open.post('/data/T', [{ v: 1 }], { host }), 403);
    assertProblem(await open.post('/data/T', [{ v: 1 }], { host, authorization: `Bearer ${secret}x` }), 403);
  }
  const audited = await open.server.findLog(/"action":"host\.pass".*"reason":"valid token","host":"evil\.example"/);
  assert.ok(audited);
});

proves('Access/Client credentials', 'a client fetches a token, and it is good', async (c) => {
  const { open, secret } = await openServer(c, '--client', 'pulse', '--role', 'write');
  const found = assertStatus(await open.http.get('/auth/.well-known/openid-configuration'), 200);
  const endpoint = new URL(found.json<{ token_endpoint: string }>().token_endpoint);
  const form = `grant_type=client_credentials&client_id=pulse&client_secret=${secret}`;
  const authorization = `Basic ${Buffer.from(`pulse:${secret}`).toString('base64')}`;
  const answers = [
    await open.http.send('POST', endpoint.pathname, { body: form }),
    await open.http.post(endpoint.pathname, Object.fromEntries(new URLSearchParams(form))),
    await open.http.send('POST', endpoint.pathname, {
      body: 'grant_type=client_credentials',
      headers: { authorization },
    }),
  ];
  for (const answer of answers) {
    const issued = assertStatus(answer, 200).json<Record<string, string | number>>();
    assert.deepEqual([issued.token_type, issued.expires_in], ['Bearer', 3600]);
    const headers = { authorization: `Bearer ${issued.access_token}` };
    assertStatus(await open.post('/data/T', [{ v: 1 }], headers), 200);
    assertProblem(await open.http.send('DELETE', open.path(), { headers }), 403);
  }
  const wrong = assertStatus(await open.http.send('POST', '/auth/token', { body: `${form}x` }), 401);
  assert.equal(wrong.json<{ error: string }>().error, 'invalid_client');
});

proves('Access/Client credentials', 'without access control it is 404, and says why', async (c) => {
  const body = 'grant_type=client_credentials&client_id=a&client_secret=b';
  const { detail } = assertProblem(await c.http.send('POST', '/auth/token', { body }), 404);
  assert.match(detail, /Access control is off/);
  assertProblem(await c.http.get('/auth/.well-known/openid-configuration'), 404);
});
