// Access control of the real server: its start, the command that makes tokens, and what the log says.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HttpClient } from '../../support/http-client.ts';
import { type ProcessEnd, runServerToEnd, ServerProcess, temporaryFolder } from '../../support/server-process.ts';
import { bearer } from './support/access-server.ts';

const folder = temporaryFolder();
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));
const WAIT_LIMIT_MS = 60_000;

function token(...words: string[]): Promise<ProcessEnd> {
  return runServerToEnd(['token', ...words]);
}

async function create(data: string, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await token('create', '--data', data, ...words);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^varve_[0-9a-f]{8}_[\w-]{43}$/);
  return stdout;
}

/** Asks until the answer has the status. */
async function untilStatus(http: HttpClient, status: number, headers: Record<string, string> = {}): Promise<void> {
  const deadlineMs = performance.now() + WAIT_LIMIT_MS;
  let found = 0;
  while (performance.now() < deadlineMs) {
    found = (await http.get('/api/datasets', headers)).status;
    if (found === status) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`still ${found}, not ${status}`);
}

test('tokens are made, listed and revoked; the running server takes each change by itself, and audits it', async () => {
  const data = join(folder, 'running');
  const server = await ServerProcess.start({ transport: 'uws', dataFolder: data, flags: ['--log-level', 'error'] });
  const http = new HttpClient(server.url);
  assert.equal((await http.get('/api/datasets')).status, 200);

  const admin = await create(data, '--role', 'admin', '--name', 'me');
  await untilStatus(http, 401);
  assert.equal((await http.get('/api/datasets', bearer(admin))).status, 200);
  const path = join(data, '.access', 'tokens.json');
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal((await http.post('/api/datasets', { n: 'Mill', pa: 0, ps: 0 }, bearer(admin))).status, 201);

  const writer = await create(data, '--role=write', '--dataset', 'Line 1', '--dataset=Line 2*', '--expires', '90d');
  await untilStatus(http, 200, bearer(writer));
  const [, adminId = ''] = admin.split('_');
  const [, writerId = ''] = writer.split('_');
  assert.equal((await token('revoke', writerId, '--data', data)).code, 0);
  await untilStatus(http, 401, bearer(writer));
  assert.equal((await token('revoke', writerId, '--data', data)).code, 0, 'again');

  const listed = await token('list', '--data', data);
  const rows = listed.stdout.split('\n').map((line) => line.split(/ {2,}/));
  assert.deepEqual(
    rows.slice(1).map(([id, role, state, , , , datasets, name]) => [id, role, state, datasets, name]),
    [
      [adminId, 'admin', 'valid', '"*"', 'me'],
      [writerId, 'write', 'revoked', '"Line 1", "Line 2*"', undefined],
    ],
  );

  writeFileSync(path, '{"version":1,');
  assert.ok(await server.findLog(/is damaged.*stay in force/), server.logLines.join('\n'));
  assert.equal((await http.get('/api/datasets', bearer(admin))).status, 200);
  assert.equal((await http.get('/api/datasets')).status, 401);
  http.close();
  await server.stop();

  const log = server.logLines.join('\n');
  for (const secret of [admin, writer])
    assert.ok(!log.includes(secret.slice(15)) && !listed.stdout.includes(secret.slice(15)));
  // Whether the new token was tried before the server had read it is chance.
  const audited = server.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ audit, reason }) => audit === true && reason !== 'unknown token')
    .map(({ action, token: by, subject, dataset, reason }) => [action, by, subject ?? dataset ?? reason]);
  assert.deepEqual(audited, [
    ['token.create', null, adminId],
    ['refused', null, 'no token'],
    ['dataset.create', adminId, 'Mill'],
    ['token.create', null, writerId],
    ['token.revoke', null, writerId],
    ['refused', writerId, 'revoked token'],
  ]);

  const restarted = await runServerToEnd(['--data', data, '--port', '0']);
  assert.equal(restarted.code, 2, restarted.stderr);
  assert.match(restarted.stderr, /^The token file .*tokens\.json is damaged/m);
  const check = await runServerToEnd(['check', data]);
  assert.equal(check.code, 0, check.stdout);
});

