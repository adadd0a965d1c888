// Shifts of the plant: when they begin and end over both changes of clocks, how they are named and moved between, and what is
// taken for a plan.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import {
  rangeOfShift,
  shiftBeside,
  shiftFault,
  shiftLabel,
  shiftOf,
} from '../../../../../server/explorer/model/time/shift-moves.ts';
import {
  formatPlan,
  parsePlan,
  readPlan,
  type TypedShift,
} from '../../../../../server/explorer/model/time/shift-plan.ts';
import {
  formatShiftText,
  readShiftText,
  resolveShiftText,
} from '../../../../../server/explorer/model/time/shift-text.ts';
import {
  type PlantShifts,
  plantShifts,
  setShifts,
  shiftAway,
  shiftsIn,
} from '../../../../../server/explorer/model/time/shifts.ts';
import { isLive, resolveRange } from '../../../../../server/explorer/model/time/time-range.ts';
import { setZone } from '../../../../../server/explorer/model/time/time-zone.ts';
import { readRange } from '../../../../../server/explorer/model/time/typed-range.ts';
import { findEdges, parseInterval } from '../../../../../server/routes/request/interval.ts';
import { findTimeZone, type TimeZone } from '../../../../../server/routes/request/time-zone.ts';
import { CHANGES } from './clock-changes.ts';

const HOUR_MS = 3_600_000;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const WEEKDAYS = [1, 2, 3, 4, 5];
const at = (text: string): number => Date.parse(text);
const iso = (timeMs: number): string => new Date(timeMs).toISOString().replace(':00.000Z', 'Z');

afterEach(() => {
  setShifts(undefined);
  setZone('local');
});

function plan(zone: string, shifts: readonly TypedShift[]): PlantShifts {
  const read = readPlan(zone, shifts);
  assert.ok(typeof read === 'object', String(read));
  setShifts(read);
  const plant = plantShifts();
  assert.ok(plant);
  return plant;
}

function threeShifts(zone = 'Europe/Berlin', days = EVERY_DAY): PlantShifts {
  return plan(zone, [
    { name: 'Early', from: '06:00', to: '14:00', days },
    { name: 'Late shift', from: '14:00', to: '22:00', days },
    { name: 'Night', from: '22:00', to: '06:00', days },
  ]);
}

test('shifts of eight hours are the intervals of eight hours that the server finds, over both changes of clocks', async () => {
  for (const [name, changes] of Object.entries(CHANGES)) {
    const plant = plan(
      name,
      ['00:00', '08:00', '16:00'].map((from, index) => ({
        name: `S${index}`,
        from,
        to: ['08:00', '16:00', '00:00'][index] ?? '',
        days: EVERY_DAY,
      })),
    );
    const zone = findTimeZone(name) as TimeZone;
    for (const change of changes) {
      const [startMs, endMs] = [at(change) - 60 * HOUR_MS, at(change) + 60 * HOUR_MS];
      const range = { start: { ms: startMs, ticks: 0 }, end: { ms: endMs, ticks: 0 }, zone, isAligned: true };
      const edges = await findEdges(parseInterval('8h', zone), { ...range, isAborted: () => false });
      const expected = [...edges].slice(1, -1).map((offset) => iso(startMs + offset));
      const spans = shiftsIn(plant, startMs + 1, endMs);
      assert.deepEqual(
        spans.map((span) => iso(span.startMs)),
        expected,
        `${name} around ${change}`,
      );
      for (const [index, span] of spans.entries()) {
        const next = spans[index + 1];
        if (next !== undefined) assert.equal(span.endMs, next.startMs, 'one ends where the next begins');
      }
    }
  }
});

test('a night has seven or nine hours where clocks change', () => {
  const plant = threeShifts();
  const hours = (nowMs: number): number => {
    const span = shiftAway(plant, nowMs, 0);
    assert.equal(span?.name, 'Night');
    return ((span?.endMs ?? 0) - (span?.startMs ?? 0)) / HOUR_MS;
  };
  assert.deepEqual([at('2026-03-28T23:30Z'), at('2026-10-24T23:30Z'), at('2026-07-01T23:30Z')].map(hours), [7, 9, 8]);
});

