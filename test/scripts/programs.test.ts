// `npm run campaign` and `npm run bench`: their lists, and what is said for a name that there is not.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../support/server-process.ts';

type Programs = Readonly<Record<string, readonly [path: string, says: string]>>;

const { CAMPAIGNS } = (await load('campaigns.mjs')) as { CAMPAIGNS: Programs };
const { BENCH_PROGRAMS } = (await load('bench-programs.mjs')) as { BENCH_PROGRAMS: Programs };

function load(name: string): Promise<unknown> {
  return import(pathToFileURL(join(projectFolder, 'scripts', name)).href);
}

function run(script: string, ...words: readonly string[]) {
  const path = join(projectFolder, 'scripts', script);
  return spawnSync(process.execPath, [path, ...words], { cwd: projectFolder, encoding: 'utf8' });
}

/** Files of a folder that run a campaign when they are the program. */
function campaignsIn(folder: string): string[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) =>
      /^if \(process\.argv\[1\].*import\.meta\.filename/m.test(readFileSync(join(projectFolder, path), 'utf8')),
    );
}

test('each program of the lists is a file, and each campaign of the tests is in the list', () => {
  for (const [path] of [...Object.values(CAMPAIGNS), ...Object.values(BENCH_PROGRAMS)])
    assert.ok(existsSync(join(projectFolder, path)), path);
  const listed = Object.values(CAMPAIGNS).map(([path]) => path);
  const found = campaignsIn('test');
  assert.ok(found.length > 15);
  assert.deepEqual(
    found.filter((path) => !listed.includes(path)),
    ['test/server/fairness/probe-program.ts'],
    'but for one that only the fairness table starts',
  );
});

for (const [script, programs] of [
  ['campaign.mjs', CAMPAIGNS],
  ['bench.mjs', BENCH_PROGRAMS],
] as const) {
  test(`${script} --help has a line for each program`, () => {
    const { status, stdout } = run(script, '--help');
    assert.equal(status, 0);
    for (const [name, [, says]] of Object.entries(programs))
      assert.ok(
        stdout.split('\n').some((line) => line.trim().startsWith(name) && line.endsWith(says)),
        name,
      );
  });
}

test('an unknown name is refused, with the nearest one', () => {
  for (const [script, name, nearest] of [
    ['campaign.mjs', 'kil', 'kill'],
    ['campaign.mjs', 'purgesize', 'purge-size'],
    ['bench.mjs', 'writepath', 'write-path'],
    ['bench.mjs', 'figure', 'figures'],
  ] as const) {
    const { status, stderr } = run(script, name);
    assert.equal(status, 2);
    assert.ok(stderr.includes(`'${name}'; did you mean '${nearest}'?`), stderr);
  }
});

test('a campaign takes its seed and its count; an extent that is none is refused', () => {
  const { status, stdout, stderr } = run('campaign.mjs', 'aggregates', '--seed', '5', '--count', '3');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /3 trials, 0 failures, seed 5/);
  assert.match(run('campaign.mjs', 'aggregates', '--extent', 'all').stderr, /--extent all: want slice or full/);
  assert.match(run('campaign.mjs', 'attack', '--extent', '3').stderr, /--extent 3: want slice or full/);
});
