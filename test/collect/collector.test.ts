// The collector against a real OPC UA server and a real Varve: the example of docs/opcua.md as a process of its own, killed and
// started again, the server and the historian away meanwhile.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeLowPorts } from '../support/low-ports.ts';
import { projectFolder, ServerProcess } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { CollectorProcess, until } from './support/collector-process.ts';
import { OpcUaTestServer } from './support/opcua-server.ts';

const SPACING_MS = 60;
/** Keys are dear to make: the servers share theirs, and so do the collectors. */
const keys = makeTempFolder({ after });
const certificates = join(keys, 'collector');
const VARIABLES = [{ name: 'Speed' }, { name: 'Level', hasHistory: true }];

const SECURED = { securityPolicy: 'Basic256Sha256', user: 'reader', password: 'secret word' };

interface ReadPoint {
  readonly t: string;
  readonly v: number | null;
  readonly q: number;
}

async function readTag(url: string, tag: string): Promise<ReadPoint[]> {
  const query = `tagname=${encodeURIComponent(tag)}&relativeStart=-1h`;
  const answer = await fetch(`${url}/api/datasets/plant/data?${query}`).catch(() => undefined);
  if (answer?.status !== 200) return [];
  const { tl } = (await answer.json()) as { tl: { d: ReadPoint[] }[] };
  return tl[0]?.d ?? [];
}

function untilValues(url: string, tag: string, values: readonly number[]): Promise<ReadPoint[]> {
  return until(`${values.length} values of ${tag}`, async () => {
    const points = await readTag(url, tag);
    const stored = points.filter(({ v }) => v !== null).map(({ v }) => v);
    return values.every((value) => stored.includes(value)) ? points : undefined;
  });
}

function startCollector(context: TestContext, config: string): CollectorProcess {
  const collector = new CollectorProcess(config);
  context.after(() => collector.end('SIGKILL'));
  return collector;
}

/** The first example of the page, for servers on other ports. */
function writeExample(folder: string, change: (config: Record<string, unknown>) => void): string {
  const page = readFileSync(join(projectFolder, 'docs/opcua.md'), 'utf8');
  const [, text = ''] = /```json opcua\.json\n([\s\S]*?)```/.exec(page) ?? [];
  const config = JSON.parse(text) as Record<string, unknown>;
  config.certificates = certificates;
  // Every value, on machines of any speed.
  for (const selection of config.nodes as Record<string, unknown>[]) selection.samplingMs = 0;
  change(config);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'opcua.json');
  writeFileSync(path, JSON.stringify(config));
  return path;
}

async function setValues(server: OpcUaTestServer, from: number, count: number): Promise<number[]> {
  const values = Array.from({ length: count }, (_, index) => from + index);
  for (const value of values) {
    await sleep(SPACING_MS);
    for (const { name } of VARIABLES) server.set(name, value, Date.now());
  }
  return values;
}

test('nothing is lost while the collector, the historian or the server is away, and holes are marked', async (context) => {
  const folder = makeTempFolder(context);
  const dataFolder = join(folder, 'data');
  // Not a port that the system gives to connections: nothing must take it while the historian is away.
  const [port = 0, uaPort = 0] = await freeLowPorts(2);
  const flags = ['--data', dataFolder, '--port', String(port)];
  let varve = await ServerProcess.start({ dataFolder, bareFlags: flags });
  context.after(() => varve.kill().catch(() => undefined));
  let server = await OpcUaTestServer.start({ folder: keys, port: uaPort, variables: VARIABLES });
  context.after(() => server.stop().catch(() => undefined));
  const path = writeExample(folder, (config) => {
    config.endpoints = [server.url];
    config.target = { dataset: 'plant', url: varve.url };
    config.publishingMs = 100;
  });
  let collector = startCollector(context, path);
  await collector.said(/ 2 variables .* subscribed/);
  const first = await setValues(server, 1, 10);
  await untilValues(varve.url, 'Line1/Level', first.slice(-1));

  // Killed: the server's history has what comes meanwhile.
  await collector.end('SIGKILL');
  const whileKilled = await setValues(server, 100, 10);
  collector = startCollector(context, path);
  await collector.said(/recovered/);
  const level = await untilValues(varve.url, 'Line1/Level', whileKilled);
  assert.ok(!level.some(({ q }) => q === 24), 'no mark where the history has everything');
  assert.equal(new Set(level.map(({ t }) => t)).size, level.length, 'nothing is stored twice');
  // Its queues have what it has no history of: the subscriptions are taken over.
  const speed = await untilValues(varve.url, 'Line1/Speed', [...first, ...whileKilled]);
  assert.ok(!speed.some(({ q }) => q === 24), 'no mark where the queues have everything');
  assert.equal(new Set(speed.map(({ t }) => t)).size, speed.length, 'nothing is stored twice');

  // The historian is killed, then the collector, too: the disk has everything.
  await varve.kill();
  const whileAway = await setValues(server, 200, 10);
  await collector.said(/does not take points/);
  await sleep(1500);
  await collector.end('SIGKILL');
  varve = await ServerProcess.start({ dataFolder, bareFlags: flags });
  collector = startCollector(context, path);
  await untilValues(varve.url, 'Line1/Level', whileAway);

  // The OPC UA server is started again.
  await server.stop();
  await collector.said(/is left/);
  server = await OpcUaTestServer.start({ folder: keys, port: uaPort, variables: VARIABLES });
  const afterRestart = await setValues(server, 300, 10);
  await untilValues(varve.url, 'Line1/Level', afterRestart.slice(-1));
  const marked = await untilValues(varve.url, 'Line1/Speed', afterRestart.slice(-1));
  assert.equal(marked.filter(({ q, v }) => q === 24 && v === null).length, 1, 'a mark where nobody has the values');
  assert.equal(await collector.end('SIGTERM'), 0);
  const statuses = await (await fetch(`${varve.url}/api/datasets/plant/status?relativeStart=-1h`)).text();
  for (const quality of [192, 24, 28]) assert.match(statuses, new RegExp(`"q":\\s*${quality}\\b`));
});

