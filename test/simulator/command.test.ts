// The command line: flags, exit codes, what is printed where.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseArguments } from '../../simulator/arguments.ts';
import { FakeHistorian } from '../support/fake-historian.ts';
import { mixedPlant } from '../support/simulator-runs.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const main = fileURLToPath(new URL('../../simulator/main.ts', import.meta.url));
const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command; `onLine` sees every line of standard error and may stop it. */
function command(args: readonly string[], onLine?: (line: string, stop: () => void) => void): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], { cwd: projectFolder, timeout: 120_000 });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const line of chunk.toString().split('\n')) onLine?.(line, () => child.kill('SIGTERM'));
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

function writePlant(folder: string, configuration: unknown = mixedPlant(1)): string {
  const path = join(folder, 'plant.json');
  writeFileSync(path, typeof configuration === 'string' ? configuration : JSON.stringify(configuration));
  return path;
}

function usageError(...args: string[]): string {
  try {
    parseArguments(args);
  } catch (error) {
    assert.equal((error as { exitCode?: number }).exitCode, 2);
    return (error as Error).message.split('\n')[0] ?? '';
  }
  throw new assert.AssertionError({ message: `${args.join(' ')} was accepted` });
}

test('an unknown flag names the nearest; missing and wrong values are told', () => {
  assert.equal(usageError('--config', 'x', '--datset', 'y'), '--datset is unknown; did you mean --dataset?');
  assert.equal(usageError('--dataset', 'y'), '--config <file> is missing');
  assert.equal(usageError('--config', 'x'), '--dataset <name> is missing');
  assert.equal(usageError('--config'), '--config needs a value');
  assert.equal(usageError('x'), 'x is unknown');
  assert.match(usageError('--config', 'x', '--dataset', 'y', '--seed', '-1'), /--seed -1 is not a whole number/);
  assert.match(usageError('--config', 'x', '--dataset', 'y', '--now', 'noon'), /--now noon is not an ISO 8601 time/);
  assert.match(usageError('--config', 'x', '--dataset', 'y', '--url', 'ftp://x'), /is not an http/);
});

test('flags are read with a space or an equals sign; a time without offset is UTC', () => {
  const options = parseArguments([
    '--config=a.json',
    '--dataset',
    'D',
    '--now',
    '2024-05-01T08:00:00',
    '--seed=5',
    '--once',
  ]);
  assert.notEqual(options, 'help');
  assert.deepEqual(options, {
    config: 'a.json',
    dataset: 'D',
    url: new URL('http://127.0.0.1:4511'),
    token: undefined,
    seed: 5,
    nowMs: Date.UTC(2024, 4, 1, 8),
    out: undefined,
    state: undefined,
    mode: 'once',
  });
});

test('the token comes from --token, else from the environment, and is not repeated when it cannot be one', () => {
  const tokenOf = (args: readonly string[], environment: Record<string, string>): string | undefined => {
    const options = parseArguments(['--config', 'a.json', '--dataset', 'D', ...args], environment);
    return options === 'help' ? 'help' : options.token;
  };
  assert.equal(tokenOf([], { SIMULATOR_TOKEN: 'one' }), 'one');
  assert.equal(tokenOf(['--token', 'two'], { SIMULATOR_TOKEN: 'one' }), 'two');
  assert.equal(tokenOf([], { SIMULATOR_TOKEN: '' }), undefined);
  assert.throws(
    () => tokenOf([], { SIMULATOR_TOKEN: 'secret\r\nX: y' }),
    (error: Error) => /token holds characters/.test(error.message) && !error.message.includes('secret'),
  );
});

test('--check says what the plant is, and exits with 0; nothing is sent and no state is made', async (context) => {
  const folder = makeTempFolder(context);
  const { code, stdout, stderr } = await command(['--config', writePlant(folder), '--check']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /plant\.json is valid: 2 sequences, 4 instances, 21 tags, about [\d,]+ points a day/);
  assert.ok(!existsSync(join(folder, 'plant.state')));
});

