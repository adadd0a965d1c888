// Intervals by the clocks of a zone: whatever part of them is read, they begin at the same times, which are the server's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervalForServer, intervalStart } from '../../../../../server/explorer/model/time/interval-grid.ts';
import { findZone, type Zone } from '../../../../../server/explorer/model/time/time-zone.ts';
import { INTERVALS } from '../../../../../server/explorer/model/trend/aggregate-choice.ts';
import { findEdges, parseInterval } from '../../../../../server/routes/request/interval.ts';
import { findTimeZone, type TimeZone } from '../../../../../server/routes/request/time-zone.ts';
import { CHANGES } from './clock-changes.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Asked {
  readonly zoneName: string;
  readonly intervalMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Beginnings of the intervals that the page gets when it asks from a time on. */
async function beginnings({ zoneName, intervalMs, startMs, endMs }: Asked): Promise<number[]> {
  const [own, zone] = [findZone(zoneName) as Zone, findTimeZone(zoneName) as TimeZone];
  const fromMs = intervalStart(startMs, intervalMs, own);
  const range = { start: { ms: fromMs, ticks: 0 }, end: { ms: endMs, ticks: 0 }, zone, isAligned: true };
  const edges = await findEdges(parseInterval(intervalForServer(intervalMs), zone), {
    ...range,
    isAborted: () => false,
  });
  return [...edges].slice(0, -1).map((offset) => fromMs + offset);
}

test('a part of the time has the intervals of the whole, over both changes of clocks', async () => {
  for (const [zoneName, changes] of Object.entries(CHANGES)) {
    for (const change of changes) {
      const endMs = Date.parse(change) + 26 * HOUR_MS;
      for (const [text, intervalMs] of INTERVALS.filter(([, ms]) => ms >= 60_000)) {
        const asked = { zoneName, intervalMs, endMs };
        const all = await beginnings({ ...asked, startMs: Date.parse(change) - 16 * DAY_MS });
        for (const beforeMs of [26 * HOUR_MS, 61 * 60_000, 0, -17 * 60_000, -59 * 60_000, -125 * 60_000]) {
          const startMs = Date.parse(change) - beforeMs;
          const some = await beginnings({ ...asked, startMs });
          const first = some[0] as number;
          assert.ok(first <= startMs, `${text} in ${zoneName}: begins with ${new Date(first).toISOString()}`);
          assert.deepEqual(
            some,
            all.filter((ms) => ms >= first),
            `${text} in ${zoneName} from ${new Date(startMs).toISOString()}`,
          );
        }
      }
    }
  }
});

test('days are those of the zone, and weeks begin on its Mondays', async () => {
  const asked = { zoneName: 'Europe/Berlin', endMs: Date.parse('2026-10-27T12:00Z') };
  const startMs = Date.parse('2026-10-24T15:00Z');
  const texts = async (intervalMs: number): Promise<string[]> =>
    (await beginnings({ ...asked, intervalMs, startMs })).map((ms) => new Date(ms).toISOString().slice(0, 16));
  assert.deepEqual(await texts(DAY_MS), [
    '2026-10-23T22:00',
    '2026-10-24T22:00',
    '2026-10-25T23:00',
    '2026-10-26T23:00',
  ]);
  assert.deepEqual(await texts(7 * DAY_MS), ['2026-10-18T22:00', '2026-10-25T23:00']);
  assert.equal(intervalForServer(48 * HOUR_MS), '2d');
  assert.equal(intervalForServer(30_000), '30000ms');
});
