// Relative times: starts of units, calendar steps in zones, and what daylight saving does to both.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resolveRelative } from '../../../../server/routes/request/relative-time.ts';
import { findTimeZone, type TimeZone, UTC } from '../../../../server/routes/request/time-zone.ts';
import { chooseSeed } from '../../../support/seeded-random.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

function zoneOf(name: string): TimeZone {
  const zone = findTimeZone(name);
  assert.ok(zone, name);
  return zone;
}

/** What the text means at that time, as ISO text. */
function meaning(text: string, now: string, zone: TimeZone): string {
  const resolved = resolveRelative(text, { ms: Date.parse(now), ticks: 0 }, zone);
  assert.ok(typeof resolved === 'object', `${text}: ${resolved}`);
  return new Date(resolved.ms).toISOString().replace('.000Z', 'Z');
}

function assertMeanings(zone: TimeZone, now: string, cases: readonly (readonly [string, string])[]): void {
  for (const [text, expected] of cases) assert.equal(meaning(text, now, zone), expected, text);
}

test('a bare unit is the start of the present one; weeks begin on Monday', () => {
  assertMeanings(UTC, '2024-05-16T13:45:12.345Z', [
    ['now', '2024-05-16T13:45:12.345Z'],
    ['m', '2024-05-16T13:45:00Z'],
    ['h', '2024-05-16T13:00:00Z'],
    ['d', '2024-05-16T00:00:00Z'],
    ['w', '2024-05-13T00:00:00Z'],
    ['M', '2024-05-01T00:00:00Z'],
    ['y', '2024-01-01T00:00:00Z'],
  ]);
  assert.equal(meaning('w', '2024-05-19T23:59:59Z', UTC), '2024-05-13T00:00:00Z', 'a Sunday ends its week');
  assert.equal(meaning('w', '2024-05-20T00:00:00Z', UTC), '2024-05-20T00:00:00Z', 'a Monday begins one');
});

test('offsets start from the anchor, by one sign, in the order they are written', () => {
  assertMeanings(UTC, '2024-05-16T13:45:12.345Z', [
    ['d-1d', '2024-05-15T00:00:00Z'],
    ['h-2h', '2024-05-16T11:00:00Z'],
    ['d+6h', '2024-05-16T06:00:00Z'],
    ['d6h', '2024-05-16T06:00:00Z'],
    ['M-1M', '2024-04-01T00:00:00Z'],
    ['M-1M1d', '2024-03-31T00:00:00Z'],
    ['y-1y6M', '2022-07-01T00:00:00Z'],
    ['w-1w', '2024-05-06T00:00:00Z'],
    ['m-30s', '2024-05-16T13:44:30Z'],
    ['now-1d', '2024-05-15T13:45:12.345Z'],
  ]);
});

test('an anchor cuts off what lies below the millisecond, now keeps it', () => {
  const now = { ms: DAY_MS + 5, ticks: 7 };
  assert.deepEqual(resolveRelative('d', now, UTC), { ms: DAY_MS, ticks: 0 });
  assert.deepEqual(resolveRelative('-1s', now, UTC), { ms: DAY_MS - 995, ticks: 7 });
});

test('days that daylight saving makes 23 and 25 hours long begin at local midnight', () => {
  const berlin = zoneOf('Europe/Berlin');
  assertMeanings(berlin, '2024-03-31T12:00:00Z', [
    ['d', '2024-03-30T23:00:00Z'],
    ['d+1d', '2024-03-31T22:00:00Z'],
    ['d-1d', '2024-03-29T23:00:00Z'],
    ['-1d', '2024-03-30T13:00:00Z'],
    ['-24h', '2024-03-30T12:00:00Z'],
    ['w', '2024-03-24T23:00:00Z'],
    ['w+1w', '2024-03-31T22:00:00Z'],
    ['M+1M', '2024-03-31T22:00:00Z'],
  ]);
  assertMeanings(berlin, '2024-10-27T12:00:00Z', [
    ['d', '2024-10-26T22:00:00Z'],
    ['d+1d', '2024-10-27T23:00:00Z'],
    ['-1d', '2024-10-26T11:00:00Z'],
    ['y', '2023-12-31T23:00:00Z'],
  ]);
});

