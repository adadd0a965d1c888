// The whole program, on its cheapest cases; no time is asserted.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Report } from '../../bench/report/result.ts';

const LIMIT_MS = 180_000;
const LOOK_MS = 20;
/** Processes are measured by what Linux knows of them. */
const isLinux = process.platform === 'linux';
const folder = mkdtempSync(join(tmpdir(), 'varve-bench-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Its temporary folders lie in ours, so that what it leaves behind is seen. */
function runBench(words: readonly string[], onError?: (text: string, kill: (signal: NodeJS.Signals) => void) => void) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/main.ts', ...words], {
    env: { ...process.env, TMPDIR: folder },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
    onError?.(err, (signal) => child.kill(signal));
  });
  return new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, out, err }));
  });
}

function leftOver(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('varve-'));
}

/** Programs that were started with a path in a folder; those that ended have none. */
function runningIn(path: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandLine(pid))
    .filter((line) => line.includes(path));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

test('a quick run of a case against the real server prints a table, writes a report and leaves nothing', async () => {
  const out = join(folder, 'ingest.json');
  const words = ['--quick', '--suite', 'ingest', '--case', '10,000 tags', '--seed', '3', '--out', out];
  const { code, out: printed, err } = await runBench(words);
  assert.equal(code, 0, err);
  assert.equal(err, '');
  assert.match(printed, /^== ingest/m);
  assert.match(printed, /10,000 tags x 1 point, JSON, group\n-+\nrate, M points\/s +\d/);
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
  assert.equal(report.format, 1);
  assert.equal(report.seed, 3);
  assert.equal(report.quick, true);
  assert.match(report.commit, /^([0-9a-f]{12}|unknown)$/);
  assert.equal(report.machine.node, process.version);
  const [result] = report.suites[0]?.cases ?? [];
  assert.equal(result?.error, undefined);
  const rate = result?.figures.find(({ name }) => name === 'rate');
  assert.ok(rate && rate.median > 0 && rate.values.length === 1);
  assert.deepEqual(
    result?.figures.filter(({ name }) => name.includes('CPU')).map(({ name }) => name),
    ['server CPU', 'CPU cold', 'CPU warm', 'client CPU'],
  );
  assert.deepEqual(leftOver(), []);
});

test('a run that is interrupted ends its processes and removes its folders', async () => {
  const words = ['--quick', '--suite', 'scale', '--case', '10,000 tags', '--progress', '--out', join(folder, 'x.json')];
  let isSent = false;
  const { code } = await runBench(words, (text, kill) => {
    // By then the server runs and has been written to.
    if (isSent || !text.includes('resident')) return;
    isSent = true;
    kill('SIGINT');
  });
  assert.equal(isSent, true);
  assert.equal(code, 130);
  assert.deepEqual(leftOver(), []);
});

test('plain Node and Varve are measured in turns, with every answer checked', { skip: !isLinux }, async () => {
  const out = join(folder, 'peers.json');
  const size = ['--tags', '4', '--points', '60'];
  const cases = ['--case', 'plain', '--case', 'TVQs'];
  const {
    code,
    out: printed,
    err,
  } = await runBench(['--peers', '--quick', '--only', 'plain,varve', ...size, ...cases, '--out', out]);
  assert.equal(code, 0, `${err}\n${printed}`);
  assert.match(printed, /^times plain Node, JSON arrays +Varve, JSON TVQs, synced$/m);
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
  const results = report.suites[0]?.cases ?? [];
  const figureOf = (table: string, name: string, of: string) =>
    results
      .find((result) => result.table === table && result.name === name)
      ?.figures.find((figure) => figure.name === of)?.median;
  for (const name of ['plain Node, JSON arrays', 'Varve, JSON TVQs, synced']) {
    assert.ok((figureOf('W1 and reads', name, 'rate') ?? 0) > 0, name);
    assert.ok((figureOf('W1 and reads', name, '100 tags x 1 h') ?? 0) > 0, name);
    assert.ok((figureOf('how it was measured', name, 'answers checked') ?? 0) > 90, name);
    assert.equal(figureOf('how it was measured', name, 'wrong'), 0, name);
  }
  const rates = ['plain Node, JSON arrays', 'Varve, JSON TVQs, synced'].map((name) =>
    figureOf('W1 and reads', name, 'rate'),
  );
  const ratio = figureOf('times plain Node, JSON arrays', 'Varve, JSON TVQs, synced', 'rate');
  assert.equal(ratio, (rates[1] ?? 0) / (rates[0] ?? 0));
  assert.deepEqual(leftOver(), []);
});

test('an interrupted measurement of a peer leaves neither its server nor its folder', { skip: !isLinux }, async () => {
  const words = [
    '--peers',
    '--quick',
    '--only',
    'plain',
    '--tags',
    '200',
    '--points',
    '5000',
    '--progress',
    '--out',
    join(folder, 'y.json'),
  ];
  let look: NodeJS.Timeout | undefined;
  const { code } = await runBench(words, (text, kill) => {
    if (look !== undefined || !text.includes('plain Node')) return;
    // Its server runs once there is the file that it writes to.
    look = setInterval(() => {
      if (!leftOver().some((name) => existsSync(join(folder, name, 'bodies')))) return;
      clearInterval(look);
      kill('SIGINT');
    }, LOOK_MS);
  });
  clearInterval(look);
  assert.equal(code, 130);
  assert.deepEqual(leftOver(), []);
  assert.deepEqual(runningIn(folder), []);
});

test('two reports are compared by the ratio of their medians', async () => {
  const figure = (median: number) => ({
    name: 'rate',
    unit: 'M points/s',
    better: 'more',
    median,
    min: median,
    max: median,
  });
  const reportOf = (median: number) => ({
    format: 1,
    startedAt: 'then',
    commit: 'c',
    machine: { processor: 'p' },
    suites: [
      {
        name: 's',
        cases: [
          { table: 't', name: 'c', notes: [], figures: [{ ...figure(median), values: [median, median, median] }] },
        ],
      },
    ],
  });
  const paths = [4, 6].map((median) => {
    const path = join(folder, `${median}.json`);
    writeFileSync(path, JSON.stringify(reportOf(median)));
    return path;
  });
  const { code, out } = await runBench(['--compare', ...paths]);
  assert.equal(code, 0);
  assert.match(out, /s: c +rate, M points\/s +4\.00 \(4\.00-4\.00\) +6\.00 \(6\.00-6\.00\) +1\.50 +better/);
});

test('what is no report, and an option that does not exist, are explained without a stack', async () => {
  const path = join(folder, 'no-report.json');
  writeFileSync(path, '{}');
  const compared = await runBench(['--compare', path, path]);
  assert.equal(compared.code, 2);
  assert.match(compared.err, /is not a report of this benchmark/);
  const wrong = await runBench(['--suite', 'nonsense']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /^there is no suite 'nonsense'; want some of ingest/);
  assert.doesNotMatch(wrong.err, /\n {4}at /);
});
