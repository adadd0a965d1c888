// The table of docs/reference-clients.md and the rows of its cases are the same; coverage.test.ts asks for the cases.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../support/server-process.ts';
import './cases/index.ts';
import { REFERENCE_ROWS } from './reference-rows.ts';
import { cases } from './registry.ts';

const page = readFileSync(join(projectFolder, 'docs/reference-clients.md'), 'utf8');

/** Name and mode of each row, in the order of the page. */
function documentedRows(): [name: string, mode: string][] {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \|.*\| (\w+) \|$/gm)];
  return rows.map(([, name = '', mode = '']) => [name, mode]);
}

test('every row of the page is a row of the cases in its mode, and every one of those is on the page', () => {
  const documented = documentedRows();
  assert.ok(documented.length >= 50, `only ${documented.length} rows`);
  assert.equal(new Set(documented.map(([name]) => name)).size, documented.length, 'a row stands twice');
  assert.deepEqual(Object.fromEntries(documented), REFERENCE_ROWS);
});

test('a row for both modes is tried in both', () => {
  for (const [name, mode] of Object.entries(REFERENCE_ROWS)) {
    const facts = cases.filter(({ row }) => row === `reference/${name}`).map(({ fact }) => fact);
    const inTimebase = facts.filter((fact) => fact.endsWith('(--compat timebase)'));
    assert.equal(inTimebase.length > 0, mode !== 'default', name);
    assert.equal(facts.length > inTimebase.length, mode !== 'timebase', name);
  }
});