test('a local time that is skipped moves on by as much as the clocks', () => {
  assertMeanings(zoneOf('Europe/Berlin'), '2024-04-01T00:30:00Z', [
    ['-1d', '2024-03-31T01:30:00Z'],
    ['-1d1d', '2024-03-30T02:30:00Z'],
  ]);
  // Midnight itself is skipped: the day begins at one.
  assert.equal(meaning('d', '2018-11-04T12:00:00Z', zoneOf('America/Sao_Paulo')), '2018-11-04T03:00:00Z');
  assert.equal(meaning('d-1d', '2011-12-31T12:00:00Z', zoneOf('Pacific/Apia')), '2011-12-30T10:00:00Z');
});

test('of a local time that occurs twice a calendar step means the first', () => {
  const berlin = zoneOf('Europe/Berlin');
  assert.equal(meaning('-1d', '2024-10-28T01:30:00Z', berlin), '2024-10-27T00:30:00Z');
  assert.equal(meaning('1d', '2024-10-26T00:30:00Z', berlin), '2024-10-27T00:30:00Z');
  assert.equal(meaning('-0d', '2024-10-27T01:30:00Z', berlin), '2024-10-27T01:30:00Z');
  // Midnight occurs twice, and the day begins with the first.
  assert.equal(meaning('d', '2024-11-03T05:30:00Z', zoneOf('America/Havana')), '2024-11-03T04:00:00Z');
});

test('the present hour is the second where an hour occurs twice and the first is over', () => {
  const berlin = zoneOf('Europe/Berlin');
  assert.equal(meaning('h', '2024-10-27T00:30:00Z', berlin), '2024-10-27T00:00:00Z');
  assert.equal(meaning('h', '2024-10-27T01:30:00Z', berlin), '2024-10-27T01:00:00Z');
  assert.equal(meaning('h', '2024-05-16T13:45:00Z', zoneOf('Asia/Kolkata')), '2024-05-16T13:30:00Z');
});

test('zones are found by their names in any case, aliases too', () => {
  assert.equal(zoneOf('europe/berlin').offsetMs(0), HOUR_MS);
  assert.equal(zoneOf('Etc/GMT+5').offsetMs(0), -5 * HOUR_MS);
  assert.equal(zoneOf('UTC').offsetMs(0), 0);
  assert.equal(zoneOf('Asia/Calcutta').offsetMs(0), 5.5 * HOUR_MS);
  assert.equal(zoneOf('Europe/Berlin').offsetMs(Date.UTC(1800, 0)), 3_208_000);
});

/** What clocks show, by another way than the code's: `2024-05-16T13:45:12`. */
function clockOf(name: string): (timeMs: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' });
  return (timeMs) => format.format(timeMs).replace(' ', 'T');
}

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'UTC',
];

test('days, months and years begin with the first instant that has their date, whatever the zone and time', () => {
  const seed = chooseSeed();
  const sameUntil = { d: 10, M: 7, y: 4 };
  const property = fc.property(
    fc.constantFrom(...ZONES),
    fc.constantFrom('d', 'M', 'y' as const),
    fc.integer({ min: Date.UTC(1995, 0), max: Date.UTC(2037, 0) }),
    (name, unit, nowMs) => {
      const start = resolveRelative(unit, { ms: nowMs, ticks: 0 }, zoneOf(name));
      assert.ok(typeof start === 'object');
      const clock = clockOf(name);
      const label = (timeMs: number): string => clock(timeMs).slice(0, sameUntil[unit as 'd' | 'M' | 'y']);
      assert.ok(start.ms <= nowMs);
      assert.equal(label(start.ms), label(nowMs));
      assert.notEqual(label(start.ms - 1), label(nowMs));
    },
  );
  fc.assert(property, { seed, numRuns: 1000 });
});

test('a day is stepped back to the same time of the day before, unless that was skipped, whatever the zone and time', () => {
  const seed = chooseSeed();
  const property = fc.property(
    fc.constantFrom(...ZONES),
    fc.integer({ min: Date.UTC(1995, 0), max: Date.UTC(2037, 0) }),
    (name, nowMs) => {
      const before = resolveRelative('-1d', { ms: nowMs, ticks: 0 }, zoneOf(name));
      assert.ok(typeof before === 'object');
      const clock = clockOf(name);
      const wanted = new Date(Date.parse(`${clock(nowMs)}Z`) - DAY_MS).toISOString().slice(0, 19);
      if (clock(before.ms) === wanted) return;
      for (let timeMs = before.ms - 2 * DAY_MS; timeMs <= before.ms + DAY_MS; timeMs += 60_000) {
        assert.notEqual(clock(timeMs).slice(0, 16), wanted.slice(0, 16), `${name} at ${nowMs}`);
      }
    },
  );
  fc.assert(property, { seed, numRuns: 1000 });
});