test('the words for shifts, from the present one and by name', () => {
  const plant = threeShifts();
  // 15:30 in Berlin, a Friday.
  const nowMs = at('2026-11-27T14:30Z');
  const cases: readonly (readonly [text: string, start: string, end: string])[] = [
    ['this shift', '2026-11-27T13:00Z', '2026-11-27T21:00Z'],
    ['Shift', '2026-11-27T13:00Z', '2026-11-27T21:00Z'],
    ['previous shift', '2026-11-27T05:00Z', '2026-11-27T13:00Z'],
    ['last shift', '2026-11-27T05:00Z', '2026-11-27T13:00Z'],
    ['next shift', '2026-11-27T21:00Z', '2026-11-28T05:00Z'],
    ['shift-2', '2026-11-26T21:00Z', '2026-11-27T05:00Z'],
    ['shift - 30', '2026-11-17T13:00Z', '2026-11-17T21:00Z'],
    ['early shift', '2026-11-27T05:00Z', '2026-11-27T13:00Z'],
    ['early shift yesterday', '2026-11-26T05:00Z', '2026-11-26T13:00Z'],
    ['early yesterday', '2026-11-26T05:00Z', '2026-11-26T13:00Z'],
    ['Late shift', '2026-11-27T13:00Z', '2026-11-27T21:00Z'],
    ['late d-2d', '2026-11-25T13:00Z', '2026-11-25T21:00Z'],
    ['Night shift 2026-11-24', '2026-11-24T21:00Z', '2026-11-25T05:00Z'],
    ['night shift', '2026-11-26T21:00Z', '2026-11-27T05:00Z'],
  ];
  for (const [text, start, end] of cases) {
    const span = resolveShiftText(text, nowMs, plant);
    assert.deepEqual([iso(span?.startMs ?? 0), iso(span?.endMs ?? 0)], [start, end], text);
    const read = readShiftText(text, plant);
    assert.ok(read);
    assert.deepEqual(resolveShiftText(formatShiftText(read), nowMs, undefined), undefined);
    assert.deepEqual(resolveShiftText(formatShiftText(read), nowMs, plant), span, 'as it is kept');
    assert.ok(readShiftText(formatShiftText(read), undefined), 'known as a shift before the shifts are read');
  }
  for (const text of ['early', 'morning']) assert.equal(readShiftText(text, undefined), undefined);
  for (const text of ['shifty', 'early bird', 'early 06:00', 'shift-99999'])
    assert.equal(readShiftText(text, plant), undefined);
});

test('the words go by the clocks of the plant, from wherever they are looked at', () => {
  const plant = threeShifts('Europe/Berlin');
  setZone('America/New_York');
  // Still Thursday in New York, Friday in Berlin.
  const span = resolveShiftText('early shift yesterday', at('2026-11-27T02:00Z'), plant);
  assert.equal(iso(span?.startMs ?? 0), '2026-11-26T05:00Z');
});

test('on a day without shifts the one that began last is meant', () => {
  const plant = threeShifts('Europe/Berlin', WEEKDAYS);
  const monday = at('2026-11-30T08:00Z');
  const started = (text: string, nowMs: number): string => iso(resolveShiftText(text, nowMs, plant)?.startMs ?? 0);
  assert.equal(started('early shift yesterday', monday), '2026-11-27T05:00Z', 'Friday');
  assert.equal(started('previous shift', monday), '2026-11-27T21:00Z');
  assert.equal(started('this shift', at('2026-11-29T12:00Z')), '2026-11-27T21:00Z');
});

