// What each HTTP transport costs the server on the Node that runs this: processor time of the server process, all threads,
// so that other load on the machine matters little. Prints a line of JSON for each transport.
// Run: <node> --import tsx bench/programs/transports.ts

import { createHttpServer } from '../../server/transport.ts';
import { withConnections } from '../client/raw-connection.ts';
import { requestBytes } from '../client/request-bytes.ts';
import { driveWrites } from '../client/write-driver.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { ServerUnderTest } from '../support/server-under-test.ts';
import { buildLoad, DATASET, W1, type WriteLoad } from '../workloads/write-load.ts';

const RUNS = 3;
const POINTS_A_TAG = 2000;
const READS_A_CONNECTION = 10_000;
const CONNECTIONS = 2;
const NEWEST = requestBytes({ method: 'GET', path: `/api/datasets/${DATASET}/data?tagname=Area0.Unit0.Tag0` });

interface Cost {
  /** Million points written for each second of processor time. */
  readonly pointsPerCpu: number;
  /** Thousand reads of one newest point for each second of processor time. */
  readonly readsPerCpu: number;
}

async function measure(transport: 'uws' | 'node', load: WriteLoad): Promise<Cost> {
  return withTempFolder('transports', async (folder) => {
    const server = await ServerUnderTest.start(`${folder}/data`, { flags: ['--http', transport] });
    const writes = await cpuOf(server, () => driveWrites(server.url, load));
    const reads = await cpuOf(server, () => readNewest(server.url));
    await server.stop();
    return {
      pointsPerCpu: load.points / writes / 1e6,
      readsPerCpu: (READS_A_CONNECTION * CONNECTIONS) / reads / 1e3,
    };
  });
}

async function cpuOf(server: ServerUnderTest, work: () => Promise<unknown>): Promise<number> {
  const before = server.cpuSeconds;
  await work();
  return server.cpuSeconds - before;
}

async function readNewest(address: string): Promise<void> {
  await withConnections(address, CONNECTIONS, async (connections) => {
    await Promise.all(
      connections.map(async (connection) => {
        for (let n = 0; n < READS_A_CONNECTION; n++) {
          const { status } = await connection.send(NEWEST);
          if (status !== 200) throw new Error(`a read was answered with ${status}`);
        }
      }),
    );
  });
}

function loadsUws(): boolean {
  const options = { handler: () => undefined, serverName: 'Varve', allowedHosts: [], onError: () => undefined };
  return createHttpServer('uws', options).transport === 'uws';
}

const load = buildLoad({ ...W1, pointsATag: POINTS_A_TAG }, 1);
for (const transport of loadsUws() ? (['uws', 'node'] as const) : (['node'] as const)) {
  const costs: Cost[] = [];
  for (let run = 0; run < RUNS; run++) costs.push(await measure(transport, load));
  const best = (of: (cost: Cost) => number): number => Number(Math.max(...costs.map(of)).toFixed(2));
  const figures = { pointsPerCpu: best((cost) => cost.pointsPerCpu), readsPerCpu: best((cost) => cost.readsPerCpu) };
  console.log(JSON.stringify({ node: process.versions.node, transport, ...figures }));
}
