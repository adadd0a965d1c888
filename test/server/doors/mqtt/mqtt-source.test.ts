// Sources against a real broker: mappings, bad messages, statuses, a broker that is away, and TLS.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTempFolder } from '../../../support/temp-folder.ts';
import { Broker, freePort, skipWithoutBroker } from './support/broker.ts';
import { connectClient, publishAll } from './support/client.ts';
import { SourceEngine } from './support/source-engine.ts';

const skip = skipWithoutBroker;
const T = Date.UTC(2026, 5, 1);

const JSON_TOPIC = {
  topic: 'j/{machine}',
  dataset: 'plant',
  tag: '{machine}.{field}',
  payload: { format: 'json', time: 't', quality: 'q', values: { a: 'a', b: 'deep.b' } },
};

test('plain and JSON messages become points of the tags that the templates name', { skip }, async (context) => {
  const broker = await Broker.forTest(context);
  const plain = { topic: 'p/+/{name}/#', dataset: 'set {1}', tag: '{name}/{2}/{#}' };
  const server = await SourceEngine.start(context, { url: broker.url, topics: [plain, JSON_TOPIC] });
  const client = await connectClient(context, broker.url);
  await publishAll(client, [
    ['p/x/speed/l/r', '12.5'],
    ['p/x/text/l', 'hello'],
    ['p/x/on/l', 'true'],
    ['j/m1', JSON.stringify({ t: T, q: 64, a: 1, deep: { b: 2 } })],
    ['j/m1', JSON.stringify({ t: T + 1, a: 3 })],
  ]);
  await server.until('all', ({ counts }) => counts.acknowledged === 5);
  assert.deepEqual(
    (await server.points('set p', 'speed/x/l/r')).map(({ value }) => value),
    [12.5],
  );
  assert.deepEqual(
    (await server.points('set p', 'text/x/l')).map(({ value }) => value),
    ['hello'],
  );
  assert.deepEqual(
    (await server.points('set p', 'on/x/l')).map(({ value }) => value),
    [1],
  );
  assert.deepEqual(await server.points('plant', 'm1.a'), [
    { ms: T, value: 1, quality: 64 },
    { ms: T + 1, value: 3, quality: 192 },
  ]);
  assert.deepEqual(await server.points('plant', 'm1.b'), [{ ms: T, value: 2, quality: 64 }]);
  assert.equal(server.snapshot.counts.bad, 0);
});

test('messages without a time keep their order, also behind a newest point that is ahead of the clock', {
  skip,
}, async (context) => {
  const broker = await Broker.forTest(context);
  const topics = [{ topic: 's/{tag}', dataset: 'plant', tag: '{tag}' }, JSON_TOPIC];
  const server = await SourceEngine.start(context, { url: broker.url, topics }, 'reachable', 'ignore');
  const client = await connectClient(context, broker.url);
  const ahead = Date.now() + 60_000;
  const states = ['ON', 'OFF', 'ON'];
  await publishAll(client, [
    ...Array.from({ length: 30 }, (_, i) => states.map((state): [string, string] => [`s/${i}`, state])).flat(),
    ['j/m', JSON.stringify({ t: ahead, a: 1 })],
    ...[0, 1, 0].map((a): [string, string] => ['j/m', JSON.stringify({ a })]),
  ]);
  await server.until('all', ({ counts }) => counts.acknowledged === 94);
  assert.equal(server.snapshot.counts.written, 94);
  for (let i = 0; i < 30; i++)
    assert.deepEqual(
      (await server.points('plant', String(i))).map(({ value }) => value),
      states,
    );
  assert.deepEqual(
    (await server.points('plant', 'm.a')).map(({ ms, value }) => [ms, value]),
    [1, 0, 1, 0].map((value) => [ahead, value]),
  );
});

test('late points are kept in datasets that are made here, and otherwise counted and told', {
  skip,
}, async (context) => {
  const broker = await Broker.forTest(context);
  const messages = [5, 1, 3, 1].map((i): [string, string] => ['j/m', JSON.stringify({ t: T + i, a: i })]);
  const run = async (late: 'accept' | 'ignore'): Promise<SourceEngine> => {
    const source = { url: broker.url, clientId: late, topics: [JSON_TOPIC] };
    const server = await SourceEngine.start(context, source, 'reachable', late);
    const client = await connectClient(context, broker.url);
    for (const [i, message] of messages.entries()) {
      await publishAll(client, [message]);
      await server.until('the message', ({ counts }) => counts.acknowledged === i + 1);
    }
    await server.sources.stop();
    return server;
  };
  const values = async (server: SourceEngine): Promise<unknown[]> =>
    (await server.points('plant', 'm.a')).map(({ value }) => value);
  const kept = await run('accept');
  assert.deepEqual(await values(kept), [1, 3, 5]);
  assert.equal(kept.engine.dataset('plant').late, 'accept');
  assert.equal(kept.snapshot.counts.repeated, 1);
  const dropping = await run('ignore');
  assert.deepEqual(await values(dropping), [5]);
  assert.equal(dropping.snapshot.counts.ignored, 3);
  assert.equal(dropping.logLines.filter((line) => line.includes('Points were dropped')).length, 1);
});

