// Starts of intervals: spans, calendar units over daylight saving, alignment, and what is refused.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findEdges, parseInterval } from '../../../../server/routes/request/interval.ts';
import { findTimeZone, type TimeZone, UTC } from '../../../../server/routes/request/time-zone.ts';

const BERLIN = findTimeZone('Europe/Berlin') as TimeZone;
const KOLKATA = findTimeZone('Asia/Kolkata') as TimeZone;
const HOUR_MS = 3_600_000;

interface Case {
  readonly start: string;
  readonly end: string;
  readonly zone?: TimeZone;
  readonly isAligned?: boolean;
}

async function edgesOf(text: string, { start, end, zone = UTC, isAligned = false }: Case): Promise<string[]> {
  const startMs = Date.parse(start);
  const range = { start: { ms: startMs, ticks: 0 }, end: { ms: Date.parse(end), ticks: 0 }, zone, isAligned };
  const edges = await findEdges(parseInterval(text, zone), { ...range, isAborted: () => false });
  return Array.from(edges, (offset) => new Date(startMs + offset).toISOString().replace(/:00\.000Z$|\.000Z$/, 'Z'));
}

async function hoursOf(text: string, range: Case): Promise<number[]> {
  const edges = await edgesOf(text, range);
  return edges.slice(1).map((edge, i) => (Date.parse(edge) - Date.parse(edges[i] as string)) / HOUR_MS);
}

