import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatRelativeSpan,
  isRelative,
  resolveRelative,
} from '../../../../../server/explorer/model/time/relative-time.ts';
import {
  formatBound,
  frozen,
  isLive,
  liveAgain,
  panned,
  parseBound,
  resolveRange,
  zoomed,
} from '../../../../../server/explorer/model/time/time-range.ts';

const NOW = Date.parse('2024-03-31T12:00:00Z');
const HOUR = 3_600_000;

test('relative times are those of the API: signs, several units, calendar steps clamped to the month', () => {
  const cases = {
    '-2h': '2024-03-31T10:00',
    '2h': '2024-03-31T14:00',
    'now-1d12h': '2024-03-30T00:00',
    '-1M': '2024-02-29T12:00',
  };
  for (const [text, time] of Object.entries(cases)) {
    assert.equal(resolveRelative(text, NOW), Date.parse(`${time}:00Z`), text);
  }
  for (const text of ['', '-', '2 h', '-2x', 'later', '--2h']) assert.equal(isRelative(text), false, text);
  assert.throws(() => resolveRelative('soon', NOW), RangeError);
});

test('a span is written as a relative time that resolves to the same', () => {
  for (const spanMs of [1000, 90_000, 2 * HOUR, 36 * HOUR, 7 * 24 * HOUR]) {
    assert.equal(NOW - resolveRelative(`-${formatRelativeSpan(spanMs)}`, NOW), spanMs);
  }
  assert.equal(formatRelativeSpan(36 * HOUR), '1d12h');
});

test('a bound that was shown is read back as the same second', () => {
  for (const timeMs of [NOW, NOW + 61_000, Date.parse('0099-01-01T00:00:00Z')]) {
    assert.equal(parseBound(formatBound(timeMs)), timeMs);
  }
  assert.equal(parseBound('2024-03-31T12:00:00Z'), NOW);
  assert.equal(parseBound(' -2h '), '-2h');
  for (const text of ['', 'someday', '2024', '2024-13-01']) assert.equal(parseBound(text), undefined, text);
});

test('a window that ends at now moves, one that ends at a time does not', () => {
  const live = { from: '-1h', to: 'now' };
  assert.deepEqual(resolveRange(live, NOW), { startMs: NOW - HOUR, endMs: NOW });
  assert.deepEqual(resolveRange(live, NOW + 5), { startMs: NOW + 5 - HOUR, endMs: NOW + 5 });
  assert.equal(isLive(live, NOW), true);
  assert.equal(isLive(frozen(resolveRange(live, NOW)), NOW), false);
});

test('live off and on again keeps the span', () => {
  const window = { startMs: NOW - 90 * 60_000, endMs: NOW };
  assert.deepEqual(liveAgain(window), { from: '-1h30m', to: 'now' });
});

test('zoom keeps the time under the pointer, pan keeps the span', () => {
  const window = { startMs: NOW, endMs: NOW + 1000 * 60 };
  const closer = zoomed(window, 0.5, NOW + 15_000);
  assert.deepEqual(closer, { from: NOW + 7500, to: NOW + 37_500 });
  assert.deepEqual(panned(window, -0.5), { from: NOW - 30_000, to: NOW + 30_000 });
});

test('no window is empty or turned round', () => {
  assert.ok(resolveRange({ from: 'now', to: '-1h' }, NOW).startMs < NOW - HOUR);
  const tiny = zoomed({ startMs: NOW, endMs: NOW + 100 }, 0.01, NOW);
  assert.equal((tiny.to as number) - (tiny.from as number), 100);
});

test('zooming out ends at two hundred years', () => {
  let range = { from: NOW - HOUR, to: NOW };
  for (let i = 0; i < 60; i++) {
    const next = zoomed({ startMs: range.from, endMs: range.to }, 2, range.to);
    range = { from: Number(next.from), to: Number(next.to) };
  }
  const years = (range.to - range.from) / (365.25 * 24 * HOUR);
  assert.ok(Math.abs(years - 200) < 0.01, `${years} years`);
});