test('a client is made, fetches tokens, and is revoked with all of them and what they hold open', async (context) => {
  const data = join(folder, 'clients');
  const words = ['--client', 'pulse', '--role', 'read', '--data', data];
  const made = await token(...words);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /^[\w-]{43}$/);
  const [, id = ''] = /^Secret of the client pulse, ([0-9a-f]{8}): read on \*\./.exec(made.stderr) ?? [];
  const again = await token('create', ...words);
  assert.deepEqual([again.code, again.stdout], [2, '']);
  assert.match(again.stderr, /there is a client pulse already/);

  const flags = ['--client-token-life', '90s'];
  const server = await ServerProcess.start({ transport: 'uws', dataFolder: data, flags });
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'pulse',
    client_secret: made.stdout,
  });
  const answer = await fetch(`${server.url}/auth/token`, { method: 'POST', body });
  const issued = (await answer.json()) as { access_token: string; expires_in: number };
  assert.equal(issued.expires_in, 90);
  const admin = await create(data, '--role', 'admin');
  const http = new HttpClient(server.url);
  await untilStatus(http, 200, bearer(admin));
  assert.equal((await http.post('/api/datasets/A/data/T', [{ v: 1 }], bearer(admin))).status, 200);
  const live = await fetch(`${server.url}/api/datasets/A/live`, { headers: bearer(issued.access_token) });
  const reader = live.body?.getReader();
  assert.ok((await reader?.read())?.value);
  // Told also when it ends before the command that revokes has.
  const endedMs = (async () => {
    while (!(await reader?.read())?.done);
  })().then(
    () => Date.now(),
    () => Date.now(),
  );
  assert.equal((await token('revoke', id, '--data', data)).code, 0);
  const lateMs = (await endedMs) - statSync(join(data, '.access', 'tokens.json')).mtimeMs;
  context.diagnostic(`the stream ended ${Math.round(lateMs)} ms after the file was replaced`);
  assert.ok(lateMs < WAIT_LIMIT_MS, `${lateMs} ms`);
  assert.equal((await http.get('/api/datasets', bearer(issued.access_token))).status, 401);
  http.close();
  await server.stop();
  const log = server.logLines.join('\n');
  assert.ok(!log.includes(made.stdout) && !log.includes(issued.access_token.slice(-43)));
  const actions = server.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.ok(actions.some(({ action, token: by }) => action === 'token.issue' && by === id));
  assert.ok(
    actions.some(({ action, subject, client }) => action === 'token.revoke' && subject === id && client === 'pulse'),
  );
  const listed = await token('list', '--data', data);
  assert.match(listed.stdout, new RegExp(`^${id} +read +revoked .* pulse +"\\*"$`, 'm'));
});

test('opening to other machines without tokens is warned of', async () => {
  const data = join(folder, 'open');
  const open = await ServerProcess.start({ bareFlags: ['--data', data, '--port', '0', '--host', '0.0.0.0'] });
  assert.ok(await open.findLog(/"level":"warn".*there are no tokens/));
  await open.stop();
  await create(data, '--role', 'read');
  const guarded = await ServerProcess.start({ bareFlags: ['--data', data, '--port', '0', '--host', '0.0.0.0'] });
  assert.ok(await guarded.findLog(/"level":"warn".*unencrypted/));
  const answer = await fetch(`http://127.0.0.1:${guarded.port}/api/datasets`);
  assert.equal(answer.status, 401);
  await answer.body?.cancel();
  await guarded.stop();
});

test('a token file that is named must be there; the settings file may name it', async () => {
  const data = join(folder, 'named');
  const path = join(folder, 'elsewhere', 'tokens.json');
  const config = join(folder, 'varve.json');
  writeFileSync(config, JSON.stringify({ tokens: path, data, port: 0 }));
  const missing = await runServerToEnd(['--config', config]);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /there is no such file.*varve token create/);
  const unreadable = await runServerToEnd(['--config', config, '--tokens', folder]);
  assert.equal(unreadable.code, 74, unreadable.stderr);
  assert.match(unreadable.stderr, /The token file .* cannot be read: EISDIR/);
  assert.equal((await token('create', '--config', config, '--role', 'read')).code, 0);
  assert.ok(statSync(path).isFile());
  const server = await ServerProcess.start({ bareFlags: ['--config', config] });
  const answer = await fetch(`${server.url}/api/datasets`);
  assert.equal(answer.status, 401);
  await answer.body?.cancel();
  await server.stop();
});