for (const version of [4, 5]) {
  test(`with protocol level ${version} what came while nobody listened comes afterwards`, { skip }, async (context) => {
    const broker = await Broker.forTest(context);
    const source = { url: broker.url, version, clientId: 'same', topics: [JSON_TOPIC] };
    const first = await SourceEngine.start(context, source);
    await first.stop();
    const client = await connectClient(context, broker.url);
    await publishAll(
      client,
      Array.from({ length: 500 }, (_, i) => ['j/m', JSON.stringify({ t: T + i, a: i })]),
    );
    const second = await SourceEngine.start(context, source);
    await second.until('all', ({ counts }) => counts.acknowledged === 500);
    const points = await second.points('plant', 'm.a');
    assert.deepEqual(
      points.map(({ value }) => value),
      Array.from({ length: 500 }, (_, i) => i),
    );
  });
}

test('bad messages are counted, shown and acknowledged, and the good ones around them are stored', {
  skip,
}, async (context) => {
  const broker = await Broker.forTest(context);
  const wild = { topic: 'w/{set}/{tag}', dataset: '{set}', tag: '{tag}', payload: { format: 'plain', type: 'number' } };
  const server = await SourceEngine.start(context, {
    url: broker.url,
    maxMessageBytes: 1000,
    topics: [JSON_TOPIC, wild],
  });
  const client = await connectClient(context, broker.url);
  const bad: [string, string | Uint8Array][] = [
    ['j/m', '{'],
    ['j/m', '[]'],
    ['j/m', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['j/m', JSON.stringify({ t: 'yesterday', a: 1 })],
    ['j/m', JSON.stringify({ t: 9e99, a: 1 })],
    ['j/m', JSON.stringify({ t: T, a: { b: 1 } })],
    ['j/m', `{"t":${T},"a":1e999}`],
    ['j/m', JSON.stringify({ t: T, a: 'x'.repeat(2000) })],
    ['j/$System.', JSON.stringify({ t: T, a: 1 })],
    ['w/../x', '1'],
    ['w/plant/x', 'one'],
    ['w/plant/', '1'],
    ['w/plant/..', '1'],
  ];
  const good = (i: number): [string, string] => ['j/m', JSON.stringify({ t: T + i, a: i })];
  await publishAll(
    client,
    bad.flatMap((message, i) => [good(i), message]),
  );
  await publishAll(client, [['j/m', JSON.stringify({ t: T + 99, a: 'text for a number' })], good(100)]);
  await server.until('all', ({ counts }) => counts.acknowledged === 2 * bad.length + 2);
  const values = (await server.points('plant', 'm.a')).map(({ value }) => value);
  assert.deepEqual(values, [...bad.keys(), 100]);
  const { counts, badMessages } = server.snapshot;
  assert.equal(counts.bad, bad.length + 1);
  assert.equal(badMessages.length, 10);
  assert.ok(badMessages.some(({ reason }) => /^m\.a: got text; want a number/.test(reason)));
  assert.equal(server.logLines.filter((line) => line.includes('could not become points')).length, 1);
});

test('a broker that is away does not keep the server from starting, and is found when it comes', {
  skip,
}, async (context) => {
  const port = await freePort();
  const server = await SourceEngine.start(context, { url: `mqtt://127.0.0.1:${port}`, topics: [JSON_TOPIC] }, 'away');
  await server.until('a failure', ({ state, lastError }) => state === 'waiting' && lastError !== undefined);
  assert.match(server.logLines.join(''), /not connected; trying again/);
  assert.match(server.snapshot.lastError ?? '', /ECONNREFUSED/);
  await Broker.forTest(context, [`listener ${port} 127.0.0.1`]);
  await server.until('the broker', ({ state }) => state === 'connected');
});

test('the dataset has the statuses of a collector: 192, 24 while the broker is away, 28 at the end', {
  skip,
}, async (context) => {
  const broker = await Broker.forTest(context);
  const server = await SourceEngine.start(context, { url: broker.url, topics: [JSON_TOPIC] });
  const client = await connectClient(context, broker.url);
  await publishAll(client, [['j/m', JSON.stringify({ t: T, a: 1 })]]);
  const qualities = async (): Promise<number[]> =>
    (await server.points('plant', '$System.Status')).map(({ quality }) => quality);
  const untilLast = async (quality: number): Promise<void> => {
    for (let i = 0; i < 1000 && (await qualities()).at(-1) !== quality; i++)
      await new Promise((next) => setTimeout(next, 10));
    assert.equal((await qualities()).at(-1), quality);
  };
  await server.until('the point', ({ counts }) => counts.written === 1);
  await untilLast(192);
  await broker.end();
  await untilLast(24);
  await broker.start();
  await untilLast(192);
  await server.sources.stop();
  assert.deepEqual(await qualities(), [192, 24, 192, 28]);
  assert.equal((await server.points('Diagnostics', 'mqtt.test.written')).at(-1)?.value, 1);
  assert.equal((await server.points('Diagnostics', 'mqtt.test.connected')).at(-1)?.value, 0);
});

const skipTls = skip || (existsSync('/usr/bin/openssl') ? false : 'openssl is not installed');

/** A certificate authority, a broker's certificate for 127.0.0.1, and a client's. */
function makeCertificates(folder: string): Record<'ca' | 'broker' | 'client' | 'other', { cert: string; key: string }> {
  // The client of OPC UA, which other tests of this process use, leaves a variable of openssl that names no file.
  const { OPENSSL_CONF: _, ...env } = process.env;
  const run = (...words: string[]): void => void execFileSync('openssl', words, { cwd: folder, env, stdio: 'pipe' });
  const place = (name: string) => ({ cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  for (const name of ['ca', 'other'])
    run('req', '-x509', ...curve, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`);
  for (const name of ['broker', 'client']) {
    run('req', ...curve, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    writeFileSync(join(folder, 'san.txt'), 'subjectAltName=IP:127.0.0.1');
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'san.txt'];
    run('x509', '-req', '-in', `${name}.csr`, ...by, '-out', `${name}.pem`);
  }
  return { ca: place('ca'), broker: place('broker'), client: place('client'), other: place('other') };
}

test('TLS with user, password and client certificate; without each of them it is refused', {
  skip: skipTls,
}, async (context) => {
  const folder = makeTempFolder(context);
  const made = makeCertificates(folder);
  const port = await freePort();
  writeFileSync(join(folder, 'users'), 'collector:secret\n', { mode: 0o600 });
  execFileSync('mosquitto_passwd', ['-U', join(folder, 'users')], { stdio: 'pipe' });
  const broker = await Broker.forTest(context, [
    `password_file ${folder}/users`,
    `listener ${port} 127.0.0.1`,
    `cafile ${made.ca.cert}`,
    `certfile ${made.broker.cert}`,
    `keyfile ${made.broker.key}`,
    'require_certificate true',
    'allow_anonymous false',
  ]);
  writeFileSync(join(folder, 'password'), 'secret\n');
  const certificates = { ca: made.ca.cert, certificate: made.client.cert, key: made.client.key };
  const access = { user: 'collector', password: { file: join(folder, 'password') } };
  const url = `mqtts://127.0.0.1:${port}`;
  const server = await SourceEngine.start(context, { url, ...certificates, ...access, topics: [JSON_TOPIC] });
  const login = { username: 'collector', password: 'secret' };
  const client = await connectClient(context, broker.url, login);
  await publishAll(client, [['j/m', JSON.stringify({ t: T, a: 1 })]]);
  await server.until('the point', ({ counts }) => counts.acknowledged === 1);
  for (const [what, source, reason] of [
    ['another password', { ...certificates, ...access, password: 'wrong' }, /Not authorized/],
    ['no user', certificates, /Not authorized/],
    ['another authority', { ...certificates, ...access, ca: made.other.cert }, /certificate|signature/],
    ['the key of another', { ...certificates, ...access, key: made.other.key }, /key values mismatch/],
    ['no client certificate', { ca: made.ca.cert, ...access }, /./],
  ] as const) {
    const refused = await SourceEngine.start(context, { url, clientId: what, ...source, topics: [JSON_TOPIC] }, 'away');
    await refused.until(what, ({ state, lastError }) => state === 'waiting' && lastError !== undefined);
    assert.match(refused.snapshot.lastError ?? '', reason, what);
    await refused.stop();
  }
});
