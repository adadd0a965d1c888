import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Instant, ReadRange } from '../../../../engine/index.ts';
import { formatInstant, parseInstant } from '../../../../server/codec/scalars/timestamp.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { resolveTimeRange, type TimeParameters } from '../../../../server/routes/request/time-range.ts';

const NOW = instant('2024-03-31T12:00:00Z');

function instant(text: string): Instant {
  const found = parseInstant(text);
  assert.ok(found, text);
  return found;
}

function resolve(parameters: TimeParameters): ReadRange {
  return resolveTimeRange(parameters, NOW);
}

/** Start of the range, as text. */
function startOf(parameters: TimeParameters): string {
  const range = resolve(parameters);
  assert.equal(range.kind, 'range');
  return formatInstant((range as { start: Instant }).start);
}

function assertRefused(parameters: TimeParameters, pattern: RegExp): void {
  assert.throws(
    () => resolve(parameters),
    (error) => error instanceof ProblemError && error.status === 400 && pattern.test(error.message),
  );
}

test('no times are the newest point', () => {
  assert.deepEqual(resolve({}), { kind: 'newest' });
});

test('only an end is the value at that time', () => {
  assert.deepEqual(resolve({ end: '2024-01-01T00:00:00Z' }), { kind: 'at', end: instant('2024-01-01T00:00:00Z') });
  assert.equal(resolve({ relativeEnd: '-1h' }).kind, 'at');
  assert.equal(resolve({ unixEnd: '0' }).kind, 'at');
});

test('an absent end is now', () => {
  const start = instant('2024-01-01T00:00:00Z');
  assert.deepEqual(resolve({ start: '2024-01-01T00:00:00Z' }), { kind: 'range', start, end: NOW });
});

test('bounds of different forms go together', () => {
  assert.deepEqual(resolve({ unixStart: '1704067200', relativeEnd: 'now' }), {
    kind: 'range',
    start: instant('2024-01-01T00:00:00Z'),
    end: NOW,
  });
});

test('two forms for one bound are refused', () => {
  assertRefused({ start: '2024-01-01T00:00:00Z', unixStart: '0' }, /'start' and 'unixStart'/);
  assertRefused({ unixEnd: '0', relativeEnd: '-1h' }, /'unixEnd' and 'relativeEnd'/);
});

test('a start after a given end is refused', () => {
  assertRefused({ start: '2024-01-02T00:00:00Z', end: '2024-01-01T00:00:00Z' }, /after its end/);
  assertRefused({ start: '2024-01-01T00:00:00.0000001Z', end: '2024-01-01T00:00:00Z' }, /after its end/);
});

test('a start equal to the end is fine', () => {
  assert.equal(resolve({ start: '2024-01-01T00:00:00Z', end: '2024-01-01T00:00:00Z' }).kind, 'range');
});

test('a start after a defaulted end is a range without points', () => {
  assert.deepEqual(resolve({ relativeStart: '1h' }), {
    kind: 'range',
    start: instant('2024-03-31T13:00:00Z'),
    end: NOW,
  });
});

test('a text that is no time is refused with what is wanted', () => {
  assertRefused({ start: 'yesterday' }, /'start' is 'yesterday'; want an ISO 8601 time/);
  assertRefused({ end: '2024-02-30T00:00:00Z' }, /want an ISO 8601 time/);
  assertRefused({ unixStart: 'now' }, /want seconds since 1970/);
  assertRefused({ unixStart: '1e9' }, /want seconds since 1970/);
  assertRefused({ relativeStart: 'x'.repeat(5000) }, /x{100}…/);
});

test('ISO times may have an offset', () => {
  assert.equal(startOf({ start: '2024-01-01T08:00:00+02:00' }), '2024-01-01T06:00:00.000Z');
});

test('UNIX times are seconds, with a fraction cut off below 100 ns', () => {
  assert.equal(startOf({ unixStart: '1704067200' }), '2024-01-01T00:00:00.000Z');
  assert.equal(startOf({ unixStart: '1704067200.5' }), '2024-01-01T00:00:00.500Z');
  assert.equal(startOf({ unixStart: '1704067200.12345678' }), '2024-01-01T00:00:00.1234567Z');
  assert.equal(startOf({ unixStart: '+0' }), '1970-01-01T00:00:00.000Z');
  assert.equal(startOf({ unixStart: '0.' }), '1970-01-01T00:00:00.000Z');
});

test('UNIX times from 1e11 up are milliseconds', () => {
  assert.equal(startOf({ unixStart: '1704067200123' }), '2024-01-01T00:00:00.123Z');
  assert.equal(startOf({ unixStart: '1704067200123.00019' }), '2024-01-01T00:00:00.1230001Z');
  assert.equal(startOf({ unixStart: '100000000000' }), '1973-03-03T09:46:40.000Z');
  assertRefused({ unixEnd: '99999999999999999' }, /want seconds/);
  assertRefused({ unixEnd: '999999999999999' }, /outside the years/);
});

test('a UNIX time of seconds just below 1e11 is one of year 5138', () => {
  assert.deepEqual(resolve({ unixEnd: '99999999999' }), { kind: 'at', end: instant('5138-11-16T09:46:39Z') });
});

