// Time stamps: what is read, what is refused, and how they are written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_TIME_MS, MIN_TIME_MS } from '../../../../engine/index.ts';
import { formatInstant, parseInstant, TimeReader } from '../../../../server/codec/scalars/timestamp.ts';
import { TimeWriter } from '../../../../server/codec/write-json/time-writer.ts';
import { referenceTime } from '../tvq-reference.ts';
import { seed } from '../value-arbitraries.ts';

const NEW_YEAR_MS = Date.parse('2024-01-01T00:00:00Z');

function ticksOf(text: string): bigint | undefined {
  const instant = parseInstant(text);
  return instant === undefined ? undefined : BigInt(instant.ms) * 10_000n + BigInt(instant.ticks);
}

test('a time stamp is exact to 100 ns', () => {
  assert.deepEqual(parseInstant('2024-01-01T00:00:00.1234567Z'), { ms: NEW_YEAR_MS + 123, ticks: 4567 });
  assert.deepEqual(parseInstant('1969-12-31T23:59:59.9999999Z'), { ms: -1, ticks: 9999 });
  assert.deepEqual(parseInstant('0001-01-01T00:00:00.0000001Z'), { ms: MIN_TIME_MS, ticks: 1 });
  assert.deepEqual(parseInstant('9999-12-31T23:59:59.9999999Z'), { ms: MAX_TIME_MS, ticks: 9999 });
});

test('up to 9 fraction digits are read, and what is past the 7th is cut off', () => {
  assert.deepEqual(parseInstant('2024-01-01T00:00:00.000000199Z'), { ms: NEW_YEAR_MS, ticks: 1 });
  assert.deepEqual(parseInstant('2024-01-01T00:00:00.5'), { ms: NEW_YEAR_MS + 500, ticks: 0 });
  assert.equal(parseInstant('2024-01-01T00:00:00.0000000001Z'), undefined);
});

test('without Z or offset a time stamp is UTC, and a date alone is its midnight', () => {
  for (const text of ['2024-01-01T00:00:00', '2024-01-01T00:00', '2024-01-01', '2024-01-01t00:00:00z']) {
    assert.deepEqual(parseInstant(text), { ms: NEW_YEAR_MS, ticks: 0 }, text);
  }
});

test('offsets of hours, and of hours and minutes with and without a colon, are taken off', () => {
  for (const text of ['2024-01-01T02:30:00+02:30', '2024-01-01T02:30+0230', '2023-12-31T22:00:00.000-02']) {
    assert.deepEqual(parseInstant(text), { ms: NEW_YEAR_MS, ticks: 0 }, text);
  }
});

test('a leap second is the start of the next second, whatever its fraction', () => {
  for (const text of [
    '2023-12-31T23:59:60Z',
    '2023-12-31T23:59:60',
    '2023-12-31T23:59:60.000Z',
    '2023-12-31T23:59:60.9999999Z',
    '2024-01-01T00:59:60+01:00',
    '2023-12-31T18:29:60.5-05:30',
  ]) {
    assert.deepEqual(parseInstant(text), { ms: NEW_YEAR_MS, ticks: 0 }, text);
  }
  assert.equal(parseInstant('1969-12-31T23:59:60Z')?.ms, 0);
  assert.equal(parseInstant('0001-01-01T23:59:60Z')?.ms, MIN_TIME_MS + 86_400_000);
});

const REFUSED = [
  '',
  'now',
  '2024',
  '2024-01',
  '2023-02-29',
  '2024-02-30T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2024-00-01T00:00:00Z',
  '2024-13-01T00:00:00Z',
  '2024-01-00T00:00:00Z',
  '2024-04-31T00:00:00Z',
  '2024-01-01T24:00:00Z',
  '2024-01-01T23:60:00Z',
  '2024-01-01T23:58:60Z',
  '2024-01-01T00:00:60.000Z',
  '2024-01-01T23:59:61Z',
  '2024-01-01T23:59:60+01:00',
  '2024-01-01T23:59:60.Z',
  '9999-12-31T23:59:60Z',
  '2024-01-01 00:00:00Z',
  '2024-01-01T00:00:00.Z',
  '2024-01-01T00:00:00,5Z',
  '2024-01-01T00:00:00+24:00',
  '2024-01-01T00:00:00+01:60',
  '2024-01-01T00:00:00+1',
  '2024-01-01T00:00:00+01:0',
  '2024-01-01T00:00:00ZZ',
  '2024-01-01T00:00:00Z ',
  ' 2024-01-01T00:00:00Z',
  '2024-1-1T00:00:00Z',
  '2024-01-01T00',
  '2024-01-01T00:0',
  '2024-01-01T00:00:0',
  '20240101T000000Z',
  '+02024-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0000-12-31T23:59:59-23:59',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '2024-01-01T00:00:00é',
];

