import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Instant } from '../../collect/point.ts';
import {
  formatBody,
  formatInstant,
  nextInstant,
  parseInstant,
  previousInstant,
  type SourcePoint,
} from '../../collect/point.ts';
import { TagStream } from '../../collect/tag-stream.ts';

/** Nothing came behind the newest point. */
function at(instant: Instant): { newest: Instant; last: Instant } {
  return { newest: instant, last: instant };
}

function mark(timeMs: number, ticks = 0): SourcePoint {
  return { timeMs, ticks, json: 'null', number: undefined, quality: 24 };
}

function point(timeMs: number, ticks = 0): SourcePoint {
  return { timeMs, ticks, json: '1', number: 1, quality: 192 };
}

test('a hole that no history fills is marked directly after the newest stored point', () => {
  const stream = new TagStream(undefined, at({ timeMs: 1000, ticks: 9999 }));
  assert.deepEqual(stream.take(point(5000)), [mark(1001), point(5000)]);
  assert.deepEqual(stream.take(point(6000)), [point(6000)]);
});

test('the same newest point after a cut says that nothing is missing', () => {
  const stream = new TagStream(undefined, at({ timeMs: 1000, ticks: 5 }));
  assert.deepEqual(stream.take(point(1000, 5)), []);
  assert.deepEqual(stream.take(point(5000)), [point(5000)]);
});

test('a history that was read to its end leaves no mark, and a new tag has no hole', () => {
  const stream = new TagStream(undefined, at(point(1000)));
  stream.fillHole('none');
  assert.deepEqual(stream.take(point(5000)), [point(5000)]);
  assert.deepEqual(new TagStream(undefined, undefined).take(point(5000)), [point(5000)]);
});

test('a live point from before the newest is stored late, one of a history is there already', () => {
  const stream = new TagStream({ deadband: 1, shortestMs: 0, longestMs: 1000 }, at(point(5000)));
  stream.fillHole('none');
  assert.deepEqual(stream.take(point(4000)), []);
  assert.deepEqual(stream.takeLive(point(4000)), [point(4000)]);
  assert.deepEqual(stream.takeLive(point(4000)), []);
  assert.deepEqual(stream.takeLive(point(5000)), [point(5000)]);
  assert.deepEqual(stream.takeLive(point(6000)), [point(6000)]);
});

test('a newest point whose time is known to the millisecond only is the same point', () => {
  const stream = new TagStream(undefined, at({ timeMs: 1000, ticks: 0 }));
  assert.deepEqual(stream.take(point(1000, 7)), [point(1000, 7)]);
  assert.deepEqual(stream.take(point(5000)), [point(5000)]);
  const exact = new TagStream(undefined, at({ timeMs: 1000, ticks: 7 }));
  assert.deepEqual(exact.take(point(1000)), []);
  assert.deepEqual(exact.take(point(5000)), [point(5000)]);
});

test('points that came while history was read are there already, or of a clock that was set back', () => {
  const stream = new TagStream(undefined, at(point(1000)));
  stream.fillHole('none');
  stream.take(point(3000));
  assert.deepEqual(stream.takeWaiting(point(2000)), []);
  assert.deepEqual(stream.takeWaiting(point(500)), [point(500)]);
  assert.deepEqual(stream.takeWaiting(point(4000)), [point(4000)]);
});

test('a point before which the queue of the server has lost others has a mark before it', () => {
  const stream = new TagStream(undefined, at(point(1000)));
  stream.fillHole('none');
  assert.deepEqual(stream.takeAfterHole(point(3000)), [mark(1000, 1), point(3000)]);
  assert.deepEqual(stream.take(point(4000)), [point(4000)]);
});

test('a hole that is opened again is marked, unless history begins with the newest point', () => {
  const stream = new TagStream(undefined, undefined);
  stream.openHole();
  assert.deepEqual(stream.take(point(1000)), [point(1000)]);
  stream.openHole();
  assert.deepEqual(stream.take(point(2000)), [mark(1000, 1), point(2000)]);
  stream.openHole();
  assert.deepEqual(stream.take(point(2000)), []);
  assert.deepEqual(stream.take(point(3000)), [point(3000)]);
});

