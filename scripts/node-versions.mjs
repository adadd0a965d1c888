// `npm run check:node-versions [-- <version>…]`: on each Node, fetched from the npm registry, runs a slice of the tests over
// each transport that loads, and measures what these cost. On Linux and macOS, where npm has binaries of Node.
// Interrupted, it ends what it runs and leaves nothing behind.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies, projectFolder } from './dependencies.mjs';

const VERSIONS = ['22.23.3', '24.9.0', '26.10.0'];
/** Start and stop, the package, the write path and its durability, the thread that encodes; the bytes on disk. */
const TESTS = [
  'test/package/',
  'test/conformance/node',
  'test/crash/kill.test',
  'test/engine/journal/',
  'test/engine/encoder/encoding-thread',
  'test/server/cli',
  'test/golden/',
];
const TESTS_OF_UWS = ['test/conformance/uws', 'test/server/http/streams', 'test/server/live/'];
/** Loads it as the server does, with its choice of a build. */
const LOAD_UWS =
  "import { loadUws } from './server/uws/load-uws.ts'; import { thisPlatform } from './server/uws/uws-builds.ts';" +
  'loadUws(thisPlatform());';
/** Rows of conformance about points, from the write to the read. */
const CASE = 'Points/';

ensureDependencies();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, figures: { type: 'boolean', default: false } },
});
const folder = mkdtempSync(join(tmpdir(), 'varve-node-versions-'));
let failed = 0;
let child;
let heard;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    heard ??= signal;
    child?.kill(signal);
  });
}
try {
  for (const version of positionals.length > 0 ? positionals : VERSIONS) await checkVersion(version);
} catch (error) {
  if (heard === undefined) throw error;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
if (heard !== undefined) process.exit(128 + constants.signals[heard]);
process.exit(failed > 0 ? 1 : 0);

async function checkVersion(version) {
  const node = version === process.versions.node ? process.execPath : await fetchNode(version);
  if (!values.figures) {
    const environment = values.all ? {} : { CASE };
    const hasUws = await run(node, ['--import', 'tsx', '--input-type=module', '-e', LOAD_UWS], {});
    console.error(`On Node ${version} uWebSockets ${hasUws ? 'loads' : 'does not load'} here.`);
    const tests = hasUws ? [...TESTS, ...TESTS_OF_UWS] : TESTS;
    report(`tests on Node ${version}`, await run(node, ['--import', 'tsx', 'test/run.ts', ...tests], environment));
  }
  report(`figures on Node ${version}`, await run(node, ['--import', 'tsx', 'bench/programs/transports.ts'], {}));
}

/** Gives the path of the program. Ends this one when npm has it not. */
async function fetchNode(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const at = join(folder, version);
  const words = ['install', '--ignore-scripts', '--no-save', '--prefix', at, `${name}@${version}`];
  if (!(await end('npm', words, { stdio: ['ignore', 2, 2] })))
    throw new Error(`npm has no ${name}@${version}, or cannot be asked`);
  return join(at, 'node_modules', name, 'bin', 'node');
}

function run(node, words, environment) {
  return end(node, words, { cwd: projectFolder, env: { ...process.env, ...environment }, stdio: 'inherit' });
}

/** Whether the command ended well. Throws when this program has been told to end. */
async function end(command, words, options) {
  if (heard === undefined) {
    child = spawn(command, words, options);
    const [code] = await once(child, 'exit');
    child = undefined;
    if (heard === undefined) return code === 0;
  }
  throw new Error(`ended by ${heard}`);
}

function report(title, isGood) {
  if (!isGood) failed++;
  console.error(`${isGood ? 'ok    ' : 'FAILED'} ${title}`);
}