describe('the intervals of a range', () => {
  it('are spans from the start on, the last one shorter', async () => {
    const range = { start: '2026-01-01T00:10:00Z', end: '2026-01-01T02:00:00Z' };
    assert.deepEqual(await edgesOf('1h', range), ['2026-01-01T00:10Z', '2026-01-01T01:10Z', '2026-01-01T02:00Z']);
    assert.deepEqual((await edgesOf('1h5m', range)).length, 3);
    assert.deepEqual((await edgesOf('500ms', { start: range.start, end: '2026-01-01T00:10:02Z' })).length, 5);
  });

  it('begin at full hours when aligned, also where clocks are half an hour off', async () => {
    const range = { start: '2026-01-01T00:10:00Z', end: '2026-01-01T02:00:00Z', isAligned: true };
    assert.deepEqual(await edgesOf('1h', range), ['2026-01-01T00:10Z', '2026-01-01T01:00Z', '2026-01-01T02:00Z']);
    assert.deepEqual(await edgesOf('1h', { ...range, zone: KOLKATA }), [
      '2026-01-01T00:10Z',
      '2026-01-01T00:30Z',
      '2026-01-01T01:30Z',
      '2026-01-01T02:00Z',
    ]);
  });

  it('begin at the same times of day behind a change of clocks when aligned, whatever the start', async () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Africa/Casablanca'];
    for (const name of zones) {
      const zone = findTimeZone(name) as TimeZone;
      for (const text of ['15m', '30m', '1h', '2h', '3h', '8h', '12h', '24h']) {
        const spanMs = parseInterval(text, zone).spanMs as number;
        const range = { end: '2026-12-31T00:00:00Z', zone, isAligned: true };
        const all = await edgesOf(text, { ...range, start: '2026-01-01T00:00:00Z' });
        for (const edge of all.slice(1, -1)) {
          const ms = Date.parse(edge);
          assert.equal(Math.abs((ms + zone.offsetMs(ms)) % spanMs), 0, `${name} ${text}: ${edge}`);
        }
        for (const start of ['2026-03-29T00:37:00Z', '2026-10-25T00:59:00Z', '2026-10-25T01:10:00Z']) {
          const behind = all.filter((edge) => Date.parse(edge) > Date.parse(start));
          assert.deepEqual(
            (await edgesOf(text, { ...range, start })).slice(1),
            behind,
            `${name} ${text} from ${start}`,
          );
        }
      }
    }
  });

  it('are as much longer or shorter when aligned as clocks are set', async () => {
    const october = { start: '2026-10-24T22:00:00Z', end: '2026-10-25T23:00:00Z', zone: BERLIN, isAligned: true };
    assert.deepEqual(await hoursOf('8h', october), [9, 8, 8]);
    assert.deepEqual((await hoursOf('2h', october)).slice(0, 3), [2, 3, 2]);
    assert.deepEqual(await hoursOf('1h', october), Array(25).fill(1));
    const march = { start: '2026-03-28T23:00:00Z', end: '2026-03-29T22:00:00Z', zone: BERLIN, isAligned: true };
    assert.deepEqual(await hoursOf('8h', march), [7, 8, 8]);
    assert.deepEqual((await hoursOf('2h', march)).slice(0, 3), [3, 2, 2]);
    assert.deepEqual(await hoursOf('1h', march), Array(23).fill(1));
    assert.deepEqual((await hoursOf('8h', { ...october, isAligned: false })).slice(0, 3), [8, 8, 8]);
  });

  it('are days of 23 and 25 hours when daylight saving begins and ends', async () => {
    const march = { start: '2026-03-27T23:00:00Z', end: '2026-03-30T22:00:00Z', zone: BERLIN };
    assert.deepEqual(await hoursOf('1d', march), [24, 23, 24]);
    const october = { start: '2026-10-23T22:00:00Z', end: '2026-10-26T23:00:00Z', zone: BERLIN };
    assert.deepEqual(await hoursOf('1d', october), [24, 25, 24]);
    assert.deepEqual(await hoursOf('1d', { ...march, zone: UTC }), [24, 24, 23]);
    assert.deepEqual(await hoursOf('24h', march), [24, 24, 23]);
  });

  it('are months and years of the calendar, of the zone, from the start or from the first', async () => {
    const year = { start: '2025-12-31T23:00:00Z', end: '2026-12-31T23:00:00Z', zone: BERLIN };
    const days = (await hoursOf('1M', year)).map((hours) => hours / 24);
    assert.deepEqual(days.map(Math.round), [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
    assert.deepEqual(await edgesOf('1M', { start: '2026-01-31T00:00:00Z', end: '2026-04-01T00:00:00Z' }), [
      '2026-01-31T00:00Z',
      '2026-02-28T00:00Z',
      '2026-03-31T00:00Z',
      '2026-04-01T00:00Z',
    ]);
    const aligned = { start: '2026-01-15T12:00:00Z', end: '2026-02-10T00:00:00Z', zone: BERLIN, isAligned: true };
    assert.deepEqual(await edgesOf('1M', aligned), ['2026-01-15T12:00Z', '2026-01-31T23:00Z', '2026-02-10T00:00Z']);
    assert.deepEqual(await edgesOf('1w', aligned), [
      '2026-01-15T12:00Z',
      '2026-01-18T23:00Z',
      '2026-01-25T23:00Z',
      '2026-02-01T23:00Z',
      '2026-02-08T23:00Z',
      '2026-02-10T00:00Z',
    ]);
    assert.deepEqual(await edgesOf('1w', { ...aligned, zone: UTC, end: '2026-01-27T00:00:00Z' }), [
      '2026-01-15T12:00Z',
      '2026-01-19T00:00Z',
      '2026-01-26T00:00Z',
      '2026-01-27T00:00Z',
    ]);
    assert.deepEqual(await edgesOf('1w', { start: '2026-01-15T12:00:00Z', end: '2026-01-29T12:00:00Z' }), [
      '2026-01-15T12:00Z',
      '2026-01-22T12:00Z',
      '2026-01-29T12:00Z',
    ]);
  });

  it('cover the range without gap or overlap, whatever the interval', async () => {
    for (const text of ['1y', '1M', '1w', '1d', '3d', '1d12h', '7h', '90m']) {
      for (const isAligned of [false, true]) {
        const range = { start: '2026-02-03T04:05:06Z', end: '2027-03-04T05:06:07Z', zone: BERLIN, isAligned };
        const edges = await edgesOf(text, range);
        assert.equal(edges[0], '2026-02-03T04:05:06Z');
        assert.equal(edges.at(-1), '2027-03-04T05:06:07Z');
        assert.deepEqual(edges, edges.toSorted(), text);
        assert.equal(new Set(edges).size, edges.length, text);
      }
    }
  });

  it('are refused when they have no length or are too many', async () => {
    for (const text of ['0', '0s', '-1h', '+1h', '1', 'h', '1x', '', '1h ', '0h0m', 'PT1H', '1.5h', '9'.repeat(40)]) {
      assert.throws(() => parseInterval(text, UTC), /'interval' is .* want a length above zero/, text);
    }
    assert.equal(parseInterval('1d'.repeat(50), BERLIN).steps.length, 50);
    assert.throws(() => parseInterval('1d'.repeat(51), BERLIN), /'interval' is '1d1d.*…'; want at most 100 characters/);
    const range = { start: '2026-01-01T00:00:00Z', end: '2026-04-27T00:00:00Z' };
    await assert.rejects(edgesOf('1s', range), /about 10022400 intervals of the range; want 1000000 at most/);
    await assert.rejects(
      edgesOf('1d', { start: '0001-01-01T00:00:00Z', end: '9999-01-01T00:00:00Z', zone: BERLIN }),
      /intervals/,
    );
  });
});
