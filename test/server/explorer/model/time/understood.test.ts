// What the page says of a time while it is typed.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setZone } from '../../../../../server/explorer/model/time/time-zone.ts';
import { understood } from '../../../../../server/explorer/model/time/understood.ts';

const NOW_MS = Date.UTC(2026, 10, 27, 15, 20);

function inBerlin(t: TestContext): void {
  setZone('Europe/Berlin');
  t.after(() => setZone('local'));
}

test('a time that is typed is told in whole, with its zone', (t) => {
  inBerlin(t);
  assert.equal(understood('-8h', 'from', NOW_MS), '2026-11-27 08:20:00 UTC+01:00');
  assert.equal(understood('d', 'from', NOW_MS), '2026-11-27 00:00:00 UTC+01:00');
  assert.equal(understood('*', 'to', NOW_MS), 'now: 2026-11-27 16:20:00 UTC+01:00');
  assert.equal(understood('t+6h', 'from', NOW_MS), 'd+6h: 2026-11-27 06:00:00 UTC+01:00');
  assert.equal(understood('year', 'from', NOW_MS), '2026-01-01 00:00:00 UTC+01:00');
  assert.equal(understood('27.11. 06:00', 'from', NOW_MS), '2026-11-27 06:00:00 UTC+01:00');
});

test('y is yesterday, and says that it is another word than in the API', (t) => {
  inBerlin(t);
  const other = 'The start of the year, y in the API, is year here.';
  assert.equal(understood('y', 'from', NOW_MS), `yesterday: 2026-11-26 00:00:00 UTC+01:00. ${other}`);
  assert.equal(understood(' Y+6h ', 'from', NOW_MS), `yesterday+6h: 2026-11-26 06:00:00 UTC+01:00. ${other}`);
  assert.equal(understood('-1y', 'from', NOW_MS), '2025-11-27 16:20:00 UTC+01:00', 'years are the same in both');
});

test('a whole time, nothing, and what is no time need no words', (t) => {
  inBerlin(t);
  for (const text of ['', '  ', '2026-11-27 06:00', 'tomorrowish', 'd-'])
    assert.equal(understood(text, 'from', NOW_MS), undefined, text);
});
