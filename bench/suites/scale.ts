// Many tags: 100,000 of one dataset, ten points each, in requests of 10,000 tags; then a restart after a clean stop and
// one after kill -9. Run: npm run bench:scale -- [--tags 100000]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { measureFolder } from '../support/folder-figures.ts';
import { Connection, checkOk } from '../support/http-load.ts';
import { PlantData } from '../support/plant-data.ts';
import { ServerUnderTest } from '../support/server-under-test.ts';

const { values } = parseArgs({ options: { tags: { type: 'string', default: '100000' } } });
const TAGS = Number(values.tags);
const POINTS = 10;
const TAGS_A_REQUEST = 10_000;

for (const end of ['clean stop', 'kill -9'] as const) {
  const folder = mkdtempSync(`${tmpdir()}/varve-scale-`);
  try {
    await run(folder, end);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(folder: string, end: 'clean stop' | 'kill -9'): Promise<void> {
  const server = await ServerUnderTest.start(folder);
  const plant = new PlantData({
    tagCount: TAGS,
    stepMs: 60_000,
    jitterMs: 100,
    startMs: Date.UTC(2026, 0, 1),
    seed: 1,
  });
  const connection = new Connection(server.url);
  let elapsedMs = 0;
  for (let n = 0; n < POINTS; n++) {
    for (let tag = 0; tag < TAGS; tag += TAGS_A_REQUEST) {
      const body = plant.body(tag, Math.min(TAGS, tag + TAGS_A_REQUEST), n, 1);
      elapsedMs += checkOk(await connection.post('/api/datasets/plant/data', body)).elapsedMs;
    }
  }
  const total = TAGS * POINTS;
  console.log(
    `${end}: ${(total / elapsedMs / 1000).toFixed(2)} M points/s written, ${server.residentMb.toFixed(0)} MB resident`,
  );
  connection.close();
  if (end === 'clean stop') console.log(`${end}: stopped in ${(await server.stop()).toFixed(0)} ms`);
  else await server.kill();
  printFolder(end, folder);
  const again = await ServerUnderTest.start(folder);
  console.log(`${end}: ready in ${again.readyMs.toFixed(0)} ms, ${again.residentMb.toFixed(0)} MB resident`);
  await checkAll(again, plant);
  await again.stop();
  printFolder(`${end}, after the restart`, folder);
}

/** Every point must be there: a fast start that lost something is none. */
async function checkAll(server: ServerUnderTest, plant: PlantData): Promise<void> {
  const connection = new Connection(server.url);
  for (let tag = 0; tag < TAGS; tag += Math.ceil(TAGS / 100)) {
    const name = encodeURIComponent(plant.names[tag] as string);
    const { body } = checkOk(
      await connection.get(`/api/datasets/plant/data?tagname=${name}&start=2025-01-01T00:00:00Z`),
    );
    const answer = JSON.parse(body.toString()) as { tl: { d: unknown[] }[] };
    if (answer.tl[0]?.d.length !== POINTS)
      throw new Error(`got ${answer.tl[0]?.d.length} points of ${name}; want ${POINTS}`);
  }
  connection.close();
}

function printFolder(when: string, folder: string): void {
  const all = measureFolder(`${folder}/plant`);
  const kept = measureFolder(`${folder}/plant`, (path) => !path.startsWith('journal/'));
  console.log(
    `${when}: ${all.files} files, ${(all.bytes / 1e6).toFixed(1)} MB on disk, of it ${(kept.bytes / 1e6).toFixed(1)} MB without journals`,
  );
}