test('--check of a faulty configuration lists every fault and exits with 2', async (context) => {
  const path = writePlant(makeTempFolder(context), '{"Settings": {"Sequnces": {}, "Backfill": "7"}}');
  const { code, stderr } = await command(['--config', path, '--check']);
  assert.equal(code, 2);
  assert.match(stderr, /plant\.json has 3 faults:\n {2}\/Settings.*no field "Sequences".*\n {2}\/Settings\/Sequnces/);
});

test('a configuration with faults sends nothing', async (context) => {
  const historian = new FakeHistorian();
  await historian.start();
  context.after(() => historian.stop());
  const path = writePlant(makeTempFolder(context), '{"Settings": {"Sequences": {}}}');
  const { code } = await command(['--config', path, '--dataset', 'Plant', '--url', historian.url]);
  assert.equal(code, 2);
  assert.equal(historian.requests.length, 0);
});

test('a missing configuration is bad usage, an unwritable state folder an I/O failure', async (context) => {
  const folder = makeTempFolder(context);
  const missing = await command(['--config', join(folder, 'none.json'), '--dataset', 'Plant']);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /cannot read the configuration .*none\.json: ENOENT/);
  const path = writePlant(folder);
  const blocked = await command(['--config', path, '--dataset', 'Plant', '--state', join(path, 'below')]);
  assert.equal(blocked.code, 74);
  assert.match(blocked.stderr, /cannot create the state folder/);
});

test('the state is kept beside the configuration, or where its State says', async (context) => {
  const folder = makeTempFolder(context);
  const beside = await command(['--config', writePlant(folder), '--out', join(folder, 'a.jsonl'), '--once']);
  assert.equal(beside.code, 0, beside.stderr);
  assert.ok(existsSync(join(folder, 'plant.state')));
  const plant = mixedPlant(1) as { Settings: Record<string, unknown> };
  plant.Settings.State = 'kept/here';
  const given = await command(['--config', writePlant(folder, plant), '--out', join(folder, 'b.jsonl'), '--once']);
  assert.equal(given.code, 0, given.stderr);
  assert.ok(existsSync(join(folder, 'kept', 'here')));
});

test('a live run sends up to now and hardly ahead of it, ends in order on SIGTERM with exit code 0, and says 28', async (context) => {
  const historian = new FakeHistorian();
  await historian.start();
  context.after(() => historian.stop());
  const path = writePlant(makeTempFolder(context));
  const args = ['--config', path, '--dataset', 'Plant', '--url', historian.url];
  const startedMs = Date.now();
  const { code, stderr } = await command(args, (line, stop) => {
    if (line.includes('live from here')) stop();
  });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /[\d,]+ points in \d+\.\d s, [\d,]+ points\/s/);
  const newest = Date.parse(historian.points('Plant', 'Mill.Shift').at(-1)?.t ?? '');
  const flow = Date.parse(historian.points('Plant', 'MX01.Flow').at(-1)?.t ?? '');
  // The longest step with one point of the flow has half an hour, a shift eight.
  assert.ok(flow + 30 * 60_000 > startedMs && flow < Date.now() + 5000, new Date(flow).toISOString());
  assert.ok(newest + 8 * 3_600_000 > startedMs && newest < Date.now() + 5000, new Date(newest).toISOString());
  assert.equal(historian.datasets.get('Plant')?.statuses.at(-1)?.q, 28);
});

test('--help shows the usage', async () => {
  const { code, stdout } = await command(['--help']);
  assert.equal(code, 0);
  for (const flag of ['--config', '--dataset', '--url', '--token', '--seed', '--now', '--once', '--check', '--out']) {
    assert.ok(stdout.includes(flag), flag);
  }
});

test('the usage in docs/simulator.md is that of the command', () => {
  const page = readFileSync(join(projectFolder, 'docs', 'simulator.md'), 'utf8');
  const usage = readFileSync(join(projectFolder, 'simulator', 'arguments.ts'), 'utf8');
  for (const [, flag] of usage.matchAll(/^ {2}(--[a-z]+)/gm))
    assert.ok(page.includes(`\`${flag}`), `${flag} is missing`);
});
