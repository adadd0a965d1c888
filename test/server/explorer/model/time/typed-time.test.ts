// Dates as they are typed, what is said of those that are none, and the two fields of the window.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setShifts } from '../../../../../server/explorer/model/time/shifts.ts';
import { type TimeRange, typedTime } from '../../../../../server/explorer/model/time/time-range.ts';
import { setZone } from '../../../../../server/explorer/model/time/time-zone.ts';
import { formatRange, readRange } from '../../../../../server/explorer/model/time/typed-range.ts';
import { isDayFirst, readTyped } from '../../../../../server/explorer/model/time/typed-time.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const context = { isDayFirst: true, plant: undefined, nowMs: NOW };
const at = (text: string): number => Date.parse(text);

afterEach(() => {
  setZone('local');
  setShifts(undefined);
});

test('dates in the usual forms, with and without a time of day', () => {
  setZone('Europe/Berlin');
  const cases = {
    '27.11.2026 06:00': '2026-11-27T05:00Z',
    '27.11.2026, 06:00': '2026-11-27T05:00Z',
    '27.11.26': '2026-11-26T23:00Z',
    '27.11. 06:00': '2026-11-27T05:00Z',
    '1.7.2026 6:05:30': '2026-07-01T04:05:30Z',
    '27/11/2026': '2026-11-26T23:00Z',
    '27/11/2026 06:00': '2026-11-27T05:00Z',
    '2026/11/27 6:00 pm': '2026-11-27T17:00Z',
    '2026-11-27': '2026-11-26T23:00Z',
    '2026-11-27 12:00 am': '2026-11-26T23:00Z',
    '2026-11-27 06:00:00.250': '2026-11-27T05:00:00.250Z',
    '2026-11-27T06:00:00.5Z': '2026-11-27T06:00:00.500Z',
    '2026-11-27T06:00+0530': '2026-11-27T00:30Z',
    '2026-10-25 02:30+02:00': '2026-10-25T00:30Z',
    '2026-10-25 02:30+01:00': '2026-10-25T01:30Z',
    '2026-10-25 02:30': '2026-10-25T00:30Z',
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(readTyped(text, context), at(expected), text);
});

test('day and month stand in the order of the language', () => {
  setZone('UTC');
  assert.deepEqual([isDayFirst('en-GB'), isDayFirst('de'), isDayFirst('en-US')], [true, true, false]);
  const american = { ...context, isDayFirst: false };
  assert.equal(readTyped('11/27/2026', american), at('2026-11-27T00:00Z'));
  assert.equal(readTyped('03/04/2026', american), at('2026-03-04T00:00Z'));
  assert.equal(readTyped('03/04/2026', context), at('2026-04-03T00:00Z'));
  assert.deepEqual(Object.keys(readTyped('27/11/2026', american) as object), ['fault']);
});

test('what is no time is answered with what is wrong with it, and with times that are right', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /missing.*Write -8h/],
    ['rubbish', /'rubbish' is no time.*Write -8h, d-1d, .*27\.11\.2026 06:00/],
    ['x'.repeat(500), /'x{40}…' is no time/],
    ['27.13.2026', /'27\.13\.2026' has the month 13; there are 12/],
    ['30.02.2026', /the day 30, which that month does not have/],
    ['2026-11-27 25:00', /a time of day that no clock shows/],
    ['2026-11-27 soon', /has 'soon' for a time of day/],
    ['2026-11-27 13:00 pm', /no clock shows/],
  ];
  for (const [text, expected] of cases) {
    const read = readTyped(text, context);
    assert.ok(typeof read === 'object', text);
    assert.match(read.fault, expected);
  }
  const american = readTyped('27/11/2026', { ...context, isDayFirst: false });
  assert.match(JSON.stringify(american), /month 27; .*the month comes before the day/);
});

test('a time that must stay is not one that goes on with the clock', () => {
  setZone('UTC');
  assert.equal(typedTime('yesterday 06:00', 'from', NOW), at('2026-11-27T06:00Z'));
  assert.match(JSON.stringify(typedTime('-2h', 'from', NOW)), /'-2h' goes on with the clock; here a time stays/);
});

test('fields that were not touched leave the window as it is, to the millisecond', () => {
  setZone('Europe/Berlin');
  const ranges: TimeRange[] = [
    { from: '-2h', to: 'now' },
    { from: 'd-1d', to: 'd' },
    { from: NOW + 123, to: NOW + 45_678 },
    { from: at('2026-10-25T00:30:00.5Z'), to: at('2026-10-25T01:30:00.7Z') },
  ];
  for (const range of ranges) assert.equal(readRange(formatRange(range), range, NOW), range);
  const [, , zoomed] = ranges;
  assert.ok(zoomed);
  const typed = { ...formatRange(zoomed), to: '2026-11-28 14:00' };
  assert.deepEqual(readRange(typed, zoomed, NOW), { from: NOW + 123, to: at('2026-11-28T13:00Z') });
});

test('both times of the hour that comes twice are told apart, and typed', () => {
  setZone('Europe/Berlin');
  const twice = { from: at('2026-10-25T00:30Z'), to: at('2026-10-25T01:30Z') };
  assert.deepEqual(formatRange(twice), { from: '2026-10-25 02:30+02:00', to: '2026-10-25 02:30+01:00' });
  assert.deepEqual(readRange(formatRange(twice), { from: '-2h', to: 'now' }, NOW), twice);
});

test('the fields say which of them is wrong, and when the end does not lie behind the start', () => {
  setZone('UTC');
  const shown: TimeRange = { from: '-2h', to: 'now' };
  assert.match(JSON.stringify(readRange({ from: 'x', to: 'now' }, shown, NOW)), /From: 'x' is no time/);
  assert.match(JSON.stringify(readRange({ from: '-2h', to: 'y z' }, shown, NOW)), /To: 'y z' is no time/);
  assert.match(
    JSON.stringify(readRange({ from: 'd', to: 'd-1d' }, shown, NOW)),
    /start must lie before the end: from is 2026-11-28 00:00:00, to is 2026-11-27 00:00:00/,
  );
  assert.deepEqual(readRange({ from: 'y', to: 't' }, shown, NOW), { from: 'yesterday', to: 'd' });
});