test('a window of a shift follows the clock while it lasts, and moves to the shifts beside it', () => {
  threeShifts();
  setZone('Europe/Berlin');
  const nowMs = at('2026-11-27T14:30Z');
  const shift = { from: 'this shift', to: 'this shift' };
  assert.deepEqual(resolveRange(shift, nowMs), { startMs: at('2026-11-27T13:00Z'), endMs: at('2026-11-27T21:00Z') });
  assert.deepEqual(
    [isLive(shift, nowMs), isLive({ from: 'previous shift', to: 'previous shift' }, nowMs)],
    [true, false],
  );
  assert.equal(shiftLabel(shiftOf(shift, nowMs) ?? assert.fail()), 'Late shift, Fri 27 Nov');
  assert.equal(shiftOf({ from: 'this shift', to: 'now' }, nowMs), undefined);
  const before = shiftBeside(shift, -1, nowMs);
  assert.deepEqual(before, { from: 'previous shift', to: 'previous shift' });
  assert.deepEqual(shiftBeside(before ?? assert.fail(), -1, nowMs), { from: 'shift-2', to: 'shift-2' });
  assert.deepEqual(shiftBeside(shift, 1, nowMs), { from: 'next shift', to: 'next shift' });
  const named = shiftBeside({ from: 'Early shift yesterday', to: 'Early shift yesterday' }, 1, nowMs);
  assert.deepEqual(named, { from: 'shift-3', to: 'shift-3' });
  assert.deepEqual(shiftBeside(named ?? assert.fail(), -1, nowMs), { from: 'shift-4', to: 'shift-4' });
  const old = shiftOf({ from: 'Early shift 2020-01-01', to: 'Early shift 2020-01-01' }, nowMs) ?? assert.fail();
  assert.equal(rangeOfShift(old, nowMs).from, 'Early shift 2020-01-01');
});

test('typing a shift into the first field means all of it; one that is not there is told of', () => {
  threeShifts();
  const shown = { from: '-2h', to: 'now' };
  const typed = (from: string): unknown => readRange({ from, to: 'now' }, shown, at('2026-11-27T14:30Z'));
  assert.deepEqual(typed('early yesterday'), { from: 'Early shift yesterday', to: 'Early shift yesterday' });
  assert.match(
    JSON.stringify(typed('morning shift')),
    /'morning shift' is none of the plant's shifts: these are Early, Late shift, Night/,
  );
  setShifts(undefined);
  assert.match(JSON.stringify(typed('this shift')), /no shifts are set for this plant/);
  assert.equal(shiftFault({ from: '-2h', to: 'now' }), undefined);
});

test('a plan is read back as it is kept, and what is none is left out', () => {
  const read = readPlan('Europe/Berlin', [{ name: '  Early  one ', from: '06:00', to: '14:00', days: [5, 1, 1] }]);
  assert.ok(typeof read === 'object');
  assert.deepEqual(formatPlan(read), {
    zone: 'Europe/Berlin',
    shifts: [{ name: 'Early one', from: '06:00', to: '14:00', days: [1, 5] }],
  });
  assert.deepEqual(parsePlan(JSON.parse(JSON.stringify(formatPlan(read)))), read);
  for (const content of [undefined, null, 7, {}, { zone: 'Mars/Olympus', shifts: [] }, { zone: 'UTC', shifts: 'x' }]) {
    assert.equal(parsePlan(content), undefined);
  }
  const shifts = [
    null,
    { name: 'A', from: '25:00', to: '06:00', days: [1] },
    { name: 'B', from: '06:00', to: '14:00', days: [0, 1, 8, 'x'] },
  ];
  assert.deepEqual(parsePlan({ zone: 'UTC', shifts })?.shifts, [{ name: 'B', from: 360, to: 840, days: [1] }]);
});

test('what is wrong with typed shifts is said', () => {
  const early: TypedShift = { name: 'Early', from: '06:00', to: '14:00', days: EVERY_DAY };
  const cases: readonly (readonly [readonly TypedShift[], RegExp])[] = [
    [[{ ...early, name: ' ' }], /is no name for a shift: give it one such as Early/],
    [[{ ...early, name: 'This shift' }], /is no name/],
    [[{ ...early, name: 'x'.repeat(41) }], /41 characters/],
    [[{ ...early, to: '' }], /Early needs the time that it begins and the time that it ends/],
    [[{ ...early, days: [] }], /Early needs a day/],
    [[early, { ...early, name: 'early shift', from: '14:00', to: '22:00' }], /Two shifts are called/],
    [[early, { ...early, name: 'Late', from: '13:00', to: '22:00' }], /Early on Mon has not ended when Late begins/],
    [
      [early, { ...early, name: 'Night', from: '22:00', to: '06:30', days: [7] }],
      /Night on Sun has not ended when Early begins/,
    ],
  ];
  for (const [shifts, expected] of cases) assert.match(String(readPlan('UTC', shifts)), expected);
});