test('dates and hours that do not exist, other forms, and years out of reach are refused', () => {
  for (const text of REFUSED) assert.equal(parseInstant(text), undefined, text);
});

test('every day of every fourth century and its neighbours is read as Date.UTC counts it', () => {
  for (let ms = Date.UTC(1996, 0, 1); ms < Date.UTC(2105, 0, 1); ms += 86_400_000) {
    const text = new Date(ms).toISOString();
    assert.deepEqual(parseInstant(text), { ms, ticks: 0 }, text);
    assert.equal(formatInstant({ ms, ticks: 0 }), text);
  }
});

test('a reader that remembers minutes reads a mixture of them right', () => {
  const reader = new TimeReader();
  for (const minute of [0, 1, 0, 2, 1, 2, 2, 0, 3, 0]) {
    const bytes = Buffer.from(new Date(NEW_YEAR_MS + minute * 60_000 + 5).toISOString());
    assert.ok(reader.read(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length));
    assert.equal(reader.ms, NEW_YEAR_MS + minute * 60_000 + 5);
  }
});

test('a faulty minute is not remembered', () => {
  const reader = new TimeReader();
  for (let i = 0; i < 3; i++) {
    const bytes = Buffer.from('2024-02-30T00:00:00.000Z');
    assert.equal(reader.read(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length), false);
  }
});

test('time stamps are written with 3 digits, and with 7 when there are ticks', () => {
  assert.equal(formatInstant({ ms: NEW_YEAR_MS, ticks: 0 }), '2024-01-01T00:00:00.000Z');
  assert.equal(formatInstant({ ms: NEW_YEAR_MS + 59_007, ticks: 90 }), '2024-01-01T00:00:59.0070090Z');
  assert.equal(formatInstant({ ms: MIN_TIME_MS, ticks: 0 }), '0001-01-01T00:00:00.000Z');
  assert.equal(formatInstant({ ms: MAX_TIME_MS, ticks: 9999 }), '9999-12-31T23:59:59.9999999Z');
});

const instants = fc.record(
  {
    ms: fc.oneof(fc.integer({ min: MIN_TIME_MS, max: MAX_TIME_MS }), fc.integer({ min: -100_000, max: 100_000 })),
    ticks: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9999 })),
  },
  { noNullPrototype: true },
);

test('what is written is read back, as text and as bytes', () => {
  const writer = new TimeWriter();
  const bytes = Buffer.alloc(64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  fc.assert(
    fc.property(instants, (instant) => {
      const text = formatInstant(instant);
      assert.deepEqual(parseInstant(text), instant);
      const end = writer.write(view, 3, instant.ms, instant.ticks);
      assert.equal(bytes.toString('latin1', 3, end), text);
    }),
    { seed, numRuns: 3000 },
  );
});

test('any change to a time stamp is read or refused as a regular expression and Date would', () => {
  const texts = fc
    .tuple(
      fc.constantFrom(
        '2024-02-29T23:59:59.1234567+02:30',
        '2023-11-30T00:00:00.000Z',
        '0001-01-01',
        '2000-12-31T12:34-0115',
      ),
      fc.nat(40),
      fc.nat(2),
      fc.string({ unit: fc.constantFrom(...'0123456789-:.+TZ '), maxLength: 2 }),
    )
    .map(([text, place, removed, added]) => text.slice(0, place) + added + text.slice(place + removed));
  fc.assert(
    fc.property(texts, (text) => assert.equal(ticksOf(text), referenceTime(text))),
    { seed, numRuns: 10_000 },
  );
});