test('a hole while the clock is set back is marked behind the point that came last, not behind the newest one', () => {
  const stream = new TagStream(undefined, { newest: point(5000), last: point(2000) });
  assert.deepEqual(stream.takeLive(point(3000)), [mark(2000, 1), point(3000)]);
  assert.deepEqual(stream.takeLive(point(3100)), [point(3100)]);
  const unchanged = new TagStream(undefined, { newest: point(5000), last: point(2000) });
  assert.deepEqual(unchanged.takeLive(point(2000)), []);
  assert.deepEqual(unchanged.takeLive(point(3000)), [point(3000)]);
  const onAgain = new TagStream(undefined, { newest: point(5000), last: point(2000) });
  assert.deepEqual(onAgain.takeLive(point(6000)), [mark(2000, 1), mark(5000, 1), point(6000)]);
});

test('a clock that was set back within a hole has the hole marked at both ends, also where history was read', () => {
  const stream = new TagStream(undefined, at(point(5000)));
  assert.deepEqual(stream.takeWaiting(point(3000)), [mark(5000, 1), mark(2999, 9999), point(3000)]);
  assert.deepEqual(stream.takeWaiting(point(3100)), [point(3100)]);
  const logged = new TagStream(undefined, at(point(5000)));
  logged.fillHole('by history');
  assert.deepEqual(logged.takeWaiting(point(3000)), [mark(2999, 9999), point(3000)]);
  const overflowed = new TagStream(undefined, at(point(5000)));
  overflowed.fillHole('none');
  assert.deepEqual(overflowed.takeLive(point(3000)), [point(3000)]);
  assert.deepEqual(overflowed.takeAfterHole(point(3500)), [mark(3000, 1), point(3500)]);
});

test('history from the point that came last gives what came while the clock was set back', () => {
  const stream = new TagStream(undefined, { newest: point(5000), last: point(2000) });
  assert.deepEqual(stream.take(point(2000)), []);
  assert.deepEqual(stream.take(point(2500)), [point(2500)]);
  assert.deepEqual(stream.take(point(4900)), [point(4900)]);
  stream.fillHole('by history');
  assert.deepEqual(stream.takeWaiting(point(2600)), [point(2600)]);
  assert.deepEqual(stream.take(point(5100)), [point(5100)]);
});

test('a point that the exception rules hold back goes out before one of a clock that was set back', () => {
  const stream = new TagStream({ deadband: 1, shortestMs: 0, longestMs: 60_000 }, undefined);
  assert.deepEqual(stream.takeLive(point(1000)), [point(1000)]);
  assert.deepEqual(stream.takeLive(point(2000)), []);
  assert.deepEqual(stream.takeLive(point(500)), [point(2000), point(500)]);
  assert.deepEqual(stream.flush(), []);
});

test('points go out with seven digits of a second, in order by tag', () => {
  assert.equal(formatInstant({ timeMs: 1_700_000_000_123, ticks: 42 }), '2023-11-14T22:13:20.1230042Z');
  for (const instant of [point(1_700_000_000_123, 42), point(-1), point(0, 9999)])
    assert.deepEqual(parseInstant(formatInstant(instant)), { timeMs: instant.timeMs, ticks: instant.ticks });
  assert.equal(parseInstant('yesterday'), undefined);
  assert.deepEqual(nextInstant({ timeMs: 1, ticks: 9999 }), { timeMs: 2, ticks: 0 });
  for (const instant of [point(0), point(5, 1)]) {
    const { timeMs, ticks } = nextInstant(previousInstant(instant));
    assert.deepEqual([timeMs, ticks], [instant.timeMs, instant.ticks]);
  }
  const body = formatBody([
    { tag: 'a"', point: point(0) },
    { tag: 'b', point: point(0, 1) },
    { tag: 'a"', point: point(1) },
  ]);
  assert.deepEqual(JSON.parse(body), {
    'a"': [
      { t: '1970-01-01T00:00:00.000Z', v: 1, q: 192 },
      { t: '1970-01-01T00:00:00.001Z', v: 1, q: 192 },
    ],
    b: [{ t: '1970-01-01T00:00:00.0000001Z', v: 1, q: 192 }],
  });
});
