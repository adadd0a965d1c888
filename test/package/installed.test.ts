// The package as its users have it: packed, installed without a registry, started in an empty folder.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { uwsBuilds } from '../../server/uws/uws-builds.ts';
import { VERSION } from '../../server/version.ts';
import { packVarve, runCommand } from '../support/packed-varve.ts';
import { projectFolder, runUntilReady, temporaryFolder } from '../support/server-process.ts';

/** A third of what an installation took when the sources were installed with all that they are built with. */
const MOST_BYTES = 112e6;
const DEMO_LIMIT_MS = 120_000;
const POLL_MS = 100;
/** With a new point every 15 s. */
const QUICK_TAGS = ['BO1.Water.Level', 'CP1.Pressure', 'CP1.Current', 'CP2.Pressure', 'CP2.Current', 'FL001.Weight'];
const TOP = ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'deploy', 'docs', 'examples', 'package.json', 'program'];
const NO_PART = /(^|\/)(test|bench|node_modules|\.[^/]*)(\/|$)|\.tsx?$/;

const folder = temporaryFolder();
const prefix = join(folder, 'prefix');
const installed = join(prefix, 'lib', 'node_modules', 'varve');
const varve = join(prefix, 'bin', 'varve');

before(async () => {
  const path = await packVarve(folder);
  // No registry is asked: there is nothing to fetch.
  await runCommand(folder, 'npm', 'install', '--global', '--offline', '--prefix', prefix, path);
});
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function filesBelow(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(place, join(entry.parentPath, entry.name)));
}

function emptyFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

