// A file of CSV with a row for each point, in the order of time: `varve import` of it, and `varve export` of all of it as
// Parquet, beside what DuckDB takes to COPY the same file into a database of its own and out to Parquet (if
// scripts/install-engine.sh has installed it). Rows a second, processor time of the command and of the server, the most memory
// of each, and bytes a point. The counts and sums of both files of Parquet are compared.
// Run: npm run bench transfer -- [--rows 1000000] [--tags 1000]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { atEnd, withTempFolder } from '../support/clean-up.ts';
import { duckDbVersion } from '../support/duckdb.ts';
import { treeCpuSeconds, treeMemoryMb } from '../support/process-tree.ts';
import { ServerUnderTest } from '../support/server-under-test.ts';
import { W1Data } from '../workloads/w1-data.ts';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, tags: { type: 'string', default: '1000' } },
});
const ROWS = Number(values.rows);
const TAGS = Math.min(Number(values.tags), ROWS);
const FIRST_MS = Date.UTC(2024, 0, 1);
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const DUCKDB = fileURLToPath(new URL('duckdb-sql.ts', import.meta.url));
const LOOK_MS = 50;

interface Used {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The most that was resident; MB (10^6 bytes). */
  readonly peakMb: number;
  readonly output: string;
}

/** Rejects when the command does not end with 0. */
async function run(args: readonly string[]): Promise<Used> {
  const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
  const callOff = atEnd(() => child.kill('SIGKILL'));
  const startedMs = performance.now();
  let [output, cpuSeconds, peakMb] = ['', 0, 0];
  child.stdout?.on('data', (data: Buffer) => {
    output = (output + data.toString()).slice(-2000);
  });
  const watch = setInterval(() => {
    const pid = child.pid as number;
    cpuSeconds = Math.max(cpuSeconds, treeCpuSeconds(pid));
    peakMb = Math.max(peakMb, treeMemoryMb(pid));
  }, LOOK_MS);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  callOff();
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`);
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds, peakMb, output };
}

/** Row i is of tag i % TAGS; times and values are those of W1. */
async function writeCsv(path: string): Promise<void> {
  const data = new W1Data(TAGS, FIRST_MS, 1);
  const file = createWriteStream(path);
  const [timesMs, hundredths] = [new Float64Array(1), new Float64Array(1)];
  file.write('tag,time,value\n');
  let text = '';
  for (let row = 0; row < ROWS; row++) {
    const tag = row % TAGS;
    data.fill(tag, Math.floor(row / TAGS), 1, timesMs, hundredths);
    const time = new Date(timesMs[0] as number).toISOString();
    text += `${data.names[tag]},${time},${((hundredths[0] as number) / 100).toFixed(2)}\n`;
    if (text.length < 1_000_000 && row + 1 < ROWS) continue;
    if (!file.write(text)) await once(file, 'drain');
    text = '';
  }
  file.end();
  await once(file, 'finish');
}

function line(name: string, used: Used, server: { cpuSeconds: number; peakMb: number } | undefined): void {
  const million = ROWS / 1e6;
  const words = [
    `${name}: ${(ROWS / used.seconds / 1e6).toFixed(3)} M rows/s`,
    `CPU ${(used.cpuSeconds / million).toFixed(3)} s a million`,
    `at most ${used.peakMb.toFixed(0)} MB`,
  ];
  if (server !== undefined)
    words.push(
      `server: CPU ${(server.cpuSeconds / million).toFixed(3)} s a million, at most ${server.peakMb.toFixed(0)} MB`,
    );
  console.log(words.join(', '));
}

function parquetLine(name: string, path: string, used: Used): void {
  const sizeBytes = statSync(path).size;
  console.log(
    `${name}: ${(sizeBytes / ROWS).toFixed(2)} bytes a point, ${(sizeBytes / 1e6 / used.seconds).toFixed(1)} MB/s of file`,
  );
}

async function throughVarve(folder: string, csv: string): Promise<string> {
  const server = await ServerUnderTest.start(`${folder}/data`);
  const parquet = `${folder}/varve.parquet`;
  const varve = ['bin/varve.mjs'];
  const target = ['--dataset', 'plant', '--url', server.url];
  try {
    const used = await run([...varve, 'import', csv, ...target]);
    const { cpuSeconds, peakMb } = server;
    line('varve import', used, { cpuSeconds, peakMb });
    const out = await run([...varve, 'export', ...target, '--out', parquet]);
    line('varve export', out, { cpuSeconds: server.cpuSeconds - cpuSeconds, peakMb: server.peakMb });
    parquetLine('its file', parquet, out);
    await server.stop();
  } finally {
    await server.kill();
  }
  return parquet;
}

/** Runs statements in a process of its own; the answer is the rows of the last one. */
function duckDb(database: string, ...statements: string[]): Promise<Used> {
  return run(['--import', 'tsx', DUCKDB, JSON.stringify({ database, statements })]);
}

async function besideDuckDb(folder: string, csv: string, varveParquet: string): Promise<void> {
  const [database, parquet] = [`${folder}/duck.db`, `${folder}/duck.parquet`];
  const create = 'create table points (tag varchar, time timestamp, value double)';
  line('DuckDB COPY', await duckDb(database, create, `copy points from '${csv}' (header)`), undefined);
  const out = await duckDb(database, `copy (select * from points order by tag, time) to '${parquet}' (format parquet)`);
  line('DuckDB to Parquet, in order', out, undefined);
  parquetLine('its file', parquet, out);
  const sums = (path: string) =>
    `select count(*)::varchar, sum(value * 100)::bigint::varchar, count(distinct tag)::varchar from '${path}'`;
  const [own, others] = [await duckDb(database, sums(varveParquet)), await duckDb(database, sums(parquet))];
  if (own.output !== others.output) throw new Error(`Varve's file has ${own.output}, DuckDB's ${others.output}`);
  console.log(`both files have the same count, sum and tags: ${own.output.trim()}`);
}

await withTempFolder('transfer', async (folder) => {
  const csv = `${folder}/points.csv`;
  await writeCsv(csv);
  console.log(`${ROWS} rows, ${TAGS} tags, ${(statSync(csv).size / 1e6).toFixed(0)} MB of CSV`);
  const parquet = await throughVarve(folder, csv);
  if (duckDbVersion() === undefined) console.log('DuckDB is not installed: scripts/install-engine.sh duckdb');
  else await besideDuckDb(folder, csv, parquet);
});
