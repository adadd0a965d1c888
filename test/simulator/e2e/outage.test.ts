// The server goes away in the middle of live running and comes back; the simulator is killed meanwhile, too. Nothing is
// missing, nothing double, the order is kept: compared with a run on which nothing fell. OUTAGE_MS sets how long it is away.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { assertSamePoints, readDataset } from '../../support/dataset-reader.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { SimulatorProcess } from '../../support/simulator-process.ts';
import { NOW_MS, simulate } from '../../support/simulator-runs.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const OUTAGE_MS = Number(process.env.OUTAGE_MS ?? 3000);
const LIVE_MS = 2500;
const POLL_MS = 200;
const WRITTEN_LIMIT_MS = 60_000;
const TAG_COUNT = 32;

/** Cycles of some seconds, so that new ones become due all the time. */
const LIVE_PLANT = {
  Settings: {
    Backfill: 0,
    Sequences: {
      Fast: {
        map: [{ name: 'No', data: '1-8' }],
        steps: [
          { value: '1', duration: 'random(0.02, 0.05)' },
          { value: '2', duration: '0.03' },
        ],
        tags: [
          { name: 'F[No].Step', type: 'System.Int32', values: ['step'] },
          { name: 'F[No].Flow', values: ['flat(1, 50, 5)', 'ramp(1, 20)'] },
          { name: 'F[No].Total', values: ['integrate(F[No].Flow, second)'] },
          { name: 'F[No].Text', type: 'System.String', values: ['[Step Date, HHmmssfff]', 'previous'] },
        ],
      },
    },
  },
};

for (const isSimulatorKilled of [false, true]) {
  const also = isSimulatorKilled ? ', the simulator killed in the middle of that' : '';
  test(`the server away for ${OUTAGE_MS / 1000} s in live running${also}: nothing missing, nothing double, in order`, async (context) => {
    const dataFolder = join(makeTempFolder(context), 'data');
    const folder = makeTempFolder(context);
    const config = join(folder, 'plant.json');
    writeFileSync(config, JSON.stringify(LIVE_PLANT));
    const beganMs = Date.now();
    // A port of our own choice: the system does not soon give one again that it chose itself.
    const port = await findFreePort();
    const startServer = (): Promise<ServerProcess> =>
      ServerProcess.start({ dataFolder, bareFlags: ['--data', dataFolder, '--port', String(port)] });
    let server = await startServer();
    const { url } = server;
    context.after(() => server.kill());
    const start = (): SimulatorProcess => {
      const now = new Date(NOW_MS + Date.now() - beganMs).toISOString();
      return new SimulatorProcess(['--config', config, '--dataset', 'Live', '--url', url, '--seed', '5', '--now', now]);
    };
    let simulator = start();
    context.after(() => simulator.kill());
    await simulator.waitFor(/live from here/);
    await delay(LIVE_MS);
    await server.kill();
    await simulator.waitFor(/the server does not take points .*: storing them in/);
    await delay(OUTAGE_MS / 2);
    if (isSimulatorKilled) {
      await simulator.kill();
      simulator = start();
    }
    await delay(OUTAGE_MS / 2);
    server = await startServer();
    await simulator.waitFor(isSimulatorKilled ? /live from here/ : /all stored batches are forwarded/);
    await writtenUpTo(url, NOW_MS + Date.now() - beganMs);
    assert.equal(await simulator.stop(), 0, simulator.lines.join('\n'));
    await compareWithUndisturbed(url, folder, NOW_MS + Date.now() - beganMs);
  });
}

/** Resolves once every tag has a point later than that. */
async function writtenUpTo(url: string, timeMs: number): Promise<void> {
  for (let round = 0; round < WRITTEN_LIMIT_MS / POLL_MS; round++) {
    const tags = [...(await readDataset(url, 'Live')).values()];
    if (tags.length === TAG_COUNT && tags.every((points) => Date.parse(points.at(-1)?.t ?? '') > timeMs)) return;
    await delay(POLL_MS);
  }
  throw new Error(`not every tag was written up to ${new Date(timeMs).toISOString()} in time`);
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Generates the same from the live run's first state, to a dataset of its own, and compares up to where the live run is. */
async function compareWithUndisturbed(url: string, folder: string, nowMs: number): Promise<void> {
  const history = join(folder, 'plant.state', 'Live', 'history');
  const first = Math.min(...readdirSync(history).map(Number));
  const state = join(folder, 'reference.state');
  mkdirSync(join(state, 'Reference'), { recursive: true });
  cpSync(join(history, String(first)), join(state, 'Reference', 'state'));
  const options = { url: new URL(url), dataset: 'Reference', state, nowMs: nowMs + 60_000, seed: undefined };
  await simulate({ folder, configuration: LIVE_PLANT, options });
  const expected = await readDataset(url, 'Reference');
  const actual = await readDataset(url, 'Live');
  const prefixes = [...expected].map(([tag, points]) => [tag, points.slice(0, actual.get(tag)?.length ?? 0)] as const);
  assertSamePoints(actual, new Map(prefixes));
  assert.equal(actual.size, TAG_COUNT);
}
