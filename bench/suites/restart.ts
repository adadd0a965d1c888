// Many tags, ten points each, in requests of 10,000 tags; then a restart after a clean stop or after kill -9.

import { measured, type RunFigure, type RunFigures } from '../report/result.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { measureFolder } from '../support/folder-figures.ts';
import { Connection, checkOk } from '../support/http-load.ts';
import { PlantData } from '../support/plant-data.ts';
import { ServerUnderTest } from '../support/server-under-test.ts';

export const RESTART_ENDS = ['clean stop', 'kill -9'] as const;

export interface RestartOptions {
  readonly tags: number;
  readonly end: (typeof RESTART_ENDS)[number];
  readonly seed: number;
}

type Print = (line: string) => void;

const POINTS = 10;
const TAGS_A_REQUEST = 10_000;
const CHECKED_TAGS = 100;

/** Measures and prints the figures as lines, too. */
export function measureRestart(options: RestartOptions, print: Print): Promise<RunFigures> {
  return withTempFolder('scale', async (folder) => {
    const { tags, end, seed } = options;
    const startMs = Date.UTC(2026, 0, 1);
    const plant = new PlantData({ tagCount: tags, stepMs: 60_000, jitterMs: 100, startMs, seed });
    const server = await ServerUnderTest.start(folder);
    try {
      const written = await write(server, plant, end, print);
      if (end === 'clean stop') print(`${end}: stopped in ${(await server.stop()).toFixed(0)} ms`);
      else await server.kill();
      printFolder(end, folder, print);
      return [...written, ...(await restart(folder, plant, end, print))];
    } finally {
      await server.kill();
    }
  });
}

async function write(server: ServerUnderTest, plant: PlantData, end: string, print: Print): Promise<RunFigure[]> {
  const { tagCount } = plant.shape;
  const emptyMb = server.residentMb;
  const connection = new Connection(server.url);
  let elapsedMs = 0;
  for (let n = 0; n < POINTS; n++) {
    for (let tag = 0; tag < tagCount; tag += TAGS_A_REQUEST) {
      const body = plant.body(tag, Math.min(tagCount, tag + TAGS_A_REQUEST), n, 1);
      elapsedMs += checkOk(await connection.post('/api/datasets/plant/data', body)).elapsedMs;
    }
  }
  connection.close();
  const rate = (tagCount * POINTS) / elapsedMs / 1000;
  print(`${end}: ${rate.toFixed(2)} M points/s written, ${server.residentMb.toFixed(0)} MB resident`);
  return [
    measured('rate', 'M points/s', 'more', rate),
    measured('memory a tag', 'bytes', 'less', ((server.residentMb - emptyMb) * 1e6) / tagCount),
  ];
}

async function restart(folder: string, plant: PlantData, end: string, print: Print): Promise<RunFigure[]> {
  const again = await ServerUnderTest.start(folder);
  try {
    const { readyMs, residentMb } = again;
    print(`${end}: ready in ${readyMs.toFixed(0)} ms, ${residentMb.toFixed(0)} MB resident`);
    await checkAll(again, plant);
    await again.stop();
    printFolder(`${end}, after the restart`, folder, print);
    return [measured('ready again', 's', 'less', readyMs / 1000), measured('resident then', 'MB', 'less', residentMb)];
  } finally {
    await again.kill();
  }
}

/** Every point must be there: a fast start that lost something is none. */
async function checkAll(server: ServerUnderTest, plant: PlantData): Promise<void> {
  const { tagCount } = plant.shape;
  const connection = new Connection(server.url);
  for (let tag = 0; tag < tagCount; tag += Math.ceil(tagCount / CHECKED_TAGS)) {
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

function printFolder(when: string, folder: string, print: Print): void {
  const all = measureFolder(`${folder}/plant`);
  const kept = measureFolder(`${folder}/plant`, (path) => !path.startsWith('journal/'));
  print(
    `${when}: ${all.files} files, ${(all.bytes / 1e6).toFixed(1)} MB on disk, of it ${(kept.bytes / 1e6).toFixed(1)} MB without journals`,
  );
}
