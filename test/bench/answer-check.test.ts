import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerCheck } from '../../bench/peers/answer-check.ts';
import { makeW1Points } from '../../bench/peers/bodies/w1-points.ts';
import type { ReadAnswer, ReadPoint } from '../../bench/peers/peer.ts';
import { refuseWrong } from '../../bench/peers/run-measurement.ts';

const w1 = makeW1Points({ tagCount: 3, pointsATag: 50, seed: 1 });
const FROM_MS = w1.startMs + 10_000;
const TO_MS = w1.startMs + 30_000;

/** What a server that is right answers. */
function pointsOf(tag: number): ReadPoint[] {
  const all = Array.from({ length: w1.pointsATag }, (_, i): ReadPoint => {
    const at = tag * w1.pointsATag + i;
    return [w1.timesMs[at] as number, (w1.hundredths[at] as number) / 100, 192];
  });
  return all.filter(([timeMs]) => timeMs >= FROM_MS && timeMs < TO_MS);
}

function answerOf(points: ReadPoint[]): ReadAnswer {
  return { count: points.length, valueSum: points.reduce((sum, [, value]) => sum + value, 0), list: () => points };
}

function faultsOf(change: (points: ReadPoint[]) => ReadPoint[]): string {
  const check = new AnswerCheck(w1);
  check.points(1, FROM_MS, TO_MS, answerOf(change(pointsOf(1))));
  assert.equal(check.checked, 1);
  assert.equal(check.wrong, check.firstFault === '' ? 0 : 1);
  return check.firstFault;
}

test('an answer with every point is right, also without qualities', () => {
  assert.ok(pointsOf(1).length > 15);
  assert.equal(
    faultsOf((points) => points),
    '',
  );
  assert.equal(
    faultsOf((points) => points.map(([timeMs, value]) => [timeMs, value, undefined])),
    '',
  );
});

test('a missing point, a wrong time, value or quality is found', () => {
  const changed = (change: (point: ReadPoint) => ReadPoint) =>
    faultsOf((points) => points.map((point, i) => (i === 7 ? change(point) : point)));
  assert.match(
    faultsOf((points) => points.slice(1)),
    /^tag 1: got \d+ points; want \d+$/,
  );
  assert.match(
    changed(([timeMs, value, quality]) => [timeMs + 1, value, quality]),
    /got point \[.*\]; want \[/,
  );
  assert.match(
    changed(([timeMs, value, quality]) => [timeMs, value + 1e-9, quality]),
    /got point/,
  );
  assert.match(
    changed(([timeMs, value]) => [timeMs, value, 0]),
    /got point/,
  );
});

test('counts and sums of several tags, and the newest values, are compared', () => {
  const check = new AnswerCheck(w1);
  const points = [...pointsOf(0), ...pointsOf(2)];
  check.range([0, 2], FROM_MS, TO_MS, answerOf(points));
  const newest = [0, 1, 2].map((tag) => (w1.hundredths[(tag + 1) * w1.pointsATag - 1] as number) / 100);
  const valueSum = newest.reduce((sum, value) => sum + value, 0);
  check.latest({ count: 3, valueSum });
  assert.deepEqual([check.checked, check.wrong], [2, 0]);
  check.range([0, 1], FROM_MS, TO_MS, answerOf(points));
  check.range([0, 2], FROM_MS, TO_MS, answerOf(points.slice(1)));
  check.latest({ count: 2, valueSum });
  check.latest({ count: 3, valueSum: valueSum + 0.01 });
  assert.deepEqual([check.checked, check.wrong], [6, 4]);
  assert.match(check.firstFault, /^2 tags from 2026-01-01T00:00:10\.000Z: got \d+ with a sum of/);
});

test('a measurement with a wrong answer is none', () => {
  refuseWrong({ checked: 125, wrong: 0, firstFault: '' });
  const refused = () => refuseWrong({ checked: 125, wrong: 2, firstFault: 'tag 3: got 9 points; want 10' });
  assert.throws(refused, /^Error: 2 of 125 answers were wrong; the first: tag 3: got 9 points; want 10$/);
});
