// Points in time order, and the same with a tenth of them up to a day late in random order: points a second, processor time of
// the server, and bytes written for each byte that is kept. While they come, and at the end, what is read is compared with
// what was sent, sorted.
// Run: npm run bench late -- [--tags 100] [--hours 48] [--late 0.1] [--rounds 3]

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SeededRandom } from '../../test/support/seeded-random.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { Connection } from '../support/http-load.ts';
import { ServerUnderTest } from '../support/server-under-test.ts';

const { values } = parseArgs({
  options: {
    tags: { type: 'string', default: '100' },
    hours: { type: 'string', default: '48' },
    late: { type: 'string', default: '0.1' },
    rounds: { type: 'string', default: '3' },
  },
});
const TAGS = Number(values.tags);
const STEP_MS = 10_000;
const STEPS = Math.floor((Number(values.hours) * 3_600_000) / STEP_MS);
const STEPS_A_BODY = 10;
const MOST_LATE_STEPS = 8640; // a day
const FIRST_MS = Date.UTC(2026, 0, 1);
const DATASET = 'plant';
const MOMENTS = 8;

/** What is sent: for each body, of each tag the steps of its points. */
type Plan = number[][][];

function plan(share: number): Plan {
  const random = new SeededRandom(1);
  const bodies: Plan = Array.from({ length: Math.ceil(STEPS / STEPS_A_BODY) }, () =>
    Array.from({ length: TAGS }, () => []),
  );
  for (let tag = 0; tag < TAGS; tag++) {
    for (let step = 0; step < STEPS; step++) {
      const delay = random.chance(share) ? random.below(Math.min(MOST_LATE_STEPS, STEPS - step)) : 0;
      bodies[Math.floor((step + delay) / STEPS_A_BODY)]?.[tag]?.push(step);
    }
  }
  return bodies;
}

function pointText(tag: number, step: number): string {
  const value = 10 + ((step * 7919 + tag * 104_729) % 800) / 10;
  return `{"t":"${new Date(FIRST_MS + step * STEP_MS).toISOString()}","v":${value.toFixed(1)}}`;
}

function bodyOf(steps: number[][]): Buffer {
  const members = steps.flatMap((own, tag) =>
    own.length > 0 ? [`"T${tag}":[${own.map((step) => pointText(tag, step)).join(',')}]`] : [],
  );
  return Buffer.from(`{${members.join(',')}}`);
}

/** What reads must give of a tag. */
function wantedText(sent: readonly number[], tag: number): string {
  return [...sent]
    .sort((a, b) => a - b)
    .map((step) => pointText(tag, step))
    .join(',');
}

async function checkTag(connection: Connection, tag: number, sent: readonly number[]): Promise<void> {
  const path = `/api/datasets/${DATASET}/data?tagname=T${tag}&start=2025-01-01T00:00:00Z&end=2027-01-01T00:00:00Z`;
  const { status, body } = await connection.get(path);
  const read = JSON.parse(body.toString()) as { tl?: { d: { t: string; v: number }[] }[] };
  const points = read.tl?.[0]?.d ?? [];
  const got = points.map(({ t, v }) => `{"t":"${new Date(t).toISOString()}","v":${v.toFixed(1)}}`).join(',');
  if (status === 200 && got === wantedText(sent, tag)) return;
  throw new Error(`T${tag} is not what was sent: got ${points.length} points of ${sent.length}`);
}

interface Run {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly writtenBytes: number;
  readonly keptBytes: number;
}

async function run(folder: string, share: number): Promise<Run> {
  const server = await ServerUnderTest.start(folder);
  const connection = new Connection(server.url);
  const rules = await connection.post('/api/datasets', JSON.stringify({ n: DATASET, pa: 0, ps: 0, late: 'accept' }));
  if (rules.status !== 201) throw new Error(`the dataset was answered with ${rules.status}: ${rules.body}`);
  const bodies = plan(share);
  const sent: number[][] = Array.from({ length: TAGS }, () => []);
  let elapsedMs = 0;
  let cpuSeconds = 0;
  for (const [i, steps] of bodies.entries()) {
    const made = bodyOf(steps);
    const before = server.cpuSeconds;
    const answer = await connection.post(`/api/datasets/${DATASET}/data`, made);
    elapsedMs += answer.elapsedMs;
    cpuSeconds += server.cpuSeconds - before;
    if (answer.status !== 200) throw new Error(`a body was answered with ${answer.status}: ${answer.body}`);
    for (const [tag, own] of steps.entries()) sent[tag]?.push(...own);
    if (i % Math.ceil(bodies.length / MOMENTS) === 1) await checkTag(connection, i % TAGS, sent[i % TAGS] as number[]);
  }
  for (const [tag, own] of sent.entries()) await checkTag(connection, tag, own);
  const metrics = (await connection.get('/metrics')).body.toString();
  const writtenBytes = [...metrics.matchAll(/^varve_bytes_written_total\{[^}]*\} (\d+)/gm)].reduce(
    (sum, found) => sum + Number(found[1]),
    0,
  );
  connection.close();
  await server.stop();
  return { seconds: elapsedMs / 1000, cpuSeconds, writtenBytes, keptBytes: keptBytes(join(folder, DATASET)) };
}

/** Bytes of tag files, spills and the catalog. */
function keptBytes(folder: string): number {
  const sizeOf = (path: string): number => {
    if (!existsSync(path)) return 0;
    if (!statSync(path).isDirectory()) return statSync(path).size;
    return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
  };
  return readdirSync(folder)
    .filter((name) => name !== 'journal')
    .reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
}

await withTempFolder('late', async (folder) => {
  const points = TAGS * STEPS;
  const best = new Map<string, Run>();
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, share] of [
      ['in order', 0],
      [`${Number(values.late) * 100} % late`, Number(values.late)],
    ] as const) {
      const one = await run(join(folder, `${share}-${round}`), share);
      const before = best.get(name);
      if (before === undefined || one.cpuSeconds < before.cpuSeconds) best.set(name, one);
    }
  }
  console.log(`${points} points of ${TAGS} tags, ${TAGS * STEPS_A_BODY} a body, best of ${values.rounds}`);
  console.log('| Points | s | points a second | server CPU, s | bytes a point | bytes written for each byte kept |');
  console.log('|---|---|---|---|---|---|');
  for (const [name, { seconds, cpuSeconds, writtenBytes, keptBytes }] of best) {
    const rate = Math.round(points / seconds).toLocaleString('en-US');
    const size = `${(keptBytes / points).toFixed(2)} | ${(writtenBytes / keptBytes).toFixed(2)}`;
    console.log(`| ${name} | ${seconds.toFixed(2)} | ${rate} | ${cpuSeconds.toFixed(2)} | ${size} |`);
  }
});
