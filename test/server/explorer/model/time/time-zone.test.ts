import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { formatTime, timeLabels } from '../../../../../server/explorer/model/time/axis-labels.ts';
import { formatBound, parseBound } from '../../../../../server/explorer/model/time/time-range.ts';
import {
  currentZone,
  fromZoned,
  setZone,
  zonedDate,
  zoneText,
} from '../../../../../server/explorer/model/time/time-zone.ts';

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
  assert.equal(parseBound('2024-10-27 02:30'), at('2024-10-27T00:30Z'), 'the first of two, as the server has it');
});

test('axis and cursor tell the hour that comes twice apart', () => {
  setZone('Europe/Berlin');
  const halfHours = Array.from({ length: 7 }, (_, index) => at('2026-10-24T23:30Z') + index * 1_800_000);
  assert.deepEqual(timeLabels(halfHours, 1_800_000), [
    '01:30\n25 Oct',
    '02:00\n+02:00',
    '02:30\n+02:00',
    '02:00\n+01:00',
    '02:30\n+01:00',
    '03:00',
    '03:30',
  ]);
  assert.equal(formatTime(at('2026-10-25T00:15Z'), 3_600_000), '2026-10-25 02:15:00+02:00');
  assert.equal(formatTime(at('2026-10-25T01:15Z'), 3_600_000), '2026-10-25 02:15:00+01:00');
  setZone('Australia/Lord_Howe');
  assert.deepEqual(timeLabels([at('2026-04-04T14:45Z'), at('2026-04-04T15:15Z')], 1_800_000), [
    '01:45\n5 Apr +11:00',
    '01:45\n+10:30',
  ]);
});

test('a name that is no zone leaves the computer’s', () => {
  setZone('Mars/Olympus');
  assert.equal(currentZone(), 'local');
});
