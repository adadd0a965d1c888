import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBody, formatInstant, nextInstant, parseInstant, type SourcePoint } from '../../collect/point.ts';
import { TagStream } from '../../collect/tag-stream.ts';

function point(timeMs: number, ticks = 0): SourcePoint {
  return { timeMs, ticks, json: '1', number: 1, quality: 192 };
}

test('a hole that no history fills is marked directly after the newest stored point', () => {
  const stream = new TagStream(undefined, { timeMs: 1000, ticks: 9999 });
  const mark = { timeMs: 1001, ticks: 0, json: 'null', number: undefined, quality: 24 };
  assert.deepEqual(stream.take(point(5000)), [mark, point(5000)]);
  assert.deepEqual(stream.take(point(6000)), [point(6000)]);
});

test('the same newest point after a cut says that nothing is missing', () => {
  const stream = new TagStream(undefined, { timeMs: 1000, ticks: 5 });
  assert.deepEqual(stream.take(point(1000, 5)), []);
  assert.deepEqual(stream.take(point(5000)), [point(5000)]);
});

test('a history that was read to its end leaves no mark, and a new tag has no hole', () => {
  const stream = new TagStream(undefined, point(1000));
  stream.fillHole();
  assert.deepEqual(stream.take(point(5000)), [point(5000)]);
  assert.deepEqual(new TagStream(undefined, undefined).take(point(5000)), [point(5000)]);
});

test('a live point from before the newest is stored late, one of a history is there already', () => {
  const stream = new TagStream({ deadband: 1, shortestMs: 0, longestMs: 1000 }, point(5000));
  stream.fillHole();
  assert.deepEqual(stream.take(point(4000)), []);
  assert.deepEqual(stream.takeLive(point(4000)), [point(4000)]);
  assert.deepEqual(stream.takeLive(point(5000)), []);
  assert.deepEqual(stream.takeLive(point(6000)), [point(6000)]);
});

test('a newest point whose time is known to the millisecond only is the same point', () => {
  const stream = new TagStream(undefined, { timeMs: 1000, ticks: 0 });
  assert.deepEqual(stream.take(point(1000, 7)), [point(1000, 7)]);
  assert.deepEqual(stream.take(point(5000)), [point(5000)]);
  const exact = new TagStream(undefined, { timeMs: 1000, ticks: 7 });
  assert.deepEqual(exact.take(point(1000)), []);
  assert.deepEqual(exact.take(point(5000)), [point(5000)]);
});

test('points that came while history was read are there already, or of a clock that was set back', () => {
  const stream = new TagStream(undefined, point(1000));
  stream.fillHole();
  stream.take(point(3000));
  assert.deepEqual(stream.takeWaiting(point(2000)), []);
  assert.deepEqual(stream.takeWaiting(point(500)), [point(500)]);
  assert.deepEqual(stream.takeWaiting(point(4000)), [point(4000)]);
});

test('a point before which the queue of the server has lost others has a mark before it', () => {
  const stream = new TagStream(undefined, point(1000));
  stream.fillHole();
  const mark = { timeMs: 1000, ticks: 1, json: 'null', number: undefined, quality: 24 };
  assert.deepEqual(stream.takeAfterHole(point(900)), [point(900)]);
  assert.deepEqual(stream.takeAfterHole(point(3000)), [mark, point(3000)]);
  assert.deepEqual(stream.take(point(4000)), [point(4000)]);
});

test('a hole that is opened again is marked, unless history begins with the newest point', () => {
  const stream = new TagStream(undefined, undefined);
  stream.openHole();
  assert.deepEqual(stream.take(point(1000)), [point(1000)]);
  stream.openHole();
  const mark = { timeMs: 1000, ticks: 1, json: 'null', number: undefined, quality: 24 };
  assert.deepEqual(stream.take(point(2000)), [mark, point(2000)]);
  stream.openHole();
  assert.deepEqual(stream.take(point(2000)), []);
  assert.deepEqual(stream.take(point(3000)), [point(3000)]);
});

test('points go out with seven digits of a second, in order by tag', () => {
  assert.equal(formatInstant({ timeMs: 1_700_000_000_123, ticks: 42 }), '2023-11-14T22:13:20.1230042Z');
  for (const instant of [point(1_700_000_000_123, 42), point(-1), point(0, 9999)])
    assert.deepEqual(parseInstant(formatInstant(instant)), { timeMs: instant.timeMs, ticks: instant.ticks });
  assert.equal(parseInstant('yesterday'), undefined);
  assert.deepEqual(nextInstant({ timeMs: 1, ticks: 9999 }), { timeMs: 2, ticks: 0 });
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
