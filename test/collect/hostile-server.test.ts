// The collector against a real OPC UA server that means no good: texts and arrays without measure, histories without end, types that
// change. Its memory stays bounded, it says what is wrong, and other variables go on.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DataType, VariantArrayType } from 'node-opcua-client';
import { ServerProcess } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { CollectorProcess, until } from './support/collector-process.ts';
import { OpcUaTestServer } from './support/opcua-server.ts';

const MEGABYTE = 2 ** 20;
/** Bytes of a text that passes the limits of the protocol, and is sent once a round. */
const TEXT_BYTES = 4 * MEGABYTE;
const ELEMENTS = 500_000;
const ROUNDS = 10;
const MOST_MEMORY_BYTES = 600 * MEGABYTE;

interface ReadPoint {
  readonly v: unknown;
  readonly q: number;
}

async function readTag(url: string, tag: string): Promise<ReadPoint[]> {
  const query = `tagname=${encodeURIComponent(tag)}&relativeStart=-1d&relativeEnd=1h`;
  const answer = await fetch(`${url}/api/datasets/plant/data?${query}`);
  if (answer.status !== 200) return [];
  const { tl } = (await answer.json()) as { tl: { d: ReadPoint[] }[] };
  return tl[0]?.d ?? [];
}

function mostMemoryBytes(pid: number): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

test('a hostile server: what it sends is bounded, said, and keeps back nothing else', {
  skip: process.platform !== 'linux' && 'it reads the memory of a process from /proc',
}, async (context) => {
  const folder = makeTempFolder(context);
  const varve = await ServerProcess.start();
  context.after(() => varve.kill().catch(() => undefined));
  const variables = [{ name: 'Speed' }, { name: 'Endless', hasHistory: true }];
  const server = await OpcUaTestServer.start({ folder: join(folder, 'keys'), port: 0, variables });
  context.after(() => server.stop().catch(() => undefined));
  const number = { dataType: DataType.Double, value: 1 };
  for (const name of ['Text', 'List', 'Turning']) server.addAny(name, number);
  const config = join(folder, 'opcua.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({
      target: { dataset: 'plant', url: varve.url, token: 'token-nobody-may-see' },
      endpoints: [server.url],
      publishingMs: 100,
      nodes: [{ paths: ['Line1/*'], samplingMs: 0 }],
    }),
  );
  let collector = new CollectorProcess(config);
  context.after(() => collector.end('SIGKILL'));
  await collector.said(/ 5 variables .* subscribed/);
  server.set('Endless', 1, Date.now() - 5000);
  await until('a value of Endless', async () => (await readTag(varve.url, 'Line1/Endless')).find(({ v }) => v === 1));

  for (let round = 1; round <= ROUNDS; round++) {
    server.setAny('Text', { dataType: DataType.String, value: `${round}`.padEnd(TEXT_BYTES, 'x') });
    server.setAny('List', {
      dataType: DataType.Double,
      arrayType: VariantArrayType.Array,
      value: new Float64Array(ELEMENTS).fill(round),
    });
    server.setAny('Turning', round % 2 === 0 ? number : { dataType: DataType.String, value: `text ${round}` });
    server.set('Speed', round, Date.now());
    await until(`value ${round} of Speed`, async () =>
      (await readTag(varve.url, 'Line1/Speed')).find(({ v }) => v === round),
    );
  }
  for (const tag of ['Line1/Text', 'Line1/List']) {
    const large = (await readTag(varve.url, tag)).filter(({ v }) => v !== 1);
    assert.ok(large.length > 0, tag);
    for (const { v, q } of large) assert.deepEqual([v, q < 64], [null, true], tag);
  }
  await collector.said(/refused \d+ points of a batch/);
  assert.ok(mostMemoryBytes(collector.pid ?? 0) < MOST_MEMORY_BYTES, `${mostMemoryBytes(collector.pid ?? 0)} bytes`);

  // The next run reads the history, which has no end.
  assert.equal(await collector.end('SIGTERM'), 0);
  const pageCount = server.giveEndlessHistory('Endless', Date.now() - 1000);
  const earlierLog = collector.log;
  collector = new CollectorProcess(config);
  await collector.said(/the history of 1 variables cannot be read \(its history ends before its values do\)/);
  assert.ok(pageCount() <= 4, `${pageCount()} pages`);
  server.set('Speed', 1000, Date.now());
  await until('the next value of Speed', async () =>
    (await readTag(varve.url, 'Line1/Speed')).find(({ v }) => v === 1000),
  );
  assert.equal(await collector.end('SIGTERM'), 0);
  assert.doesNotMatch(earlierLog + collector.log, /token-nobody/);
  const key = join(folder, 'collect-certificates/own/private/private_key.pem');
  assert.equal(statSync(key).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder, 'collect-certificates')).mode & 0o777, 0o700);
});