test('the second server takes over, encrypted, and no credential is in the log', async (context) => {
  const folder = makeTempFolder(context);
  const varve = await ServerProcess.start();
  context.after(() => varve.kill().catch(() => undefined));
  const one = await OpcUaTestServer.start({ folder: keys, port: 0, variables: VARIABLES });
  context.after(() => one.stop().catch(() => undefined));
  const two = await OpcUaTestServer.start({ folder: keys, port: 0, variables: VARIABLES });
  context.after(() => two.stop().catch(() => undefined));
  const path = writeExample(folder, (config) => {
    config.endpoints = [one.url, two.url];
    config.target = { dataset: 'plant', url: varve.url };
    Object.assign(config, SECURED);
  });
  const refused = startCollector(context, path);
  await refused.said(/certificates are not accepted/);
  const rejected = await until(
    () => `the rejected certificate in:\n${refused.log}`,
    () => {
      const names = readdirSync(join(certificates, 'rejected'));
      return names.length > 0 ? names : undefined;
    },
  );
  assert.equal(await refused.end('SIGTERM'), 0);
  assert.equal(statSync(join(certificates, 'own/private/private_key.pem')).mode & 0o777, 0o600);

  // What the page says: the servers' certificates are moved to those that are trusted.
  assert.equal(rejected.length, 1);
  for (const name of rejected)
    renameSync(join(certificates, 'rejected', name), join(certificates, 'trusted/certs', name));
  const collector = startCollector(context, path);
  await collector.said(/subscribed/);
  await one.stop();
  await collector.said(new RegExp(`connected to ${two.url}`));
  const values = await setValues(two, 500, 5);
  await untilValues(varve.url, 'Line1/Speed', values.slice(-1));
  assert.equal(await collector.end('SIGTERM'), 0);
  assert.doesNotMatch(refused.log + collector.log, /secret word/);
  await varve.stop();

  // A collector in the server's process needs no address, and tells its figures.
  const inner = writeExample(join(folder, 'inner'), (config) => {
    config.endpoints = [one.url, two.url];
    config.target = { dataset: 'plant' };
    Object.assign(config, { ...SECURED, diagnostics: 'collector' });
  });
  const dataFolder = join(folder, 'data');
  const flags = ['--data', dataFolder, '--port', '0', '--opcua', inner];
  const server = await ServerProcess.start({ dataFolder, bareFlags: flags });
  context.after(() => server.kill().catch(() => undefined));
  await server.findLog(/2 variables of .* are subscribed/);
  await untilValues(server.url, 'Line1/Speed', values.slice(-1));
  await untilValues(server.url, 'collector.variables', [2]);
  const { collectors } = (await (await fetch(`${server.url}/api/sources`)).json()) as { collectors: object[] };
  assert.equal(collectors.length, 1);
  const { state, connectedTo, variables, dataset } = collectors[0] as Record<string, unknown>;
  assert.deepEqual([state, connectedTo, variables, dataset], ['connected', two.url, 2, 'plant']);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /^varve_collector_connected\{dataset="plant"\} 1$/m);
  assert.match(metrics, /^varve_collector_buffer_age_seconds\{dataset="plant"\} \d+$/m);
  assert.match(metrics, /^varve_collector_points_stored_total\{dataset="plant"\} [1-9]\d*$/m);
  await server.stop();
  assert.doesNotMatch(server.logLines.join('\n'), /secret word/);
});
