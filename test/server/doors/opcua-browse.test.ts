// Looking at a real server of OPC UA through the API: what it offers, its levels with values, who may, and bounds.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DataType, VariantArrayType } from 'node-opcua-client';
import { OpcUaTestServer } from '../../collect/support/opcua-server.ts';
import { freeLowPorts } from '../../support/low-ports.ts';
import { runServerToEnd, ServerProcess } from '../../support/server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface Node {
  readonly id: string;
  readonly name: string;
  readonly value?: string;
  readonly quality?: number;
  readonly type?: string;
  readonly isVariable: boolean;
}

async function ask(
  server: ServerProcess,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<Answer> {
  const answer = await fetch(`${server.url}/api/sources/opcua${path}`, {
    method,
    ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
}

test('a server is tried, its levels are browsed with present values, and what it is not is said in words', async (t) => {
  const folder = makeTempFolder(t);
  const plant = await OpcUaTestServer.start({ folder, port: 0, variables: [{ name: 'Speed' }, { name: 'Still' }] });
  t.after(() => plant.stop());
  plant.set('Speed', 12.5, Date.UTC(2026, 0, 1));
  plant.addAny('Text', { dataType: DataType.String, value: 'x'.repeat(100_000) });
  plant.addAny('List', {
    dataType: DataType.Double,
    arrayType: VariantArrayType.Array,
    value: new Float64Array(100_000),
  });
  const data = makeTempFolder(t);
  const server = await ServerProcess.start({ dataFolder: data });
  t.after(() => server.stop());

  assert.equal((await ask(server, 'POST', '/browse', {})).status, 404);
  const tried = await ask(server, 'POST', '', { endpoint: plant.url });
  assert.equal(tried.body.isOpen, true, JSON.stringify(tried.body));
  const offers = tried.body.offers as { securityPolicy: string; securityMode: string; users: string[] }[];
  assert.ok(offers.some(({ securityPolicy, securityMode }) => securityPolicy === 'None' && securityMode === 'None'));
  assert.ok(
    offers.some(({ securityPolicy, users }) => securityPolicy === 'Basic256Sha256' && users.includes('UserName')),
  );

  const nodesOf = async (node?: string): Promise<Map<string, Node>> => {
    const { body } = await ask(server, 'POST', '/browse', node === undefined ? {} : { node });
    return new Map((body.nodes as Node[]).map((one) => [one.name, one]));
  };
  const line = (await nodesOf()).get('Line1');
  assert.equal(line?.isVariable, false);
  const nodes = await nodesOf(line?.id);
  assert.deepEqual([...nodes.keys()].sort(), ['List', 'Speed', 'Still', 'Text']);
  const speed = nodes.get('Speed');
  assert.deepEqual([speed?.value, speed?.quality, speed?.type, speed?.isVariable], ['12.5', 192, 'Double', true]);
  assert.deepEqual(
    [nodes.get('Text')?.value, nodes.get('List')?.value, nodes.get('List')?.type],
    ['null', 'null', 'Double[]'],
  );

  // Its certificate is not accepted yet, and the words say where it is to be.
  const secured = await ask(server, 'POST', '', { endpoint: plant.url, securityPolicy: 'Basic256Sha256' });
  assert.equal(secured.body.isOpen, false);
  assert.match(String(secured.body.reason), /certificates are not accepted: .*trusted\/certs/);
  assert.equal(statSync(join(data, '.opcua')).mode & 0o777, 0o700);
  const refused = await ask(server, 'POST', '', { endpoint: plant.url, user: 'reader', password: 'wrong' });
  assert.match(String(refused.body.reason), /refuses the user or the password/);

  // The one before is left, and one that is closed is not there.
  assert.equal((await ask(server, 'POST', '/browse', {})).status, 404);
  await ask(server, 'POST', '', { endpoint: plant.url });
  assert.equal((await ask(server, 'POST', '/browse', { node: 'ns=1;s=none' })).status, 502);
  assert.equal((await ask(server, 'DELETE', '')).status, 200);
  assert.equal((await ask(server, 'POST', '/browse', {})).status, 404);

  const [port = 0] = await freeLowPorts(1);
  const away = await ask(server, 'POST', '', { endpoint: `opc.tcp://127.0.0.1:${port}` });
  assert.equal(away.body.isOpen, false);
  assert.match(String(away.body.reason), /^nothing listens there/);
  for (const endpoint of ['http://127.0.0.1', 'opc.tcp://me:word@127.0.0.1:4840', 'nothing'])
    assert.equal((await ask(server, 'POST', '', { endpoint })).status, 400, endpoint);
});

test('without tokens a server that others reach looks at no other', async (t) => {
  const server = await ServerProcess.start({ flags: ['--allow-host', 'plant.example'] });
  t.after(() => server.stop());
  const { status, body } = await ask(server, 'POST', '', { endpoint: 'opc.tcp://127.0.0.1:4840' });
  assert.equal(status, 403);
  assert.match(String(body.detail), /has no tokens: anybody could make it connect to any address/);
});

test('with tokens it takes the role admin for all datasets; each user has a server of his own', async (t) => {
  const data = makeTempFolder(t);
  const create = async (...flags: string[]): Promise<string> =>
    (await runServerToEnd(['token', 'create', '--data', data, ...flags])).stdout.trim();
  const admin = await create('--role', 'admin', '--name', 'first');
  const other = await create('--role', 'admin', '--name', 'second');
  const refused = [
    await create('--role', 'write'),
    await create('--role', 'read'),
    await create('--role', 'admin', '--dataset', 'Line*'),
  ];
  const plant = await OpcUaTestServer.start({ folder: makeTempFolder(t), port: 0, variables: [{ name: 'Speed' }] });
  t.after(() => plant.stop());
  const server = await ServerProcess.start({ dataFolder: data });
  t.after(() => server.stop());
  const trial = { endpoint: plant.url };
  assert.equal((await ask(server, 'POST', '', trial)).status, 401);
  for (const token of refused) assert.equal((await ask(server, 'POST', '', trial, token)).status, 403);
  assert.equal((await ask(server, 'POST', '', trial, admin)).body.isOpen, true);
  assert.equal((await ask(server, 'POST', '/browse', {}, admin)).status, 200);
  assert.equal((await ask(server, 'POST', '/browse', {}, other)).status, 404);
  assert.ok(await server.findLog(/OPC UA server tried/));
});
