// What `varve` of a clone runs: built once for the sources that are there, and from these where that fails.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { VERSION } from '../../server/version.ts';
import { cloneVarve } from '../support/packed-varve.ts';
import { type ProcessEnd, projectFolder, runUntilReady, temporaryFolder } from '../support/server-process.ts';

const LIMIT_MS = 120_000;
/** What holds the packages of `optionalDependencies`. */
const OPTIONAL = ['@aws-sdk', '@clickhouse', '@modelcontextprotocol', 'apache-arrow', 'hyparquet-writer', 'mqtt'];

const folder = temporaryFolder();
let clone = '';

/** Its own node_modules with links to our packages: builds go there, and a package can be taken away. */
before(() => {
  clone = cloneVarve(folder);
  const packages = join(clone, 'node_modules');
  rmSync(packages);
  mkdirSync(packages);
  const installed = join(projectFolder, 'node_modules');
  for (const name of readdirSync(installed).filter((entry) => !entry.startsWith('.')))
    symlinkSync(join(installed, name), join(packages, name));
  cpSync(join(installed, '.package-lock.json'), join(packages, '.package-lock.json'));
});
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Runs a command that ends by itself. */
function varve(
  word: string,
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<ProcessEnd> {
  const child = spawn(process.execPath, [join(clone, 'bin', 'varve.mjs'), word, ...flags], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

function builds(): string[] {
  return readdirSync(join(clone, 'node_modules', '.cache', 'varve')).sort();
}

test('two first starts at once build the same, and leave one build and nothing half-done', async () => {
  const both = await Promise.all([varve('version'), varve('version')]);
  for (const { code, stdout, stderr } of both) {
    assert.equal(code, 0, stderr);
    assert.equal(stdout, `${VERSION}\n`);
    assert.match(stderr, /^The program was built in [\d.]+ s\.\n$/);
  }
  assert.equal(builds().length, 1);
  assert.match(builds()[0] ?? '', /^[\da-f]{32}$/);
});

test('the next start builds nothing, and what runs is the build', async () => {
  const before = builds();
  const { code, stdout, stderr } = await varve('version');
  assert.deepEqual([code, stdout, stderr], [0, `${VERSION}\n`, '']);
  assert.deepEqual(builds(), before);
  const built = join(clone, 'node_modules', '.cache', 'varve', before[0] ?? '', 'scripts', 'run-varve.js');
  const text = readFileSync(built, 'utf8');
  writeFileSync(built, `${text}\nprocess.stderr.write('this is the build');\n`);
  assert.equal((await varve('version')).stderr, 'this is the build');
  writeFileSync(built, text);
});

test('a server from the build answers, with its page and its help', async () => {
  const words = [join(clone, 'bin', 'varve.mjs'), 'serve', '--port', '0', '--data', join(folder, 'data')];
  const end = await runUntilReady(process.execPath, words, async (url) => {
    for (const path of ['/', '/api/help', '/api/help/swagger-ui.css', '/api/datasets'])
      assert.equal((await fetch(url + path)).status, 200, path);
  });
  assert.equal(end.code, 0, end.stderr);
  assert.doesNotMatch(end.stderr, /its sources instead|not built/);
});

test('a changed source is built anew, and an error names its line', async () => {
  const known = builds().length;
  appendFileSync(join(clone, 'server', 'version.ts'), "if (process.env.BREAK) throw new Error('broken here');\n");
  const lines = readFileSync(join(clone, 'server', 'version.ts'), 'utf8').split('\n').length - 1;
  assert.match((await varve('version')).stderr, /^The program was built in/);
  assert.equal(builds().length, known + 1);
  const { code, stderr } = await varve('version', { BREAK: '1' });
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`broken here[^]*server/version\\.ts:${lines}:`));
});

test('without the optional packages it runs, and whatever needs one of them names it', async () => {
  const packages = join(clone, 'node_modules');
  for (const name of OPTIONAL) rmSync(join(packages, name));
  rmSync(join(packages, '.cache'), { recursive: true });
  const sources = join(folder, 'mqtt.json');
  writeFileSync(
    sources,
    '{"sources":[{"name":"Broker","url":"mqtt://127.0.0.1:1","topics":[{"topic":"a","dataset":"A","tag":"a"}]}]}',
  );
  const asked = [
    [['--mqtt', sources], '--mqtt needs the package mqtt,'],
    [['--centre', 'clickhouse://127.0.0.1/a'], '--centre clickhouse:// needs the package @clickhouse/client,'],
    [['--engine', 'clickhouse://127.0.0.1/a'], '--engine needs the package @clickhouse/client,'],
    [['--centre', `parquet://${folder}/copy`], '--centre parquet:// needs the package hyparquet-writer,'],
    [['--centre', 's3://bucket'], '--centre s3:// needs the package @aws-sdk/client-s3,'],
  ] as const;
  for (const [flags, sentence] of asked) {
    if (flags[1] === 's3://bucket')
      symlinkSync(join(projectFolder, 'node_modules', 'hyparquet-writer'), join(packages, 'hyparquet-writer'));
    const { code, stderr } = await varve('serve', {}, ['--data', join(folder, 'none'), '--port', '0', ...flags]);
    assert.equal(code, 2, stderr);
    assert.ok(stderr.includes(sentence), stderr);
    assert.match(
      stderr,
      /not installed\. Run this .*: npm ci --ignore-scripts --omit=dev \(a clone\), or .* \(a package\)$/m,
    );
  }
  assert.equal(existsSync(join(folder, 'none')), false);
  rmSync(join(packages, 'hyparquet-writer'));
  const words = [join(clone, 'bin', 'varve.mjs'), 'serve', '--port', '0', '--data', join(folder, 'data')];
  const end = await runUntilReady(process.execPath, words, async (url) => {
    const answer = await fetch(`${url}/mcp`, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
    assert.equal(answer.status, 501);
    assert.match(await answer.text(), /The door \/mcp needs the package @modelcontextprotocol\/\w+, which/);
    const data = `${url}/api/datasets/A/data`;
    assert.equal(
      (await fetch(data, { method: 'POST', body: '{"a":[{"t":"2026-01-01T00:00:00Z","v":1}]}' })).status,
      200,
    );
    for (const [format, name] of [
      ['parquet', 'hyparquet-writer'],
      ['arrow', 'apache-arrow'],
    ]) {
      const file = await fetch(`${data}?tags=*&format=${format}`);
      assert.equal(file.status, 501);
      assert.match(await file.text(), new RegExp(`format=${format} needs the package ${name}, which`));
    }
  });
  assert.equal(end.code, 0, end.stderr);
  assert.doesNotMatch(end.stderr, /its sources instead/);
});

test('without a builder it says so, and runs from the sources', async () => {
  rmSync(join(clone, 'node_modules', 'rolldown'));
  rmSync(join(clone, 'node_modules', '.cache'), { recursive: true });
  const { code, stdout, stderr } = await varve('version');
  assert.deepEqual([code, stdout], [0, `${VERSION}\n`], stderr);
  assert.match(
    stderr,
    /^The program could not be built: Cannot find package 'rolldown'.*\nIt runs from its sources instead, which is slower\.\n$/,
  );
});