test('UNIX times may be negative', () => {
  assert.equal(startOf({ unixStart: '-1' }), '1969-12-31T23:59:59.000Z');
  assert.equal(startOf({ unixStart: '-0.0000001' }), '1969-12-31T23:59:59.9999999Z');
  assert.equal(startOf({ unixStart: '-62135596800' }), '0001-01-01T00:00:00.000Z');
  assertRefused({ unixStart: '-62135596801' }, /outside the years/);
});

test('relative times take all units, signs and now', () => {
  const cases: [string, string][] = [
    ['-2h', '2024-03-31T10:00:00.000Z'],
    ['now-2h', '2024-03-31T10:00:00.000Z'],
    ['now', '2024-03-31T12:00:00.000Z'],
    ['-1w', '2024-03-24T12:00:00.000Z'],
    ['-30s', '2024-03-31T11:59:30.000Z'],
    ['-5m', '2024-03-31T11:55:00.000Z'],
    ['-1d12h', '2024-03-30T00:00:00.000Z'],
    ['-1y', '2023-03-31T12:00:00.000Z'],
    ['-0d', '2024-03-31T12:00:00.000Z'],
  ];
  for (const [text, expected] of cases) assert.equal(startOf({ relativeStart: text }), expected, text);
});

test('a relative time without a sign lies ahead, as with a plus', () => {
  for (const text of ['2h', '+2h', 'now+2h', 'now2h']) {
    assert.equal(startOf({ relativeStart: text }), '2024-03-31T14:00:00.000Z', text);
  }
});

test('calendar steps are clamped to the last day of the month', () => {
  assert.equal(startOf({ relativeStart: '-1M' }), '2024-02-29T12:00:00.000Z');
  assert.equal(startOf({ relativeStart: '-13M' }), '2023-02-28T12:00:00.000Z');
  assert.equal(startOf({ relativeStart: '-4M' }), '2023-11-30T12:00:00.000Z');
  assert.equal(startOf({ relativeStart: '-3M' }), '2023-12-31T12:00:00.000Z');
  const leapDay = resolveTimeRange({ relativeEnd: '-1y' }, instant('2024-02-29T00:00:00Z'));
  assert.deepEqual(leapDay, { kind: 'at', end: instant('2023-02-28T00:00:00Z') });
});

test('calendar steps and fixed steps are taken in the order they are written', () => {
  assert.equal(startOf({ relativeStart: '-1M1d' }), '2024-02-28T12:00:00.000Z');
  assert.equal(startOf({ relativeStart: '-1d1M' }), '2024-02-29T12:00:00.000Z');
});

test('the ticks of now stay', () => {
  const now = { ms: NOW.ms, ticks: 7 };
  assert.deepEqual(resolveTimeRange({ relativeEnd: '-1s' }, now), { kind: 'at', end: { ms: NOW.ms - 1000, ticks: 7 } });
});

test('what is no relative time is refused', () => {
  for (const text of [
    '',
    '-',
    '2',
    's',
    'D',
    'nowd',
    'd-',
    'hd',
    'd-1',
    '-2H',
    '-1.5h',
    '- 2h',
    '-2h ',
    '--2h',
    'now-',
    '-1d+2h',
    '-2D',
  ]) {
    assertRefused({ relativeStart: text }, /units y M w d h m s/);
  }
});

test('a relative time beyond the years is refused, however large', () => {
  assertRefused({ relativeStart: '-3000y' }, /outside the years/);
  assertRefused({ relativeStart: `-${'9'.repeat(400)}y` }, /outside the years/);
  assertRefused({ relativeStart: '-999999999999999999M' }, /outside the years/);
  for (const unit of ['d', 'w', 'M', 'y', 'h']) {
    assertRefused({ relativeStart: `now-${'9'.repeat(300)}${unit}1d`, tz: 'Europe/Berlin' }, /outside the years/);
  }
  assertRefused({ relativeStart: `-${'1d'.repeat(1000)}` }, /units y M w d h m s/);
});

test('a time zone moves starts of units and calendar steps, and nothing else', () => {
  const tz = 'America/New_York';
  assert.equal(startOf({ relativeStart: 'd', tz }), '2024-03-31T04:00:00.000Z');
  assert.equal(startOf({ relativeStart: 'd' }), '2024-03-31T00:00:00.000Z');
  assert.equal(startOf({ relativeStart: '-2h', tz }), '2024-03-31T10:00:00.000Z');
  assert.equal(startOf({ start: '2024-01-01T00:00:00', tz }), '2024-01-01T00:00:00.000Z');
  assert.equal(startOf({ unixStart: '0', tz }), '1970-01-01T00:00:00.000Z');
});

test('an unknown zone is refused, also where no relative time needs it', () => {
  for (const tz of ['', 'Berlin', 'Mars/Olympus', '+02:00', 'GMT+2', 'Europe/Berlin ', 'x'.repeat(5000), '__proto__']) {
    assertRefused({ relativeStart: '-1h', tz }, /'tz' is .*; want the IANA name of a time zone/);
    assertRefused({ start: '2024-01-01T00:00:00Z', tz }, /'tz'/);
    assertRefused({ tz }, /'tz'/);
  }
});
