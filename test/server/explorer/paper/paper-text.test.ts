// What stands above a printed chart.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setZone } from '../../../../server/explorer/model/time/time-zone.ts';
import { paperRange, paperTitle, printedText } from '../../../../server/explorer/paper/paper-text.ts';

after(() => setZone('local'));

test('a printed trend is called as it was saved, else by its tags, of which a line has room for three', () => {
  assert.equal(paperTitle('Boiler, night shift', ['A', 'B']), 'Boiler, night shift');
  assert.equal(paperTitle(undefined, ['A', 'B', 'C']), 'A, B, C');
  assert.equal(paperTitle(undefined, ['A', 'B', 'C', 'D', 'E']), 'A, B, C and 2 more');
});

test('the window on paper says its zone, with both offsets where the clocks change in it', () => {
  setZone('Europe/Berlin');
  const [startMs, endMs] = [Date.UTC(2026, 0, 5, 8), Date.UTC(2026, 0, 5, 9)];
  assert.equal(
    paperRange({ startMs, endMs }, 'Europe/Berlin'),
    '2026-01-05 09:00:00 – 2026-01-05 10:00:00 (Europe/Berlin, UTC+01:00)',
  );
  const change = { startMs: Date.UTC(2026, 2, 28, 23), endMs: Date.UTC(2026, 2, 29, 22) };
  assert.match(paperRange(change, 'Europe/Berlin'), /\(Europe\/Berlin, UTC\+01:00 to UTC\+02:00\)$/);
  setZone('UTC');
  assert.match(paperRange({ startMs, endMs }, 'UTC'), /^2026-01-05 08:00:00 – .* \(UTC\)$/);
  assert.equal(printedText(Date.UTC(2026, 0, 6, 7, 30), '1.2.0'), 'Printed 2026-01-06 07:30, Varve 1.2.0');
});
