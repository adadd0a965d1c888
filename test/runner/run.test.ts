import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { projectFolder } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

/** Each waits for its processes more than it works. */
const RUNS_AT_ONCE = 4;
const LOOKS = 1200;
const LOOK_INTERVAL_MS = 50;

/** Test files in a folder of their own, and the temporary folder of a run over them. */
interface Fixture {
  readonly folder: string;
  readonly temp: string;
}

function makeFixture(context: TestContext, files: Readonly<Record<string, string>>): Fixture {
  const folder = makeTempFolder(context);
  const temp = join(folder, 'temp');
  mkdirSync(temp);
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'test', name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  return { folder, temp };
}

interface RunnerEnd {
  readonly code: number | null;
  readonly output: string;
}

class Runner {
  readonly ended: Promise<RunnerEnd>;
  readonly #child: ChildProcess;

  constructor(context: TestContext, { folder, temp }: Fixture, args: readonly string[] = []) {
    const { NODE_TEST_CONTEXT: _, VERBOSE: __, ...environment } = process.env;
    const command = ['--import', 'tsx', 'test/run.ts', '--folder', folder, ...args];
    this.#child = spawn(process.execPath, command, {
      cwd: projectFolder,
      env: { ...environment, TMPDIR: temp, FIXTURE: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    context.after(() => this.#child.kill('SIGKILL'));
    let output = '';
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    this.ended = once(this.#child, 'close').then(([code]) => ({ code: code as number | null, output }));
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}

/** What tsx keeps of compiled sources is no concern of the runner. */
function leftIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('tsx-'));
}

const IMPORTS = `import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
`;
const PASSING = `${IMPORTS}
test('one that passes', () => console.log('it prints something'));
describe('a suite', () => { test('another that passes', () => {}); test('left out', { skip: 'no such program' }, () => {}); });
`;
const FAILING = `${IMPORTS}
test('before it', () => {});
describe('the suite', () => {
  test('one that fails', (context) => {
    context.diagnostic('SEED=4711');
    console.log('this was on its way');
    assert.equal(2, 3, 'two is not three');
  });
});
`;

/** Files at fault as a whole, by what they do, and what is said of each. */
const WHOLE_FILE_FAULTS: Readonly<Record<string, readonly [text: string, message: RegExp]>> = {
  'holds-no-test': ['export {};', /FAILED test\/holds-no-test\.test\.ts: no test ran in it to its end/],
  'cannot-be-loaded': [
    "import './absent.ts';",
    /FAILED test\/cannot-be-loaded\.test\.ts: its process ended with exit code 1[\s\S]+absent\.ts/,
  ],
  'ends-its-process-before-its-last-test': [
    `${IMPORTS}test('one', () => {}); test('two', () => process.exit(0)); test('three', () => assert.fail());`,
    /FAILED test\/ends-its-process-before-its-last-test\.test\.ts: no test ran in it to its end/,
  ],
  'waits-for-what-never-comes': [
    `${IMPORTS}test('one', () => new Promise(() => {}));`,
    /FAILED test\/waits-for-what-never-comes\.test\.ts: one/,
  ],
};

/** A test that leaves a folder, a child and a child that leads a group of its own, and tells their ids. */
function leavingTest(end: 'returns' | 'waits'): string {
  return `${IMPORTS}
test('leaves things behind', async () => {
  writeFileSync(join(mkdtempSync(join(tmpdir(), 'left-')), 'file'), 'something');
  const idle = ['-e', 'setInterval(() => {}, 1000)'];
  const children = [spawn(process.execPath, idle, { stdio: 'ignore' }), spawn(process.execPath, idle, { stdio: 'ignore', detached: true })];
  process.on('exit', () => process.kill(-children[1].pid, 'SIGKILL'));
  writeFileSync(join(process.env.FIXTURE, 'pids.part'), JSON.stringify([process.pid, ...children.map(({ pid }) => pid)]));
  (await import('node:fs')).renameSync(join(process.env.FIXTURE, 'pids.part'), join(process.env.FIXTURE, 'pids'));
  for (const child of children) child.unref();
  ${end === 'waits' ? 'await new Promise((resolve) => setTimeout(resolve, 600_000));' : ''}
});
`;
}

function readIds({ folder }: Fixture): number[] {
  return JSON.parse(readFileSync(join(folder, 'pids'), 'utf8')) as number[];
}

/** One that has ended may still wait for its exit code to be asked for. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function eventually(what: string, isSo: () => boolean): Promise<void> {
  for (let look = 0; look < LOOKS && !isSo(); look++) await delay(LOOK_INTERVAL_MS);
  assert.ok(isSo(), what);
}

describe('the runner', { concurrency: RUNS_AT_ONCE }, () => {
  test('what passes is a line a suite; --verbose prints each test and what the files print', async (context) => {
    const fixture = makeFixture(context, {
      'a/one.test.ts': PASSING,
      'a/two.test.ts': PASSING,
      'b/c/one.test.ts': PASSING,
    });
    const { code, output } = await new Runner(context, fixture).ended;
    assert.equal(code, 0, output);
    assert.match(output, /^test\/a: 4 passed, 2 left out in [\d.]+ s$/m);
    assert.match(output, /^test\/b\/c: 2 passed, 1 left out in [\d.]+ s$/m);
    assert.match(output, /^3 files: 6 passed, 3 left out in [\d.]+ s, [\d.]+ s of CPU time\n$/m);
    assert.doesNotMatch(output, /that passes|it prints/);
    const verbose = await new Runner(context, fixture, ['b/', '--verbose']).ended;
    assert.match(verbose.output, /passed one that passes/);
    assert.match(verbose.output, /passed another that passes/);
    assert.match(verbose.output, /skipped left out: no such program/);
    assert.match(verbose.output, /it prints something/);
    assert.match(verbose.output, /^1 files: 2 passed/m);
  });

  test('a failure makes the exit code 1; file, titles, notes, reason and what was printed come behind all else', async (context) => {
    const fixture = makeFixture(context, { 'a/failing.test.ts': FAILING, 'z/passing.test.ts': PASSING });
    const { code, output } = await new Runner(context, fixture).ended;
    assert.equal(code, 1, output);
    const end = output.slice(output.indexOf('FAILED test/a/failing.test.ts: '));
    const parts = ['the suite > one that fails', 'SEED=4711', 'two is not three', 'this was on its way'];
    const places = parts.map((part) => end.indexOf(part));
    assert.ok(!places.includes(-1), output);
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    assert.doesNotMatch(end, /subtests? failed|z\/passing/);
    assert.match(output, /^test\/a: 1 passed, 1 FAILED in/m);
    assert.match(output, /^2 files: 3 passed, 1 FAILED, 1 left out in [^\n]+\n$/m);
  });

  test('a file that is at fault as a whole is a failure', async (context) => {
    const texts = Object.entries(WHOLE_FILE_FAULTS).map(([name, [text]]) => [`${name}.test.ts`, text] as const);
    const fixture = makeFixture(context, { ...Object.fromEntries(texts), 'passing.test.ts': PASSING });
    const { code, output } = await new Runner(context, fixture).ended;
    assert.equal(code, 1, output);
    for (const [, message] of Object.values(WHOLE_FILE_FAULTS)) assert.match(output, message);
    assert.match(output, /^5 files: .*4 FAILED/m);
    assert.deepEqual(leftIn(fixture.temp), []);
  });

  test('of files that share a process a failure has its file, and one that holds no test is a failure', async (context) => {
    const remember = `${IMPORTS}globalThis.was = process.pid; test('first', () => {});`;
    const recall = `${IMPORTS}test('shares', () => assert.equal(globalThis.was, process.pid)); test('fails', () => assert.fail('why'));`;
    const fixture = makeFixture(context, {
      'server/codec/x.test.ts': remember,
      'server/codec/deep/y.test.ts': recall,
      'server/codec/z.test.ts': 'export {};',
    });
    const { code, output } = await new Runner(context, fixture).ended;
    assert.equal(code, 1, output);
    assert.match(output, /^FAILED test\/server\/codec\/deep\/y\.test\.ts: fails$/m);
    assert.match(output, /^FAILED test\/server\/codec: no test ran in test\/server\/codec\/z\.test\.ts to its end$/m);
    assert.match(output, /^3 files: 2 passed, 2 FAILED in/m);
    assert.deepEqual(leftIn(fixture.temp), []);
  });

  // By itself: on a busy machine no other file need come to its end within the limit.
  test('a file that does not end is a failure', async (context) => {
    const endless = `${IMPORTS}test('one', () => {}); setInterval(() => {}, 1000);`;
    const fixture = makeFixture(context, { 'x.test.ts': endless });
    const { code, output } = await new Runner(context, fixture, ['--file-limit', '5']).ended;
    assert.equal(code, 1, output);
    assert.match(output, /FAILED test\/x\.test\.ts: it was ended at its limit of 5 s/);
    assert.match(output, /^1 files: .*1 FAILED/m);
    assert.deepEqual(leftIn(fixture.temp), []);
  });

  test('the first tier runs by itself, the second by --rest, and both by --all', async (context) => {
    const fixture = makeFixture(context, { 'engine/one.test.ts': PASSING, 'browser/two.test.ts': PASSING });
    const first = /^test\/engine: 2 passed/m;
    const second = /^test\/browser: 2 passed/m;
    for (const [words, runs] of [
      [[], [true, false]],
      [['--rest'], [false, true]],
      [['--all'], [true, true]],
      [
        ['--all', '--rest'],
        [false, true],
      ],
      [['two'], [false, true]],
    ] as const) {
      const { code, output } = await new Runner(context, fixture, words).ended;
      assert.equal(code, 0, output);
      assert.deepEqual([first.test(output), second.test(output)], runs, words.join(' '));
    }
  });

  test('no file found is a failure', async (context) => {
    const fixture = makeFixture(context, { 'x.test.ts': PASSING });
    const { code, output } = await new Runner(context, fixture, ['elsewhere']).ended;
    assert.equal(code, 1);
    assert.match(output, /no test file found for elsewhere/);
  });

  test('what tests leave in the temporary folder, and processes that they leave running, go with the run', async (context) => {
    const fixture = makeFixture(context, { 'x.test.ts': leavingTest('returns') });
    const { code, output } = await new Runner(context, fixture).ended;
    assert.equal(code, 0, output);
    assert.deepEqual(leftIn(fixture.temp), []);
    const ids = readIds(fixture);
    assert.equal(ids.length, 3);
    await eventually('all have ended', () => !ids.some(isRunning));
  });

  for (const [signal, wantCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    test(`${signal} ends the run with ${wantCode}, its processes, and removes its temporary folder`, async (context) => {
      const fixture = makeFixture(context, { 'x.test.ts': leavingTest('waits'), 'y.test.ts': PASSING });
      const runner = new Runner(context, fixture);
      await eventually('the test has started', () => existsSync(join(fixture.folder, 'pids')));
      assert.equal(leftIn(fixture.temp).length, 1, 'negative control: there is something to remove');
      runner.signal(signal);
      const { code, output } = await runner.ended;
      assert.equal(code, wantCode, output);
      assert.deepEqual(leftIn(fixture.temp), []);
      const ids = readIds(fixture);
      assert.equal(ids.length, 3);
      await eventually('all have ended', () => !ids.some(isRunning));
    });
  }

  test('a runner that is killed outright leaves no process running', async (context) => {
    const fixture = makeFixture(context, { 'x.test.ts': leavingTest('waits') });
    const runner = new Runner(context, fixture);
    await eventually('the test has started', () => existsSync(join(fixture.folder, 'pids')));
    runner.signal('SIGKILL');
    await runner.ended;
    const ids = readIds(fixture);
    assert.equal(ids.length, 3);
    await eventually('all have ended', () => !ids.some(isRunning));
  });
});
