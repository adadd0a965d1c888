// The table of framings on each transport: nothing runs that must not, and nothing without being told; over node:http
// everything is answered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRAMINGS, formatRow, runOn } from './framing-table.ts';

/** The table has grown from as many. */
const LEAST_CASES = 143;

test('no two cases of the table are the same', () => {
  const scene = { host: 'a', path: '/b', second: 'GET / HTTP/1.1\r\n\r\n' };
  assert.ok(FRAMINGS.length >= LEAST_CASES);
  assert.equal(new Set(FRAMINGS.map(({ title }) => title)).size, FRAMINGS.length);
  const texts = FRAMINGS.map(({ title, pieces }) => [pieces(scene).join('|'), title] as const);
  const titles = new Map<string, string>();
  for (const [text, title] of texts) {
    assert.equal(titles.get(text), undefined, title);
    titles.set(text, title);
  }
});

test('node: every case is answered, and what must not run does not', async () => {
  // In full: it waits for silence only where there is some.
  const rows = await runOn('node', { extent: 'full', cases: FRAMINGS });
  const bad = rows.filter(({ faults, isSilent, ranUntold }) => faults.length > 0 || isSilent || ranUntold);
  assert.deepEqual(bad.map(formatRow), []);
});

test('uws: what must not run does not, and what runs is told', async (context) => {
  const rows = await runOn('uws', { extent: 'slice', cases: FRAMINGS });
  const bad = rows.filter(({ faults, ranUntold }) => faults.length > 0 || ranUntold);
  assert.deepEqual(bad.map(formatRow), []);
  context.diagnostic(`${rows.filter(({ isSilent }) => isSilent).length} are not all answered within the slice`);
});
