// Times as people type them, and that the page means by them what the server does: over both changes of clocks, in three zones.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import {
  isSliding,
  needsZone,
  relativeForServer,
  resolveRelative,
  tidyRelative,
} from '../../../../../server/explorer/model/time/relative-time.ts';
import { findZone, setZone, type Zone } from '../../../../../server/explorer/model/time/time-zone.ts';
import { resolveRelative as resolveAtServer } from '../../../../../server/routes/request/relative-time.ts';
import { findTimeZone, type TimeZone } from '../../../../../server/routes/request/time-zone.ts';
import { CHANGES } from './clock-changes.ts';

const HOUR_MS = 3_600_000;
const MINUTES_37 = 37 * 60_000;
afterEach(() => setZone('local'));

function zoneOf(name: string): Zone {
  const zone = findZone(name);
  assert.ok(zone, name);
  return zone;
}

function meaning(text: string, now: string, zone = zoneOf('UTC')): string {
  return new Date(resolveRelative(text, Date.parse(now), zone)).toISOString().replace('.000Z', 'Z');
}

test('the words of people and of other historians', () => {
  // A Friday.
  const now = '2026-11-27T13:45:12Z';
  const cases: readonly (readonly [string, string])[] = [
    ['-8h', '2026-11-27T05:45:12Z'],
    ['*-8h', '2026-11-27T05:45:12Z'],
    ['* - 8h', '2026-11-27T05:45:12Z'],
    ['*', now],
    ['d', '2026-11-27T00:00:00Z'],
    ['t', '2026-11-27T00:00:00Z'],
    ['Today', '2026-11-27T00:00:00Z'],
    ['d-1d', '2026-11-26T00:00:00Z'],
    ['y', '2026-11-26T00:00:00Z'],
    ['yesterday', '2026-11-26T00:00:00Z'],
    ['d+6h', '2026-11-27T06:00:00Z'],
    ['y+6h', '2026-11-26T06:00:00Z'],
    ['yesterday 06:00', '2026-11-26T06:00:00Z'],
    ['d-2d 6:30', '2026-11-25T06:30:00Z'],
    ['d-1d+6h', '2026-11-26T06:00:00Z'],
    ['06:00', '2026-11-27T06:00:00Z'],
    ['22:15:30', '2026-11-27T22:15:30Z'],
    ['-1d 06:00', '2026-11-26T06:00:00Z'],
    ['w', '2026-11-23T00:00:00Z'],
    ['w-1w', '2026-11-16T00:00:00Z'],
    ['M', '2026-11-01T00:00:00Z'],
    ['month-1M', '2026-10-01T00:00:00Z'],
    ['year', '2026-01-01T00:00:00Z'],
    ['h', '2026-11-27T13:00:00Z'],
    ['-30m', '2026-11-27T13:15:12Z'],
    ['-30M', '2024-05-27T13:45:12Z'],
  ];
  for (const [text, expected] of cases) assert.equal(meaning(text, now), expected, text);
  for (const text of ['25:00', '06:61', 'dd', '-', 'd-', '6:0', 'constructor', '06:00 06:00', 'd 6h', 'noon']) {
    assert.throws(() => resolveRelative(text, Date.parse(now)), RangeError, text);
  }
});

test('what is kept has one word for each anchor, and means the same', () => {
  const cases = {
    '*-8h': '-8h',
    '*': 'now',
    t: 'd',
    'T + 6h': 'd+6h',
    y: 'yesterday',
    'y+6h': 'yesterday+6h',
    '6:00': '06:00',
  };
  for (const [text, kept] of Object.entries(cases)) {
    assert.equal(tidyRelative(text), kept);
    assert.equal(meaning(text, '2026-11-27T13:45:12Z'), meaning(kept, '2026-11-27T13:45:12Z'), text);
  }
  assert.deepEqual(['now', '-8h', 'd', 'yesterday', '06:00'].map(isSliding), [true, true, false, false, false]);
});

test('very long ways end at the years 1 and 9999', () => {
  const zone = zoneOf('Europe/Berlin');
  for (const unit of ['y', 'M', 'w', 'd', 'h']) {
    assert.equal(meaning(`-${'9'.repeat(30)}${unit}`, '2026-11-27T00:00Z', zone).slice(0, 4), '0001', unit);
    assert.equal(meaning(`+${'9'.repeat(30)}${unit}`, '2026-11-27T00:00Z', zone).slice(0, 4), '9999', unit);
  }
});

test('the page and the server mean the same times, over both changes of clocks', () => {
  const texts = [
    'd',
    'd-1d',
    'd+6h',
    'w-1w',
    'w',
    'M-1M',
    'h',
    'h-2h',
    'm',
    '-1d',
    '-1w',
    '-1M',
    '-1d6h',
    '-8h',
    'd+1d',
    'year',
    'yesterday',
  ];
  let compared = 0;
  for (const [name, changes] of Object.entries(CHANGES)) {
    const [zone, atServer] = [zoneOf(name), findTimeZone(name) as TimeZone];
    for (const change of changes) {
      for (
        let nowMs = Date.parse(change) - 50 * HOUR_MS;
        nowMs < Date.parse(change) + 50 * HOUR_MS;
        nowMs += MINUTES_37
      ) {
        for (const text of texts) {
          const form = relativeForServer(text);
          assert.ok(form !== undefined, text);
          const expected = resolveAtServer(form, { ms: nowMs, ticks: 0 }, atServer);
          const timeMs = resolveRelative(text, nowMs, zone);
          assert.deepEqual(
            { ms: timeMs, ticks: 0 },
            expected,
            `${text} in ${name} at ${new Date(nowMs).toISOString()}`,
          );
          compared++;
        }
      }
    }
  }
  assert.ok(compared > 10_000, `${compared} compared`);
});

test('a time of day is that of the clocks, also on days of 23 and of 25 hours', () => {
  const berlin = zoneOf('Europe/Berlin');
  assert.equal(meaning('06:00', '2026-03-29T20:00Z', berlin), '2026-03-29T04:00:00Z');
  assert.equal(meaning('d+6h', '2026-03-29T20:00Z', berlin), '2026-03-29T05:00:00Z', 'six hours after midnight');
  assert.equal(meaning('06:00', '2026-10-25T20:00Z', berlin), '2026-10-25T05:00:00Z');
  assert.equal(meaning('yesterday 02:30', '2026-10-26T20:00Z', berlin), '2026-10-25T00:30:00Z', 'the first of two');
  assert.equal(meaning('yesterday 02:30', '2026-03-30T20:00Z', berlin), '2026-03-29T01:30:00Z', 'skipped: moved on');
});

test('the server has no form for some, and needs the zone for those of the calendar', () => {
  assert.equal(relativeForServer('yesterday 06:00'), undefined);
  assert.equal(relativeForServer('yesterday+6h'), undefined);
  assert.equal(relativeForServer('d-1d+6h'), undefined);
  assert.equal(relativeForServer('*-8h'), '-8h');
  assert.equal(relativeForServer('year-1y'), 'y-1y');
  assert.deepEqual(['-8h', 'now', 'd', '-1d', '06:00'].map(needsZone), [false, false, true, true, false]);
});
