// Times of rows in each form: by the clocks of zones, over changes of clocks, and to 100 ns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TIME_MS, MIN_TIME_MS } from '../../../../engine/index.ts';
import { parseInstant } from '../../../../server/codec/scalars/timestamp.ts';
import { OutputBytes } from '../../../../server/codec/write-json/output-bytes.ts';
import { resolveTimeStyle } from '../../../../server/routes/request/time-style.ts';
import { createRowTimes } from '../../../../server/routes/rows/row-times.ts';
import { SeededRandom } from '../../../support/seeded-random.ts';

type Write = (ms: number, ticks?: number) => string;

function writerOf(form: string, tz?: string, decimal: '.' | ',' = '.'): Write {
  const times = createRowTimes(resolveTimeStyle(form, tz, 'csv'), decimal);
  const out = new OutputBytes(16);
  return (ms, ticks = 0) => {
    out.clear();
    times.write(out, ms, ticks);
    return Buffer.from(out.written()).toString();
  };
}

test('times with an offset say the local time and the offset, in summer and in winter', () => {
  const write = writerOf('offset', 'Europe/Berlin');
  assert.equal(write(Date.parse('2026-11-29T04:00:00Z')), '2026-11-29T05:00:00.000+01:00');
  assert.equal(write(Date.parse('2026-07-29T22:30:00.250Z'), 17), '2026-07-30T00:30:00.2500017+02:00');
  assert.equal(writerOf('offset', 'America/St_Johns')(0), '1969-12-31T20:30:00.000-03:30');
  assert.equal(writerOf('offset', 'UTC')(0), '1970-01-01T00:00:00.000+00:00');
  assert.equal(writerOf('utc', 'Europe/Berlin')(0, 1), '1970-01-01T00:00:00.0000001Z');
});

test('times as clocks show them have a fraction where there is one, and the offset in an hour that comes twice', () => {
  const write = writerOf('local', 'Europe/Berlin');
  assert.equal(write(Date.parse('2026-01-05T08:00:00Z')), '2026-01-05 09:00:00');
  assert.equal(write(Date.parse('2026-07-05T08:00:00.250Z'), 1234), '2026-07-05 10:00:00.2501234');
  assert.equal(write(Date.parse('2026-10-24T23:59:59Z')), '2026-10-25 01:59:59');
  assert.equal(write(Date.parse('2026-10-25T00:30:00.500Z')), '2026-10-25 02:30:00.500+02:00');
  assert.equal(write(Date.parse('2026-10-25T01:30:00Z')), '2026-10-25 02:30:00+01:00');
  assert.equal(write(Date.parse('2026-10-25T02:00:00Z')), '2026-10-25 03:00:00');
  assert.equal(write(Date.parse('2026-03-29T01:00:00Z')), '2026-03-29 03:00:00');
  assert.equal(writerOf('local', 'Asia/Tokyo', ',')(500), '1970-01-01 09:00:00,500');
  assert.equal(writerOf('local')(0), '1970-01-01 00:00:00');
});

test('a local time has the zone in its heading, all others do not need it', () => {
  const headingOf = (form: string, tz?: string): string =>
    createRowTimes(resolveTimeStyle(form, tz, 'csv'), '.').heading;
  assert.equal(headingOf('local', 'Europe/Berlin'), 'time (Europe/Berlin)');
  assert.equal(headingOf('local'), 'time (UTC)');
  assert.equal(headingOf('offset', 'Europe/Berlin'), 'time');
});

test('with an offset the instant is the same, whatever the zone, the time and the order of times', (context) => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  for (const tz of [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Kathmandu',
  ]) {
    const write = writerOf('offset', tz);
    for (let i = 0; i < 400; i++) {
      const ms = Date.UTC(1900) + random.below(150 * 365) * 86_400_000 + random.below(86_400_000);
      const ticks = random.below(2) * random.below(10_000);
      assert.deepEqual(parseInstant(write(ms, ticks)), { ms, ticks }, `${tz} ${ms}`);
    }
  }
});

test('the first and the last time stay within the years 1 to 9999', () => {
  for (const tz of ['America/New_York', 'Pacific/Auckland']) {
    for (const ms of [MIN_TIME_MS, MAX_TIME_MS]) {
      assert.deepEqual(parseInstant(writerOf('offset', tz)(ms)), { ms, ticks: 0 }, tz);
    }
  }
});

test('what cannot be is refused', () => {
  assert.throws(() => resolveTimeStyle('local', undefined, 'jsonl'), /is for CSV/);
  assert.throws(() => resolveTimeStyle('utc', undefined, undefined), /needs format=csv/);
  assert.throws(() => resolveTimeStyle('excel', undefined, 'csv'), /want utc or offset or local/);
});
