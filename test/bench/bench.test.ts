// The whole program, on its cheapest cases; no time is asserted.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Report } from '../../bench/report/result.ts';

const LIMIT_MS = 180_000;
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

test('a quick run of a case against the real server prints a table, writes a report and leaves nothing', async () => {
  const out = join(folder, 'ingest.json');
  const words = ['--quick', '--suite', 'ingest', '--case', '10,000 tags', '--seed', '3', '--out', out];
  const { code, out: printed, err } = await runBench(words);
  assert.equal(code, 0, err);
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
  assert.deepEqual(leftOver(), []);
});

test('a run that is interrupted ends its processes and removes its folders', async () => {
  const words = ['--quick', '--suite', 'scale', '--case', '10,000 tags', '--out', join(folder, 'x.json')];
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
