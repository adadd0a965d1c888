// A million lines of line protocol, and the same points as JSON bodies of TVQs, each into a dataset of its own: lines a
// second, points a second, and processor time of the server. One connection, one body after the other, best of the rounds.
// Run: npm run bench lines -- [--lines 1000000] [--fields 3] [--lines-a-body 10000] [--rounds 3]

import { parseArgs } from 'node:util';
import { withTempFolder } from '../support/clean-up.ts';
import { type Answer, Connection } from '../support/http-load.ts';
import { untilIdle } from '../support/idle.ts';
import { ServerUnderTest } from '../support/server-under-test.ts';

const UNITS = 100;
const FIRST_MS = Date.UTC(2024, 0, 1);

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000000' },
    fields: { type: 'string', default: '3' },
    'lines-a-body': { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
  },
});
const lineCount = Number(values.lines);
const fieldCount = Number(values.fields);
const linesABody = Number(values['lines-a-body']);
const rounds = Number(values.rounds);

interface Format {
  readonly name: string;
  readonly status: number;
  readonly path: (dataset: string) => string;
  /** Body of lines `[from, to)`. */
  readonly body: (from: number, to: number) => Buffer;
}

/** Line i is of unit i % UNITS; its fields have one decimal each, as most measurements do. */
function timeMs(line: number): number {
  return FIRST_MS + Math.floor(line / UNITS) * 1000;
}

function valueText(line: number, field: number): string {
  return (10 + ((line * 7919 + field * 104_729) % 800) / 10).toFixed(1);
}

function lineText(line: number): string {
  const fields = Array.from({ length: fieldCount }, (_, field) => `field${field}=${valueText(line, field)}`);
  return `plant,area=North,unit=unit${line % UNITS} ${fields.join(',')} ${timeMs(line)}000000\n`;
}

function linesBody(from: number, to: number): Buffer {
  return Buffer.from(Array.from({ length: to - from }, (_, i) => lineText(from + i)).join(''));
}

function jsonBody(from: number, to: number): Buffer {
  const points = new Map<string, string[]>();
  for (let line = from; line < to; line++) {
    for (let field = 0; field < fieldCount; field++) {
      const tag = `plant.area=North,unit=unit${line % UNITS}.field${field}`;
      const point = `{"t":"${new Date(timeMs(line)).toISOString()}","v":${valueText(line, field)}}`;
      const known = points.get(tag);
      if (known === undefined) points.set(tag, [point]);
      else known.push(point);
    }
  }
  return Buffer.from(`{${Array.from(points, ([tag, list]) => `"${tag}":[${list.join(',')}]`).join(',')}}`);
}

const FORMATS: readonly Format[] = [
  { name: 'line protocol', status: 204, path: (dataset) => `/write?db=${dataset}`, body: linesBody },
  { name: 'JSON', status: 200, path: (dataset) => `/api/datasets/${dataset}/data`, body: jsonBody },
];

interface Run {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

async function importAll(server: ServerUnderTest, { path, body, status }: Format, dataset: string): Promise<Run> {
  const connection = new Connection(server.url);
  let elapsedMs = 0;
  let bytes = 0;
  const cpuBefore = server.cpuSeconds;
  for (let from = 0; from < lineCount; from += linesABody) {
    const made = body(from, Math.min(lineCount, from + linesABody));
    bytes += made.length;
    const answer: Answer = await connection.post(path(dataset), made);
    if (answer.status !== status) throw new Error(`a body was answered with ${answer.status}: ${answer.body}`);
    elapsedMs += answer.elapsedMs;
  }
  connection.close();
  return { seconds: elapsedMs / 1000, cpuSeconds: server.cpuSeconds - cpuBefore, megabytes: bytes / 1e6 };
}

/** Every point must be there: the newest of all tags, and how many one of them has. */
async function checkStored(server: ServerUnderTest, dataset: string): Promise<void> {
  const connection = new Connection(server.url);
  const tag = encodeURIComponent('plant.area=North,unit=unit7.field0');
  const path = `/api/datasets/${dataset}/statistics?tagname=${tag}&start=2023-12-31T00:00:00Z&end=2100-01-01T00:00:00Z`;
  const answer = await connection.get(path);
  connection.close();
  const expected = Math.floor((lineCount - 1 - 7) / UNITS) + 1;
  const text = answer.body.toString();
  if (answer.status !== 200 || !text.includes(`"points":${expected},`))
    throw new Error(`want ${expected} points of unit7; got ${text.slice(0, 500)}`);
}

await withTempFolder('lines', async (folder) => {
  const server = await ServerUnderTest.start(`${folder}/data`);
  const best = new Map<string, Run>();
  for (let round = 0; round < rounds; round++) {
    for (const format of FORMATS) {
      const dataset = `${format.name.replace(' ', '')}${round}`;
      // What is still to be done of the round before is not this one's.
      await untilIdle(() => server.cpuSeconds);
      const run = await importAll(server, format, dataset);
      await checkStored(server, dataset);
      const before = best.get(format.name);
      if (before === undefined || run.seconds < before.seconds) best.set(format.name, run);
    }
  }
  await server.stop();
  console.log(`${lineCount} lines of ${fieldCount} fields, ${linesABody} a body, best of ${rounds}`);
  console.log('| Format | MB | s | lines a second | points a second | server CPU, s |');
  console.log('|---|---|---|---|---|---|');
  for (const [name, { megabytes, seconds, cpuSeconds }] of best) {
    const perSecond = (count: number) => Math.round(count / seconds).toLocaleString('en-US');
    const rates = `${perSecond(lineCount)} | ${perSecond(lineCount * fieldCount)}`;
    console.log(`| ${name} | ${megabytes.toFixed(0)} | ${seconds.toFixed(2)} | ${rates} | ${cpuSeconds.toFixed(2)} |`);
  }
});
