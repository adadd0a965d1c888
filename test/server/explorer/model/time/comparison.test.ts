// What a window is compared with: how far back it lies, also over a change of clocks and from shift to shift, and what is typed.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { compareShiftMs, isCompare, readComparisons } from '../../../../../server/explorer/model/time/comparison.ts';
import { setShifts } from '../../../../../server/explorer/model/time/shifts.ts';
import { setZone } from '../../../../../server/explorer/model/time/time-zone.ts';

const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(text);
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

afterEach(() => {
  setShifts(undefined);
  setZone('local');
});

test('the period compared with lies a span or the window itself before', () => {
  setZone('UTC');
  const window = { startMs: at('2024-03-31T04:00Z'), endMs: at('2024-03-31T12:00Z') };
  assert.equal(compareShiftMs('previous', window), 8 * HOUR);
  assert.equal(compareShiftMs('1d', window), 24 * HOUR);
  assert.equal(compareShiftMs('nonsense', window), 0);
});

test('a day earlier is the same time of day where clocks change', () => {
  setZone('Europe/Berlin');
  const window = { startMs: at('2026-10-25T05:00Z'), endMs: at('2026-10-25T13:00Z') };
  assert.equal(compareShiftMs('1d', window), 25 * HOUR);
  assert.equal(compareShiftMs('24h', window), 24 * HOUR);
});

test('a shift is laid over an earlier one from their starts on, however long they are', () => {
  const [early, night] = [
    { name: 'Early', from: 360, to: 1320, days: EVERY_DAY },
    { name: 'Night', from: 1320, to: 360, days: EVERY_DAY },
  ];
  setShifts({ zone: 'Europe/Berlin', shifts: [early, night] });
  const window = { startMs: at('2026-11-27T05:00Z'), endMs: at('2026-11-27T21:00Z') };
  assert.equal(compareShiftMs('1 shift', window), 8 * HOUR, 'a night of eight hours');
  assert.equal(compareShiftMs('2 shifts', window), 24 * HOUR);
  const afterChange = { startMs: at('2026-10-25T05:00Z'), endMs: at('2026-10-25T21:00Z') };
  assert.equal(compareShiftMs('2 shifts', afterChange), 25 * HOUR);
  setShifts(undefined);
  assert.equal(compareShiftMs('2 shifts', window), 32 * HOUR, 'as long as the window while there are none');
});

test('several are typed with commas, and what is none is told of', () => {
  assert.deepEqual(readComparisons(' 1d, 2w,3 shifts , previous,'), ['1d', '2w', '3 shifts', 'previous']);
  assert.deepEqual(readComparisons(''), []);
  assert.match(String(readComparisons('1d, often')), /'often' is nothing to compare with: write previous, 8h/);
  assert.match(String(readComparisons('1h,2h,3h,4h,5h')), /At most 4 periods/);
  for (const text of ['0 shifts', '9999 shifts', '-1d', 'd-1d', '06:00', '', 'previous shift']) {
    assert.equal(isCompare(text), false, text);
  }
});