test('it holds the program and what that needs, nothing of tests or development, and at most a third of before', (context) => {
  assert.deepEqual(readdirSync(installed).sort(), TOP);
  const files = filesBelow(installed);
  assert.deepEqual(
    files.filter((path) => NO_PART.test(path)),
    [],
  );
  const bytes = files.reduce((sum, path) => sum + statSync(join(installed, path)).size, 0);
  context.diagnostic(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB installed`);
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
  assert.deepEqual(readdirSync(join(prefix, 'lib', 'node_modules')), ['varve'], 'no other package');
});

test('the manifest of the package names nothing that is fetched, and ours is in its place again', () => {
  const packed = readManifest(installed);
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies', 'scripts'])
    assert.equal(Object.hasOwn(packed, kind), false, kind);
  assert.equal(packed.version, VERSION);
  assert.deepEqual(readManifest(join(folder, 'clone')), readManifest(projectFolder));
  assert.equal(existsSync(join(folder, 'clone', 'package.ours.json')), false);
});

function readManifest(place: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>;
}

test('the files of the program have source maps, which name the sources; and each pinned binary is there', () => {
  const program = join(installed, 'program');
  const files = filesBelow(program).filter((path) => /^(chunks|engine|server|simulator)\/.*\.js$/.test(path));
  const sources = new Set<string>();
  for (const path of files) {
    // One that only names others has nothing to map.
    if (!readFileSync(join(program, path), 'utf8').includes('sourceMappingURL=')) continue;
    const map = JSON.parse(readFileSync(join(program, `${path}.map`), 'utf8')) as { sources: string[] };
    for (const source of map.sources) sources.add(source.replace(/^(\.\.\/)+/, ''));
  }
  assert.ok(sources.size > 500, `${sources.size} sources`);
  assert.ok(sources.has('server/serve.ts'), [...sources].join(' '));
  for (const { specifier, folder: below, pins } of uwsBuilds)
    for (const name of pins.keys())
      assert.ok(existsSync(join(program, 'uws', specifier.replace('#uws-', ''), below, name)), name);
});

test('in an empty folder the demo plant runs, the page and all its files come from the package, a point is kept', async () => {
  const cwd = emptyFolder('demo');
  const end = await runUntilReady(varve, ['serve', '--demo', '--port', '0'], useIt, { cwd });
  assert.equal(end.code, 0, end.stderr);
  assert.deepEqual(readdirSync(cwd), ['data']);
  assert.deepEqual(readdirSync(join(cwd, 'data')).sort(), ['.demo', 'Demo', 'First']);
  const levels = end.stderr.split('\n').map((line) => (JSON.parse(line) as { level: string }).level);
  assert.deepEqual([...new Set(levels)], ['info'], end.stderr);
});

async function useIt(url: string): Promise<void> {
  const page = await readText(`${url}/`);
  const paths = [...page.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  assert.ok(paths.length >= 3, page);
  for (const path of paths) {
    assert.match(path, /^\/explorer\//);
    assert.ok((await readText(url + path)).length > 100, path);
  }
  for (const name of ['', '/start.js', '/swagger-ui-bundle.js', '/swagger-ui.css'])
    await readText(`${url}/api/help${name}`);

  const written = await fetch(`${url}/api/datasets/First/data`, {
    method: 'POST',
    body: '{"Temperature":[{"v":21.5}]}',
  });
  assert.equal(written.status, 200);
  assert.match(await readText(`${url}/api/datasets/First/data?tagname=Temperature`), /"v":21\.5,"q":192/);
  await waitForDemo(url);
}

async function readText(url: string): Promise<string> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200, url);
  return answer.text();
}

/** Until the demo has written its history, and goes on. */
async function waitForDemo(url: string): Promise<void> {
  const newest = async (): Promise<string> => {
    const query = QUICK_TAGS.map((name) => `tagname=${name}`).join('&');
    const answer = await fetch(`${url}/api/datasets/Demo/data?${query}&missing=skip`);
    const { tl } = (answer.ok ? await answer.json() : { tl: [] }) as { tl: { d: { t: string }[] }[] };
    const times = tl.flatMap(({ d }) => d.map(({ t }) => t));
    return times.sort().at(-1) ?? '';
  };
  let first = '';
  for (const until = Date.now() + DEMO_LIMIT_MS; Date.now() < until; ) {
    const now = await newest();
    if (first === '') first = now;
    else if (now > first) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`the demo plant stands still at '${first}'`);
}

test('the other commands run as well', () => {
  const cwd = emptyFolder('commands');
  const plant = join(installed, 'program', 'demo', 'plant.json');
  for (const [words, said] of [
    [['version'], new RegExp(`^${VERSION}$`, 'm')],
    [['help'], /^ {2}varve simulate/m],
    [['simulate', '--config', plant, '--check'], /is valid: 7 sequences/],
    [['token', 'create', '--role', 'read'], /^varve_/],
    [['token', 'list'], /read/],
    [['config', 'print'], /^port +4511 +default$/m],
    [['doctor', '--port', '0'], /^ok +the front end is (node:http|uWebSockets)/m],
    [['check', 'data'], /No faults/],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(varve, words, { cwd, encoding: 'utf8' });
    assert.equal(status, 0, `${words.join(' ')}\n${stdout}${stderr}`);
    assert.match(stdout, said);
  }
});

test('an error names lines of the sources', () => {
  const path = join(installed, 'program/server/uws/load-uws.js');
  const program = join(installed, 'program/scripts/run-varve.js');
  // A command is begun for the traces, and the error comes before it does anything.
  const code = `const parts = Object.values(await import(${JSON.stringify(path)}));
    const { runVarve } = await import(${JSON.stringify(program)});
    void runVarve(['version']);
    parts.find(({ name }) => name === 'checkHash')('/none', { pins: new Map() });`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  assert.match(stderr, /server\/uws\/load-uws\.ts:\d+/);
});

test('the licences of all that it carries are in it', () => {
  const notices = readFileSync(join(installed, 'program', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const carried = filesBelow(join(installed, 'program', 'vendor')).filter((path) => path.endsWith('.js'));
  assert.ok(carried.length > 20, carried.join(' '));
  for (const path of carried) assert.ok(notices.includes(`\n${path.replace(/\.js$/, '')} `), path);
});
