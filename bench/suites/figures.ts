// Bytes per point, and points per second in and out over HTTP: 1,000 tags x 10,000 plant-like points.
// Run: npm run bench:figures -- [--points 10000] [--a-request 10] [--seed 1]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { measureFolder } from '../support/folder-figures.ts';
import { Connection, checkOk } from '../support/http-load.ts';
import { PlantData } from '../support/plant-data.ts';
import { ServerUnderTest } from '../support/server-under-test.ts';

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '10000' },
    'a-request': { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});
const TAGS = 1000;
const POINTS = Number(values.points);
const POINTS_A_REQUEST = Number(values['a-request']);
const CONNECTIONS = 2;
const START_MS = Date.UTC(2026, 0, 1);

const folder = mkdtempSync(`${tmpdir()}/varve-figures-`);
const plant = new PlantData({
  tagCount: TAGS,
  stepMs: 1000,
  jitterMs: 100,
  startMs: START_MS,
  seed: Number(values.seed),
});
try {
  const server = await ServerUnderTest.start(folder);
  const emptyMb = server.residentMb;
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(server.url));
  await writeAll(server, connections, emptyMb);
  await readAll(server, connections);
  const stopMs = await server.stop();
  console.log(`clean stop: ${stopMs.toFixed(0)} ms`);
  printSizes();
  const again = await ServerUnderTest.start(folder);
  console.log(`ready again after: ${again.readyMs.toFixed(0)} ms, ${again.residentMb.toFixed(0)} MB resident`);
  for (const connection of connections) connection.close();
  await again.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function writeAll(server: ServerUnderTest, connections: Connection[], emptyMb: number): Promise<void> {
  let elapsedMs = 0;
  let bytes = 0;
  const cpuBefore = server.cpuSeconds;
  for (let n = 0; n < POINTS; n += POINTS_A_REQUEST) {
    // Bodies are made outside of the measured time; each connection writes its own tags.
    const share = TAGS / CONNECTIONS;
    const bodies = connections.map((_, i) => plant.body(i * share, (i + 1) * share, n, POINTS_A_REQUEST));
    bytes += bodies.reduce((sum, body) => sum + body.length, 0);
    const startedMs = performance.now();
    await Promise.all(
      connections.map(async (connection, i) =>
        checkOk(await connection.post('/api/datasets/plant/data', bodies[i] as Buffer)),
      ),
    );
    elapsedMs += performance.now() - startedMs;
  }
  const total = TAGS * POINTS;
  const cpu = server.cpuSeconds - cpuBefore;
  console.log(
    `write: ${(total / elapsedMs / 1000).toFixed(2)} M points/s (${total} points, ${(bytes / total).toFixed(1)} bytes each, synced before each answer)`,
  );
  console.log(
    `write: ${((cpu / total) * 1e6).toFixed(3)} server CPU s per M points, ${(server.residentMb - emptyMb).toFixed(0)} MB more resident`,
  );
}

async function readAll(server: ServerUnderTest, connections: Connection[]): Promise<void> {
  let points = 0;
  const startedMs = performance.now();
  const cpuBefore = server.cpuSeconds;
  await Promise.all(
    connections.map(async (connection, i) => {
      for (let tag = i; tag < TAGS; tag += CONNECTIONS * 10) {
        const names = Array.from({ length: 10 }, (_, k) => plant.names[tag + k * CONNECTIONS]).filter(
          (name) => name !== undefined,
        );
        const query = names.map((name) => `tagname=${encodeURIComponent(name)}`).join('&');
        checkOk(
          await connection.get(`/api/datasets/plant/data?${query}&start=2025-01-01T00:00:00Z&end=2027-01-01T00:00:00Z`),
        );
        points += names.length * POINTS;
      }
    }),
  );
  const elapsedMs = performance.now() - startedMs;
  const cpu = server.cpuSeconds - cpuBefore;
  console.log(
    `read: ${(points / elapsedMs / 1000).toFixed(2)} M points/s (${points} points), ${((cpu / points) * 1e6).toFixed(3)} server CPU s per M points`,
  );
}

function printSizes(): void {
  const kept = measureFolder(`${folder}/plant`, (path) => !path.startsWith('journal/'));
  const total = TAGS * POINTS;
  console.log(
    `disk: ${(kept.bytes / total).toFixed(3)} bytes a point, ${(kept.allocatedBytes / total).toFixed(3)} allocated, ${kept.files} files (without retired journals)`,
  );
}
