// MQTT in: messages of QoS 1 at a steady rate from a real broker, and what server, broker and publisher take of the
// processor. Run: npm run bench mqtt -- [--rate 20000] [--seconds 60]

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Broker } from '../../test/server/doors/mqtt/support/broker.ts';
import { HttpClient } from '../../test/support/http-client.ts';
import { ServerProcess } from '../../test/support/server-process.ts';
import { publishSteadily } from '../mqtt/steady-publisher.ts';
import { treeCpuSeconds } from '../support/process-tree.ts';

const TAG_COUNT = 1000;
const ARRIVAL_LIMIT_MS = 60_000;

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '60' },
    // In the process of the publisher.
    publish: { type: 'string' },
  },
});
const [rate, seconds] = [Number(values.rate), Number(values.seconds)];

if (values.publish === undefined) await measure();
else console.log(JSON.stringify(await publishSteadily({ url: values.publish, rate, seconds, tagCount: TAG_COUNT })));

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-bench-'));
  const broker = await Broker.start(join(folder, 'broker'), ['autosave_interval 100000000']);
  const file = join(folder, 'mqtt.json');
  const payload = { format: 'json', time: 't', value: 'v' };
  const topics = [{ topic: 'plant/{tag}', dataset: 'plant', tag: '{tag}', payload }];
  writeFileSync(file, JSON.stringify({ sources: [{ name: 'plant', url: broker.url, topics }] }));
  const server = await ServerProcess.start({ dataFolder: join(folder, 'data'), flags: ['--mqtt', file] });
  try {
    await server.findLog(/broker is connected/);
    await run(broker, server);
  } finally {
    await server.stop();
    await broker.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(broker: Broker, server: ServerProcess): Promise<void> {
  const args = [import.meta.filename, '--publish', broker.url, '--rate', String(rate), '--seconds', String(seconds)];
  const publisher = spawn(process.execPath, ['--import', 'tsx', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pids = { server: server.pid, broker: broker.pid, publisher: publisher.pid as number };
  const cpuBefore = { server: treeCpuSeconds(pids.server), broker: treeCpuSeconds(pids.broker), publisher: 0 };
  const lines: string[] = [];
  createInterface({ input: publisher.stdout }).on('line', (line) => lines.push(line));
  const startMs = performance.now();
  const exited = new Promise((resolve) => publisher.once('exit', resolve));
  await exited;
  const published = JSON.parse(lines[0] ?? '{}') as {
    sent: number;
    acknowledged: number;
    ms: number;
    cpuSeconds: number;
  };
  const stored = await untilStored(server, published.sent);
  const wallSeconds = (performance.now() - startMs) / 1000;
  const share = (used: number): string => `${((100 * used) / wallSeconds).toFixed(0)} % of a core`;
  console.log(`| MQTT in, ${rate.toLocaleString('en-US')} messages a second for ${seconds} s | |`);
  console.log('|---|---|');
  console.log(`| published and acknowledged by the broker | ${published.acknowledged.toLocaleString('en-US')} |`);
  console.log(`| a second | ${Math.round((1000 * published.acknowledged) / published.ms).toLocaleString('en-US')} |`);
  console.log(`| stored | ${stored.points.toLocaleString('en-US')} |`);
  console.log(`| until the last is stored, after the last acknowledgement | ${stored.afterMs.toFixed(0)} ms |`);
  console.log(`| server | ${share(treeCpuSeconds(pids.server) - cpuBefore.server)} |`);
  console.log(`| broker | ${share(treeCpuSeconds(pids.broker) - cpuBefore.broker)} |`);
  console.log(`| publisher | ${share(published.cpuSeconds)} |`);
  console.log(`| syncs of the journal | ${stored.syncs.toLocaleString('en-US')} |`);
}

async function untilStored(
  server: ServerProcess,
  count: number,
): Promise<{ points: number; afterMs: number; syncs: number }> {
  const http = new HttpClient(server.url);
  const startMs = performance.now();
  for (;;) {
    const { text } = await http.get('/metrics');
    const points = figure(text, 'varve_mqtt_points_written_total{source="plant"}');
    const afterMs = performance.now() - startMs;
    const syncs = figure(text, 'varve_journal_syncs_total{dataset="plant"}');
    if (points >= count || afterMs > ARRIVAL_LIMIT_MS) return { points, afterMs, syncs };
    await sleep(20);
  }
}

function figure(text: string, series: string): number {
  const line = text.split('\n').find((line) => line.startsWith(series));
  return Number(line?.slice(series.length) ?? Number.NaN);
}
