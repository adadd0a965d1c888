import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { formatTime } from '../../../server/explorer/model/time/axis-labels.ts';
import { formatBound, parseBound } from '../../../server/explorer/model/time/time-range.ts';
import { currentZone, fromZoned, setZone, zonedDate, zoneText } from '../../../server/explorer/model/time/time-zone.ts';

const at = (text: string): number => Date.parse(text);
afterEach(() => setZone('local'));

test('times are shown and typed in the chosen zone, whatever that of the computer is', () => {
  setZone('Asia/Kolkata');
  assert.equal(formatTime(at('2024-03-01T00:00:05Z'), 3_600_000), '2024-03-01 05:30:05');
  assert.equal(parseBound('2024-03-01 05:30'), at('2024-03-01T00:00Z'));
  assert.equal(parseBound('2024-03-01T05:30:00Z'), at('2024-03-01T05:30Z'), 'a zone that is said holds');
  assert.equal(parseBound('2024-03-01'), at('2024-02-29T18:30Z'));
  assert.equal(formatBound(at('2024-03-01T00:00:00Z')), '2024-03-01 05:30');
  assert.equal(zoneText(0), 'UTC+05:30');
  setZone('UTC');
  assert.equal(formatBound(at('2024-03-01T00:00:00Z')), '2024-03-01 00:00');
  assert.equal(zoneText(0), 'UTC');
});

test('the offset is that of the time, also where clocks are put on and back', () => {
  setZone('Europe/Berlin');
  assert.deepEqual([zoneText(at('2024-01-01')), zoneText(at('2024-07-01'))], ['UTC+01:00', 'UTC+02:00']);
  for (let timeMs = at('2024-03-30T00:00Z'); timeMs < at('2024-04-01T00:00Z'); timeMs += 1_800_000) {
    assert.equal(fromZoned(zonedDate(timeMs).getTime()), timeMs, new Date(timeMs).toISOString());
  }
  // 02:30 is there twice.
  const twice = parseBound('2024-10-27 02:30') as number;
  assert.ok(twice === at('2024-10-27T00:30Z') || twice === at('2024-10-27T01:30Z'));
});

test('a name that is no zone leaves the computer’s', () => {
  setZone('Mars/Olympus');
  assert.equal(currentZone(), 'local');
});