for (const transport of ['uws', 'node'] as const) {
  test(`the server speaks HTTPS (${transport}), and says so when it is ready`, async () => {
    const flags = ['--tls-key', fixture('key.pem'), '--tls-cert', fixture('cert.pem')];
    const server = await ServerProcess.start({ transport, flags });
    assert.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const body = JSON.stringify([{ v: 1 }]);
    const status = await new Promise<number>((resolve, reject) => {
      const options = { method: 'POST', ca: readFileSync(fixture('cert.pem')), headers: { origin: server.url } };
      request(`${server.url}/api/datasets/A/data/T`, options, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      })
        .on('error', reject)
        .end(body);
    });
    assert.equal(status, 200);
    await server.stop();
  });
}

test('key and certificate that do not do are bad usage, and the message names the file', async () => {
  const text = join(folder, 'text.pem');
  writeFileSync(text, 'no key\n');
  const [key, cert, other] = [fixture('key.pem'), fixture('cert.pem'), fixture('other-key.pem')];
  const cases: readonly (readonly [string[], RegExp])[] = [
    [['--tls-key', key], /--tls-key and --tls-cert belong together/],
    [['--tls-cert', cert], /--tls-key and --tls-cert belong together/],
    [['--tls-key', join(folder, 'none'), '--tls-cert', cert], /--tls-key .*none: the file cannot be read: ENOENT/],
    [['--tls-key', key, '--tls-cert', folder], /--tls-cert .*: the file cannot be read: EISDIR/],
    [['--tls-key', key, '--tls-cert', text], /--tls-cert .*text\.pem: not a certificate in PEM form/],
    [['--tls-key', text, '--tls-cert', cert], /--tls-key .*text\.pem: not a PEM key/],
    [['--tls-key', other, '--tls-cert', cert], /--tls-key .*other-key\.pem: .*belongs to.*mismatch/],
  ];
  mkdirSync(join(folder, 'tls'));
  for (const [flags, pattern] of cases) {
    const end = await runServerToEnd(['--data', join(folder, 'tls', 'data'), '--port', '0', ...flags]);
    assert.deepEqual([end.code, end.stdout], [2, ''], end.stderr);
    assert.match(end.stderr, pattern);
  }
});

test('a wrong use of the token command is bad usage, and makes nothing', async () => {
  const data = join(folder, 'usage');
  const cases: readonly (readonly [string[], RegExp, number?])[] = [
    [[], /Want varve token create\|list\|revoke/],
    [['creat'], /got 'creat'.*Did you mean 'create'/],
    [['create'], /--role read\|write\|admin/],
    [['create', '--role', 'root'], /--role read\|write\|admin/],
    [['create', '--role', 'read', '--role', 'admin'], /--role is given twice/],
    [['create', '--role', 'read', '--dataset', ''], /--dataset/],
    [['create', '--role', 'read', '--dataset'], /--dataset needs a value/],
    [['create', '--role', 'read', '--expires', 'soon'], /--expires: got 'soon'/],
    [['create', '--role', 'read', '--expires', '999999999w'], /--expires/],
    [['create', '--role', 'read', '--name', 'a\nb'], /--name/],
    [['create', '--role', 'read', '--name', 'a\u2028b'], /--name/],
    [['create', '--role', 'read', '--client', 'a b'], /--client: want an id/],
    [['create', '--client', '--role', 'read'], /--client needs a value/],
    [['--client', 'pulse'], /--role read\|write\|admin/],
    [['create', '--role', 'read', '--rol', 'x'], /Unknown flag '--rol'/],
    [['list', '--role', 'read'], /--role belongs to/],
    [['revoke'], /Want the id/],
    [['revoke', 'varve_00000000_x'], /Want the id/],
    [['revoke', '00000000'], /There is no token 00000000/, 1],
  ];
  for (const [words, pattern, code = 2] of cases) {
    const end = await runServerToEnd(['token', ...words, ...(words.length > 1 ? ['--data', data] : [])]);
    assert.deepEqual([end.code, end.stdout], [code, ''], `${words.join(' ')}: ${end.stderr}`);
    assert.match(end.stderr, pattern);
  }
  assert.throws(() => statSync(data));
});

test('the first token says that it locks the server, and how to get in oneself', async () => {
  const data = join(folder, 'first');
  const first = await token('create', '--data', data, '--role', 'read');
  assert.match(first.stderr, /It is the first: .* For yourself make another one: varve token create --role admin\.$/);
  const second = await token('create', '--data', data, '--role', 'admin');
  assert.doesNotMatch(second.stderr, /the first/);
});
