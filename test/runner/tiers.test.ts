// Every test file is in exactly one tier, and the first one starts nothing that takes long.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../support/server-process.ts';
import { collectTestFiles } from './test-files.ts';
import { SECOND_TIER } from './tiers.ts';

/** Modules that start what only the second tier may start. */
const LONG_STARTERS = [
  'test/support/browser.ts',
  'test/support/clickhouse/centre-plant.ts',
  'test/support/clickhouse/cluster.ts',
  'test/support/loop-disk.ts',
  'test/support/packed-varve.ts',
  'test/server/attack/attack-table.ts',
  'test/server/fairness/fairness-table.ts',
];

const collect = (tiers: readonly ('first' | 'second')[]): string[] =>
  collectTestFiles(projectFolder, { parts: [], tiers });

test('every test file is in exactly one tier', () => {
  const found = readdirSync(join(projectFolder, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name.split(sep).join('/')}`);
  const [first, second] = [collect(['first']), collect(['second'])];
  assert.ok(first.length > 100 && second.length > 20, `${first.length} and ${second.length} files`);
  assert.deepEqual([...first, ...second].sort(), found.sort());
  assert.deepEqual(collect(['first', 'second']).sort(), found.sort());
});

test('every entry of the second tier stands for a file', () => {
  const second = collect(['second']);
  for (const beginning of Object.values(SECOND_TIER).flat())
    assert.ok(
      second.some((path) => path.startsWith(beginning)),
      beginning,
    );
});

test('no file of the first tier starts a browser, a cluster, a build of the package, or a table of attacks', () => {
  for (const path of collect(['first'])) {
    const modules = importedByTests(path);
    const starters = LONG_STARTERS.filter((starter) => modules.has(starter));
    assert.deepEqual(starters, [], `${path} belongs into test/runner/tiers.ts`);
  }
});

test('each module that starts such a thing is one that the second tier imports', () => {
  const modules = new Set(collect(['second']).flatMap((path) => [...importedByTests(path)]));
  assert.deepEqual(
    LONG_STARTERS.filter((starter) => !modules.has(starter)),
    [],
  );
});

/** The modules below `test/` that a file imports, also by way of others. */
function importedByTests(path: string, found = new Set<string>()): Set<string> {
  const text = readFileSync(join(projectFolder, path), 'utf8');
  for (const [, specifier = ''] of text.matchAll(/^(?:import|\} from|import .+ from) '(\.[^']+)';$/gm)) {
    const imported = normalize(join(dirname(path), specifier))
      .split(sep)
      .join('/');
    if (!imported.startsWith('test/') || found.has(imported)) continue;
    found.add(imported);
    importedByTests(imported, found);
  }
  return found;
}
